internal import Glibc

/// Completion of typed paths.
enum PathCompletion {
    /// Returns a path with `~` replaced by the home folder.
    static func expanded(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
        return String(cString: home) + path.dropFirst()
    }

    /// Returns the files and folders whose paths start with a typed path. It reads a folder, so never call it on the
    /// drawing thread.
    static func candidates(_ typed: String) -> [String] {
        let slash = typed.lastIndex(of: "/")
        let folder = slash.map { String(typed[...$0]) } ?? ""
        let start = slash.map { String(typed[typed.index(after: $0)...]) } ?? typed
        let inside = expanded(folder.isEmpty ? "." : folder)
        let names = FolderReading.names(in: inside).filter { name in
            name.hasPrefix(start) && (start.hasPrefix(".") || !name.hasPrefix("."))
        }
        return names.prefix(1_000).map { folder + $0 + (FolderReading.isFolder("\(inside)/\($0)") ? "/" : "") }
    }
}

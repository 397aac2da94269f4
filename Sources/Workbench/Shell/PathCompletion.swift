internal import Glibc

/// Paths that a person types.
enum PathCompletion {
    /// `~` as the home folder.
    static func expanded(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
        return String(cString: home) + path.dropFirst()
    }

    /// Files and folders that begin like the last word of a line.
    @Sendable static func candidates(_ line: String) -> [String] {
        let typed = line
        let slash = typed.lastIndex(of: "/")
        let folder = slash.map { String(typed[...$0]) } ?? ""
        let start = slash.map { String(typed[typed.index(after: $0)...]) } ?? typed
        guard let directory = opendir(expanded(folder.isEmpty ? "." : folder)) else { return [] }
        defer { closedir(directory) }
        var found: [String] = []
        while found.count < 1_000, let entry = readdir(directory) {
            let isFolder = entry.pointee.d_type == UInt8(DT_DIR)
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasPrefix(start), start.hasPrefix(".") || !name.hasPrefix(".") else { continue }
            found.append(folder + name + (isFolder ? "/" : ""))
        }
        return found.sorted()
    }
}

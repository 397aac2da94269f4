internal import Glibc
internal import System

/// Paths of the files that runs of others consist of.
enum FilePath {
    enum Kind { case file, folder, other }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// The path without links and dots; `nil` if nothing exists.
    static func canonical(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// What a path is, links not followed.
    static func kind(of path: String) -> Kind? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// The text of a small file; `nil` if there is none, or it is larger than 1 MiB.
    static func smallText(_ path: String) -> String? {
        SmallFile.content(path, limit: 1 << 20).flatMap { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) }
    }
}

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

    /// The first bytes of a file; empty if it cannot be read.
    static func head(of path: String, _ count: Int) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        let got = Glibc.read(descriptor, &bytes, count)
        return Array(bytes.prefix(max(0, got)))
    }

    /// The text of a small file; `nil` if there is none, or it is larger than 1 MiB.
    static func smallText(_ path: String) -> String? {
        let bytes = head(of: path, (1 << 20) + 1)
        return bytes.isEmpty || bytes.count > 1 << 20 ? nil : String(decoding: bytes, as: UTF8.self)
    }
}

internal import Glibc
internal import System

/// What the file system says about names.
enum FileNames {
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns the folder of a file.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// A file's name without its folder.
    static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// Waits until the names in a file's folder are on the disk.
    static func syncFolder(of path: String) {
        let entry = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard entry >= 0 else { return }
        fsync(entry)
        close(entry)
    }
}

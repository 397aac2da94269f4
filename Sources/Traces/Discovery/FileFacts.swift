import Glibc

/// Sizes, times, and first bytes of files.
package enum FileFacts {
    /// Size and time of change of a file, following links; `nil` if there is none.
    package static func sizeAndTime(of path: String) -> (size: Int, modified: Int64)? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return (Int(status.st_size), Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
    }
}

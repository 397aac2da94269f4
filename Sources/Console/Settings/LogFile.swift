internal import Glibc

/// The log file, which receives standard error while the screen is in use.
public enum LogFile {
    /// Size at which the log is renamed to `orrery.log.1`: 1 MiB.
    package static let limit = 1 << 20

    /// Path of the log.
    public static var path: String { XDG.current.state + "/orrery.log" }

    /// Opens a log for appending, and returns its descriptor; `nil` if the log is not writable.
    package static func open(_ path: String) -> Int32? {
        if let slash = path.lastIndex(of: "/") { XDG.makeFolder(String(path[..<slash])) }
        var status = stat()
        if stat(path, &status) == 0, status.st_size >= limit { rename(path, path + ".1") }
        let descriptor = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        return descriptor >= 0 ? descriptor : nil
    }
}

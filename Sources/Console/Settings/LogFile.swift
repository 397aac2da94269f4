internal import Glibc

/// The file that takes what is written to standard error while the screen is up.
public enum LogFile {
    /// The size at which the log is put aside as `orrery.log.1`: 1 MiB.
    package static let limit = 1 << 20

    /// Where it is kept.
    public static var path: String { XDG.current.state + "/orrery.log" }

    /// Opens a log to be continued; nil where it cannot be written.
    package static func open(_ path: String) -> Int32? {
        if let slash = path.lastIndex(of: "/") { XDG.makeFolder(String(path[..<slash])) }
        var status = stat()
        if stat(path, &status) == 0, status.st_size >= limit { rename(path, path + ".1") }
        let descriptor = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        return descriptor >= 0 ? descriptor : nil
    }
}

internal import Glibc
internal import System

/// A check for free disk space, before paying for answers that could not be stored.
enum DiskRoom {
    /// Bytes that a run's first commits need.
    private static let least = 1 << 20

    /// Reserves space next to the file and releases it at once.
    ///
    /// - Throws: `Problem` if there is none; other failures are left to the writer.
    static func check(beside path: String) throws(Problem) {
        let probe = "\(path).room-\(getpid())"
        let file = open(probe, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        unlink(probe)
        defer { close(file) }
        let failed = posix_fallocate(file, 0, least)
        guard failed == ENOSPC || failed == EDQUOT else { return }
        throw Problem(
            .invalid, "", "The disk with \(path) is full", remedy: "Free some space and try again. No request was sent."
        )
    }
}

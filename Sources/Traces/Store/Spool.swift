import Glibc

/// A stream kept in an unnamed file, which goes away with this value or with the process.
final class Spool {
    private let descriptor: Int32

    /// The path under which this process can open it, from its beginning.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// Copies a stream until it ends or the import is canceled; waits while its writer pauses.
    init(copying input: Int32, named name: String, isCancelled: () -> Bool) throws(ImportError) {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
        var template = Array((folder + "/orrery-XXXXXX").utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw ImportError(path: folder, code: errno) }
        unlink(template)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var piece = [UInt8](repeating: 0, count: 256 << 10)
        while !isCancelled() {
            // A pipe is not ready until a writer has come, where reading would find its end already.
            var waiting = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 100) != 0 else { continue }
            let got = read(input, &piece, piece.count)
            if got == 0 { break }
            if got < 0 {
                if errno == EINTR || errno == EAGAIN { continue }
                throw ImportError(path: name, code: errno)
            }
            var written = 0
            while written < got {
                let count = piece.withUnsafeBytes { write(descriptor, $0.baseAddress! + written, got - written) }
                if count < 0, errno != EINTR { throw ImportError(path: folder, code: errno) }
                written += max(0, count)
            }
        }
    }

    deinit { close(descriptor) }
}

internal import Glibc
internal import System

/// Files of a corpus: read whole within a limit, written next to their destination and then put there.
enum SyntheticFile {
    static func failure(_ path: String) -> Problem { Problem(.failed, path, String(cString: strerror(errno))) }

    static func makeFolder(_ path: String) throws(Problem) {
        if mkdir(path, 0o777) != 0, errno != EEXIST { throw failure(path) }
    }
}

/// A file that grows piece by piece and appears under its name only when it is whole.
final class SyntheticOutput {
    private let path: String
    private var descriptor: Int32
    private var buffer: [UInt8] = []

    init(_ path: String) throws(Problem) {
        self.path = path
        descriptor = open(path + ".part", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw SyntheticFile.failure(path) }
        buffer.reserveCapacity(1 << 18)
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(path + ".part")
    }

    func append(_ bytes: some Sequence<UInt8>) throws(Problem) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= 1 << 18 { try flush() }
    }

    func finish() throws(Problem) {
        try flush()
        guard fsync(descriptor) == 0, rename(path + ".part", path) == 0 else { throw SyntheticFile.failure(path) }
        close(descriptor)
        descriptor = -1
    }

    private func flush() throws(Problem) {
        var start = 0
        while start < buffer.count {
            let count = buffer.withUnsafeBytes { write(descriptor, $0.baseAddress! + start, $0.count - start) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw Problem(
                    .failed, path, String(cString: strerror(errno)), remedy: "The previous file is unchanged.")
            }
            start += count
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

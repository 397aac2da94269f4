internal import Bytes
internal import Glibc
internal import System

/// A file that grows while it is read: a window of it is in memory.
final class FileWindow {
    let path: String
    /// Bytes of the file when it was opened; what is written later is for the next time.
    let size: Int
    /// Nanoseconds since 1970 of its last change.
    let changed: Int64
    /// Offset of the first byte that was not taken.
    private(set) var offset: Int
    private let descriptor: Int32
    private let window: ByteWindow
    /// Fills a buffer with the bytes behind those in the window; 0 at the end.
    let read: (UnsafeMutableRawBufferPointer) throws -> Int

    init(_ path: String, from offset: Int) throws(Problem) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.problem(path, errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Problem(.invalid, "", "\(path) is not a readable file", remedy: "Use a log or its folder.")
        }
        self.path = path
        self.descriptor = descriptor
        let size = Int(status.st_size)
        self.size = size
        changed = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        self.offset = min(offset, size)
        lseek(descriptor, self.offset, SEEK_SET)
        read = { buffer in
            let wanted = min(buffer.count, size - lseek(descriptor, 0, SEEK_CUR))
            while wanted > 0 {
                let count = Glibc.read(descriptor, buffer.baseAddress!, wanted)
                if count >= 0 { return count }
                if errno != EINTR { throw Self.problem(path, errno) }
            }
            return 0
        }
        window = ByteWindow(chunk: 1 << 20, read: read)
    }

    deinit { close(descriptor) }

    var left: Int { size - offset }

    /// The next bytes, at least `count` of them; `nil` if the file has fewer. Valid until the next call.
    func next(_ count: Int) throws -> UnsafeRawBufferPointer? {
        guard count <= left, try window.fill(atLeast: count) else { return nil }
        return UnsafeRawBufferPointer(window.bytes)
    }

    /// Takes bytes, whether or not they are in memory.
    func skip(_ count: Int) {
        let count = min(count, left)
        offset += count
        let held = min(count, window.bytes.count)
        window.skip(held)
        if count > held { lseek(descriptor, count - held, SEEK_CUR) }
    }

    private static func problem(_ path: String, _ code: Int32) -> Problem {
        switch code {
        case ENOENT, ENOTDIR: Problem(.missing, "", "\(path) does not exist", remedy: "Check the path.")
        case EACCES, EPERM:
            Problem(.denied, path, "permission denied", remedy: "Ask its owner, or change its mode with chmod.")
        default: Problem(.failed, path, "cannot read the file: \(String(cString: strerror(code)))")
        }
    }
}

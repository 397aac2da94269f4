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
    private var storage: UnsafeMutableRawBufferPointer
    private var first = 0
    private var last = 0

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
        size = Int(status.st_size)
        changed = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        self.offset = min(offset, size)
        storage = .allocate(byteCount: 1 << 20, alignment: 16)
    }

    deinit {
        storage.deallocate()
        close(descriptor)
    }

    var left: Int { size - offset }

    /// The next bytes, at least `count` of them; `nil` if the file has fewer. Valid until the next call.
    func next(_ count: Int) throws(Problem) -> UnsafeRawBufferPointer? {
        guard count <= left else { return nil }
        if last - first < count { try fill(count) }
        guard last - first >= count else { return nil }
        return UnsafeRawBufferPointer(rebasing: storage[first..<last])
    }

    /// Takes bytes, whether or not they are in memory.
    func skip(_ count: Int) {
        let count = min(count, left)
        offset += count
        let held = last - first
        if count <= held { first += count } else { (first, last) = (0, 0) }
    }

    private func fill(_ count: Int) throws(Problem) {
        let held = last - first
        if count > storage.count {
            let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: count + (1 << 16), alignment: 16)
            larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage[first..<last]))
            storage.deallocate()
            storage = larger
        } else if first > 0, held > 0 {
            memmove(storage.baseAddress!, storage.baseAddress! + first, held)
        }
        (first, last) = (0, held)
        while last < count {
            let wanted = min(storage.count - last, size - offset - last)
            guard wanted > 0 else { return }
            let got = pread(descriptor, storage.baseAddress! + last, wanted, off_t(offset + last))
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw Self.problem(path, errno) }
            // Another process truncated the file.
            if got == 0 { return }
            last += got
        }
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

internal import Glibc
internal import Synchronization

/// A file that is written under a temporary name, in any order, and gets its name only when complete.
///
/// Its disk space is reserved at once, so a full disk is found before hours of work. A crash before `commit` leaves a
/// file ending in `.partial`, never half a model under a model's name.
final class PartialFile {
    private let path: String
    private let subject: String
    private let temporary: String
    private var descriptor: Int32
    private static let names = Atomic<UInt64>(0)

    /// - Parameters:
    ///   - byteCount: of the whole file.
    ///   - subject: what sentences call it, where that is not its path.
    init(_ path: String, byteCount: Int, called subject: String? = nil) throws(ModelError) {
        self.path = path
        self.subject = subject ?? path
        temporary = "\(path).\(getpid()).\(Self.names.add(1, ordering: .relaxed).newValue).partial"
        descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw ModelError.system("create a temporary file in its folder", self.subject) }
        // File systems that cannot promise room say so in other ways than by being full.
        let result = posix_fallocate(descriptor, 0, byteCount)
        guard result != ENOSPC, result != EFBIG else {
            errno = result
            throw ModelError.system("reserve \(byteCount) bytes", self.subject)
        }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(temporary)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(ModelError) {
        var done = 0
        while done < bytes.count {
            let count = pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, offset + done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw ModelError.system("write the file", subject) }
            done += count
        }
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(ModelError) {
        try bytes.withUnsafeBytesOfModel { (bytes) throws(ModelError) in try write(bytes, at: offset) }
    }

    /// Puts it in its place, and waits until that survives a loss of power.
    func commit() throws(ModelError) {
        guard fsync(descriptor) == 0 else { throw ModelError.system("flush the file to disk", subject) }
        guard rename(temporary, path) == 0 else { throw ModelError.system("move the new file into place", subject) }
        close(descriptor)
        descriptor = -1
        FileNames.syncFolder(of: path)
    }
}

extension [UInt8] {
    func withUnsafeBytesOfModel(_ body: (UnsafeRawBufferPointer) throws(ModelError) -> Void) throws(ModelError) {
        try withUnsafeBufferPointer { (bytes) throws(ModelError) in try body(UnsafeRawBufferPointer(bytes)) }
    }
}

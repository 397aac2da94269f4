internal import Bytes
internal import Glibc
internal import Synchronization

/// A file that appears under its name whole or not at all.
///
/// It is written next to its destination, synced, then renamed; readers that have the old file mapped keep the old bytes.
/// What is not committed leaves nothing behind.
package final class AtomicFile {
    private let path: String
    private let temporary: String
    private let folder: String
    private var descriptor: Int32
    /// Small writes are gathered; large ones go past.
    private var pending: [UInt8] = []
    /// Bytes written so far, those that wait included.
    private(set) var position = 0

    private static let gathered = 1 << 16
    private static let names = Atomic<UInt64>(0)

    /// - Parameter followsLinks: Whether a symbolic link stays and its target is replaced; otherwise the link itself is
    ///   replaced, as for files that may be links to a shared model.
    package init(_ path: String, followsLinks: Bool = true) throws(TensorFileError) {
        self.path = path
        let place = followsLinks ? Self.resolved(path) : path
        folder = place.lastIndex(of: "/").map { $0 == place.startIndex ? "/" : String(place[..<$0]) } ?? "."
        let number = Self.names.add(1, ordering: .relaxed).newValue
        temporary = "\(place).\(getpid()).\(number).partial"
        target = place
        var mode: mode_t = 0o666
        var status = stat()
        let exists = stat(place, &status) == 0
        if exists {
            guard status.st_mode & S_IFMT == S_IFREG else { throw TensorFileError(file: path, problem: .notAFile) }
            mode = status.st_mode & 0o777
        }
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw MappedFile.systemError("create a temporary file next to it", path) }
        if exists { fchmod(descriptor, mode) }
    }

    private let target: String

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(temporary)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(TensorFileError) {
        position += bytes.count
        if pending.count + bytes.count <= Self.gathered {
            pending.append(contentsOf: bytes)
        } else {
            try flush()
            try writeAll(bytes)
        }
    }

    package func write(_ bytes: [UInt8]) throws(TensorFileError) {
        try bytes.withRawBytes { (bytes) throws(TensorFileError) in try write(bytes) }
    }

    /// Changes bytes that were written before.
    func overwrite(_ bytes: [UInt8], at offset: Int) throws(TensorFileError) {
        try flush()
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress! + done, $0.count - done, offset + done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw MappedFile.systemError("write the file", path) }
            done += count
        }
    }

    /// Makes it appear under its name, and waits until that survives a loss of power.
    package func commit() throws(TensorFileError) {
        try flush()
        guard fsync(descriptor) == 0 else { throw MappedFile.systemError("flush the file to disk", path) }
        guard rename(temporary, target) == 0 else { throw MappedFile.systemError("replace the file", path) }
        close(descriptor)
        descriptor = -1
        let entry = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard entry >= 0 else { return }
        fsync(entry)
        close(entry)
    }

    private func flush() throws(TensorFileError) {
        try pending.withRawBytes { (bytes) throws(TensorFileError) in try writeAll(bytes) }
        pending.removeAll(keepingCapacity: true)
    }

    private func writeAll(_ bytes: UnsafeRawBufferPointer) throws(TensorFileError) {
        var done = 0
        while done < bytes.count {
            let count = Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw MappedFile.systemError("write the file", path) }
            done += count
        }
    }

    /// The path with links followed; the path itself where nothing is there yet.
    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}

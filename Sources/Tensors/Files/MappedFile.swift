internal import Glibc

/// A file whose bytes appear in memory as they are touched; nothing is copied, and pages can be given back.
///
/// The size is taken once, when the file is opened, and asked for again before tensors are handed out (`checkSize`).
/// What is not protected: a file that another program shortens while a tensor over it is in use. The system then ends
/// the process (SIGBUS) at the first touch of a page that is gone. Files that are replaced by renaming, as ours are
/// and as downloads should be, keep their old bytes as long as they are mapped.
package final class MappedFile: @unchecked Sendable {
    // The memory is mapped for reading only and lives until the last reference is gone.
    package let path: String
    package let bytes: UnsafeRawBufferPointer
    /// -1 for memory that is not a file.
    private let descriptor: Int32

    package init(_ path: String) throws(TensorFileError) {
        // O_NONBLOCK: a named pipe without a writer would otherwise hold us up for ever.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.systemError("open the file", path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let error = Self.systemError("get the file size", path)
            close(descriptor)
            throw error
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw TensorFileError(file: path, problem: .notAFile)
        }
        let size = Int(status.st_size)
        if size > 0 {
            guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
                let error = Self.systemError("map the file into memory", path)
                close(descriptor)
                throw error
            }
            bytes = UnsafeRawBufferPointer(start: start, count: size)
        } else {
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
        }
        self.path = path
        self.descriptor = descriptor
    }

    /// Bytes that are in memory already, under a name for sentences; the caller keeps them.
    package init(memory: UnsafeRawBufferPointer, named path: String) {
        self.path = path
        bytes = memory
        descriptor = -1
    }

    deinit {
        guard descriptor >= 0 else { return }
        if let start = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: start), bytes.count) }
        close(descriptor)
    }

    package var count: Int { bytes.count }

    /// - Throws: `TensorFileError.Problem.shrank` where the file has become shorter than its map.
    package func checkSize() throws(TensorFileError) {
        guard descriptor >= 0 else { return }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.systemError("get the file size", path) }
        let size = Int(status.st_size)
        if size < count { throw TensorFileError(file: path, offset: size, problem: .shrank(from: count, to: size)) }
    }

    /// The bytes from `offset` on.
    ///
    /// - Throws: `TensorFileError.Problem.truncated` if the file has fewer bytes.
    package func slice(_ offset: Int, _ count: Int, what: String) throws(TensorFileError) -> UnsafeRawBufferPointer {
        let (end, overflow) = offset.addingReportingOverflow(count)
        guard offset >= 0, count >= 0, !overflow, end <= self.count else {
            throw TensorFileError(
                file: path, offset: min(max(offset, 0), self.count),
                problem: .truncated(what: what, needed: overflow ? .max : end))
        }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<end])
    }

    static func systemError(_ action: String, _ path: String) -> TensorFileError {
        TensorFileError(file: path, problem: .system(action: action, reason: String(cString: strerror(errno))))
    }
}

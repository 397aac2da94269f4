import Glibc
import System

/// A file that a profile is read from: its bytes in order, with progress and cancellation on the way.
final class ProfileSource {
    let path: String
    let size: Int
    private let descriptor: Int32
    private var head: [UInt8]
    private var headTaken = 0
    /// Bytes that the importer has taken.
    private(set) var bytesRead = 0
    private let isCancelled: () -> Bool
    private let onProgress: (Int) -> Void
    private var nextReport: Int64 = 0

    private static let headLength = 64 << 10

    /// Opens a regular file.
    init(
        path: String, isCancelled: @escaping () -> Bool = { false }, onProgress: @escaping (Int) -> Void = { _ in }
    ) throws {
        self.path = path
        self.isCancelled = isCancelled
        self.onProgress = onProgress
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        head = []
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            let code = errno
            size = 0
            throw Self.error(path, code)
        }
        size = Int(status.st_size)
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw status.st_mode & S_IFMT == S_IFDIR
                ? Self.error(path, EISDIR)
                : Problem(.invalid, path, "not a regular file", remedy: "Save the profile in a file first.")
        }
        var first = [UInt8](repeating: 0, count: Self.headLength)
        let count = try first.withUnsafeMutableBytes { try pull($0) }
        head = Array(first[..<count])
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The first bytes, up to 64 KiB.
    var beginning: [UInt8] { head }

    /// Fills a buffer; 0 at the end.
    func read(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        if isCancelled() { throw CancellationError() }
        let count: Int
        if headTaken < head.count {
            count = min(buffer.count, head.count - headTaken)
            head.withUnsafeBytes { bytes in
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[headTaken..<(headTaken + count)]))
            }
            headTaken += count
        } else {
            count = try pull(buffer)
        }
        advance(by: count)
        return count
    }

    /// Counts progress for a reader that does not go through `read`, and learns about cancellation.
    func advance(by count: Int) {
        bytesRead += count
        let time = Clock.nanoseconds(.coarse) / 1_000_000
        guard time >= nextReport else { return }
        nextReport = time + 50
        onProgress(min(bytesRead, size))
    }

    func checkCancellation() throws {
        if isCancelled() { throw CancellationError() }
    }

    /// The digest of all bytes of the file, without taking any.
    func digest() throws -> UInt64 {
        var digest = FileDigest()
        var offset = 0
        try withUnsafeTemporaryAllocation(byteCount: 256 << 10, alignment: 16) { buffer in
            while true {
                if isCancelled() { throw CancellationError() }
                let count = pread(descriptor, buffer.baseAddress, buffer.count, offset)
                if count < 0 {
                    if errno == EINTR { continue }
                    throw Self.error(path, errno)
                }
                if count == 0 { return }
                digest.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                offset += count
            }
        }
        return digest.value
    }

    /// An error at a place of this file.
    func error(line: Int? = nil, offset: Int? = nil, _ problem: String, _ remedy: String) -> Problem {
        let place = line.map { ", line \($0)" } ?? offset.map { ", byte \($0)" } ?? ""
        return Problem(.invalid, path + place, problem, remedy: remedy)
    }

    private func pull(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = Glibc.read(descriptor, buffer.baseAddress! + filled, buffer.count - filled)
            if count < 0 {
                if errno == EINTR { continue }
                throw Self.error(path, errno)
            }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    private static func error(_ path: String, _ code: Int32) -> Problem {
        switch code {
        case ENOENT: Problem(.missing, path, "no such file", remedy: "Check the path.")
        case EACCES, EPERM:
            Problem(.denied, path, "permission denied", remedy: "Ask the file's owner, or change its permissions.")
        case EISDIR:
            Problem(.invalid, path, "expected a file, found a folder", remedy: "Use the profile in the folder.")
        default: Problem(.failed, path, String(cString: strerror(code)), remedy: "Fix the problem and try again.")
        }
    }
}

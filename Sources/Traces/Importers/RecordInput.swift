import Glibc
import System

/// The bytes of a source, read once: handed to the archive, counted and shown as progress on their way to the records.
package final class RecordInput {
    private enum Origin {
        case file(descriptor: Int32, owned: Bool)
        case memory([UInt8])
    }

    /// Why reading ended early.
    package enum Interruption: Error {
        case cancelled
        case system(code: Int32)
        case archive(any Error)
    }

    private let origin: Origin
    private let monitor: SourceMonitor
    private var position = 0
    /// The beginning, if it was looked at before the reading began.
    private var head: [UInt8] = []
    private var headTaken = 0
    private var nextReport: Int64 = 0
    /// Bytes handed out.
    package private(set) var bytesRead = 0

    package init(bytes: [UInt8], monitor: SourceMonitor) {
        origin = .memory(bytes)
        self.monitor = monitor
    }

    /// Opens a file, or standard input for `-`.
    package init(path: String, monitor: SourceMonitor) throws(ImportError) {
        self.monitor = monitor
        guard path != "-" else {
            origin = .file(descriptor: STDIN_FILENO, owned: false)
            return
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ImportError(path: path, code: errno) }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            close(descriptor)
            throw ImportError(path: path, code: EISDIR)
        }
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
        origin = .file(descriptor: descriptor, owned: true)
    }

    deinit {
        if case .file(let descriptor, owned: true) = origin { close(descriptor) }
    }

    /// The first bytes of the source, without taking them: up to `count`, fewer only if the source is shorter.
    package func beginning(_ count: Int) throws(Interruption) -> [UInt8] {
        while head.count < count {
            var result = Result<Int, Interruption>.success(0)
            var piece = [UInt8](repeating: 0, count: count - head.count)
            piece.withUnsafeMutableBytes { buffer in
                do throws(Interruption) { result = .success(try pull(into: buffer)) } catch { result = .failure(error) }
            }
            let got = try result.get()
            if got == 0 { break }
            head += piece[..<got]
        }
        return head
    }

    /// Fills a buffer; 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Interruption) -> Int {
        if let isCancelled = monitor.isCancelled, isCancelled() { throw .cancelled }
        let count: Int
        if headTaken < head.count {
            count = min(buffer.count, head.count - headTaken)
            buffer.copyBytes(from: head[headTaken..<(headTaken + count)])
            headTaken += count
        } else {
            count = try pull(into: buffer)
        }
        if count > 0 {
            if let onBytes = monitor.onBytes {
                do { try onBytes(UnsafeRawBufferPointer(rebasing: buffer[..<count])) } catch { throw .archive(error) }
            }
            bytesRead += count
        }
        report(atEnd: count == 0)
        return count
    }

    private func pull(into buffer: UnsafeMutableRawBufferPointer) throws(Interruption) -> Int {
        switch origin {
        case .memory(let bytes):
            let count = min(buffer.count, bytes.count - position)
            buffer.copyBytes(from: bytes[position..<(position + count)])
            position += count
            return count
        case .file(let descriptor, _):
            while true {
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if count >= 0 { return count }
                if errno != EINTR { throw .system(code: errno) }
            }
        }
    }

    private func report(atEnd: Bool) {
        guard let onProgress = monitor.onProgress else { return }
        let time = Clock.nanoseconds(.coarse) / 1_000_000
        guard atEnd || time >= nextReport else { return }
        nextReport = time + 50
        onProgress(bytesRead)
    }
}

extension ImportError {
    /// The sentence of a number of the system.
    package init(path: String, offset: Int? = nil, code: Int32) {
        let (problem, remedy) =
            switch code {
            case ENOENT: ("no such file", "Check the path.")
            case EACCES, EPERM: ("permission denied", "Change the permissions, or ask the owner.")
            case EISDIR: ("the path is a folder", "Use the files in it, or import the whole folder.")
            case EIO: ("disk read error", "Copy the file to another disk and try again.")
            case EMFILE, ENFILE: ("too many files are open", "Close other programs and try again.")
            default: (String(cString: strerror(code)), "Fix the cause and try again.")
            }
        self.init(path: path, offset: offset, problem: problem, remedy: remedy)
    }
}

internal import Bytes
internal import Glibc

/// A file that is open for reading, at any place, by any thread.
///
/// It is read by offset and never mapped: a file that shrinks under a map ends the program.
final class LogFile: Sendable {
    let path: String
    let descriptor: Int32

    init(_ path: String) throws(EvalLogError) {
        // O_NONBLOCK: a pipe without a writer would never open.
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw EvalLogError(path: path, problem: "cannot open the file: \(String(cString: strerror(errno)))")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            Glibc.close(descriptor)
            if status.st_mode & S_IFMT == S_IFIFO {
                throw EvalLogError(
                    path: path, problem: "the path is a pipe, but logs need random access",
                    remedy: "Save the data to a file first, for example with: cat > log.jsonl.")
            }
            throw EvalLogError(path: path, problem: "not a file")
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { Glibc.close(descriptor) }

    /// Bytes of the file as it is now; an unfinished one grows.
    var size: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Fills a buffer from an offset; fewer bytes only at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(EvalLogError) -> Int {
        var done = 0
        while done < buffer.count {
            let count = pread(descriptor, buffer.baseAddress! + done, buffer.count - done, offset + done)
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw EvalLogError(
                    path: path, place: "byte \(offset + done)",
                    problem: "cannot read the file: \(String(cString: strerror(errno)))")
            }
            done += count
        }
        return done
    }

    /// The bytes of a range, as many as there are.
    func bytes(_ range: Range<Int>) throws(EvalLogError) -> [UInt8] {
        try [UInt8](filling: range.count) { (buffer) throws(EvalLogError) in
            try read(into: buffer, at: range.lowerBound)
        }
    }

    /// The bytes of a range that was seen before: fewer are a sign that the file is another one now.
    func wholeBytes(_ range: Range<Int>) throws(EvalLogError) -> [UInt8] {
        let found = try bytes(range)
        guard found.count == range.count else {
            throw EvalLogError(
                path: path, place: "byte \(range.lowerBound + found.count)",
                problem: "the file is shorter than when it was opened",
                remedy: "Another program truncated or rewrote it. Open it again.")
        }
        return found
    }
}

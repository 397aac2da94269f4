internal import Glibc

/// Functions that read or write a small text file in one call.
enum SmallFile {
    enum Failure: Error, Hashable {
        case missing
        case tooLong
        case system(Int32)
    }

    /// Reads a file of at most `limit` bytes.
    static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw errno == ENOENT || errno == ENOTDIR ? .missing : .system(errno) }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(errno) }
            if count == 0 { return content }
            content += chunk[..<count]
            if content.count > limit { throw .tooLong }
        }
    }

    /// Replaces a file atomically, with mode 0600; returns false if the file cannot be written.
    static func replace(_ path: String, with content: some Sequence<UInt8>) -> Bool {
        let temporary = "\(path).\(getpid())"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        let bytes = Array(content)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            written += count
        }
        let isWhole = close(descriptor) == 0 && written == bytes.count
        if isWhole, rename(temporary, path) == 0 { return true }
        unlink(temporary)
        return false
    }
}

internal import Glibc

/// Functions that read or write a small file in one call, such as settings, notebooks, and price tables.
public enum SmallFile {
    /// Reasons why a file cannot be read.
    public enum Failure: Error, Hashable, Sendable {
        /// The file or its folder does not exist.
        case missing
        /// The file exceeds the limit.
        case tooLong
        /// Any other error, by its number, such as `EACCES`.
        case system(Int32)
    }

    /// Maximum size in bytes if the caller sets none: 16 MiB.
    public static let standardLimit = 16 << 20

    /// Returns the content of a file as text.
    ///
    /// - Throws: `Problem` if the file is unreadable or larger than `limit` bytes.
    public static func text(_ path: String, limit: Int = standardLimit) throws(Problem) -> String {
        String(decoding: try bytes(path, limit: limit), as: UTF8.self)
    }

    /// Returns the content of a file.
    ///
    /// - Throws: `Problem` if the file is unreadable or larger than `limit` bytes.
    public static func bytes(_ path: String, limit: Int = standardLimit) throws(Problem) -> [UInt8] {
        do throws(Failure) {
            return try read(path, limit: limit)
        } catch {
            switch error {
            case .tooLong:
                throw Problem(
                    .limit, path, "file is larger than the limit of \(limit >> 20) MiB", remedy: "Use a smaller file.")
            case .missing: throw unreadable(path, ENOENT)
            case .system(let code): throw unreadable(path, code)
            }
        }
    }

    private static func unreadable(_ path: String, _ code: Int32) -> Problem {
        Problem(.failed, path, String(cString: strerror(code)), remedy: "Check the path and its permissions.")
    }

    /// Reads a file of at most `limit` bytes.
    public static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
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

    /// Replaces a file atomically, with mode 0600.
    ///
    /// - Returns: Whether the file was written.
    public static func replace(_ path: String, with content: some Sequence<UInt8>) -> Bool {
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

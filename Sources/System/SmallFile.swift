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
    /// - Parameter remedy: Remedy of every error (default: one that depends on the error).
    /// - Throws: `Problem` if the file is unreadable or larger than `limit` bytes.
    public static func text(
        _ path: String, limit: Int = standardLimit, remedy: String? = nil
    ) throws(Problem) -> String {
        String(decoding: try bytes(path, limit: limit, remedy: remedy), as: UTF8.self)
    }

    /// Returns the content of a file.
    ///
    /// - Parameter remedy: Remedy of every error (default: one that depends on the error).
    /// - Throws: `Problem` if the file is unreadable or larger than `limit` bytes.
    public static func bytes(
        _ path: String, limit: Int = standardLimit, remedy: String? = nil
    ) throws(Problem) -> [UInt8] {
        do throws(Failure) {
            return try read(path, limit: limit)
        } catch {
            switch error {
            case .tooLong:
                throw Problem(
                    .limit, path, "file is larger than the limit of \(limit >> 20) MiB",
                    remedy: remedy ?? "Use a smaller file.")
            case .missing: throw unreadable(path, ENOENT, remedy)
            case .system(EISDIR):
                throw Problem(
                    .invalid, path, "expected a file, found a folder", remedy: remedy ?? "Use a file in the folder.")
            case .system(let code): throw unreadable(path, code, remedy)
            }
        }
    }

    private static func unreadable(_ path: String, _ code: Int32, _ remedy: String?) -> Problem {
        Problem(.failed, path, String(cString: strerror(code)), remedy: remedy ?? "Check the path and its permissions.")
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

    /// Returns the first bytes of a regular file, at most `count`; `nil` if the file is missing, unreadable, or not
    /// regular.
    public static func head(_ path: String, _ count: Int) -> [UInt8]? { regular(path) { _ in count } }

    /// Returns the content of a regular file; `nil` if it is missing, unreadable, not regular, or larger than `limit`
    /// bytes.
    public static func content(_ path: String, limit: Int) -> [UInt8]? { regular(path) { $0 <= limit ? $0 : nil } }

    /// Returns as many bytes of a regular file as `wanted` returns for its size.
    private static func regular(_ path: String, _ wanted: (Int) -> Int?) -> [UInt8]? {
        // Opening a pipe without a writer would block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let wanted = wanted(Int(status.st_size))
        else { return nil }
        var isReadable = true
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            while filled < wanted, isReadable {
                let count = Glibc.read(descriptor, buffer.baseAddress! + filled, wanted - filled)
                if count == 0 { return }
                if count > 0 { filled += count } else { isReadable = errno == EINTR }
            }
        }
        return isReadable ? bytes : nil
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

internal import Glibc

/// Reads the small files that tools answer from.
enum TextFile {
    /// Maximum number of bytes in a file.
    static let maximumBytes = 64 << 20

    /// The text of a file. Bytes that are not UTF-8 are replaced.
    ///
    /// - Throws: `ToolError` for what is unreadable, not a regular file, or longer than 64 MiB.
    static func text(_ path: String) throws(ToolError) -> String { String(decoding: try bytes(path), as: UTF8.self) }

    /// The text in some bytes, or why they hold none.
    static func content(_ bytes: [UInt8]) -> Result<String, ToolError> {
        if bytes.prefix(8 << 10).contains(0) { return .failure(ToolError("binary file")) }
        guard let text = String(validating: bytes, as: UTF8.self) else { return .failure(ToolError("not UTF-8 text")) }
        return text.contains { !$0.isWhitespace } ? .success(text) : .failure(ToolError("empty file"))
    }

    /// - Parameter follows: Whether to follow a symbolic link; otherwise, a link is rejected, even a recent one.
    static func bytes(_ path: String, follows: Bool = true) throws(ToolError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (follows ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw ToolError("\(path): not a regular file") }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(path)
            }
            bytes += buffer[..<count]
            guard bytes.count <= maximumBytes else {
                throw ToolError("\(path): file exceeds \(maximumBytes >> 20) MiB")
            }
        }
    }

    /// Whether the path is a folder; `nil` if nothing exists there.
    static func isFolder(_ path: String) -> Bool? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return status.st_mode & S_IFMT == S_IFDIR
    }

    static func failure(_ path: String) -> ToolError { ToolError("\(path): \(String(cString: strerror(errno)))") }
}

extension String {
    /// The text on one line: every run of white space that holds a line break becomes one space, and none is left at
    /// the ends.
    package var onOneLine: String {
        guard contains(where: \.isNewline) else { return trimmed }
        var line = ""
        var space = ""
        for character in self {
            if character.isWhitespace {
                space.append(character)
                continue
            }
            if !line.isEmpty { line += space.contains(where: \.isNewline) ? " " : space }
            space = ""
            line.append(character)
        }
        return line
    }

    /// The text without white space at its ends.
    package var trimmed: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}

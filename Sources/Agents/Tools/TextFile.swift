internal import Glibc

/// Reads the small files that tools answer from.
enum TextFile {
    /// Bytes of a file at most.
    static let maximumBytes = 64 << 20

    /// The text of a file.
    ///
    /// - Throws: a sentence where it cannot be read, is no regular file, or is longer than 64 MiB.
    static func text(_ path: String) throws(ToolError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw ToolError("\(path) is no regular file") }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(path)
            }
            bytes += buffer[..<count]
            guard bytes.count <= maximumBytes else {
                throw ToolError("\(path) is longer than \(maximumBytes >> 20) MiB")
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the path is a folder; nil where there is nothing.
    static func isFolder(_ path: String) -> Bool? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return status.st_mode & S_IFMT == S_IFDIR
    }

    /// Names of the regular files of a folder, sorted; those that begin with a dot are left out.
    static func names(in folder: String, atMost limit: Int) throws(ToolError) -> [String] {
        guard let stream = opendir(folder) else { throw failure(folder) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            var status = stat()
            guard !name.hasPrefix("."), stat(folder + "/" + name, &status) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { continue }
            names.append(name)
            guard names.count <= limit else { throw ToolError("\(folder) holds more than \(limit) files") }
        }
        return names.sorted()
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

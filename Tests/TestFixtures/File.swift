import Glibc

/// Functions that read and write complete files for tests.
package enum File {
    /// Returns the bytes of a file; `nil` if it cannot be opened.
    package static func bytes(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return bytes
    }

    /// Returns the text of a file; `nil` if it cannot be opened.
    package static func text(_ path: String) -> String? { bytes(path).map { String(decoding: $0, as: UTF8.self) } }

    /// Writes bytes to a file, replacing its contents.
    package static func write(_ bytes: [UInt8], to path: String) {
        guard let file = fopen(path, "we") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    /// Writes text to a file, replacing its contents.
    package static func write(_ text: String, to path: String) { write(Array(text.utf8), to: path) }

    /// Makes a file read-only for its owner and inaccessible to other users.
    package static func makeReadOnly(_ path: String) { chmod(path, 0o400) }

    /// Copies a file if it exists, overwriting the target.
    package static func copy(_ from: String, to path: String) {
        if let bytes = bytes(from) { write(bytes, to: path) }
    }
}

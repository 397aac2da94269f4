import Glibc

/// Files that tests read and write whole.
package enum File {
    package static func bytes(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return bytes
    }

    package static func text(_ path: String) -> String? { bytes(path).map { String(decoding: $0, as: UTF8.self) } }

    package static func write(_ bytes: [UInt8], to path: String) {
        guard let file = fopen(path, "we") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    package static func write(_ text: String, to path: String) { write(Array(text.utf8), to: path) }

    package static func makeReadOnly(_ path: String) { chmod(path, 0o400) }

    package static func copy(_ from: String, to path: String) {
        if let bytes = bytes(from) { write(bytes, to: path) }
    }
}

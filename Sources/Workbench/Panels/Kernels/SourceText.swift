internal import Glibc
internal import System

/// The text of a person's source file, as much of it as a person reads.
enum SourceText {
    /// The first MiB of a file.
    static func of(_ path: String) throws -> String {
        guard let file = fopen(path, "re") else { throw Problem(.failed, path, String(cString: strerror(errno))) }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
    }
}

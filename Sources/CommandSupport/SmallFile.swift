import Glibc
import System

/// Reads small files at once: notebooks, settings, price tables.
package enum SmallFile {
    package static let mostBytes = 16 << 20

    package static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

    /// - Throws: ``Problem`` if the file is unreadable or larger than ``mostBytes``.
    package static func bytes(_ path: String) throws -> [UInt8] {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw Problem(
                .failed, path, String(cString: strerror(errno)), remedy: "Check the path and its permissions.")
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= mostBytes {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 {
                throw Problem(
                    .failed, path, String(cString: strerror(errno)), remedy: "Check the path and its permissions.")
            }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
        throw Problem(
            .limit, path, "file is larger than the limit of \(mostBytes >> 20) MiB", remedy: "Use a smaller file.")
    }
}

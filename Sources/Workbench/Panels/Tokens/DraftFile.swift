internal import Glibc
internal import System

/// File for the editor: readable only by its owner, and removed after reading.
enum DraftFile {
    private static let unchanged = "The prompt is unchanged."

    static func write(_ text: String) throws -> String {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array((folder + "/orrery-prompt-XXXXXX.md").utf8CString)
        let descriptor = mkstemps(&template, 3)
        let path = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard descriptor >= 0 else {
            throw Problem(.failed, folder, String(cString: strerror(errno)), remedy: unchanged)
        }
        defer { close(descriptor) }
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw Problem(.failed, path, String(cString: strerror(errno)), remedy: unchanged) }
            bytes = bytes.dropFirst(count)
        }
        return path
    }

    /// Reads the file; call `remove` once its text is valid.
    static func read(_ path: String) throws -> String {
        try SmallFile.text(path, limit: 64 << 20, remedy: unchanged)
    }

    static func remove(_ path: String) { unlink(path) }
}

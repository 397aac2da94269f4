import Glibc

/// Golden files, and task files written by tests.
enum TextFiles {
    /// Returns a file's text; `nil` if it cannot be read.
    static func text(_ path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Creates a temporary folder with these files.
    static func folder(_ files: [String: String]) -> String {
        var template = Array("/tmp/orrery-lm-eval-XXXXXX".utf8CString)
        let path =
            template.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!).map { String(cString: $0) } } ?? "/tmp"
        for (name, text) in files {
            guard let file = fopen(path + "/" + name, "we") else { continue }
            fputs(text, file)
            fclose(file)
        }
        return path
    }
}

import EvalLogs
import Glibc
import JSON
import Testing

/// The logs in the test folder, made by `Goldens/make_logs.py`.
enum EvalLogFixtures {
    static let folder: String = {
        let file = "\(#filePath)"
        return (file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/"))
            + "/Goldens"
    }()

    static func path(_ name: String) -> String { folder + "/" + name }

    static func log(_ name: String) throws -> any EvalLog { try #require(EvalLogFormats.open(path(name)).first) }

    static func bytes(_ path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// The lines of a golden as values.
    static func lines(_ name: String) throws -> [JSONValue] {
        try bytes(path(name)).split(separator: 0x0A).map { try JSONValue(json: String(decoding: $0, as: UTF8.self)) }
    }
}

/// A file of a test's own, which goes with it.
final class ScratchFile {
    let path: String

    init(_ bytes: [UInt8], suffix: String = "") throws {
        var template = Array("/tmp/orrery-evallog-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        try #require(descriptor >= 0)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        close(descriptor)
        try write(bytes)
    }

    func write(_ bytes: [UInt8], appending: Bool = false) throws {
        let file = try #require(fopen(path, appending ? "a" : "w"))
        defer { fclose(file) }
        #expect(bytes.isEmpty || fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }

    /// Makes the file look as if it had not been written since.
    func age(seconds: Int) throws {
        let then = timespec(tv_sec: time(nil) - seconds, tv_nsec: 0)
        try #require(utimensat(AT_FDCWD, path, [then, then], 0) == 0)
    }

    deinit { unlink(path) }
}

import Glibc
import JSON
import Testing

/// Tests with recorded traces, if they are available next to the checkout.
@Suite("Recorded traces")
struct RecordedTracesTests {
    static let folder = "../shared/data/traces/claude-code"

    /// Path of the session's file, relative to the package folder, which is three levels above this file.
    static var session: String? {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let path = "/\(root)/\(folder)/ae4a77f8-aedd-4bc1-888f-c94edc91af04.jsonl"
        return access(path, R_OK) == 0 ? path : nil
    }

    @Test(
        "the scalar and the fastest parser variants agree on every line of a session",
        .enabled(if: session != nil, "no recorded traces next to the checkout"))
    func variants() throws {
        let path = try #require(RecordedTracesTests.session)
        let file = open(path, O_RDONLY)
        defer { close(file) }
        let reader = JSONRecordReader(fileDescriptor: file)
        let scalar = JSONParser()
        #expect(scalar.use(.scalar))
        let fast = JSONParser()
        var lines = 0
        while let record = try reader.next() {
            let expected = try scalar.parse(record.bytes).tape
            let node = try fast.parse(record.bytes)
            #expect(node.tape == expected)
            #expect(node["timestamp"] == nil || node["timestamp"]?.timestamp != nil)
            #expect(node["type"]?.string != nil)
            #expect(record.line == lines + 1)
            lines += 1
        }
        #expect(reader.framing == .lines)
        #expect(lines == 2385)
    }
}

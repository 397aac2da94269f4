import Glibc
import JSON
import Testing
import Traces

@Suite("Sources of records")
struct TraceSourceTests {
    private func records(_ text: String, longest: Int = 1 << 20) throws(ImportError) -> (TraceSourceFacts, [Int]) {
        let input = RecordInput(bytes: Array(text.utf8), monitor: SourceMonitor())
        var source = TraceSource(path: "x.jsonl", id: 7, input: input, maximumRecordBytes: longest)
        var lines: [Int] = []
        try source.forEachRecord(.lines) { (_, record, line) in
            lines.append(line)
            #expect(record.source == 7)
            let slice = Array(text.utf8)[record.offset..<(record.offset + record.length)]
            #expect(slice.first == UInt8(ascii: "{"))
        }
        return (TraceSourceFacts(source), lines)
    }

    @Test(
        "a bad line is counted with its number and reason, and the next one is read",
        arguments: [
            ("{\"a\":1}\n{broken\n{\"b\":2}\n", "is invalid JSON: expected a key in double quotes"),
            ("{\"a\":1}\n42\n{\"b\":2}\n", "is not a JSON object"),
            ("{\"a\":1}\n[1]\n{\"b\":2}\n", "is not a JSON object"),
        ])
    func badLine(text: String, reason: String) throws {
        let (facts, lines) = try records(text)
        #expect(facts.records == 2)
        #expect(facts.problems.map(\.line) == [2])
        #expect(facts.problems.map(\.reason) == [reason])
        #expect(lines == [1, 3])
    }

    @Test("blank lines, white space, carriage returns and a byte-order mark are nothing")
    func blanks() throws {
        let (facts, lines) = try records("\u{FEFF}{\"a\":1}\r\n\r\n   \n\t\n{\"b\":2}\r\n")
        #expect(facts.records == 2)
        #expect(facts.skipped == 0)
        #expect(lines == [1, 5])
    }

    @Test("a last line without an end is read if it is whole, and waits if it is not")
    func lastLine() throws {
        #expect(try records("{\"a\":1}\n{\"b\":2}").0.records == 2)
        let (cut, _) = try records("{\"a\":1}\n{\"b\":")
        #expect((cut.records, cut.skipped, cut.pendingBytes) == (1, 0, 5))
    }

    @Test("a record that is too long is skipped and counted")
    func tooLong() throws {
        let long = "{\"a\":\"" + String(repeating: "x", count: 3000) + "\"}"
        let (facts, lines) = try records("{\"a\":1}\n\(long)\n{\"b\":2}\n", longest: 1000)
        #expect((facts.records, facts.skipped) == (2, 1))
        #expect(lines == [1, 3])
    }

    @Test("a strict reading ends at the first bad line, and says where")
    func strict() {
        #expect(throws: ImportError.self) {
            try importing("{\"a\":1}\n{broken\n", with: ClaudeCodeImporter.self, isStrict: true)
        }
        do {
            _ = try importing("{\"a\":1}\n7\n", with: ClaudeCodeImporter.self, isStrict: true)
            Issue.record("a number was taken for a record")
        } catch {
            #expect(
                error.sentence
                    == "run.jsonl, line 2: the record is not a JSON object. Nothing was imported. Without --strict, "
                    + "such records are skipped and counted.")
        }
    }

    @Test("every byte passes the archive once, the head that was looked at included")
    func archive() throws {
        let text = ClaudeLine.file(ClaudeLine.user("u1", after: nil, #""hello""#)) + "{cut"
        var kept: [UInt8] = []
        let monitor = SourceMonitor(onBytes: { kept += $0 })
        var source = TraceSource(bytes: Array(text.utf8), monitor: monitor)
        #expect(try source.head(10).count == 10)
        try source.forEachRecord(.lines) { (_, _, _) in }
        #expect(kept == Array(text.utf8))
        #expect(source.bytesRead == text.utf8.count)
    }

    @Test("what the archive throws ends the reading and is kept")
    func fullArchive() {
        struct Full: Error {}
        var source = TraceSource(bytes: Array("{}\n".utf8), monitor: SourceMonitor(onBytes: { _ in throw Full() }))
        #expect(throws: ImportError.self) { try source.forEachRecord(.lines) { (_, _, _) in } }
        #expect(source.archiveError is Full)
    }

    @Test("an import that is canceled ends at the next piece")
    func cancelled() {
        let text = String(repeating: "{\"a\":1}\n", count: 200_000)
        var pieces = 0
        let monitor = SourceMonitor(onBytes: { _ in pieces += 1 }, isCancelled: { pieces > 0 })
        var source = TraceSource(bytes: Array(text.utf8), monitor: monitor)
        do {
            try source.forEachRecord(.lines) { (_, _, _) in }
            Issue.record("the reading went on")
        } catch {
            #expect(error.isCancellation)
        }
        #expect(pieces == 1)
    }

    @Test("progress ends with the whole size")
    func progress() throws {
        var reports: [Int] = []
        let text = String(repeating: "{\"a\":1}\n", count: 100_000)
        var source = TraceSource(bytes: Array(text.utf8), monitor: SourceMonitor(onProgress: { reports.append($0) }))
        try source.forEachRecord(.lines) { (_, _, _) in }
        #expect(reports.last == text.utf8.count)
        #expect(reports == reports.sorted())
    }

    @Test("a file is read like bytes, and each kind of unreadable path has its own sentence")
    func files() throws {
        let folder = try TemporaryFolder()
        let path = folder.write("a.jsonl", "{\"a\":1}\n{\"b\":2}\n")
        var source = try TraceSource(path: path, id: 1)
        try source.forEachRecord(.lines) { (_, _, _) in }
        #expect(source.records == 2)
        #expect(sentence(of: folder.path + "/none.jsonl") == "no such file. Check the path.")
        #expect(
            sentence(of: folder.path)
                == "the path is a folder. Use the files in it, or import the whole folder.")
    }

    private func sentence(of path: String) -> String? {
        do {
            _ = try TraceSource(path: path, id: 1)
            return nil
        } catch { return String(error.sentence.dropFirst(path.count + 2)) }
    }
}

/// What is left of a source, which cannot be copied.
struct TraceSourceFacts {
    var records: Int
    var skipped: Int
    var problems: [SkippedRecord]
    var pendingBytes: Int

    init(_ source: borrowing TraceSource) {
        records = source.records
        skipped = source.skipped
        problems = source.problems
        pendingBytes = source.pendingBytes
    }
}

/// A folder that goes with the test.
final class TemporaryFolder {
    let path: String
    private var made: [String] = []

    init() throws {
        var template = Array("/tmp/orrery-tests-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Unmade() }
        path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    struct Unmade: Error {}

    /// Writes a file, folders on the way to it included, and returns its path.
    @discardableResult
    func write(_ name: String, _ text: String) -> String {
        var folder = path
        for part in name.split(separator: "/").dropLast() {
            folder += "/" + part
            if mkdir(folder, 0o700) == 0 { made.append(folder) }
        }
        let file = path + "/" + name
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        _ = text.utf8CString.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count - 1) }
        close(descriptor)
        made.append(file)
        return file
    }

    deinit {
        for name in made.reversed() { remove(name) }
        rmdir(path)
    }
}

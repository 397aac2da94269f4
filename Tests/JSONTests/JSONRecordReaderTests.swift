import JSON
import Testing

@Suite("JSON record reader")
struct JSONRecordReaderTests {
    typealias Framing = JSONRecordReader.Framing

    /// A copy of a record.
    struct Copy: Equatable, CustomStringConvertible {
        var offset: Int
        var line: Int
        var text: String
        var ending: JSONRecord.Ending = .delimited
        var description: String { "\(offset) line \(line) \(text.prefix(60)) \(ending)" }
    }

    /// Returns copies of all records of `text`, which is read in pieces of `piece` bytes.
    private func records(
        _ text: String, _ framing: Framing, piece: Int = .max, maximum: Int = 64 << 20
    ) throws -> [Copy] {
        let bytes = Array(text.utf8)
        var position = 0
        let reader = JSONRecordReader(framing: framing, maximumRecordBytes: maximum) { buffer in
            let count = min(buffer.count, piece, bytes.count - position)
            buffer.copyBytes(from: bytes[position..<position + count])
            position += count
            return count
        }
        var copies: [Copy] = []
        while let record = try reader.next() {
            let text =
                record.ending == .oversized ? "<\(record.length)>" : String(decoding: record.bytes, as: UTF8.self)
            copies.append(Copy(offset: record.offset, line: record.line, text: text, ending: record.ending))
        }
        #expect(try reader.next() == nil)
        #expect(reader.offset == bytes.count)
        #expect(reader.line == 1 + bytes.count { $0 == 0x0A })
        return copies
    }

    static let lines: [(String, [Copy])] = [
        ("", []), ("\n\n \r\n", []),
        (
            "{\"a\":1}\n{\"b\":2}\n",
            [Copy(offset: 0, line: 1, text: "{\"a\":1}"), Copy(offset: 8, line: 2, text: "{\"b\":2}")]
        ),
        ("1\r\n\n 2 \n", [Copy(offset: 0, line: 1, text: "1"), Copy(offset: 4, line: 3, text: " 2 ")]),
        ("[1\n2]\n", [Copy(offset: 0, line: 1, text: "[1"), Copy(offset: 3, line: 2, text: "2]")]),
        (
            "{\"a\"\n{}",
            [Copy(offset: 0, line: 1, text: "{\"a\""), Copy(offset: 5, line: 2, text: "{}", ending: .endOfInput)]
        ),
        ("\u{FEFF}{}\n", [Copy(offset: 3, line: 1, text: "{}")]),
        (
            "{}\n{\"cut\":\"of",
            [
                Copy(offset: 0, line: 1, text: "{}"),
                Copy(offset: 3, line: 2, text: "{\"cut\":\"of", ending: .endOfInput),
            ]
        ),
    ]

    @Test("each line is a record, no matter how the stream is divided into pieces", arguments: lines)
    func splitsLines(text: String, expected: [Copy]) throws {
        for piece in 1...max(1, text.utf8.count) {
            #expect(try records(text, .lines, piece: piece) == expected)
        }
    }

    static let values: [(String, [Copy])] = [
        ("", []), ("[]", []), ("[ \n ]\n", []),
        (
            "{\n\"a\": [1,\n2]\n}\n{\"b\":\"}\"}",
            [
                Copy(offset: 0, line: 1, text: "{\n\"a\": [1,\n2]\n}"),
                Copy(offset: 16, line: 5, text: "{\"b\":\"}\"}"),
            ]
        ),
        (
            "[\n  {\"a\":\"]\\\"\"},\n  [1],\n  2, \"x\\\"y\",null\n]\n",
            [
                Copy(offset: 4, line: 2, text: "{\"a\":\"]\\\"\"}"), Copy(offset: 19, line: 3, text: "[1]"),
                Copy(offset: 26, line: 4, text: "2"), Copy(offset: 29, line: 4, text: "\"x\\\"y\""),
                Copy(offset: 36, line: 4, text: "null"),
            ]
        ),
        (
            "{}{}[{}][1]",
            [
                Copy(offset: 0, line: 1, text: "{}"), Copy(offset: 2, line: 1, text: "{}"),
                Copy(offset: 5, line: 1, text: "{}"), Copy(offset: 9, line: 1, text: "1"),
            ]
        ),
        ("{\"a\":\n1", [Copy(offset: 0, line: 1, text: "{\"a\":\n1", ending: .endOfInput)]),
        ("[{}\n,", [Copy(offset: 1, line: 1, text: "{}"), Copy(offset: 5, line: 2, text: "", ending: .endOfInput)]),
        (
            "[{},{\"a\"",
            [
                Copy(offset: 1, line: 1, text: "{}"), Copy(offset: 4, line: 1, text: "{\"a\"", ending: .endOfInput),
                Copy(offset: 8, line: 1, text: "", ending: .endOfInput),
            ]
        ),
        // Misplaced punctuation is a separate record, which does not parse.
        ("[,1]", [Copy(offset: 1, line: 1, text: ","), Copy(offset: 2, line: 1, text: "1")]),
        (
            "{},{}]",
            [
                Copy(offset: 0, line: 1, text: "{}"), Copy(offset: 2, line: 1, text: ","),
                Copy(offset: 3, line: 1, text: "{}"),
                Copy(offset: 5, line: 1, text: "]"),
            ]
        ),
        (
            "invalid text{}",
            [
                Copy(offset: 0, line: 1, text: "invalid"), Copy(offset: 8, line: 1, text: "text"),
                Copy(offset: 12, line: 1, text: "{}"),
            ]
        ),
    ]

    @Test("each value is a record, no matter how the stream is divided into pieces", arguments: values)
    func splitsValues(text: String, expected: [Copy]) throws {
        for piece in 1...max(1, text.utf8.count) {
            #expect(try records(text, .values, piece: piece) == expected)
        }
    }

    @Test(
        "the first line determines whether records are lines or values",
        arguments: [
            ("", .lines), ("\n\n", .lines), ("{}\n{}\n", .lines), ("{\"a\":1}", .values), ("{\"a\":1} \n", .lines),
            ("\n  {\"a\":\"}\\\"\"}\r\n", .lines), ("{\n\"a\":1}", .values), ("{\"a\":[\n", .values),
            ("{}{}\n", .values),
            ("{} {}\n", .values), ("{} junk\n{}\n", .lines), ("{\"cut\":\"of\n{}\n", .lines), ("[\n{}]", .values),
            ("[{}]\n", .values), ("1\n2\n", .lines), ("junk\n{}\n", .lines), ("{\"a\":1", .values),
            ("\u{FEFF}{}\n{}", .lines),
        ] as [(String, Framing)])
    func recognizesFraming(text: String, expected: Framing) throws {
        for piece in 1...max(1, text.utf8.count) {
            let bytes = Array(text.utf8)
            var position = 0
            let reader = JSONRecordReader { buffer in
                let count = min(piece, bytes.count - position)
                buffer.copyBytes(from: bytes[position..<position + count])
                position += count
                return count
            }
            _ = try reader.next()
            #expect(reader.framing == expected)
        }
    }

    @Test("a single object is one record with every framing")
    func singleObject() throws {
        for framing in [Framing.automatic, .lines, .values] {
            #expect(try records("{\"a\":1}", framing).map(\.text) == ["{\"a\":1}"])
        }
    }

    @Test("records over the limit are skipped completely")
    func oversizedRecords() throws {
        let long = "{\"a\":\"" + String(repeating: "\\n}", count: 200_000) + "\"}"
        let size = long.utf8.count
        for piece in [1000, 65_536, .max] {
            #expect(
                try records("1\n\(long)\n2\n", .lines, piece: piece, maximum: 100_000) == [
                    Copy(offset: 0, line: 1, text: "1"),
                    Copy(offset: 2, line: 2, text: "<\(size)>", ending: .oversized),
                    Copy(offset: 3 + size, line: 3, text: "2"),
                ])
            #expect(
                try records("[1,\n\(long),\n2]", .values, piece: piece, maximum: 100_000) == [
                    Copy(offset: 1, line: 1, text: "1"),
                    Copy(offset: 4, line: 2, text: "<\(size)>", ending: .oversized),
                    Copy(offset: 6 + size, line: 3, text: "2"),
                ])
        }
        #expect(try records("123456\n", .lines, maximum: 6).map(\.ending) == [.delimited])
        #expect(try records("123456\r\n", .lines, maximum: 6).map(\.ending) == [.delimited])
        #expect(try records("1234567\n", .lines, maximum: 6).map(\.ending) == [.oversized])
        #expect(try records("1234567", .lines, maximum: 6).map(\.ending) == [.oversized])
    }

    @Test("line numbers are correct after an oversized record with many lines")
    func oversizedRecordWithLines() throws {
        let long = "{\n\"a\": [\n" + String(repeating: "1,\n", count: 100_000) + "1]}"
        let records = try records("{\"x\":1}\n\(long)\n{\"y\":2}\n", .values, piece: 4096, maximum: 50_000)
        #expect(records.map(\.line) == [1, 2, 100_005])
        #expect(records.map(\.ending) == [.delimited, .oversized, .delimited])
    }

    @Test("random streams are split correctly for any piece size", arguments: 0..<4)
    func randomStreams(seed: UInt64) throws {
        var texts = RandomJSON(seed: seed)
        var generator = SeededGenerator(seed: seed)
        let parser = JSONParser()
        for _ in 0..<30 {
            let written = try (0..<20).map { _ in try parser.parse(texts.valid()) { $0.json() } }
            let piece = 1 + Int(generator.next() % 300)
            #expect(try records(written.joined(separator: "\n"), .lines, piece: piece).map(\.text) == written)
            #expect(
                try records("[" + written.joined(separator: " ,\n") + "]", .values, piece: piece).map(\.text) == written
            )
        }
    }

    @Test("the records of damaged streams do not depend on the piece size", arguments: 0..<4)
    func damagedStreams(seed: UInt64) throws {
        var texts = RandomJSON(seed: seed)
        for _ in 0..<40 {
            let damaged = (0..<6).map { _ in String(decoding: texts.damaged(), as: UTF8.self) }
            let stream = damaged.joined(separator: "\n")
            for framing in [Framing.lines, .values, .automatic] {
                let whole = try records(stream, framing)
                for piece in [1, 63, 64, 65, 200] {
                    #expect(try records(stream, framing, piece: piece) == whole)
                }
            }
        }
    }

    @Test("a reader can start at an offset and line number")
    func startingOffset() throws {
        let reader = JSONRecordReader(framing: .lines, startingAt: 100, line: 7) { buffer in
            defer { self.once.count += 1 }
            guard self.once.count == 0 else { return 0 }
            buffer.copyBytes(from: Array("1\n2".utf8))
            return 3
        }
        let first = try #require(try reader.next())
        #expect(first.offset == 100 && first.line == 7 && reader.offset == 102 && reader.line == 8)
        let second = try #require(try reader.next())
        #expect(second.offset == 102 && second.line == 8 && second.ending == .endOfInput)
    }

    private let once = Counter()
    private final class Counter { var count = 0 }

    @Test("reading an invalid file descriptor throws an error")
    func invalidFileDescriptor() throws {
        let reader = JSONRecordReader(fileDescriptor: -1)
        let error = try #require(throws: JSONReadError.self) { _ = try reader.next() }
        #expect(error.sentence == "Reading failed at byte 0: Bad file descriptor.")
    }
}

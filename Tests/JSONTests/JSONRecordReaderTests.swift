import JSON
import Testing

@Suite("JSON record reader")
struct JSONRecordReaderTests {
    typealias Framing = JSONRecordReader.Framing

    /// A record that may be kept.
    struct Kept: Equatable, CustomStringConvertible {
        var offset: Int
        var line: Int
        var text: String
        var ending: JSONRecord.Ending = .delimited
        var description: String { "\(offset) line \(line) \(text.prefix(60)) \(ending)" }
    }

    /// All records of `text`, which arrives in pieces of `piece` bytes.
    private func records(
        _ text: String, _ framing: Framing, piece: Int = .max, maximum: Int = 64 << 20
    ) throws -> [Kept] {
        let bytes = Array(text.utf8)
        var position = 0
        let reader = JSONRecordReader(framing: framing, maximumRecordBytes: maximum) { buffer in
            let count = min(buffer.count, piece, bytes.count - position)
            buffer.copyBytes(from: bytes[position..<position + count])
            position += count
            return count
        }
        var kept: [Kept] = []
        while let record = try reader.next() {
            let text =
                record.ending == .oversized ? "<\(record.length)>" : String(decoding: record.bytes, as: UTF8.self)
            kept.append(Kept(offset: record.offset, line: record.line, text: text, ending: record.ending))
        }
        #expect(try reader.next() == nil)
        #expect(reader.offset == bytes.count)
        #expect(reader.line == 1 + bytes.count { $0 == 0x0A })
        return kept
    }

    static let lines: [(String, [Kept])] = [
        ("", []), ("\n\n \r\n", []),
        (
            "{\"a\":1}\n{\"b\":2}\n",
            [Kept(offset: 0, line: 1, text: "{\"a\":1}"), Kept(offset: 8, line: 2, text: "{\"b\":2}")]
        ),
        ("1\r\n\n 2 \n", [Kept(offset: 0, line: 1, text: "1"), Kept(offset: 4, line: 3, text: " 2 ")]),
        ("[1\n2]\n", [Kept(offset: 0, line: 1, text: "[1"), Kept(offset: 3, line: 2, text: "2]")]),
        (
            "{\"a\"\n{}",
            [Kept(offset: 0, line: 1, text: "{\"a\""), Kept(offset: 5, line: 2, text: "{}", ending: .endOfInput)]
        ),
        ("\u{FEFF}{}\n", [Kept(offset: 3, line: 1, text: "{}")]),
        (
            "{}\n{\"cut\":\"of",
            [
                Kept(offset: 0, line: 1, text: "{}"),
                Kept(offset: 3, line: 2, text: "{\"cut\":\"of", ending: .endOfInput),
            ]
        ),
    ]

    @Test("a line is a record, wherever the pieces of the stream end", arguments: lines)
    func splitsLines(text: String, expected: [Kept]) throws {
        for piece in 1...max(1, text.utf8.count) {
            #expect(try records(text, .lines, piece: piece) == expected)
        }
    }

    static let values: [(String, [Kept])] = [
        ("", []), ("[]", []), ("[ \n ]\n", []),
        (
            "{\n\"a\": [1,\n2]\n}\n{\"b\":\"}\"}",
            [
                Kept(offset: 0, line: 1, text: "{\n\"a\": [1,\n2]\n}"),
                Kept(offset: 16, line: 5, text: "{\"b\":\"}\"}"),
            ]
        ),
        (
            "[\n  {\"a\":\"]\\\"\"},\n  [1],\n  2, \"x\\\"y\",null\n]\n",
            [
                Kept(offset: 4, line: 2, text: "{\"a\":\"]\\\"\"}"), Kept(offset: 19, line: 3, text: "[1]"),
                Kept(offset: 26, line: 4, text: "2"), Kept(offset: 29, line: 4, text: "\"x\\\"y\""),
                Kept(offset: 36, line: 4, text: "null"),
            ]
        ),
        (
            "{}{}[{}][1]",
            [
                Kept(offset: 0, line: 1, text: "{}"), Kept(offset: 2, line: 1, text: "{}"),
                Kept(offset: 5, line: 1, text: "{}"), Kept(offset: 9, line: 1, text: "1"),
            ]
        ),
        ("{\"a\":\n1", [Kept(offset: 0, line: 1, text: "{\"a\":\n1", ending: .endOfInput)]),
        ("[{}\n,", [Kept(offset: 1, line: 1, text: "{}"), Kept(offset: 5, line: 2, text: "", ending: .endOfInput)]),
        (
            "[{},{\"a\"",
            [
                Kept(offset: 1, line: 1, text: "{}"), Kept(offset: 4, line: 1, text: "{\"a\"", ending: .endOfInput),
                Kept(offset: 8, line: 1, text: "", ending: .endOfInput),
            ]
        ),
        // What separates nothing is a record of its own, which does not parse.
        ("[,1]", [Kept(offset: 1, line: 1, text: ","), Kept(offset: 2, line: 1, text: "1")]),
        (
            "{},{}]",
            [
                Kept(offset: 0, line: 1, text: "{}"), Kept(offset: 2, line: 1, text: ","),
                Kept(offset: 3, line: 1, text: "{}"),
                Kept(offset: 5, line: 1, text: "]"),
            ]
        ),
        (
            "garbage here{}",
            [
                Kept(offset: 0, line: 1, text: "garbage"), Kept(offset: 8, line: 1, text: "here"),
                Kept(offset: 12, line: 1, text: "{}"),
            ]
        ),
    ]

    @Test("a value is a record, wherever the pieces of the stream end", arguments: values)
    func splitsValues(text: String, expected: [Kept]) throws {
        for piece in 1...max(1, text.utf8.count) {
            #expect(try records(text, .values, piece: piece) == expected)
        }
    }

    @Test(
        "the first line tells lines from values",
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

    @Test func aSingleObjectIsOneRecordInEveryFraming() throws {
        for framing in [Framing.automatic, .lines, .values] {
            #expect(try records("{\"a\":1}", framing).map(\.text) == ["{\"a\":1}"])
        }
    }

    @Test func longRecordsAreSkippedWhole() throws {
        let long = "{\"a\":\"" + String(repeating: "\\n}", count: 200_000) + "\"}"
        let size = long.utf8.count
        for piece in [1000, 65_536, .max] {
            #expect(
                try records("1\n\(long)\n2\n", .lines, piece: piece, maximum: 100_000) == [
                    Kept(offset: 0, line: 1, text: "1"),
                    Kept(offset: 2, line: 2, text: "<\(size)>", ending: .oversized),
                    Kept(offset: 3 + size, line: 3, text: "2"),
                ])
            #expect(
                try records("[1,\n\(long),\n2]", .values, piece: piece, maximum: 100_000) == [
                    Kept(offset: 1, line: 1, text: "1"),
                    Kept(offset: 4, line: 2, text: "<\(size)>", ending: .oversized),
                    Kept(offset: 6 + size, line: 3, text: "2"),
                ])
        }
        #expect(try records("123456\n", .lines, maximum: 6).map(\.ending) == [.delimited])
        #expect(try records("123456\r\n", .lines, maximum: 6).map(\.ending) == [.delimited])
        #expect(try records("1234567\n", .lines, maximum: 6).map(\.ending) == [.oversized])
        #expect(try records("1234567", .lines, maximum: 6).map(\.ending) == [.oversized])
    }

    @Test func aLongPrettyRecordKeepsTheLineNumbersRight() throws {
        let long = "{\n\"a\": [\n" + String(repeating: "1,\n", count: 100_000) + "1]}"
        let records = try records("{\"x\":1}\n\(long)\n{\"y\":2}\n", .values, piece: 4096, maximum: 50_000)
        #expect(records.map(\.line) == [1, 2, 100_005])
        #expect(records.map(\.ending) == [.delimited, .oversized, .delimited])
    }

    @Test("records survive any cut of a random stream", arguments: 0..<4)
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

    @Test("damaged streams are split the same however they arrive", arguments: 0..<4)
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

    @Test func aFileThatGrewIsReadFromWhereItEnded() throws {
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

    @Test func aFileThatCannotBeReadSaysSo() throws {
        let reader = JSONRecordReader(fileDescriptor: -1)
        let error = try #require(throws: JSONReadError.self) { _ = try reader.next() }
        #expect(error.sentence == "Reading failed at byte 0: Bad file descriptor.")
    }
}

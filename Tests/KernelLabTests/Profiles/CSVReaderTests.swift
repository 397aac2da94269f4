import KernelLab
import System
import TestFixtures
import Testing

@Suite("comma-separated text")
struct CSVReaderTests {
    /// Reads in pieces of `count` bytes, so that every border of the buffer is met.
    private static func read(_ text: String, piece: Int = 1) throws -> [[String]] {
        var rest = Array(text.utf8)[...]
        let reader = try CSVReader(path: "t.csv") { buffer in
            let count = min(buffer.count, piece, rest.count)
            buffer.copyBytes(from: rest.prefix(count))
            rest = rest.dropFirst(count)
            return count
        }
        var record = CSVRecord()
        var rows: [[String]] = []
        while try reader.next(into: &record) { rows.append((0..<record.count).map { record[$0] }) }
        return rows
    }

    @Test(
        "fields are split as RFC 4180 says",
        arguments: [
            ("a,b\nc,d\n", [["a", "b"], ["c", "d"]]),
            ("a,b\r\nc,d", [["a", "b"], ["c", "d"]]),
            ("\u{FEFF}a,\"b\"\n", [["a", "b"]]),
            ("\"a,b\",\"c\"\"d\"\n", [["a,b", "c\"d"]]),
            ("\"line\nbreak\",x\n", [["line\nbreak", "x"]]),
            (",\n", [["", ""]]), ("\n", [[""]]), ("\"\"\n", [[""]]), ("", []),
        ] as [(String, [[String]])])
    func grammar(text: String, expected: [[String]]) throws {
        for piece in [1, 2, 3, 1000] { #expect(try Self.read(text, piece: piece) == expected) }
    }

    @Test(
        "what breaks the grammar is named with its line",
        arguments: [
            ("a\nb\"c\n", 2, "in the middle"), ("a\n\"b\nc", 2, "unterminated"), ("\"a\"b\n", 1, "after the closing"),
            ("a\n\"x\n\"y\n", 3, "after the closing"), ("a\u{0}b\n", 1, "NUL"),
        ])
    func wrong(text: String, line: Int, words: String) {
        let error = #expect(throws: Problem.self) { try Self.read(text) }
        #expect(error?.subject.hasSuffix(", line \(line)") ?? false && error?.what.contains(words) ?? false)
    }

    @Test("limits keep memory bounded") func limits() throws {
        var limits = CSVReader.Limits()
        limits.fieldBytes = 8
        limits.fields = 3
        for text in ["123456789,a\n", "a,b,c,d\n", "\"123456789"] {
            var rest = Array(text.utf8)[...]
            let reader = try CSVReader(path: "t.csv", limits: limits) { buffer in
                let count = min(buffer.count, rest.count)
                buffer.copyBytes(from: rest.prefix(count))
                rest = rest.dropFirst(count)
                return count
            }
            var record = CSVRecord()
            #expect(throws: Problem.self) { try reader.next(into: &record) }
        }
    }

    @Test(
        "numbers are read as tools write them",
        arguments: [
            ("1,234,567.5", 1_234_567.5), ("-12", -12), ("+3", 3), (" 7 ", 7), ("1e3", 1000), ("2.5E-2", 0.025),
            (".5", 0.5), ("5.", 5), ("123456789012345678", 123_456_789_012_345_680), ("0.1", 0.1),
            ("1.7976931348623157e308", 1.7976931348623157e308), ("000012", 12), ("1e400", nil), ("", nil), ("-", nil),
            ("N/A", nil), ("nan", nil), ("inf", nil), ("1,23", nil), ("1,2345", nil), (",123", nil), ("12,34,567", nil),
            ("1.2.3", nil), ("1e", nil), ("0x10", nil), ("1 2", nil),
        ] as [(String, Double?)])
    func numbers(text: String, expected: Double?) {
        #expect(DecimalNumber.parse(text) == expected)
    }

    @Test(
        "units are folded into base units",
        arguments: [
            ("msecond", 1e-3, "second"), ("Mbyte", 1e6, "byte"), ("ns", 1e-9, "second"),
            ("Gbyte/second", 1e9, "byte/second"),
            ("cycle/nsecond", 1e9, "cycle/second"), ("Ghz", 1e9, "hz"), ("Kbyte/block", 1e3, "byte/block"),
            ("%", 1, "%"),
            ("inst/cycle", 1, "inst/cycle"), ("Kbyte/cycle", 1e3, "byte/cycle"), ("", 1, ""), ("Minst", 1e6, "inst"),
            ("furlong", 1, "furlong"),
        ])
    func units(unit: String, factor: Double, base: String) {
        let folded = NsightUnit.fold(unit)
        #expect(figuresAgree(folded.factor, factor) && folded.base == base)
    }

    @Test("the digest does not depend on the pieces") func digest() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 37) }
        func digest(_ piece: Int) -> UInt64 {
            var digest = FileDigest()
            for start in stride(from: 0, to: bytes.count, by: piece) {
                bytes[start..<min(bytes.count, start + piece)].withUnsafeBytes { digest.add($0) }
            }
            return digest.value
        }
        for piece in [1, 3, 8, 13, 999] { #expect(digest(piece) == digest(1000)) }
        var other = FileDigest()
        bytes.dropLast().withUnsafeBytes { other.add($0) }
        #expect(other.value != digest(1000))
    }
}

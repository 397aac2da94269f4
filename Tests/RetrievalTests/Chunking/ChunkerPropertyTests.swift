import Retrieval
import Testing

/// Text of all sorts of pieces, the same for the same seed.
struct RandomText {
    private var state: UInt64

    init(seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(bound))
    }

    private static let pieces = [
        " ", " ", " ", " ", "\n", "\n\n", "\r\n", "\t", ". ", "! ", "? ", ".", ", ", "the", "orrery", "turns", "Dr. ",
        "e.g. ", "a", "x", "# Title\n", "## Part\n", "```\n", "| a | b |\n|---|---|\n", "def f():\n", "{", "}", "é",
        "e\u{301}", "星", "。", "を見る", "👩‍👩‍👧‍👦", "🇩🇪🇫🇷", "가", "각\u{11A8}", "ก็", "ना", "\u{200D}", "\u{FE0F}", "\u{0}",
        "नमस्ते। ", "مرحبا؟ ", "-", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "   ", "\u{600}a", "\u{AD}",
    ]

    mutating func text(pieces count: Int) -> String {
        var text = ""
        for _ in 0..<count { text += Self.pieces[next(Self.pieces.count)] }
        return text
    }
}

@Suite("Properties of every chunker")
struct ChunkerPropertyTests {
    static let options = [
        "fixed size=1 overlap=0", "fixed size=2 overlap=1", "fixed size=17 overlap=8",
        "fixed size=40 overlap=0 trim=no",
        "recursive size=1", "recursive size=3 overlap=1", "recursive size=50 overlap=25",
        "recursive size=200 overlap=30",
        "recursive size=20 overlap=5 trim=no", "sentence size=60 overlap=20", "sentence size=5 overlap=2",
        "sentence size=33 overlap=16 trim=no", "markdown size=40 overlap=10", "markdown size=200",
        "markdown size=7 trim=no",
        "code size=80", "code size=12 overlap=6", "automatic size=64", "parent-child size=20 overlap=5 parent=90",
        "parent-child size=3 parent=4", "semantic size=100 percentile=80", "semantic size=30 overlap=10 threshold=0.5",
        "semantic size=30 overlap=10 trim=no", "recursive unit=tokens size=20 overlap=6",
        "fixed unit=tokens size=7 overlap=3",
        "sentence unit=tokens size=9 overlap=2", "markdown unit=tokens size=30",
    ]

    static func chunker(_ options: String) throws -> any Chunker {
        try ChunkerOptions(parsing: options).chunker(tokens: { Self.tokens($0) }, embed: { $0.map(Self.vector) })
    }

    /// Words and single marks, as a tokenizer would count them.
    static func tokens(_ text: String) -> Int { (text.unicodeScalars.count + 2) / 3 }

    static func vector(_ text: String) -> [Float] {
        var vector = [Float](repeating: 0, count: 8)
        for byte in text.utf8 { vector[Int(byte) & 7] += Float(byte & 3) }
        return vector
    }

    @Test(
        "chunks are ordered, exact, nonempty, within the size, cut at Character borders, and cover all but white space",
        arguments: options)
    func promises(line: String) throws {
        let options = try ChunkerOptions(parsing: line)
        let chunker = try Self.chunker(line)
        for seed in 0..<60 {
            var random = RandomText(seed: seed)
            let text = random.text(pieces: 1 + random.next(120))
            let bytes = Array(text.utf8)
            var borders: Set<Int> = [bytes.count]
            var place = 0
            for character in text {
                borders.insert(place)
                place += character.utf8.count
            }
            let spans = try chunker.chunks(of: text)
            var covered = 0
            var last = 0..<0
            for span in spans where !span.isParent {
                let range = span.range
                #expect(!range.isEmpty)
                #expect(range.upperBound <= bytes.count)
                #expect(
                    borders.contains(range.lowerBound) && borders.contains(range.upperBound), "\(line), seed \(seed)")
                #expect(
                    range.lowerBound >= last.lowerBound && range.upperBound > last.upperBound, "\(line), seed \(seed)")
                if range.lowerBound > covered { checkGap(bytes[covered..<range.lowerBound], options, seed) }
                covered = max(covered, range.upperBound)
                try checkSize(String(decoding: bytes[range], as: UTF8.self), options)
                let shared = String(
                    decoding: bytes[range.lowerBound..<max(range.lowerBound, last.upperBound)], as: UTF8.self)
                #expect(size(shared, options) <= options.overlap, "\(line), seed \(seed)")
                if let parent = span.parent { #expect(spans[parent].isParent && contains(spans[parent].range, range)) }
                last = range
            }
            checkGap(bytes[covered...], options, seed)
        }
    }

    private func contains(_ outer: Range<Int>, _ inner: Range<Int>) -> Bool {
        outer.lowerBound <= inner.lowerBound && inner.upperBound <= outer.upperBound
    }

    private func size(_ text: String, _ options: ChunkerOptions) -> Int {
        options.unit == .characters ? text.count : text.isEmpty ? 0 : Self.tokens(text)
    }

    private func checkSize(_ text: String, _ options: ChunkerOptions) throws {
        // One Character may have more tokens than a chunk.
        #expect(size(text, options) <= options.size || text.count == 1, "\(options): \(size(text, options))")
    }

    private func checkGap(_ gap: ArraySlice<UInt8>, _ options: ChunkerOptions, _ seed: Int) {
        let isWhite = gap.allSatisfy { $0 == 0x20 || (9...13).contains($0) }
        #expect(options.trims ? isWhite : gap.isEmpty, "\(options), seed \(seed): \(Array(gap))")
    }

    @Test("a fixed chunk overlaps the previous one by exactly the overlap")
    func fixedOverlap() throws {
        let text = String((0..<1000).map { Character(Unicode.Scalar(UInt8(97 + $0 % 26))) })
        let spans = try ChunkerOptions(parsing: "fixed size=100 overlap=20").chunker().chunks(of: text)
        #expect(spans.map(\.range.lowerBound) == Array(stride(from: 0, to: 980, by: 80)))
        #expect(spans.allSatisfy { $0.range.count == 100 || $0.range.upperBound == 1000 })
    }

    @Test("chunks of size 1 are the Characters of the standard library", arguments: 0..<100)
    func characters(seed: Int) throws {
        var random = RandomText(seed: seed + 1000)
        let text = random.text(pieces: 200)
        let spans = try ChunkerOptions(parsing: "fixed size=1 overlap=0 trim=no").chunker().chunks(of: text)
        let bytes = Array(text.utf8)
        #expect(spans.map { String(decoding: bytes[$0.range], as: UTF8.self) } == text.map(String.init))
    }

    @Test("any two scalars are joined or separated as in the standard library")
    func pairs() throws {
        let chunker = try ChunkerOptions(parsing: "fixed size=1 overlap=0 trim=no").chunker()
        var random = RandomText(seed: 7)
        for _ in 0..<300 {
            var text = ""
            for _ in 0..<40 {
                let bound = [0x100, 0x800, 0x3100, 0x10000, 0x20000][random.next(5)]
                if let scalar = Unicode.Scalar(UInt32(random.next(bound))) { text.unicodeScalars.append(scalar) }
            }
            #expect(try chunker.chunks(of: text).map(\.range.count) == text.map(\.utf8.count))
        }
    }

    @Test(
        "a megabyte without spaces takes linear time",
        arguments: options.filter { !$0.contains("tokens") && !$0.contains("size=1 ") })
    func withoutSpaces(line: String) throws {
        let text = String(repeating: "ab1", count: 350_000)
        let start = ContinuousClock.now
        let spans = try Self.chunker(line).chunks(of: text)
        #expect(spans.last?.range.upperBound == text.utf8.count)
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test("empty text and white space have no chunks", arguments: ["", " ", "\n\n \t\r\n"])
    func empty(text: String) throws {
        for line in Self.options where !line.contains("trim=no") {
            #expect(try Self.chunker(line).chunks(of: text).isEmpty, "\(line)")
        }
    }
}

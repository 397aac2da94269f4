/// Damages a tokenizer.json so that most of it is still JSON and reaches the code behind the parser.
struct TokenizerFileDamage {
    private var choices: SeededChoices

    init(seed: UInt64) { choices = SeededChoices(seed: seed) }

    private static let numbers = [
        "-1", "0", "1", "255", "65536", "2147483648", "4294967295", "4294967296", "9223372036854775807",
        "-9223372036854775808", "99999999999999999999", "1e400", "-1e400", "0.5", "1e-320",
    ]
    private static let values = [
        "null", "true", "false", "{}", "[]", "\"\"", "[[]]", "{\"type\":\"Sequence\",\"normalizers\":[]}",
        "{\"type\":\"BPE\"}", "{\"Regex\":\"(a*)*b|\\\\p{L}+?\"}", "{\"Regex\":\"((((\"}", "{\"String\":\"\"}",
        "{\"Regex\":\"(?:a{1,1000}){1,1000}\"}", "{\"Regex\":\"[z-a]\"}", "\"\\ud800\"", "\"\\u0000\"",
    ]

    /// One to three changes; one file in six has its bytes damaged as well.
    mutating func damaged(_ original: [UInt8]) -> [UInt8] {
        var words = Self.words(of: original)
        for _ in 0...choices.below(3) where !words.isEmpty {
            if choices.below(6) == 0 { move(&words) } else { replace(&words) }
        }
        var bytes = Array(words.joined())
        guard choices.below(6) == 0, !bytes.isEmpty else { return bytes }
        switch choices.below(4) {
        case 0: bytes.removeLast(choices.below(bytes.count))
        case 1: bytes[choices.below(bytes.count)] ^= 1 << UInt8(choices.below(8))
        case 2: bytes.insert(UInt8(truncatingIfNeeded: choices.next()), at: choices.below(bytes.count))
        default: nest(&bytes)
        }
        return bytes
    }

    /// A text or a number becomes another: what stands elsewhere in the file, a number at which counting goes wrong, an
    /// empty or a long text.
    private mutating func replace(_ words: inout [ArraySlice<UInt8>]) {
        var place = place(words.count)
        for _ in 0..<20 where Self.isPunctuation(words[place].first ?? 0) { place = self.place(words.count) }
        let isText = words[place].first == UInt8(ascii: "\"")
        switch choices.below(6) {
        case 0: words[place] = Self.slice(Self.numbers[choices.below(Self.numbers.count)])
        case 1: words[place] = Self.slice(Self.values[choices.below(Self.values.count)])
        case 2: words[place] = Self.slice("\"\(String(repeating: "a", count: 1 << choices.below(14)))\"")
        default:
            // Ids that exist twice, kinds that do not fit, a piece where a pattern belongs.
            let same = (0..<40).map { _ in self.place(words.count) }.first { other in
                let first = words[other].first ?? 0
                return !Self.isPunctuation(first) && (first == UInt8(ascii: "\"")) == isText
            }
            if let same { words[place] = words[same] }
        }
    }

    /// Words go elsewhere, once more or not at all.
    private mutating func move(_ words: inout [ArraySlice<UInt8>]) {
        let place = place(words.count)
        switch choices.below(3) {
        case 0: words.swapAt(place, choices.below(words.count))
        case 1: words.remove(at: place)
        default:
            let end = min(words.count, place + choices.below(24))
            words.insert(contentsOf: words[place..<end], at: choices.below(words.count))
        }
    }

    /// A place among the words, half of the time where there are settings and not the vocabulary.
    private mutating func place(_ count: Int) -> Int {
        choices.below(choices.below(2) == 0 ? min(count, 160) : count)
    }

    /// Many brackets at one place.
    private mutating func nest(_ bytes: inout [UInt8]) {
        let open = ["[", "{\"a\":", "{\"type\":\"Sequence\",\"decoders\":["][choices.below(3)]
        let text = String(repeating: open, count: [10, 1000, 20_000][choices.below(3)])
        bytes.insert(contentsOf: Array(text.utf8), at: choices.below(bytes.count))
    }

    private static func slice(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

    /// Strings, punctuation, and what stands between, in order.
    private static func words(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var words: [ArraySlice<UInt8>] = []
        var start = 0
        while start < bytes.count {
            var end = start + 1
            if bytes[start] == UInt8(ascii: "\"") {
                while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
                    end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
                }
                end = min(end + 1, bytes.count)
            } else if !isPunctuation(bytes[start]) {
                while end < bytes.count, !isPunctuation(bytes[end]), bytes[end] != UInt8(ascii: "\"") { end += 1 }
            }
            words.append(bytes[start..<end])
            start = end
        }
        return words
    }

    private static func isPunctuation(_ byte: UInt8) -> Bool { "{}[],:".utf8.contains(byte) }
}

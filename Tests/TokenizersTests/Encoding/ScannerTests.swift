import Testing
import Tokenizers

/// The hand-written scanners cut exactly where the patterns that they stand for match.
@Suite("Scanners")
struct ScannerTests {
    @Test("a scanner and its pattern agree on seeded texts", arguments: KnownPattern.allCases)
    func agreement(known: KnownPattern) throws {
        let pattern = try Pattern(known.rawValue)
        var texts = SeededTexts(21)
        for _ in 0..<1_500 {
            let text = texts.text()
            let bytes = Array(text.utf8)
            let pieces = bytes.withUnsafeBufferPointer { known.pieces(of: $0) }
            #expect(pieces == pattern.matches(in: bytes), "\(text.debugDescription)")
        }
    }

    @Test(
        "pieces are those that the patterns' authors mean",
        arguments: [
            (
                KnownPattern.gpt2, "I'm 12 years  old!?\n\n x",
                ["I", "'m", " 12", " years", " ", " old", "!?", "\n\n", " x"]
            ),
            (.llama3, "I'M 12345\n\n  x (y)", ["I", "'M", " ", "123", "45", "\n\n", " ", " x", " (", "y", ")"]),
            (.qwen2, "x=10;\r\n y", ["x", "=", "1", "0", ";\r\n", " y"]),
            (.qwen35, "नमस्ते 1", ["नमस्ते", " ", "1"]),
            (.o200k, "HTMLParser's camelCase//\n", ["HTMLParser's", " camel", "Case", "//\n"]),
            (.tekken, "fooBar's 12", ["foo", "Bar", "'s", " ", "1", "2"]),
        ])
    func pieces(known: KnownPattern, text: String, wanted: [String]) {
        let bytes = Array(text.utf8)
        let pieces = bytes.withUnsafeBufferPointer { known.pieces(of: $0) }
        #expect(pieces.map { String(decoding: bytes[$0], as: UTF8.self) } == wanted)
    }
}

import Inference
import Testing

@Suite("Stop texts")
struct StopTextsTests {
    @Test("end the answer across the borders of tokens; what could become one waits")
    func example() {
        var stops = StopTexts(["\nUser:"])
        #expect(stops.append("Fine.") == "Fine.")
        #expect(stops.append("\nUs") == "")
        #expect(stops.append("ual") == "\nUsual")
        #expect(stops.append("\n") == "")
        #expect(stops.append("User: and") == "")
        #expect(stops.isStopped)
        #expect(stops.append("more") == "" && stops.finish() == "")
    }

    static let cases: [(text: String, stops: [String], answer: String, isStopped: Bool)] = [
        ("abc", [], "abc", false),
        ("abc", [""], "abc", false),
        ("aaab", ["aab"], "a", true),
        ("ababac", ["abac"], "ab", true),
        ("xabcdx", ["abcd", "bc"], "xa", true),  // complete first
        ("xabcx", ["bc", "abc"], "x", true),  // complete together: the longer one
        ("über…€uro", ["€"], "über…", true),
        ("e\u{301}x", ["e"], "", true),  // bytes decide, not characters that a screen would join
        ("tail</", ["</s>"], "tail</", false),
        ("</s>", ["</s>"], "", true),
    ]

    @Test("have the same outcome however the text is cut", arguments: cases)
    func pieces(text: String, stops: [String], answer: String, isStopped: Bool) {
        let scalars = Array(text.unicodeScalars)
        for mask in 0..<(1 << min(scalars.count - 1, 9)) {
            var matcher = StopTexts(stops)
            var (found, piece) = ("", String.UnicodeScalarView())
            for (index, scalar) in scalars.enumerated() {
                piece.append(scalar)
                guard index < 9, mask >> index & 1 == 1 || index == scalars.count - 1 else { continue }
                found += matcher.append(String(piece))
                piece.removeAll()
            }
            found += matcher.append(String(piece))
            found += matcher.finish()
            #expect(Array(found.utf8) == Array(answer.utf8))
            #expect(matcher.isStopped == isStopped)
        }
    }
}

/// Search for words in model answers, ignoring case and whitespace.
enum Phrases {
    /// Bytes of a long text to search.
    private static let longest = 100_000

    /// Returns a text in lowercase, with straight apostrophes and single spaces, trimmed.
    static func folded(_ text: String) -> String {
        let small = text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return String(small.map { $0 == "\u{2019}" ? "'" : $0 })
    }

    /// Returns whether a folded text contains a folded phrase as separate words: `not` does not contain `no`.
    ///
    /// Word boundaries matter only next to ASCII letters and digits: many scripts write words without spaces.
    static func holds(_ text: String, _ phrase: String) -> Bool {
        let (text, phrase) = (Array(text.utf8.prefix(longest)), Array(phrase.utf8))
        guard let first = phrase.first, let last = phrase.last, phrase.count <= text.count else { return false }
        for start in 0...(text.count - phrase.count) where text[start] == first {
            let end = start + phrase.count
            if isWord(first), start > 0, isWord(text[start - 1]) { continue }
            if isWord(last), end < text.count, isWord(text[end]) { continue }
            if text[start..<end].elementsEqual(phrase) { return true }
        }
        return false
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
    }
}

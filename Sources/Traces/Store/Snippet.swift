/// The surroundings of a match, on one line.
enum Snippet {
    private static let before = 40
    private static let after = 80

    /// - Parameters:
    ///   - place: Number of bytes before the match.
    ///   - length: Number of bytes of the match.
    /// - Returns: The snippet, and which of its characters are the match.
    static func around(_ place: Int, length: Int, of text: String) -> (snippet: String, match: Range<Int>) {
        let utf8 = text.utf8
        // A match may begin or end within a character that is made of several scalars: take the whole of it.
        let first = utf8.index(utf8.startIndex, offsetBy: place)
        let last = utf8.index(first, offsetBy: length)
        let start = text.index(before: text.index(after: max(first, text.startIndex)))
        let begin = text.index(start, offsetBy: -before, limitedBy: text.startIndex) ?? text.startIndex
        let end = text.index(last, offsetBy: after, limitedBy: text.endIndex) ?? text.endIndex
        let lead = line(text[begin..<start])
        let match = line(text[start..<max(start, last)])
        let head = begin > text.startIndex ? "…" + lead : lead
        let tail = line(text[max(start, last)..<end]) + (end < text.endIndex ? "…" : "")
        return (head + match + tail, head.count..<(head.count + match.count))
    }

    private static func line(_ text: Substring) -> String {
        String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }
}

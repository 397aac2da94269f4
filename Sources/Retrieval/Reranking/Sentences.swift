/// Splits text into sentences at punctuation and line breaks.
enum Sentences {
    /// Returns the sentences of a text with a letter or digit in them, in order, without the spaces around them.
    ///
    /// One ends after `.`, `!`, `?` and a space, after the full stops of Chinese and Japanese, and at an empty line.
    static func of(_ text: String) -> [Substring] {
        var sentences: [Substring] = []
        var start = text.startIndex
        var index = start
        while index < text.endIndex {
            let character = text[index]
            let next = text.index(after: index)
            let endsHere: Bool
            switch character {
            case ".", "!", "?": endsHere = next == text.endIndex || text[next].isWhitespace
            case "。", "！", "？": endsHere = true
            case _ where character.isNewline: endsHere = next < text.endIndex && text[next].isNewline
            default: endsHere = false
            }
            if endsHere {
                append(text[start..<next], to: &sentences)
                start = next
            }
            index = next
        }
        append(text[start...], to: &sentences)
        return sentences
    }

    private static func append(_ text: Substring, to sentences: inout [Substring]) {
        guard text.contains(where: { $0.isLetter || $0.isNumber }) else { return }
        let front = text.drop { $0.isWhitespace }
        guard let last = front.lastIndex(where: { !$0.isWhitespace }) else { return }
        sentences.append(front[...last])
    }
}

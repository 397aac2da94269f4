import CommandSupport
import Console

/// The part of a passage that best matches a question, on one line.
struct PassagePreview {
    /// Distinctive words of the question, in lowercase.
    private let words: [String]

    init(query: String) {
        words = query.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
            .filter { $0.count >= 3 || $0.contains(where: \.isNumber) }
    }

    /// Returns the text starting at the best cluster of question words; headings have the lowest priority.
    func line(_ text: String, columns: Int) -> String {
        // A heading repeats the label, so it is shown only if there is no other text.
        let lines = text.split(whereSeparator: \.isNewline)
        let body = lines.filter { !$0.hasPrefix("#") }
        let flat = (body.isEmpty ? lines : body).joined(separator: " ")
        let tokens = flat.split(whereSeparator: \.isWhitespace)
        let start = best(tokens, columns)
        let shown = tokens[start...].prefix(columns).joined(separator: " ")
        return Printable.line((start > 0 ? "… " : "") + shown).truncated(toColumns: columns)
    }

    /// Returns the first token of the window with the most question words.
    private func best(_ tokens: [Substring], _ columns: Int) -> Int {
        // Only the start of a long passage is searched.
        let hits = tokens.prefix(4096).enumerated().compactMap { index, token in
            word(of: token).map { (token: index, word: $0) }
        }
        var found = (start: 0, count: 0)
        for (place, hit) in hits.enumerated() {
            var seen: Set<Int> = []
            var width = 0
            var token = hit.token
            for other in hits[place...] {
                while token <= other.token {
                    width += tokens[token].count + 1
                    token += 1
                }
                if width > columns { break }
                seen.insert(other.word)
            }
            if seen.count > found.count { found = (hit.token, seen.count) }
        }
        return tokens.prefix(found.start).reduce(0) { $0 + $1.count + 1 } < 24 ? 0 : found.start
    }

    /// Returns the index of the question word that a token matches, ignoring endings.
    private func word(of token: Substring) -> Int? {
        let plain = token.lowercased().filter { $0.isLetter || $0.isNumber }
        guard plain.count >= 2 else { return nil }
        return words.firstIndex { word in
            guard word.count > 4, plain.count > 4 else { return plain == word }
            return plain.hasPrefix(word.prefix(word.count - 1)) || word.hasPrefix(plain.prefix(plain.count - 1))
        }
    }
}

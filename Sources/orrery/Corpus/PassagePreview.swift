import Console

/// The part of a passage that says most about a question, on one line.
struct PassagePreview {
    /// The words of the question that tell passages apart, in lower case.
    private let words: [String]

    init(query: String) {
        words = query.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
            .filter { $0.count >= 3 || $0.contains(where: \.isNumber) }
    }

    /// Begins at the first words of the question that stand close together; headings count last.
    func line(_ text: String, columns: Int) -> String {
        // A heading repeats what the label says: it is shown where nothing else is.
        let lines = text.split(whereSeparator: \.isNewline)
        let body = lines.filter { !$0.hasPrefix("#") }
        let flat = (body.isEmpty ? lines : body).joined(separator: " ")
        let tokens = flat.split(whereSeparator: \.isWhitespace)
        let start = best(tokens, columns)
        let shown = tokens[start...].prefix(columns).joined(separator: " ")
        return Printable.line((start > 0 ? "… " : "") + shown).truncated(toColumns: columns)
    }

    /// The token to begin with: that of the window with the most words of the question.
    private func best(_ tokens: [Substring], _ columns: Int) -> Int {
        // Long passages are not read to their ends for a line.
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

    /// Which word of the question a token is, endings apart.
    private func word(of token: Substring) -> Int? {
        let plain = token.lowercased().filter { $0.isLetter || $0.isNumber }
        guard plain.count >= 2 else { return nil }
        return words.firstIndex { word in
            guard word.count > 4, plain.count > 4 else { return plain == word }
            return plain.hasPrefix(word.prefix(word.count - 1)) || word.hasPrefix(plain.prefix(plain.count - 1))
        }
    }
}

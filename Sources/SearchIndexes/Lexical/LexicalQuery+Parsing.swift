extension LexicalQuery {
    /// Reads what a user typed; anything has a meaning.
    ///
    ///     words                any of them
    ///     "words in order"     a phrase
    ///     +word  -word         required, excluded; also before a phrase
    ///     title:word           in one field, where there is one of that name
    ///     wor*                 all words that begin so
    ///
    /// - Parameters:
    ///   - fields: Names that count before a colon.
    ///   - typing: Whether the last word may be unfinished: it is looked for as it is and as a beginning.
    public init(parsing line: String, fields: [String] = [], typing: Bool = false) {
        var clauses: [Clause] = []
        var plain: [Substring] = []
        var rest = line[...]
        func isSpace(_ character: Character) -> Bool { character.isWhitespace }
        func flush() {
            if !plain.isEmpty { clauses.append(Clause(.words(plain.joined(separator: " ")))) }
            plain = []
        }
        while true {
            rest = rest.drop(while: isSpace)
            guard !rest.isEmpty else { break }
            let start = rest.startIndex
            var occurrence = Occurrence.optional
            if let sign = rest.first, sign == "+" || sign == "-", let next = rest.dropFirst().first, !isSpace(next) {
                occurrence = sign == "+" ? .required : .excluded
                rest.removeFirst()
            }
            var field: String?
            if let name = fields.first(where: { rest.hasPrefix($0 + ":") }), !name.isEmpty,
                let next = rest.dropFirst(name.count + 1).first, !isSpace(next)
            {
                field = name
                rest = rest.dropFirst(name.count + 1)
            }
            let text: Substring
            var content: Content
            if rest.first == "\"" {
                let inside = rest.dropFirst()
                let end = inside.firstIndex(of: "\"") ?? inside.endIndex
                text = inside[..<end]
                content = .phrase(String(text))
                rest = end < inside.endIndex ? inside[inside.index(after: end)...] : inside[inside.endIndex...]
            } else {
                let end = rest.firstIndex(where: isSpace) ?? rest.endIndex
                text = rest[..<end]
                content = .words(String(text))
                rest = rest[end...]
                if text.count > 1, text.hasSuffix("*") {
                    content = .prefix(String(text.dropLast()))
                } else if typing, rest.isEmpty, occurrence != .excluded {
                    content = .prefix(String(text))
                }
            }
            if text.isEmpty { continue }
            if occurrence == .optional, field == nil, case .words = content {
                plain.append(line[start..<rest.startIndex])
            } else {
                flush()
                clauses.append(Clause(content, occurrence, field: field))
            }
        }
        flush()
        self.init(clauses: clauses)
    }
}

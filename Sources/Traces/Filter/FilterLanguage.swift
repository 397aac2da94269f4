internal import Configuration

/// The conditions of filters of traces: `field:value` and free text.
enum FilterLanguage: QueryLanguage {
    static let dialect = QueryDialect(
        hasFreeText: true, noun: "field", example: "Example: status:error.", comparisonExample: "Example: tokens>1000.",
        keywordRemedy: "To search for the word, put it in quotes.",
        quoteRemedy: "Add a closing quote at the end of the text.", nestingRemedy: "Use fewer parentheses.")

    static func condition(_ parser: inout QueryParser<Self>) throws(QueryError) -> FilterExpression {
        let first = parser.token
        try parser.advance()
        switch first.kind {
        case .quoted(let text): return text.isEmpty ? .everything : .text(text)
        case .word(let word):
            guard case .sign(let sign) = parser.token.kind, !parser.token.spaced else { return .text(word) }
            return .condition(try condition(field: word, at: first, sign, &parser))
        default: return .everything
        }
    }

    /// Parses the rest of `field op value`, where the operator is the current token.
    private static func condition(
        field word: String, at place: QueryLexer.Token, _ comparison: String, _ parser: inout QueryParser<Self>
    ) throws(QueryError) -> FilterCondition {
        guard let field = FilterField(rawValue: word.lowercased()) else {
            let near = FilterField.nearest(to: word)
            throw parser.error(
                place, "unknown field \"\(word)\"",
                near.map { NearestName.question([$0.rawValue]) }
                    ?? "Available fields: \(FilterField.allCases.map(\.rawValue).joined(separator: ", ")). "
                    + "Put text with \(comparison) in quotes.")
        }
        let operatorToken = parser.token
        try parser.advance(asValue: true)
        let value: String
        switch parser.token.kind {
        case .word(let text) where !parser.token.spaced: value = text
        case .quoted(let text) where !parser.token.spaced: value = text
        default:
            throw parser.error(operatorToken, "a value is missing after \(word)\(comparison)", field.example)
        }
        let condition: FilterCondition
        do {
            condition = try field.condition(comparison, value)
        } catch {
            throw parser.error(parser.token, error.what, error.suggestion)
        }
        try parser.advance()
        return condition
    }
}

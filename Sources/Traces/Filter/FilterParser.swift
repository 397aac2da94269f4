internal import Configuration
import LanguageModels

/// A recursive-descent parser of filters: or, and, not, then conditions.
struct FilterParser {
    private var lexer: FilterLexer
    private var token: FilterLexer.Token
    private var depth = 0

    /// Maximum nesting depth of parentheses and `not`.
    static let deepest = 64

    init(_ text: String) throws(FilterError) {
        lexer = FilterLexer(text)
        token = try lexer.next()
    }

    mutating func expression() throws(FilterError) -> FilterExpression {
        if token.kind == .end { return .everything }
        let whole = try alternatives()
        if token.kind == .close {
            throw error(token, "unexpected \")\"", "Remove it, or add \"(\" before the group.")
        }
        return whole
    }

    private mutating func alternatives() throws(FilterError) -> FilterExpression {
        var parts = [try conjunction()]
        while isKeyword("or") {
            try advance()
            parts.append(try conjunction())
        }
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    private mutating func conjunction() throws(FilterError) -> FilterExpression {
        var parts = [try negation()]
        while true {
            if isKeyword("and") {
                try advance()
            } else if token.kind == .end || token.kind == .close || isKeyword("or") {
                return parts.count == 1 ? parts[0] : .and(parts)
            }
            parts.append(try negation())
        }
    }

    private mutating func negation() throws(FilterError) -> FilterExpression {
        guard isKeyword("not") else { return try primary() }
        let not = token
        try advance()
        try descend(not)
        defer { depth -= 1 }
        return .not(try negation())
    }

    private mutating func primary() throws(FilterError) -> FilterExpression {
        let first = token
        switch first.kind {
        case .open:
            try descend(first)
            defer { depth -= 1 }
            try advance()
            let inner = try alternatives()
            guard token.kind == .close else {
                throw error(first, "unclosed \"(\"", "Add \")\" at the end of the group.")
            }
            try advance()
            return inner
        case .quoted(let text):
            try advance()
            return text.isEmpty ? .everything : .text(text)
        case .word(let word):
            if isKeyword("and") || isKeyword("or") {
                throw error(first, "a condition is missing before \(word)", "To search for the word, put it in quotes.")
            }
            try advance()
            guard case .comparison(let comparison) = token.kind, !token.spaced else { return .text(word) }
            return .condition(try condition(field: word, at: first, comparison))
        case .comparison(let comparison):
            throw error(first, "a field is missing before \(comparison)", "Example: tokens>1000.")
        case .close:
            throw error(first, "a condition is missing before \")\"", "Example: status:error.")
        case .end:
            throw error(first, "a condition is missing at the end", "Example: status:error.")
        }
    }

    /// Parses the rest of `field op value`, where the operator is the current token.
    private mutating func condition(
        field word: String, at place: FilterLexer.Token, _ comparison: String
    ) throws(FilterError) -> FilterCondition {
        guard let field = FilterField(rawValue: word.lowercased()) else {
            let near = FilterField.nearest(to: word)
            throw error(
                place, "unknown field \"\(word)\"",
                near.map { NearestName.question([$0.rawValue]) }
                    ?? "Available fields: \(FilterField.allCases.map(\.rawValue).joined(separator: ", ")). "
                    + "Put text with \(comparison) in quotes.")
        }
        let operatorToken = token
        token = try lexer.next(asValue: true)
        let value: String
        switch token.kind {
        case .word(let text) where !token.spaced: value = text
        case .quoted(let text) where !token.spaced: value = text
        default:
            throw error(operatorToken, "a value is missing after \(word)\(comparison)", field.example)
        }
        let condition: FilterCondition
        switch field.condition(comparison, value) {
        case .success(let made): condition = made
        case .failure(let problem): throw error(token, problem.what, problem.suggestion)
        }
        try advance()
        return condition
    }

    private mutating func descend(_ place: FilterLexer.Token) throws(FilterError) {
        depth += 1
        if depth > Self.deepest {
            throw error(place, "groups are nested more than \(Self.deepest) deep", "Use fewer parentheses.")
        }
    }

    private mutating func advance() throws(FilterError) { token = try lexer.next() }

    private func isKeyword(_ keyword: String) -> Bool {
        guard case .word(let word) = token.kind else { return false }
        return word.lowercased() == keyword
    }

    private func error(_ token: FilterLexer.Token, _ problem: String, _ suggestion: String?) -> FilterError {
        FilterError(text: lexer.text, bytes: token.range, problem: problem, suggestion: suggestion)
    }
}

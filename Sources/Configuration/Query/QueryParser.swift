/// A recursive-descent parser of filters: or, and, not, then the conditions of a language.
package struct QueryParser<Language: QueryLanguage> {
    package typealias Expression = QueryExpression<Language.Condition>

    /// Current token.
    package private(set) var token: QueryLexer.Token
    /// Number of conditions that the parser has started.
    package private(set) var conditions = 0
    private var lexer: QueryLexer
    private var lastEnd = 0
    private var depth = 0

    /// Maximum nesting depth of parentheses and `not`.
    private static var deepest: Int { 64 }

    private init(_ text: String) throws(QueryError) {
        lexer = QueryLexer(text, Language.dialect)
        token = try lexer.next()
    }

    /// Parses a filter; an empty filter matches everything.
    package static func parse(_ text: String) throws(QueryError) -> Expression {
        var parser = try QueryParser(text)
        if parser.token.kind == .end { return .everything }
        let whole = try parser.alternatives()
        switch parser.token.kind {
        case .end: return whole
        case .close: throw parser.error(parser.token, "unexpected \")\"", "Remove it, or add \"(\" before the group.")
        default:
            throw parser.error(
                parser.token, "expected \"and\", \"or\", or the end", "Put text with spaces in quotes.")
        }
    }

    private mutating func alternatives() throws(QueryError) -> Expression {
        var parts = [try conjunction()]
        while isKeyword("or") {
            try advance()
            parts.append(try conjunction())
        }
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    private mutating func conjunction() throws(QueryError) -> Expression {
        var parts = [try negation()]
        while isKeyword("and") || Language.dialect.hasFreeText && !endsCondition {
            if isKeyword("and") { try advance() }
            parts.append(try negation())
        }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    private mutating func negation() throws(QueryError) -> Expression {
        guard isKeyword("not") else { return try primary() }
        try descend()
        defer { depth -= 1 }
        return .not(try negation())
    }

    private mutating func primary() throws(QueryError) -> Expression {
        let dialect = Language.dialect
        switch token.kind {
        case .open:
            let first = token
            try descend()
            defer { depth -= 1 }
            let inner = try alternatives()
            guard token.kind == .close else {
                throw error(first, "unclosed \"(\"", "Add \")\" at the end of the group.")
            }
            try advance()
            return inner
        case .word(let word) where isKeyword("and") || isKeyword("or"):
            throw error(token, "a condition is missing before \(word)", dialect.keywordRemedy)
        case .word, .quoted, .key:
            conditions += 1
            return try Language.condition(&self)
        case .sign(let sign):
            throw error(token, "a \(dialect.noun) is missing before \(sign)", dialect.comparisonExample)
        case .close, .comma:
            let place = dialect.hasFreeText ? "before \")\"" : "here"
            throw error(token, "a condition is missing \(place)", dialect.example)
        case .end: throw error(token, "a condition is missing at the end", dialect.example)
        }
    }

    /// Reads the first token of a nested expression.
    private mutating func descend() throws(QueryError) {
        depth += 1
        if depth > Self.deepest {
            throw error(token, "groups are nested more than \(Self.deepest) deep", Language.dialect.nestingRemedy)
        }
        try advance()
    }

    /// Reads the next token; after an operator, a value that ends at white space or a parenthesis.
    package mutating func advance(asValue: Bool = false) throws(QueryError) {
        lastEnd = token.range.upperBound
        token = try lexer.next(asValue: asValue)
    }

    /// Whether the current token follows a complete condition.
    package var endsCondition: Bool {
        token.kind == .end || token.kind == .close || isKeyword("and") || isKeyword("or")
    }

    /// Returns whether the current token is a word, in any case.
    package func isKeyword(_ keyword: String) -> Bool {
        guard case .word(let word) = token.kind else { return false }
        return word.lowercased() == keyword
    }

    /// Returns the text from a token to the last one before the current token.
    package func source(from first: QueryLexer.Token) -> String {
        String(decoding: lexer.bytes[first.range.lowerBound..<lastEnd], as: UTF8.self)
    }

    /// Returns an error at a token.
    package func error(_ token: QueryLexer.Token, _ problem: String, _ suggestion: String?) -> QueryError {
        QueryError(text: lexer.text, bytes: token.range, problem: problem, suggestion: suggestion)
    }
}

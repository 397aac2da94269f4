internal import Configuration

/// The conditions of filters over metadata.
enum MetadataFilterLanguage: QueryLanguage {
    typealias Condition = MetadataFilter.Condition

    static let dialect = QueryDialect(
        hasFreeText: false, noun: "key", example: "Example: year >= 2020.",
        comparisonExample: "Example: year >= 2020.", keywordRemedy: "Put a key of that name in backticks.",
        quoteRemedy: "Close it at the end of the text.", nestingRemedy: "Simplify the filter.")

    private typealias Parser = QueryParser<Self>

    /// Maximum number of conditions of an expression.
    private static let mostConditions = 500

    static func condition(_ parser: inout QueryParser<Self>) throws(QueryError) -> MetadataFilter.Expression {
        let first = parser.token
        let exists = parser.isKeyword("exists")
        guard let key = keyWord(first) else {
            throw parser.error(first, "expected a key, found text in quotes", "Example: kind = manual.")
        }
        try parser.advance()
        if exists { return .condition(try existence(first, &parser)) }
        if case .word = first.kind, let equality = try equality(key, first, &parser) { return equality }
        return try condition(key, first, &parser)
    }

    /// `exists(key)` or `exists key`, after the word.
    private static func existence(_ first: QueryLexer.Token, _ parser: inout Parser) throws(QueryError)
        -> MetadataFilter.Condition
    {
        let isOpen = parser.token.kind == .open
        if isOpen { try parser.advance() }
        guard let key = keyWord(parser.token) else {
            throw parser.error(parser.token, "a key is missing after exists", "Example: exists(year).")
        }
        try parser.advance()
        if isOpen {
            guard parser.token.kind == .close else {
                throw parser.error(parser.token, "expected \")\"", "Example: exists(year).")
            }
            try parser.advance()
        }
        return try made(key, .exists, from: first, &parser)
    }

    /// `kind:manual` and `kind:"two words"`, which filters of traces use as well; `nil` for a key that is compared by
    /// what follows, even if a colon is part of its name.
    private static func equality(
        _ word: String, _ first: QueryLexer.Token, _ parser: inout Parser
    ) throws(QueryError) -> MetadataFilter.Expression? {
        guard let colon = word.firstIndex(of: ":"), colon > word.startIndex else { return nil }
        var value = MetadataFilter.Literal(String(word[word.index(after: colon)...]), isQuoted: false)
        if value.text.isEmpty, case .quoted(let text) = parser.token.kind {
            value = MetadataFilter.Literal(text, isQuoted: true)
            try parser.advance()
        }
        guard parser.endsCondition, !value.text.isEmpty else { return nil }
        return .condition(try made(String(word[..<colon]), .compare(.equal, value), from: first, &parser))
    }

    /// Parses the part of a condition after its key.
    private static func condition(
        _ key: String, _ first: QueryLexer.Token, _ parser: inout Parser
    ) throws(QueryError) -> MetadataFilter.Expression {
        if case .sign(let sign) = parser.token.kind, let comparison = QueryComparison(sign: sign) {
            let place = parser.token
            try parser.advance()
            let value = try literal(after: place, key, sign, &parser)
            return .condition(try made(key, .compare(comparison, value), from: first, &parser))
        }
        if parser.isKeyword("contains") {
            let place = parser.token
            try parser.advance()
            let value = try literal(after: place, key, "contains", &parser)
            return .condition(try made(key, .contains(value.text), from: first, &parser))
        }
        if parser.isKeyword("exists") {
            try parser.advance()
            return .condition(try made(key, .exists, from: first, &parser))
        }
        if parser.isKeyword("in") {
            try parser.advance()
            return .condition(try membership(key, first, &parser))
        }
        if parser.isKeyword("not") {
            try parser.advance()
            if parser.isKeyword("in") {
                try parser.advance()
                return .not(.condition(try membership(key, first, &parser, isNegated: true)))
            }
            throw parser.error(parser.token, "expected \"in\"", "Example: \(key) not in (a, b).")
        }
        throw parser.error(
            parser.token.kind == .end ? first : parser.token, "an operator is missing after \(key)",
            "Use =, !=, <, <=, >, >=, contains, in (…), or exists.")
    }

    private static func membership(
        _ key: String, _ first: QueryLexer.Token, _ parser: inout Parser, isNegated: Bool = false
    ) throws(QueryError) -> MetadataFilter.Condition {
        guard parser.token.kind == .open else {
            throw parser.error(parser.token, "expected \"(\"", "Example: \(key) in (a, b).")
        }
        var values: [MetadataFilter.Literal] = []
        repeat {
            let place = parser.token
            try parser.advance()
            values.append(try literal(after: place, key, "in", &parser))
            guard values.count <= 1_000 else {
                throw parser.error(place, "more than 1000 values", "Shorten the list.")
            }
        } while parser.token.kind == .comma
        guard parser.token.kind == .close else {
            throw parser.error(parser.token, "expected \",\" or \")\"", "Example: \(key) in (a, b).")
        }
        try parser.advance()
        var condition = try made(key, .oneOf(values), from: first, &parser)
        // The condition itself is without the not, which stands around it.
        if isNegated {
            condition.source = "\(Self.shown(key)) in (\(values.map { Self.quoted($0.text) }.joined(separator: ", ")))"
        }
        return condition
    }

    private static func literal(
        after place: QueryLexer.Token, _ key: String, _ word: String, _ parser: inout Parser
    ) throws(QueryError) -> MetadataFilter.Literal {
        switch parser.token.kind {
        case .word(let text):
            try parser.advance()
            return MetadataFilter.Literal(text, isQuoted: false)
        case .quoted(let text):
            try parser.advance()
            return MetadataFilter.Literal(text, isQuoted: true)
        default:
            throw parser.error(
                place, "a value is missing after \(key) \(word)", "Use a word, a number, a date, or text in quotes.")
        }
    }

    private static func made(
        _ key: String, _ test: MetadataFilter.Test, from first: QueryLexer.Token, _ parser: inout Parser
    ) throws(QueryError) -> MetadataFilter.Condition {
        guard parser.conditions <= Self.mostConditions else {
            throw parser.error(first, "more than \(Self.mostConditions) conditions", "Use in (…), or fewer conditions.")
        }
        if key.hasPrefix("doc."), DocumentField(key: key) == nil {
            throw parser.error(
                first, "unknown key \"\(key)\"",
                "Available keys: \(DocumentField.allCases.map { "doc." + $0.rawValue }.joined(separator: ", ")).")
        }
        return Condition(key: key, test: test, source: parser.source(from: first))
    }

    private static func keyWord(_ token: QueryLexer.Token) -> String? {
        switch token.kind {
        case .word(let word), .key(let word): word
        default: nil
        }
    }

    private static func shown(_ key: String) -> String {
        key.utf8.allSatisfy { byte in
            byte >= 0x80 || (48...57).contains(byte) || (65...90).contains(byte & 0xDF) || "_.-".utf8.contains(byte)
        } ? key : "`\(key)`"
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}

/// Built-in fields of every document.
enum DocumentField: String, CaseIterable {
    case id, title, kind, language, path, namespace, bytes, added

    /// Creates the field of a key such as `doc.title`; `nil` for any other key.
    init?(key: String) {
        guard key.hasPrefix("doc.") else { return nil }
        self.init(rawValue: String(key.dropFirst(4)))
    }

    /// The column of `retrieval_document`.
    var column: String { self == .id ? "name" : rawValue }
    var isNumber: Bool { self == .bytes }
    var isDate: Bool { self == .added }
}

internal import System

/// Recursive descent over the words of an expression: or, and, not, then conditions.
struct MetadataFilterParser {
    private var lexer: MetadataFilterLexer
    private var token: MetadataFilterLexer.Token
    private var lastEnd = 0
    private var depth = 0
    private var conditions = 0

    /// Parentheses and `not` nest at most this deep.
    static let deepest = 64
    static let mostConditions = 500
    static let longest = 64 << 10

    init(_ text: String) throws(Problem) {
        guard text.utf8.count <= Self.longest else {
            throw Problem(.limit, "filter", "more than \(Self.longest) bytes", remedy: "Shorten the filter.")
        }
        lexer = MetadataFilterLexer(text)
        token = try lexer.next()
    }

    mutating func expression() throws(Problem) -> MetadataFilter.Node {
        if token.kind == .end { return .everything }
        let whole = try alternatives()
        switch token.kind {
        case .end: return whole
        case .close: throw error(token, "unexpected \")\"", "Remove it, or add \"(\" before the group.")
        default: throw error(token, "expected \"and\", \"or\", or the end", "Put text with spaces in quotes.")
        }
    }

    private mutating func alternatives() throws(Problem) -> MetadataFilter.Node {
        var parts = [try conjunction()]
        while isKeyword("or") {
            try advance()
            parts.append(try conjunction())
        }
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    private mutating func conjunction() throws(Problem) -> MetadataFilter.Node {
        var parts = [try negation()]
        while isKeyword("and") {
            try advance()
            parts.append(try negation())
        }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    private mutating func negation() throws(Problem) -> MetadataFilter.Node {
        guard isKeyword("not") else { return try primary() }
        try descend()
        defer { depth -= 1 }
        try advance()
        return .not(try negation())
    }

    private mutating func primary() throws(Problem) -> MetadataFilter.Node {
        let first = token
        switch first.kind {
        case .open:
            try descend()
            defer { depth -= 1 }
            try advance()
            let inner = try alternatives()
            guard token.kind == .close else {
                throw error(first, "unclosed \"(\"", "Add \")\" at the end of the group.")
            }
            try advance()
            return inner
        case .word(let word):
            if isKeyword("and") || isKeyword("or") {
                throw error(first, "a condition is missing before \(word)", "Put a key of that name in backticks.")
            }
            if isKeyword("exists") {
                try advance()
                return .condition(try existence(first))
            }
            try advance()
            if let equality = try equality(word, first) { return equality }
            return try condition(word, first)
        case .key(let key):
            try advance()
            return try condition(key, first)
        case .quoted:
            throw error(first, "expected a key, found text in quotes", "Example: kind = manual.")
        case .comparison(let comparison):
            throw error(first, "a key is missing before \(comparison.rawValue)", "Example: year >= 2020.")
        case .close, .comma:
            throw error(first, "a condition is missing here", "Example: year >= 2020.")
        case .end:
            throw error(first, "a condition is missing at the end", "Example: year >= 2020.")
        }
    }

    /// `exists(key)` or `exists key`, after the word.
    private mutating func existence(_ first: MetadataFilterLexer.Token) throws(Problem)
        -> MetadataFilter.Condition
    {
        let isOpen = token.kind == .open
        if isOpen { try advance() }
        guard let key = keyWord else { throw error(token, "a key is missing after exists", "Example: exists(year).") }
        try advance()
        if isOpen {
            guard token.kind == .close else { throw error(token, "expected \")\"", "Example: exists(year).") }
            try advance()
        }
        return try made(key, .exists, from: first)
    }

    /// `kind:manual` and `kind:"two words"`, which filters of traces use as well; `nil` for a key that is compared by
    /// what follows, even if a colon is part of its name.
    private mutating func equality(
        _ word: String, _ first: MetadataFilterLexer.Token
    ) throws(Problem) -> MetadataFilter.Node? {
        guard let colon = word.firstIndex(of: ":"), colon > word.startIndex else { return nil }
        var value = MetadataFilter.Literal(String(word[word.index(after: colon)...]), isQuoted: false)
        if value.text.isEmpty, case .quoted(let text) = token.kind {
            value = MetadataFilter.Literal(text, isQuoted: true)
            try advance()
        }
        let isComplete = token.kind == .end || token.kind == .close || isKeyword("and") || isKeyword("or")
        guard isComplete, !value.text.isEmpty else { return nil }
        return .condition(try made(String(word[..<colon]), .compare(.equal, value), from: first))
    }

    /// Parses the part of a condition after its key.
    private mutating func condition(
        _ key: String, _ first: MetadataFilterLexer.Token
    ) throws(Problem) -> MetadataFilter.Node {
        if case .comparison(let comparison) = token.kind {
            let place = token
            try advance()
            let value = try literal(after: place, key, comparison.rawValue)
            return .condition(try made(key, .compare(comparison, value), from: first))
        }
        if isKeyword("contains") {
            let place = token
            try advance()
            let value = try literal(after: place, key, "contains")
            return .condition(try made(key, .contains(value.text), from: first))
        }
        if isKeyword("exists") {
            try advance()
            return .condition(try made(key, .exists, from: first))
        }
        if isKeyword("in") {
            try advance()
            return .condition(try membership(key, first))
        }
        if isKeyword("not") {
            try advance()
            if isKeyword("in") {
                try advance()
                return .not(.condition(try membership(key, first, "not ")))
            }
            throw error(token, "expected \"in\"", "Example: \(key) not in (a, b).")
        }
        throw error(
            token.kind == .end ? first : token, "an operator is missing after \(key)",
            "Use =, !=, <, <=, >, >=, contains, in (…), or exists.")
    }

    private mutating func membership(
        _ key: String, _ first: MetadataFilterLexer.Token, _ negation: String = ""
    ) throws(Problem) -> MetadataFilter.Condition {
        guard token.kind == .open else { throw error(token, "expected \"(\"", "Example: \(key) in (a, b).") }
        var values: [MetadataFilter.Literal] = []
        repeat {
            let place = token
            try advance()
            values.append(try literal(after: place, key, "in"))
            guard values.count <= 1_000 else {
                throw error(place, "more than 1000 values", "Shorten the list.")
            }
        } while token.kind == .comma
        guard token.kind == .close else { throw error(token, "expected \",\" or \")\"", "Example: \(key) in (a, b).") }
        try advance()
        var condition = try made(key, .oneOf(values), from: first)
        // The condition itself is without the not, which stands around it.
        if !negation.isEmpty {
            condition.source = "\(Self.shown(key)) in (\(values.map { Self.quoted($0.text) }.joined(separator: ", ")))"
        }
        return condition
    }

    private mutating func literal(
        after place: MetadataFilterLexer.Token, _ key: String, _ word: String
    ) throws(Problem) -> MetadataFilter.Literal {
        switch token.kind {
        case .word(let text):
            try advance()
            return MetadataFilter.Literal(text, isQuoted: false)
        case .quoted(let text):
            try advance()
            return MetadataFilter.Literal(text, isQuoted: true)
        default:
            throw error(
                place, "a value is missing after \(key) \(word)", "Use a word, a number, a date, or text in quotes.")
        }
    }

    private mutating func made(
        _ key: String, _ test: MetadataFilter.Test, from first: MetadataFilterLexer.Token
    ) throws(Problem) -> MetadataFilter.Condition {
        conditions += 1
        guard conditions <= Self.mostConditions else {
            throw error(first, "more than \(Self.mostConditions) conditions", "Use in (…), or fewer conditions.")
        }
        if key.hasPrefix("doc."), DocumentField(rawValue: String(key.dropFirst(4))) == nil {
            throw error(
                first, "unknown key \"\(key)\"",
                "Available keys: \(DocumentField.allCases.map { "doc." + $0.rawValue }.joined(separator: ", ")).")
        }
        let source = String(decoding: lexer.bytes[first.range.lowerBound..<lastEnd], as: UTF8.self)
        return MetadataFilter.Condition(key: key, test: test, source: source)
    }

    private var keyWord: String? {
        switch token.kind {
        case .word(let word), .key(let word): word
        default: nil
        }
    }

    private mutating func descend() throws(Problem) {
        depth += 1
        if depth > Self.deepest {
            throw error(token, "groups are nested more than \(Self.deepest) deep", "Simplify the filter.")
        }
    }

    private mutating func advance() throws(Problem) {
        lastEnd = token.range.upperBound
        token = try lexer.next()
    }

    private func isKeyword(_ keyword: String) -> Bool {
        guard case .word(let word) = token.kind else { return false }
        return word.lowercased() == keyword
    }

    private func error(_ token: MetadataFilterLexer.Token, _ problem: String, _ remedy: String) -> Problem {
        lexer.error(token.range, problem, remedy)
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

    /// The column of `retrieval_document`.
    var column: String { self == .id ? "name" : rawValue }
    var isNumber: Bool { self == .bytes }
    var isDate: Bool { self == .added }
}

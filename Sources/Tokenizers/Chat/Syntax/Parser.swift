extension Jinja {
    /// Makes statements of tokens: recursive descent with Jinja's grammar and precedences.
    struct Parser {
        let tokens: [Token]
        let limits: Limits
        var position = 0
        /// Open statements and brackets.
        var nesting = 0
        /// Loops that `break` would end, within the innermost macro.
        var loops = 0
        /// For every open macro which of the special names it mentions.
        var specials: [Set<String>] = []

        /// The statements of a template.
        static func parse(
            _ source: String, _ limits: Limits, _ spacing: Spacing = .chat
        ) throws(ChatTemplateError) -> [Statement] {
            if source.utf8.count > limits.sourceBytes {
                throw .limit("the template source exceeds \(limits.sourceBytes) bytes.")
            }
            var parser = Parser(tokens: try Lexer.tokens(of: source, spacing), limits: limits)
            return try parser.statements(until: []).body
        }

        var current: Token.Kind { tokens[position].kind }
        var place: Place { tokens[position].place }

        /// The token after the current one.
        var following: Token.Kind { tokens[min(position + 1, tokens.count - 1)].kind }

        mutating func advance() { position = min(position + 1, tokens.count - 1) }

        mutating func skip(_ kind: Token.Kind) -> Bool {
            guard current == kind else { return false }
            advance()
            return true
        }

        mutating func skip(_ symbol: Token.Symbol) -> Bool { skip(.symbol(symbol)) }
        mutating func skip(word: String) -> Bool { skip(.name(word)) }

        mutating func expect(_ kind: Token.Kind, _ what: String) throws(ChatTemplateError) {
            if !skip(kind) { throw unexpected(wanting: what) }
        }

        mutating func expect(_ symbol: Token.Symbol) throws(ChatTemplateError) {
            try expect(.symbol(symbol), "`\(symbol.rawValue)`")
        }

        mutating func expectName(_ what: String) throws(ChatTemplateError) -> String {
            guard case .name(let name) = current else { throw unexpected(wanting: what) }
            advance()
            return name
        }

        func error(_ place: Place, _ explanation: String) -> ChatTemplateError {
            ChatTemplateError(.syntax, line: place.line, column: place.column, explanation)
        }

        func unexpected(wanting what: String) -> ChatTemplateError {
            error(place, "expected \(what), found \(tokens[position].name).")
        }

        /// Runs `body` one level deeper.
        mutating func nested<R>(
            _ body: (inout Parser) throws(ChatTemplateError) -> R
        ) throws(ChatTemplateError) -> R {
            nesting += 1
            if nesting > limits.nesting {
                throw ChatTemplateError(
                    .limit, line: place.line, column: place.column,
                    "statements and brackets are nested deeper than \(limits.nesting) levels.")
            }
            defer { nesting -= 1 }
            return try body(&self)
        }

        /// Statements up to a tag with one of these names, which is left behind with the position after the name.
        mutating func statements(
            until ends: [String]
        ) throws(ChatTemplateError) -> (body: [Statement], end: String) {
            var body: [Statement] = []
            while true {
                switch current {
                case .data(let text):
                    advance()
                    body.append(.text(Text(text)))
                case .variableBegin:
                    advance()
                    body.append(.output(try tupleExpression()))
                    try expect(.variableEnd, "`}}`")
                case .blockBegin:
                    advance()
                    if case .name(let name) = current, ends.contains(name) {
                        advance()
                        return (body, name)
                    }
                    let statement = try nested { parser throws(ChatTemplateError) in try parser.statement() }
                    body.append(statement)
                    try expect(.blockEnd, "`%}`")
                default:
                    if ends.isEmpty { return (body, "") }
                    let wanted = ends.map { "`{% \($0) %}`" }.joined(separator: " or ")
                    throw error(place, "unexpected end of the template. Expected \(wanted).")
                }
            }
        }

        /// The body of a block statement, from the end of its opening tag to its closing one.
        mutating func block(until ends: [String]) throws(ChatTemplateError) -> (body: [Statement], end: String) {
            _ = skip(.colon)
            try expect(.blockEnd, "`%}`")
            return try statements(until: ends)
        }
    }
}

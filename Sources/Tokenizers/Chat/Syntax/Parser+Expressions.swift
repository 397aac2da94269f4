extension Jinja.Parser {
    typealias Expression = Jinja.Expression

    /// An expression; without a conditional one where `for ... if` needs the `if`.
    mutating func expression(allowingConditional: Bool = true) throws(ChatTemplateError) -> Expression {
        try nested { parser throws(ChatTemplateError) in
            allowingConditional ? try parser.conditional() : try parser.disjunction()
        }
    }

    /// One expression, or several with commas, which make a tuple.
    mutating func tupleExpression(
        allowingConditional: Bool = true, inParentheses: Bool = false
    ) throws(ChatTemplateError) -> Expression {
        let start = place
        var elements: [Expression] = []
        var isTuple = false
        while true {
            if !elements.isEmpty { try expect(.comma) }
            if [.variableEnd, .blockEnd, .symbol(.closeParenthesis)].contains(current) { break }
            elements.append(try expression(allowingConditional: allowingConditional))
            guard current == .symbol(.comma) else { break }
            isTuple = true
        }
        if !isTuple {
            if let element = elements.first { return element }
            if !inParentheses { throw unexpected(wanting: "an expression") }
        }
        return try make(.tuple(elements), start, elements)
    }

    /// An expression over `parts`, as long as it is not too deep.
    func make(
        _ kind: Expression.Kind, _ place: Jinja.Place, _ parts: [Expression]
    ) throws(ChatTemplateError) -> Expression {
        let depth = 1 + (parts.lazy.map(\.depth).max() ?? 0)
        if depth > limits.expressionDepth {
            throw ChatTemplateError(
                .limit, line: place.line, column: place.column,
                "an expression is nested deeper than \(limits.expressionDepth) operations.")
        }
        return Expression(kind, place, depth: depth)
    }

    private mutating func conditional() throws(ChatTemplateError) -> Expression {
        var result = try disjunction()
        while true {
            let place = place
            guard skip(word: "if") else { return result }
            let condition = try disjunction()
            let otherwise = skip(word: "else") ? try expression() : nil
            result = try make(
                .conditional(condition: condition, then: result, otherwise: otherwise), place,
                [condition, result] + (otherwise.map { [$0] } ?? []))
        }
    }

    private mutating func disjunction() throws(ChatTemplateError) -> Expression {
        var left = try conjunction()
        while true {
            let place = place
            guard skip(word: "or") else { return left }
            let right = try conjunction()
            left = try make(.or(left, right), place, [left, right])
        }
    }

    private mutating func conjunction() throws(ChatTemplateError) -> Expression {
        var left = try negation()
        while true {
            let place = place
            guard skip(word: "and") else { return left }
            let right = try negation()
            left = try make(.and(left, right), place, [left, right])
        }
    }

    private mutating func negation() throws(ChatTemplateError) -> Expression {
        var places: [Jinja.Place] = []
        while current == .name("not") {
            places.append(place)
            advance()
        }
        var result = try comparison()
        for place in places.reversed() { result = try make(.not(result), place, [result]) }
        return result
    }

    private mutating func comparison() throws(ChatTemplateError) -> Expression {
        let start = place
        let first = try sum()
        var rest: [(Expression.Comparison, Expression)] = []
        while let comparison = comparisonOperator() { rest.append((comparison, try sum())) }
        return rest.isEmpty ? first : try make(.comparison(first, rest), start, [first] + rest.map(\.1))
    }

    private mutating func comparisonOperator() -> Expression.Comparison? {
        let comparison: Expression.Comparison
        switch current {
        case .symbol(.equal): comparison = .equal
        case .symbol(.notEqual): comparison = .notEqual
        case .symbol(.less): comparison = .less
        case .symbol(.lessOrEqual): comparison = .lessOrEqual
        case .symbol(.greater): comparison = .greater
        case .symbol(.greaterOrEqual): comparison = .greaterOrEqual
        case .name("in"): comparison = .contained
        case .name("not") where following == .name("in"):
            advance()
            comparison = .notContained
        default: return nil
        }
        advance()
        return comparison
    }

    private mutating func sum() throws(ChatTemplateError) -> Expression {
        try leftAssociative([.add: .add, .subtract: .subtract]) { parser throws(ChatTemplateError) in
            try parser.concatenation()
        }
    }

    private mutating func concatenation() throws(ChatTemplateError) -> Expression {
        let start = place
        var parts = [try product()]
        while skip(.tilde) { parts.append(try product()) }
        return parts.count == 1 ? parts[0] : try make(.concatenation(parts), start, parts)
    }

    private mutating func product() throws(ChatTemplateError) -> Expression {
        let operators: [Jinja.Token.Symbol: Expression.Arithmetic] = [
            .multiply: .multiply, .divide: .divide, .floorDivide: .floorDivide, .remainder: .remainder,
        ]
        return try leftAssociative(operators) { parser throws(ChatTemplateError) in
            try parser.leftAssociative([.power: .power]) { parser throws(ChatTemplateError) in try parser.unary() }
        }
    }

    private mutating func leftAssociative(
        _ operators: [Jinja.Token.Symbol: Expression.Arithmetic],
        _ operand: (inout Jinja.Parser) throws(ChatTemplateError) -> Expression
    ) throws(ChatTemplateError) -> Expression {
        var left = try operand(&self)
        while case .symbol(let symbol) = current, let arithmetic = operators[symbol] {
            let place = place
            advance()
            let right = try operand(&self)
            left = try make(.arithmetic(arithmetic, left, right), place, [left, right])
        }
        return left
    }

    /// Signs bind tighter than filters and tests, and postfixes apply to what the sign made: `-a.b` is `-(a.b)`, yet
    /// `-a|f` is `(-a)|f`.
    private mutating func unary() throws(ChatTemplateError) -> Expression {
        var signs: [(place: Jinja.Place, isNegative: Bool)] = []
        while current == .symbol(.add) || current == .symbol(.subtract) {
            signs.append((place, current == .symbol(.subtract)))
            advance()
        }
        var result = try postfixes(of: try primary())
        for sign in signs.reversed() {
            result = try make(sign.isNegative ? .negative(result) : .positive(result), sign.place, [result])
        }
        return try filters(of: result)
    }
}

extension Jinja.Parser {
    /// A literal, a name, or something in brackets.
    mutating func primary() throws(ChatTemplateError) -> Expression {
        let start = place
        switch current {
        case .name(let name):
            advance()
            return try make(constant(name).map { .constant($0) } ?? variable(name), start, [])
        case .string(var text):
            advance()
            while case .string(let more) = current {
                text += more
                advance()
            }
            return try make(.constant(.text(text)), start, [])
        case .integer(let digits):
            advance()
            if digits.isEmpty { throw error(start, "the integer exceeds 64 bits.") }
            return try make(.constant(Int(digits).map { .integer($0) } ?? Jinja.Value(.digits(digits))), start, [])
        case .float(let value):
            advance()
            return try make(.constant(.number(value)), start, [])
        case .symbol(.openParenthesis):
            advance()
            let result = try nested { parser throws(ChatTemplateError) in
                try parser.tupleExpression(inParentheses: true)
            }
            try expect(.closeParenthesis)
            return result
        case .symbol(.openBracket):
            advance()
            let elements = try elements()
            return try make(.list(elements), start, elements)
        case .symbol(.openBrace):
            advance()
            return try dictionary(start)
        default: throw unexpected(wanting: "an expression")
        }
    }

    private func constant(_ name: String) -> Jinja.Value? {
        switch name {
        case "true", "True": .boolean(true)
        case "false", "False": .boolean(false)
        case "none", "None": Jinja.Value.none
        default: nil
        }
    }

    private mutating func variable(_ name: String) -> Expression.Kind {
        if ["caller", "varargs", "kwargs"].contains(name) {
            for index in specials.indices { specials[index].insert(name) }
        }
        return .name(name)
    }

    private mutating func elements() throws(ChatTemplateError) -> [Expression] {
        var elements: [Expression] = []
        while current != .symbol(.closeBracket) {
            if !elements.isEmpty { try expect(.comma) }
            if current == .symbol(.closeBracket) { break }
            elements.append(try expression())
        }
        try expect(.closeBracket)
        return elements
    }

    private mutating func dictionary(_ start: Jinja.Place) throws(ChatTemplateError) -> Expression {
        var entries: [(key: Expression, value: Expression)] = []
        while current != .symbol(.closeBrace) {
            if !entries.isEmpty { try expect(.comma) }
            if current == .symbol(.closeBrace) { break }
            let key = try expression()
            try expect(.colon)
            entries.append((key, try expression()))
        }
        try expect(.closeBrace)
        return try make(.dictionary(entries), start, entries.flatMap { [$0.key, $0.value] })
    }

    /// `.name`, `[item]` and `(arguments)` after an operand.
    mutating func postfixes(of operand: Expression) throws(ChatTemplateError) -> Expression {
        var result = operand
        while true {
            let place = place
            switch current {
            case .symbol(.dot):
                advance()
                switch current {
                case .name(let name): result = try make(.attribute(result, name), place, [result])
                case .integer(let digits):
                    let index = try make(.constant(.integer(Int(digits) ?? .max)), place, [])
                    result = try make(.item(result, index), place, [result, index])
                default: throw unexpected(wanting: "the name or number of an item")
                }
                advance()
            case .symbol(.openBracket):
                advance()
                result = try subscription(of: result, place)
            case .symbol(.openParenthesis):
                result = try call(of: result, place)
            default: return result
            }
        }
    }

    private mutating func subscription(
        of object: Expression, _ place: Jinja.Place
    ) throws(ChatTemplateError) -> Expression {
        let first = current == .symbol(.colon) ? nil : try expression()
        if current == .symbol(.colon) {
            let (to, step) = try sliceEnd()
            try expect(.closeBracket)
            return try make(
                .slice(object, from: first, to: to, step: step), place,
                [object] + [first, to, step].compactMap { $0 })
        }
        var indices = [first].compactMap { $0 }
        while skip(.comma) { indices.append(try expression()) }
        try expect(.closeBracket)
        let index = indices.count == 1 ? indices[0] : try make(.tuple(indices), place, indices)
        return try make(.item(object, index), place, [object, index])
    }

    /// What follows the first colon of a slice.
    private mutating func sliceEnd() throws(ChatTemplateError) -> (to: Expression?, step: Expression?) {
        var parts: [Expression?] = []
        while parts.count < 2, skip(.colon) {
            let isAbsent = current == .symbol(.colon) || current == .symbol(.closeBracket)
            parts.append(isAbsent ? nil : try expression())
        }
        return (parts.first ?? nil, parts.count > 1 ? parts[1] : nil)
    }

    /// Filters, tests and calls after an operand.
    mutating func filters(of operand: Expression) throws(ChatTemplateError) -> Expression {
        var result = operand
        while true {
            let place = place
            switch current {
            case .symbol(.pipe):
                advance()
                let name = try dottedName("a filter name")
                let call = current == .symbol(.openParenthesis) ? try callArguments() : Expression.Call()
                result = try make(.filter(result, name, call), place, [result] + call.parts)
            case .name("is"):
                advance()
                result = try test(of: result, place)
            case .symbol(.openParenthesis): result = try call(of: result, place)
            default: return result
            }
        }
    }

    private mutating func test(of operand: Expression, _ place: Jinja.Place) throws(ChatTemplateError) -> Expression {
        let isNegated = skip(word: "not")
        let name = try dottedName("a test name")
        var call = Expression.Call()
        switch current {
        case .symbol(.openParenthesis): call = try callArguments()
        case .name("else"), .name("or"), .name("and"): break
        case .name("is"): throw unexpected(wanting: "an operator other than a second `is`")
        case .name, .string, .integer, .float, .symbol(.openBracket), .symbol(.openBrace):
            call.positional = [try postfixes(of: try primary())]
        default: break
        }
        let test = try make(.test(operand, name, call), place, [operand] + call.parts)
        return isNegated ? try make(.not(test), place, [test]) : test
    }

    mutating func dottedName(_ what: String) throws(ChatTemplateError) -> String {
        var name = try expectName(what)
        while skip(.dot) { name += "." + (try expectName(what)) }
        return name
    }

    private mutating func call(of function: Expression, _ place: Jinja.Place) throws(ChatTemplateError) -> Expression {
        let call = try callArguments()
        return try make(.call(function, call), place, [function] + call.parts)
    }

    mutating func callArguments() throws(ChatTemplateError) -> Expression.Call {
        var call = Expression.Call()
        var isFirst = true
        try expect(.openParenthesis)
        while current != .symbol(.closeParenthesis) {
            if !isFirst {
                try expect(.comma)
                if current == .symbol(.closeParenthesis) { break }
            }
            isFirst = false
            let start = place
            if current == .symbol(.multiply), call.list == nil, call.dictionary == nil {
                advance()
                call.list = try expression()
            } else if current == .symbol(.power), call.dictionary == nil {
                advance()
                call.dictionary = try expression()
            } else if case .name(let name) = current, following == .symbol(.assign), call.dictionary == nil {
                advance()
                advance()
                call.named.append((name, try expression()))
            } else {
                if call.list != nil || call.dictionary != nil || !call.named.isEmpty {
                    throw error(start, "positional arguments must precede named arguments.")
                }
                call.positional.append(try expression())
            }
        }
        try expect(.closeParenthesis)
        return call
    }
}

extension Jinja.Expression.Call {
    /// All expressions in it.
    var parts: [Jinja.Expression] {
        positional + named.map(\.value) + [list, dictionary].compactMap { $0 }
    }
}

extension Jinja.Parser {
    private typealias Statement = Jinja.Statement

    /// The statement whose name is the current token.
    mutating func statement() throws(ChatTemplateError) -> Jinja.Statement {
        let place = place
        let name = try expectName("a statement name")
        switch name {
        case "if": return try branch()
        case "for": return try loop(place)
        case "set": return try set()
        case "macro": return try macro()
        case "call": return try callBlock(place)
        case "filter":
            let filters = try filterChain(startsInline: true)
            return .filterBlock(filters, try block(until: ["endfilter"]).body)
        case "with": return try with()
        case "generation":
            let outer = loops
            loops = 0
            defer { loops = outer }
            return .generation(try block(until: ["endgeneration"]).body)
        case "break", "continue":
            if loops == 0 { throw error(place, "`\(name)` outside a loop.") }
            return name == "break" ? .breakLoop : .continueLoop
        case "include", "import", "from", "extends", "block":
            throw error(place, "`\(name)` is not supported: a chat template cannot load other templates.")
        default: throw error(place, "unknown statement `\(name)`.")
        }
    }

    private mutating func branch() throws(ChatTemplateError) -> Jinja.Statement {
        var branches: [(condition: Jinja.Expression, body: [Jinja.Statement])] = []
        while true {
            let condition = try tupleExpression(allowingConditional: false)
            let (body, end) = try block(until: ["elif", "else", "endif"])
            branches.append((condition, body))
            if end == "elif" { continue }
            let otherwise = end == "else" ? try block(until: ["endif"]).body : []
            return .branch(branches, otherwise: otherwise)
        }
    }

    private mutating func loop(_ place: Jinja.Place) throws(ChatTemplateError) -> Jinja.Statement {
        let target = try target()
        if target.names.contains("loop") { throw error(place, "a loop variable must not be named `loop`.") }
        try expect(.name("in"), "`in`")
        let sequence = try tupleExpression(allowingConditional: false)
        let condition = skip(word: "if") ? try expression() : nil
        let isRecursive = skip(word: "recursive")
        loops += 1
        let (body, end) = try block(until: ["endfor", "else"])
        loops -= 1
        let otherwise = end == "else" ? try block(until: ["endfor"]).body : []
        return .loop(
            Jinja.Loop(
                target: target, sequence: sequence, condition: condition, isRecursive: isRecursive, body: body,
                otherwise: otherwise),
            place)
    }

    private mutating func set() throws(ChatTemplateError) -> Jinja.Statement {
        let target = try target(allowingAttribute: true)
        if skip(.assign) { return .set(target, try tupleExpression()) }
        let filters = try filterChain(startsInline: false)
        return .setBlock(target, filters: filters, try block(until: ["endset"]).body)
    }

    private mutating func macro() throws(ChatTemplateError) -> Jinja.Statement {
        let name = try expectName("a macro name")
        return .macro(try macroBody(name, try parameters(), end: "endmacro"))
    }

    private mutating func callBlock(_ place: Jinja.Place) throws(ChatTemplateError) -> Jinja.Statement {
        let parameters = current == .symbol(.openParenthesis) ? try parameters() : []
        let call = try expression()
        guard case .call = call.kind else { throw error(call.place, "a call block needs a call: `{% call name() %}`.") }
        return .callBlock(call, try macroBody("caller", parameters, end: "endcall"), place)
    }

    private mutating func macroBody(
        _ name: String, _ parameters: [Jinja.Parameter], end: String
    ) throws(ChatTemplateError) -> Jinja.MacroBody {
        let outer = loops
        loops = 0
        specials.append([])
        let body = try block(until: [end]).body
        loops = outer
        let names = specials.removeLast().subtracting(parameters.map(\.name))
        return Jinja.MacroBody(name: name, parameters: parameters, body: body, specials: names)
    }

    private mutating func parameters() throws(ChatTemplateError) -> [Jinja.Parameter] {
        var parameters: [Jinja.Parameter] = []
        try expect(.openParenthesis)
        while !skip(.closeParenthesis) {
            if !parameters.isEmpty { try expect(.comma) }
            let place = place
            let name = try expectName("a parameter name")
            let standard = skip(.assign) ? try expression() : nil
            if standard == nil, parameters.last?.standard != nil {
                throw error(place, "parameters without a default must precede parameters with a default.")
            }
            parameters.append(Jinja.Parameter(name: name, standard: standard))
        }
        return parameters
    }

    private mutating func with() throws(ChatTemplateError) -> Jinja.Statement {
        var values: [(target: Jinja.Target, value: Jinja.Expression)] = []
        while current != .blockEnd {
            if !values.isEmpty { try expect(.comma) }
            let target = try target()
            try expect(.assign)
            values.append((target, try expression()))
        }
        return .with(values, try block(until: ["endwith"]).body)
    }

    /// `| name(...) | name`, the first bar left out where the chain starts inline.
    private mutating func filterChain(
        startsInline: Bool
    ) throws(ChatTemplateError) -> [(name: String, call: Jinja.Expression.Call, place: Jinja.Place)] {
        var filters: [(name: String, call: Jinja.Expression.Call, place: Jinja.Place)] = []
        while startsInline && filters.isEmpty || skip(.pipe) {
            let place = place
            let name = try dottedName("a filter name")
            let call = current == .symbol(.openParenthesis) ? try callArguments() : Jinja.Expression.Call()
            filters.append((name, call, place))
        }
        return filters
    }

    /// What is assigned to: names, tuples of names, and in `set` an attribute of a namespace.
    private mutating func target(
        allowingAttribute: Bool = false
    ) throws(ChatTemplateError) -> Jinja.Target {
        let start = place
        var targets: [Jinja.Target] = []
        var isTuple = false
        while true {
            if !targets.isEmpty { try expect(.comma) }
            if current == .blockEnd || current == .symbol(.closeParenthesis) || current == .symbol(.assign) { break }
            targets.append(try singleTarget(allowingAttribute: allowingAttribute))
            guard current == .symbol(.comma) else { break }
            isTuple = true
        }
        if isTuple { return .tuple(targets, start) }
        guard let target = targets.first else { throw unexpected(wanting: "a name") }
        return target
    }

    private mutating func singleTarget(allowingAttribute: Bool) throws(ChatTemplateError) -> Jinja.Target {
        if current == .symbol(.openParenthesis) {
            return try nested { parser throws(ChatTemplateError) in
                parser.advance()
                let target = try parser.target(allowingAttribute: allowingAttribute)
                try parser.expect(.closeParenthesis)
                return target
            }
        }
        let place = place
        let name = try expectName("a name")
        if ["true", "false", "none", "True", "False", "None"].contains(name) {
            throw error(place, "cannot assign to `\(name)`.")
        }
        guard allowingAttribute, skip(.dot) else { return .name(name) }
        return .attribute(of: name, try expectName("an attribute name"), place)
    }
}

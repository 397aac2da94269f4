extension Jinja.Evaluator {
    typealias Value = Jinja.Value
    typealias Text = Jinja.Text

    /// How statements ended.
    enum Flow { case next, breakLoop, continueLoop }

    func execute(_ statements: [Jinja.Statement]) throws(ChatTemplateError) -> Flow {
        try deeper { () throws(ChatTemplateError) in
            for statement in statements {
                let flow = try execute(statement)
                if flow != .next { return flow }
            }
            return .next
        }
    }

    private func execute(_ statement: Jinja.Statement) throws(ChatTemplateError) -> Flow {
        switch statement {
        case .text(let text): try write(text)
        case .output(let expression): try output(expression)
        case .branch(let branches, let otherwise):
            for branch in branches where try isTrue(try evaluate(branch.condition)) { return try execute(branch.body) }
            return try execute(otherwise)
        case .loop(let loop, let place): try run(loop, place)
        case .set(let target, let expression): try assign(try evaluate(expression), to: target)
        case .setBlock(let target, let filters, let body):
            let value = try filtered(try captured(body), filters)
            try assign(value, to: target)
        case .macro(let body): define(body)
        case .callBlock(let call, let body, let place): try run(call, body, place)
        case .filterBlock(let filters, let body): try write(try printed(try filtered(try captured(body), filters)))
        case .with(let values, let body): return try run(with: values, body)
        case .generation(let body):
            let text = try capture { () throws(ChatTemplateError) in
                _ = try scoped { () throws(ChatTemplateError) in try execute(body) }
            }
            let start = output.count
            try write(text)
            if isOutermost { generated.append(start..<output.count) }
        case .breakLoop: return .breakLoop
        case .continueLoop: return .continueLoop
        }
        return .next
    }

    private func output(_ expression: Jinja.Expression) throws(ChatTemplateError) {
        let value = try evaluate(expression)
        do {
            try write(try printed(value))
        } catch {
            throw error.at(expression.place)
        }
    }

    /// What a block writes, in a scope of its own.
    private func captured(_ body: [Jinja.Statement]) throws(ChatTemplateError) -> Value {
        .text(
            try capture { () throws(ChatTemplateError) in
                _ = try scoped { () throws(ChatTemplateError) in try execute(body) }
            })
    }

    private func filtered(
        _ value: Value, _ filters: [(name: String, call: Jinja.Expression.Call, place: Jinja.Place)]
    ) throws(ChatTemplateError) -> Value {
        var value = value
        for filter in filters {
            do {
                value = try apply(filter: filter.name, to: value, try arguments(filter.call))
            } catch {
                throw error.at(filter.place)
            }
        }
        return value
    }

    private func run(
        with values: [(target: Jinja.Target, value: Jinja.Expression)], _ body: [Jinja.Statement]
    ) throws(ChatTemplateError) -> Flow {
        var evaluated: [Value] = []
        for entry in values { evaluated.append(try evaluate(entry.value)) }
        return try scoped { () throws(ChatTemplateError) in
            for (entry, value) in zip(values, evaluated) { try assign(value, to: entry.target) }
            return try execute(body)
        }
    }

    /// Gives a value to a name, the parts of one to several names, or an attribute to a namespace.
    func assign(_ value: Value, to target: Jinja.Target) throws(ChatTemplateError) {
        switch target {
        case .name(let name): scope.values[name] = value
        case .attribute(let name, let attribute, let place):
            guard let object = scope[name] ?? globals[name], case .object(let object) = object.content,
                let namespace = object as? Jinja.Namespace
            else {
                throw ChatTemplateError.failure("`\(name)` is not a namespace, so its attributes cannot be set.").at(
                    place)
            }
            do { try namespace.set(attribute, value) } catch { throw error.at(place) }
        case .tuple(let targets, let place):
            do throws(ChatTemplateError) {
                let elements = try elements(of: value)
                if elements.count != targets.count {
                    throw ChatTemplateError.failure(
                        "cannot assign \(elements.count) values to \(targets.count) names.")
                }
                for (target, element) in zip(targets, elements) { try assign(element, to: target) }
            } catch {
                throw error.at(place)
            }
        }
    }
}

extension Jinja.Evaluator {
    private func run(_ loop: Jinja.Loop, _ place: Jinja.Place) throws(ChatTemplateError) {
        let sequence = try evaluate(loop.sequence)
        do {
            try run(loop, over: sequence, depth: 0, outer: scope)
        } catch {
            throw error.at(place)
        }
    }

    /// Runs a loop; a recursive one calls this again for what is within.
    func run(
        _ loop: Jinja.Loop, over sequence: Value, depth: Int, outer: Jinja.Scope
    ) throws(ChatTemplateError) {
        var condition: Jinja.LoopContext.Condition?
        if let test = loop.condition {
            condition = { [unowned self] element throws(ChatTemplateError) in
                try scoped(Jinja.Scope(parent: outer)) { () throws(ChatTemplateError) in
                    scope.values["loop"] = .undefined("`loop` is undefined in the condition of its own loop.")
                    try assign(element, to: loop.target)
                    return try isTrue(try evaluate(test))
                }
            }
        }
        let context = Jinja.LoopContext(
            try elements(of: sequence), loop: loop, depth: depth, outer: outer, condition: condition)
        let value = register(context)
        var flow = Flow.next
        while flow != .breakLoop, let element = try context.advance() {
            flow = try scoped(Jinja.Scope(parent: outer)) { () throws(ChatTemplateError) in
                scope.values["loop"] = value
                try assign(element, to: loop.target)
                return try execute(loop.body)
            }
        }
        if context.index == 0 {
            _ = try scoped(Jinja.Scope(parent: outer)) { () throws(ChatTemplateError) in try execute(loop.otherwise) }
        }
    }
}

extension Jinja.Evaluator {
    /// The value of an expression.
    func evaluate(_ expression: Jinja.Expression) throws(ChatTemplateError) -> Value {
        do {
            return try deeper { () throws(ChatTemplateError) in try value(of: expression) }
        } catch {
            throw error.at(expression.place)
        }
    }

    private func value(of expression: Jinja.Expression) throws(ChatTemplateError) -> Value {
        switch expression.kind {
        case .constant(let value): return value
        case .name(let name): return scope[name] ?? globals[name] ?? .undefined("`\(name)` is undefined.")
        case .list(let elements): return try list(try evaluate(elements))
        case .tuple(let elements): return try tuple(try evaluate(elements))
        case .dictionary(let entries):
            var values: [(key: Value, value: Value)] = []
            for entry in entries { values.append((try evaluate(entry.key), try evaluate(entry.value))) }
            return try dictionary(values)
        case .attribute(let object, let name): return try attribute(name, of: try evaluate(object))
        case .item(let object, let index):
            let object = try evaluate(object)
            return try item(try evaluate(index), of: object)
        case .slice(let object, let from, let to, let step):
            let object = try evaluate(object)
            let bounds = try (evaluate(from), evaluate(to), evaluate(step))
            return try slice(object, from: bounds.0, to: bounds.1, step: bounds.2)
        case .call(let function, let call):
            let function = try evaluate(function)
            return try self.call(function, try arguments(call))
        case .filter(let operand, let name, let call):
            let value = try evaluate(operand)
            return try apply(filter: name, to: value, try arguments(call))
        case .test(let operand, let name, let call):
            let value = try evaluate(operand)
            return .boolean(try apply(test: name, to: value, try arguments(call)))
        case .not(let operand): return .boolean(!(try isTrue(try evaluate(operand))))
        case .negative(let operand): return try negated(try evaluate(operand))
        case .positive(let operand): return try signed(try evaluate(operand))
        case .arithmetic(let operation, let left, let right):
            let left = try evaluate(left)
            return try arithmetic(operation, left, try evaluate(right))
        case .concatenation(let parts):
            var text = Text()
            for part in parts {
                let value = try evaluate(part)
                text.append(try printed(value))
            }
            return try made(text)
        case .comparison(let first, let rest): return try comparison(first, rest)
        case .and(let left, let right):
            let value = try evaluate(left)
            return try isTrue(value) ? try evaluate(right) : value
        case .or(let left, let right):
            let value = try evaluate(left)
            return try isTrue(value) ? value : try evaluate(right)
        case .conditional(let condition, let then, let otherwise):
            if try isTrue(try evaluate(condition)) { return try evaluate(then) }
            guard let otherwise else { return .undefined("a conditional expression without `else` has no value here.") }
            return try evaluate(otherwise)
        }
    }

    private func evaluate(_ expressions: [Jinja.Expression]) throws(ChatTemplateError) -> [Value] {
        var values: [Value] = []
        for expression in expressions { values.append(try evaluate(expression)) }
        return values
    }

    private func evaluate(_ expression: Jinja.Expression?) throws(ChatTemplateError) -> Value? {
        guard let expression else { return nil }
        return try evaluate(expression)
    }

    func arguments(_ call: Jinja.Expression.Call) throws(ChatTemplateError) -> Jinja.Arguments {
        var arguments = Jinja.Arguments(try evaluate(call.positional))
        for (name, value) in call.named { arguments.named.append((name, try evaluate(value))) }
        if let list = call.list { arguments.positional += try elements(of: try evaluate(list)) }
        if let expression = call.dictionary {
            guard case .dictionary(let mapping) = try evaluate(expression).content else {
                throw .failure("`**` needs a dictionary.")
            }
            for entry in mapping.entries {
                arguments.named.append((try entry.key.text("a parameter name").string, entry.value))
            }
        }
        return arguments
    }

    private func comparison(
        _ first: Jinja.Expression, _ rest: [(Jinja.Expression.Comparison, Jinja.Expression)]
    ) throws(ChatTemplateError) -> Value {
        var left = try evaluate(first)
        for (comparison, expression) in rest {
            let right = try evaluate(expression)
            guard try compares(left, comparison, right) else { return .boolean(false) }
            left = right
        }
        return .boolean(true)
    }

    func compares(
        _ left: Value, _ comparison: Jinja.Expression.Comparison, _ right: Value
    ) throws(ChatTemplateError) -> Bool {
        switch comparison {
        case .contained: return try contains(right, left)
        case .notContained: return !(try contains(right, left))
        default:
            try refuseUndefined(left)
            try refuseUndefined(right)
            try charge(min(left.extent.size, right.extent.size))
        }
        switch comparison {
        case .equal: return left == right
        case .notEqual: return left != right
        case .less: return try left.isLess(than: right)
        case .greater: return try right.isLess(than: left)
        case .lessOrEqual:
            let isGreater = try right.isLess(than: left)
            return !isGreater && !left.isNaN && !right.isNaN
        default:
            let isLess = try left.isLess(than: right)
            return !isLess && !left.isNaN && !right.isNaN
        }
    }

    /// `element in container`.
    private func contains(_ container: Value, _ element: Value) throws(ChatTemplateError) -> Bool {
        try charge(container.extent.size)
        switch container.content {
        case .text(let text):
            guard let part = element.text else {
                throw .failure(
                    element.undefinedReason ?? "`in` on a string needs a string, not \(element.typePhrase).")
            }
            return text.find(part) != nil
        case .dictionary(let mapping): return mapping[try Jinja.Key(element)] != nil
        case .iterator(let iterator):
            while let next = try iterator.next() { if next == element { return true } }
            return false
        case .list, .tuple, .view, .undefined, .object:
            return try elements(of: container).contains { $0 == element }
        default: throw .failure("\(container.typePhrase) does not support `in`.")
        }
    }
}

extension Jinja.Value {
    var isNaN: Bool { if case .number(let value) = content { value.isNaN } else { false } }
}

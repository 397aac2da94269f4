extension Jinja.Evaluator {
    /// Calls a function, method or macro.
    func call(_ function: Value, _ arguments: Jinja.Arguments) throws(ChatTemplateError) -> Value {
        guard case .object(let object) = function.content else {
            throw .failure(function.undefinedReason ?? "\(function.typePhrase) cannot be called.")
        }
        return try made(try object.call(arguments, self))
    }

    func apply(
        filter name: String, to value: Value, _ arguments: Jinja.Arguments
    ) throws(ChatTemplateError) -> Value {
        guard let filter = Jinja.filters[name] else { throw .failure("unknown filter `\(name)`.") }
        return try made(try filter(value, arguments, self))
    }

    func apply(
        test name: String, to value: Value, _ arguments: Jinja.Arguments
    ) throws(ChatTemplateError) -> Bool {
        guard let test = Jinja.tests[name] else { throw .failure("unknown test `\(name)`.") }
        return try test(value, arguments, self)
    }

    /// Gives a macro its name in this scope.
    func define(_ body: Jinja.MacroBody) {
        keep(scope)
        scope.values[body.name] = register(Jinja.Macro(body, scope))
    }

    /// Calls a macro whose `caller()` is a block.
    func run(
        _ call: Jinja.Expression, _ body: Jinja.MacroBody, _ place: Jinja.Place
    ) throws(ChatTemplateError) {
        guard case .call(let function, let parts) = call.kind else { return }
        do {
            keep(scope)
            let caller = register(Jinja.Macro(body, scope))
            let function = try evaluate(function)
            var arguments = try arguments(parts)
            arguments.named.append(("caller", caller))
            try write(try printed(try self.call(function, arguments)))
        } catch {
            throw error.at(place)
        }
    }
}

extension Jinja {
    /// A macro with the scope in which it was defined.
    final class Macro: Object, @unchecked Sendable {
        private let body: MacroBody
        private var scope: Scope?

        init(_ body: MacroBody, _ scope: Scope) {
            self.body = body
            self.scope = scope
        }

        override var typeName: String { "macro" }
        override var description: String { "<Macro '\(body.name)'>" }
        override var isCallable: Bool { true }
        override func close() { scope = nil }

        override func attribute(_ name: String, _ evaluator: Evaluator) -> Value? {
            switch name {
            case "name": .text(body.name)
            case "arguments": .tuple(body.parameters.map { .text($0.name) })
            case "catch_kwargs": .boolean(body.specials.contains("kwargs"))
            case "catch_varargs": .boolean(body.specials.contains("varargs"))
            case "caller": .boolean(body.specials.contains("caller"))
            default: nil
            }
        }

        override func call(_ arguments: Arguments, _ evaluator: Evaluator) throws(ChatTemplateError) -> Value {
            let inner = Scope(parent: scope)
            let missing = try bind(arguments, inner, evaluator)
            let text = try evaluator.capture { () throws(ChatTemplateError) in
                _ = try evaluator.scoped(inner) { () throws(ChatTemplateError) in
                    for parameter in missing {
                        let value = try parameter.standard.map { expression throws(ChatTemplateError) in
                            try evaluator.evaluate(expression)
                        }
                        inner.values[parameter.name] =
                            value ?? .undefined("the argument `\(parameter.name)` is missing.")
                    }
                    return try evaluator.execute(body.body)
                }
            }
            return try evaluator.made(text)
        }

        /// Gives the parameters their values and returns those that got none.
        private func bind(
            _ arguments: Arguments, _ inner: Scope, _ evaluator: Evaluator
        ) throws(ChatTemplateError) -> [Parameter] {
            var named = arguments.named
            var missing: [Parameter] = []
            for (index, parameter) in body.parameters.enumerated() {
                if index < arguments.positional.count {
                    inner.values[parameter.name] = arguments.positional[index]
                } else if let place = named.firstIndex(where: { $0.name == parameter.name }) {
                    inner.values[parameter.name] = named.remove(at: place).value
                } else {
                    missing.append(parameter)
                }
            }
            if body.specials.contains("caller") {
                let place = named.firstIndex { $0.name == "caller" }
                inner.values["caller"] =
                    place.map { named.remove(at: $0).value }
                    ?? .undefined("the macro was not called from a `call` block.")
            }
            if body.specials.contains("kwargs") {
                inner.values["kwargs"] = try evaluator.dictionary(named.map { (.text($0.name), $0.value) })
            } else if let extra = named.first {
                throw .failure("unknown or duplicate argument `\(extra.name)` of the macro `\(body.name)`.")
            }
            let extra = Array(arguments.positional.dropFirst(body.parameters.count))
            if body.specials.contains("varargs") {
                inner.values["varargs"] = try evaluator.tuple(extra)
            } else if !extra.isEmpty {
                throw .failure("the macro `\(body.name)` takes at most \(body.parameters.count) arguments.")
            }
            return missing
        }
    }
}

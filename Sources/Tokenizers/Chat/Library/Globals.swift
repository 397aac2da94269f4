internal import LanguageModels

extension Jinja {
    /// The functions that every template knows.
    static func functions() -> [String: Value] {
        var all: [String: Value] = [:]
        func define(_ name: String, _ body: @escaping Function.Body) {
            all[name] = Value(.object(Function(name, body)))
        }
        define("range", range)
        define("dict", dictionary)
        define("namespace") { arguments, evaluator throws(ChatTemplateError) in
            let namespace = Namespace()
            for entry in try dictionary(arguments, evaluator).entries {
                try namespace.set(try entry.key.text("an attribute name").string, entry.value)
            }
            return evaluator.register(namespace)
        }
        define("raise_exception") { arguments, evaluator throws(ChatTemplateError) in
            let message = try arguments.bind("raise_exception", ["message"], required: 1)[0]!
            throw ChatTemplateError(.refused, try evaluator.printed(message).string)
        }
        define("strftime_now") { arguments, evaluator throws(ChatTemplateError) in
            let format = try arguments.bind("strftime_now", ["format"], required: 1)[0]!
            return .text(evaluator.now.formatted(try format.text("the time format").string))
        }
        define("cycler") { arguments, evaluator throws(ChatTemplateError) in
            if arguments.positional.isEmpty { throw .failure("`cycler` needs values.") }
            return evaluator.register(Cycler(arguments.positional))
        }
        define("joiner") { arguments, evaluator throws(ChatTemplateError) in
            let separator = try arguments.bind("joiner", ["sep"])[0] ?? .text(", ")
            return evaluator.register(Joiner(separator))
        }
        return all
    }

    /// `range(stop)`, `range(start, stop)`, `range(start, stop, step)` of at most 100,000 numbers, as the sandbox has it.
    private static func range(_ arguments: Arguments, _ evaluator: Evaluator) throws(ChatTemplateError) -> Value {
        guard arguments.named.isEmpty, (1...3).contains(arguments.positional.count) else {
            throw .failure("`range` takes one to three integers.")
        }
        var bounds: [Int] = []
        for value in arguments.positional { bounds.append(try value.integer("a range bound")) }
        let start = bounds.count == 1 ? 0 : bounds[0]
        let stop = bounds.count == 1 ? bounds[0] : bounds[1]
        let step = bounds.count == 3 ? bounds[2] : 1
        if step == 0 { throw .failure("a range step must not be zero.") }
        let width = Double(stop) - Double(start)
        if width / Double(step) > 100_000 { throw .limit("a range has more than 100,000 numbers.") }
        var numbers: [Value] = []
        for number in stride(from: start, to: stop, by: step) { numbers.append(.integer(number)) }
        if numbers.count > 100_000 { throw .limit("a range has more than 100,000 numbers.") }
        try evaluator.allow(elements: numbers.count)
        return Value(.view(View(.range(start: start, stop: stop, step: step), numbers)))
    }

    /// `dict(mapping or pairs, name=value)`.
    private static func dictionary(_ arguments: Arguments, _ evaluator: Evaluator) throws(ChatTemplateError) -> Value {
        if arguments.positional.count > 1 { throw .failure("`dict` takes one dictionary or list of pairs.") }
        var entries: [(key: Value, value: Value)] = []
        if let source = arguments.positional.first {
            if case .dictionary(let mapping) = source.content {
                entries = mapping.entries
            } else {
                if let reason = source.undefinedReason { throw .failure(reason) }
                for pair in try evaluator.elements(of: source) {
                    let parts = try evaluator.elements(of: pair)
                    if parts.count != 2 { throw .failure("`dict` needs key-value pairs.") }
                    entries.append((parts[0], parts[1]))
                }
            }
        }
        return try evaluator.dictionary(entries + arguments.named.map { (.text($0.name), $0.value) })
    }

    /// `cycler(a, b)`: its values in turn.
    private final class Cycler: Object, @unchecked Sendable {
        private var items: [Value]
        private var position = 0

        init(_ items: [Value]) { self.items = items }

        override var typeName: String { "cycler" }
        override func close() { items = [] }

        override func attribute(_ name: String, _ evaluator: Evaluator) -> Value? {
            switch name {
            case "current": return items[position]
            case "next":
                return Value(
                    .object(
                        Function("next") { [unowned self] arguments, _ throws(ChatTemplateError) in
                            try arguments.none("next")
                            defer { position = (position + 1) % items.count }
                            return items[position]
                        }))
            case "reset":
                return Value(
                    .object(
                        Function("reset") { [unowned self] arguments, _ throws(ChatTemplateError) in
                            try arguments.none("reset")
                            position = 0
                            return .none
                        }))
            default: return nil
            }
        }
    }

    /// `joiner(sep)`: nothing at the first call, the separator at every other.
    private final class Joiner: Object, @unchecked Sendable {
        private let separator: Value
        private var isUsed = false

        init(_ separator: Value) { self.separator = separator }

        override var typeName: String { "joiner" }
        override var isCallable: Bool { true }

        override func call(_ arguments: Arguments, _ evaluator: Evaluator) throws(ChatTemplateError) -> Value {
            try arguments.none("joiner")
            defer { isUsed = true }
            return isUsed ? separator : .text("")
        }
    }
}

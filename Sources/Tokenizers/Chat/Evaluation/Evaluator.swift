internal import LanguageModels

extension Jinja {
    /// One rendering of a template: its variables, its output, and what it may still take.
    final class Evaluator {
        let limits: Limits
        let now: LocalTime
        /// Whether what is undefined may be asked for nothing but whether it is (`StrictUndefined`).
        let isStrict: Bool
        /// Names that no scope has: the conversation, then the functions of the language.
        var globals: [String: Value]
        var scope = Scope(parent: nil)
        var output = Text()
        /// Parts of the output that `{% generation %}` marked, in bytes.
        var generated: [Range<Int>] = []
        /// Outputs that are put aside while a macro or block renders.
        private var captures = 0
        private var depth = 0
        private var work = 0
        /// Objects that could hold each other in a cycle.
        private var objects: [Object] = []
        private var scopes: [Scope] = []

        init(globals: [String: Value], now: LocalTime, limits: Limits, isStrict: Bool = false) {
            self.isStrict = isStrict
            self.globals = globals
            self.now = now
            self.limits = limits
        }

        /// Renders statements into the output.
        func run(_ statements: [Statement]) throws(ChatTemplateError) {
            defer {
                for object in objects { object.close() }
                for scope in scopes { scope.values.removeAll() }
                scope.values.removeAll()
            }
            _ = try execute(statements)
        }

        /// Takes note of an object that must be closed in the end.
        func register(_ object: Object) -> Value {
            objects.append(object)
            return Value(.object(object))
        }

        /// Takes note of a scope that a macro holds.
        func keep(_ scope: Scope) { scopes.append(scope) }
    }

    /// Names and their values in a part of a template; what it has not, its parent may have.
    final class Scope {
        let parent: Scope?
        var values: [String: Value] = [:]

        init(parent: Scope?) { self.parent = parent }

        subscript(name: String) -> Value? {
            var scope: Scope? = self
            while let current = scope {
                if let value = current.values[name] { return value }
                scope = current.parent
            }
            return nil
        }
    }
}

extension Jinja.Evaluator {
    /// Counts work, and stops a template that does too much of it.
    func charge(_ amount: Int) throws(ChatTemplateError) {
        let (sum, overflow) = work.addingReportingOverflow(amount)
        work = sum
        if overflow || sum > limits.work {
            throw .limit("the template takes too many steps to render.")
        }
    }

    /// Runs `body` one level deeper.
    func deeper<R>(_ body: () throws(ChatTemplateError) -> R) throws(ChatTemplateError) -> R {
        depth += 1
        defer { depth -= 1 }
        if depth > limits.evaluationDepth {
            throw .limit("calls and expressions are nested more than \(limits.evaluationDepth) levels deep.")
        }
        try charge(16)
        return try body()
    }

    /// Refuses a text before it is made.
    func allow(bytes: Int) throws(ChatTemplateError) {
        if bytes > limits.textBytes { throw .limit("a string exceeds \(limits.textBytes) bytes.") }
        try charge(max(bytes, 0))
    }

    /// Refuses a list before it is made.
    func allow(elements: Int) throws(ChatTemplateError) {
        let (bytes, overflow) = elements.multipliedReportingOverflow(by: 32)
        try allow(bytes: overflow ? .max : bytes)
    }

    /// A text that was made.
    func made(_ text: Jinja.Text) throws(ChatTemplateError) -> Jinja.Value {
        try allow(bytes: text.count)
        return .text(text)
    }

    /// A container that was made.
    func made(_ value: Jinja.Value) throws(ChatTemplateError) -> Jinja.Value {
        let extent = value.extent
        if extent.depth > limits.valueDepth {
            throw .limit("lists and dictionaries are nested deeper than \(limits.valueDepth) levels.")
        }
        if extent.size > limits.textBytes {
            throw .limit("a list or dictionary exceeds \(limits.textBytes) bytes.")
        }
        return value
    }

    func list(_ elements: [Jinja.Value], _ origin: TokenOrigin = .template) throws(ChatTemplateError) -> Jinja.Value {
        try charge(32 * elements.count)
        return try made(.list(elements, origin))
    }

    func tuple(_ elements: [Jinja.Value]) throws(ChatTemplateError) -> Jinja.Value {
        try charge(32 * elements.count)
        return try made(Jinja.Value.tuple(elements))
    }

    func dictionary(
        _ entries: [(key: Jinja.Value, value: Jinja.Value)]
    ) throws(ChatTemplateError) -> Jinja.Value {
        try charge(64 * entries.count)
        return try made(Jinja.Value(.dictionary(try Jinja.Mapping(entries))))
    }

    /// What a value prints, as long as it is not too long.
    func printed(_ value: Jinja.Value) throws(ChatTemplateError) -> Jinja.Text {
        if value.text == nil {
            try refuseUndefined(value)
            try charge(value.extent.size)
        }
        let text = value.printed
        try allow(bytes: text.count)
        return text
    }

    /// Refuses a value that is missing where that is an error.
    func refuseUndefined(_ value: Jinja.Value) throws(ChatTemplateError) {
        if isStrict, let reason = value.undefinedReason { throw .failure(reason) }
    }

    /// What Python's `bool()` says.
    func isTrue(_ value: Jinja.Value) throws(ChatTemplateError) -> Bool {
        try refuseUndefined(value)
        return value.isTrue
    }

    /// What a filter of text works on: a text, with its mark if it has one, or what the value prints.
    func softText(_ value: Jinja.Value) throws(ChatTemplateError) -> Jinja.Text {
        guard let text = value.text else { return try printed(value) }
        try charge(text.count)
        return text
    }

    /// Adds to the output.
    func write(_ text: Jinja.Text) throws(ChatTemplateError) {
        if output.count + text.count > limits.textBytes {
            throw .limit("the rendered text exceeds \(limits.textBytes) bytes.")
        }
        try charge(text.count)
        output.append(text)
    }

    /// What `body` writes, which the output does not get.
    func capture(_ body: () throws(ChatTemplateError) -> Void) throws(ChatTemplateError) -> Jinja.Text {
        let outer = output
        output = Jinja.Text()
        captures += 1
        defer {
            output = outer
            captures -= 1
        }
        try body()
        return output
    }

    /// Whether what is written goes to the rendered text itself.
    var isOutermost: Bool { captures == 0 }

    /// Runs `body` with names of its own.
    func scoped<R>(
        _ inner: Jinja.Scope? = nil, _ body: () throws(ChatTemplateError) -> R
    ) throws(ChatTemplateError) -> R {
        let outer = scope
        scope = inner ?? Jinja.Scope(parent: outer)
        defer { scope = outer }
        return try body()
    }

    /// The elements that a loop over a value goes through.
    func elements(of value: Jinja.Value) throws(ChatTemplateError) -> [Jinja.Value] {
        switch value.content {
        case .undefined:
            try refuseUndefined(value)
            return []
        case .text(let text):
            try allow(elements: text.count)
            return text.scalars.map { .text(text.slice($0.range)) }
        case .dictionary(let mapping):
            try charge(32 * mapping.entries.count)
            return mapping.entries.map(\.key)
        case .iterator(let iterator):
            let elements = try iterator.drain()
            try charge(32 * elements.count)
            return elements
        case .object(let object):
            if let elements = try object.iterate(self) { return elements }
        default:
            if let elements = value.elements {
                try charge(8 * elements.count)
                return elements
            }
        }
        throw .failure("\(value.typePhrase) is not iterable.")
    }
}

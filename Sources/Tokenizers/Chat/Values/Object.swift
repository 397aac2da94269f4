extension Jinja {
    /// Something with attributes that may be called. Subclasses say what it can do.
    ///
    /// Objects live within one rendering, on one thread.
    class Object: @unchecked Sendable {
        var typeName: String { "object" }
        var description: String { "<\(typeName)>" }
        /// What it holds for good.
        var extent: Extent { Extent(depth: 0, size: 32) }
        var isCallable: Bool { false }

        init() {}

        /// Returns the attribute with a name; `nil` if there is none.
        func attribute(_ name: String, _ evaluator: Evaluator) throws(ChatTemplateError) -> Value? { nil }

        func call(_ arguments: Arguments, _ evaluator: Evaluator) throws(ChatTemplateError) -> Value {
            throw .failure("a \(typeName) cannot be called")
        }

        /// Elements of what can be gone through in a loop.
        func iterate(_ evaluator: Evaluator) throws(ChatTemplateError) -> [Value]? { nil }

        /// Breaks cycles of references when the rendering has ended.
        func close() {}
    }

    /// A function of the language, or a method with its receiver.
    final class Function: Object, @unchecked Sendable {
        typealias Body = (Arguments, Evaluator) throws(ChatTemplateError) -> Value

        let name: String
        private let body: Body
        private let holds: Int

        init(_ name: String, holding receiver: Value? = nil, _ body: @escaping Body) {
            self.name = name
            self.body = body
            holds = receiver.map { $0.extent.depth + 1 } ?? 0
        }

        override var typeName: String { "function" }
        override var description: String { "<function \(name)>" }
        override var extent: Extent { Extent(depth: holds, size: 32) }
        override var isCallable: Bool { true }

        override func call(_ arguments: Arguments, _ evaluator: Evaluator) throws(ChatTemplateError) -> Value {
            try body(arguments, evaluator)
        }
    }

    /// `namespace()`: the only thing whose attributes a template can set.
    final class Namespace: Object, @unchecked Sendable {
        private var names: [String] = []
        private var values: [String: Value] = [:]

        override var typeName: String { "namespace" }

        override func attribute(_ name: String, _ evaluator: Evaluator) -> Value? { values[name] }

        func set(_ name: String, _ value: Value) throws(ChatTemplateError) {
            if name.hasPrefix("_") { throw .failure("an attribute of a namespace must not start with an underscore") }
            if values.updateValue(value, forKey: name) == nil { names.append(name) }
        }

        override func close() { values.removeAll() }
    }

    /// A result that is computed while it is iterated, which is possible only once.
    final class Iterator: @unchecked Sendable {
        private var pending: (() throws(ChatTemplateError) -> [Value])?
        private var rest: ArraySlice<Value> = []
        let depth: Int

        /// - Parameter source: what the elements come from, which the iterator holds until then.
        init(over source: Value, _ elements: @escaping () throws(ChatTemplateError) -> [Value]) {
            pending = elements
            depth = source.extent.depth + 1
        }

        /// Takes the next element.
        func next() throws(ChatTemplateError) -> Value? {
            try work()
            return rest.popFirst()
        }

        /// Takes all elements that are left.
        func drain() throws(ChatTemplateError) -> [Value] {
            try work()
            defer { rest = [] }
            return Array(rest)
        }

        private func work() throws(ChatTemplateError) {
            guard let elements = pending else { return }
            pending = nil
            rest = try elements()[...]
        }
    }
}

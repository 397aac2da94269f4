extension Jinja {
    /// `loop` in the body of a loop.
    final class LoopContext: Object, @unchecked Sendable {
        typealias Condition = (Value) throws(ChatTemplateError) -> Bool

        private let elements: [Value]
        private let loop: Loop
        private let level: Int
        private var outer: Scope?
        private var condition: Condition?
        /// The next element to look at.
        private var cursor = 0
        /// Element that `last` or `nextitem` read ahead; the inner value is `nil` at the end.
        private var peeked: Value??
        private var before: Value?
        private var current: Value?
        private var knownLength: Int?
        private var lastChanged: [Value]?
        /// Elements that the body has been given.
        private(set) var index = 0

        init(_ elements: [Value], loop: Loop, depth: Int, outer: Scope, condition: Condition?) {
            self.elements = elements
            self.loop = loop
            level = depth
            self.outer = outer
            self.condition = condition
            if condition == nil { knownLength = elements.count }
        }

        override var typeName: String { "loop" }
        override var isCallable: Bool { loop.isRecursive }

        override func close() {
            outer = nil
            condition = nil
            before = nil
            current = nil
            peeked = nil
            lastChanged = nil
        }

        /// The next element that the condition lets through. It is asked as late as possible, for the body may change
        /// what it depends on.
        func advance() throws(ChatTemplateError) -> Value? {
            let element = try peek()
            peeked = nil
            guard let element else { return nil }
            index += 1
            before = current
            current = element
            return element
        }

        private func peek() throws(ChatTemplateError) -> Value? {
            if let peeked { return peeked }
            var found: Value?
            while found == nil, cursor < elements.count {
                let element = elements[cursor]
                cursor += 1
                if try condition?(element) ?? true { found = element }
            }
            peeked = .some(found)
            return found
        }

        /// The number of elements, those that the condition lets through where there is one.
        private func length() throws(ChatTemplateError) -> Int {
            if let knownLength { return knownLength }
            var length = index
            if try peek() != nil { length += 1 }
            for element in elements[cursor...] where try condition?(element) ?? true { length += 1 }
            knownLength = length
            return length
        }

        override func attribute(_ name: String, _ evaluator: Evaluator) throws(ChatTemplateError) -> Value? {
            switch name {
            case "index": return .integer(index)
            case "index0": return .integer(index - 1)
            case "first": return .boolean(index == 1)
            case "last": return .boolean(try peek() == nil)
            case "length": return .integer(try length())
            case "revindex": return .integer(try length() - index + 1)
            case "revindex0": return .integer(try length() - index)
            case "depth": return .integer(level + 1)
            case "depth0": return .integer(level)
            case "previtem":
                return index == 1 ? .undefined("there is no previous item.") : before
            case "nextitem": return try peek() ?? .undefined("there is no next item.")
            case "cycle":
                return method("cycle") { [unowned self] arguments, _ throws(ChatTemplateError) in
                    if arguments.positional.isEmpty { throw .failure("`loop.cycle` needs values.") }
                    return arguments.positional[(index - 1) % arguments.positional.count]
                }
            case "changed":
                return method("changed") { [unowned self] arguments, _ throws(ChatTemplateError) in
                    let values = arguments.positional
                    let isSame = lastChanged.map { $0.count == values.count && zip($0, values).allSatisfy { $0 == $1 } }
                    lastChanged = values
                    return .boolean(isSame != true)
                }
            default: return nil
            }
        }

        private func method(_ name: String, _ body: @escaping Function.Body) -> Value {
            Value(.object(Function(name, body)))
        }

        override func call(_ arguments: Arguments, _ evaluator: Evaluator) throws(ChatTemplateError) -> Value {
            guard loop.isRecursive, let outer else {
                throw .failure("cannot call a loop without `recursive`.")
            }
            let sequence = try arguments.bind("loop", ["iterable"], required: 1)[0]!
            return try evaluator.made(
                try evaluator.capture { () throws(ChatTemplateError) in
                    try evaluator.run(loop, over: sequence, depth: level + 1, outer: outer)
                })
        }
    }
}

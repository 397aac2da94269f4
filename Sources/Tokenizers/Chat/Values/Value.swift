internal import LanguageModels

extension Jinja {
    /// A value of the template language, with Python's meaning.
    struct Value: Sendable {
        enum Content: Sendable {
            /// What is missing, as a phrase: "`x` is undefined".
            case undefined(String)
            case none
            case boolean(Bool)
            case integer(Int)
            /// An integer beyond 64 bits, which can be printed only.
            case digits(String)
            case number(Double)
            case text(Text)
            case list(List)
            case tuple(List)
            case dictionary(Mapping)
            /// `range(...)` and what `keys()`, `values()` and `items()` of a dictionary give.
            case view(View)
            /// What the lazy filters give: it can be gone through once.
            case iterator(Iterator)
            case object(Object)
        }

        var content: Content
        /// Where it came from, for what is printed of it that is not text: digits, brackets, `True`.
        var origin: TokenOrigin

        init(_ content: Content, _ origin: TokenOrigin = .template) {
            self.content = content
            self.origin = origin
        }

        static let none = Value(.none)
        static func undefined(_ reason: String) -> Value { Value(.undefined(reason)) }
        static func boolean(_ value: Bool) -> Value { Value(.boolean(value)) }
        static func integer(_ value: Int) -> Value { Value(.integer(value)) }
        static func number(_ value: Double) -> Value { Value(.number(value)) }
        static func text(_ value: Text) -> Value { Value(.text(value), value.origin(at: 0)) }
        static func text(_ value: String, _ origin: TokenOrigin = .template) -> Value {
            Value(.text(Text(value, origin)), origin)
        }
    }

    /// The size of a value for traversal. A list that occurs twice in another counts twice, because it is traversed
    /// twice; otherwise a few lines could make a value too large to print.
    struct Extent: Sendable {
        /// Levels of containers.
        var depth: Int
        /// Bytes of all texts and 32 for each value, `Int.max` where it is more than that.
        var size: Int

        init(depth: Int, size: Int) {
            self.depth = depth
            self.size = size
        }

        /// Of a container.
        init(holding elements: some Sequence<Extent>) {
            depth = 0
            size = 32
            for element in elements {
                depth = max(depth, element.depth)
                let (sum, overflow) = size.addingReportingOverflow(element.size)
                size = overflow ? .max : sum
            }
            depth += 1
        }
    }

    /// The elements of a list or tuple, which never change: the sandbox forbids it.
    final class List: Sendable {
        let elements: [Value]
        let extent: Extent

        init(_ elements: [Value]) {
            self.elements = elements
            extent = Extent(holding: elements.lazy.map(\.extent))
        }
    }

    /// A dictionary in the order of insertion, which never changes.
    final class Mapping: Sendable {
        let entries: [(key: Value, value: Value)]
        private let index: [Key: Int]
        let extent: Extent

        /// A later entry with an equal key takes the value and the place of the first.
        init(_ entries: [(key: Value, value: Value)]) throws(ChatTemplateError) {
            var kept: [(key: Value, value: Value)] = []
            var index: [Key: Int] = [:]
            for entry in entries {
                let key = try Key(entry.key)
                if let place = index[key] {
                    kept[place].value = entry.value
                } else {
                    index[key] = kept.count
                    kept.append(entry)
                }
            }
            self.entries = kept
            self.index = index
            extent = Extent(holding: kept.lazy.flatMap { [$0.key.extent, $0.value.extent] })
        }

        subscript(key: Key) -> Value? { index[key].map { entries[$0].value } }
        subscript(name: String) -> Value? { self[.text(Text(name))] }
    }

    /// What a dictionary's entries are found by: equal numbers are equal keys, `1`, `1.0` and `true` too.
    enum Key: Hashable, Sendable {
        case none
        case integer(Int)
        case number(Double)
        case digits(String)
        case text(Text)
        case tuple([Key])
        case object(ObjectIdentifier)

        init(_ value: Value) throws(ChatTemplateError) {
            switch value.content {
            case .none: self = .none
            case .boolean(let value): self = .integer(value ? 1 : 0)
            case .integer(let value): self = .integer(value)
            case .digits(let digits): self = .digits(digits)
            case .number(let value): self = Int(exactly: value).map { .integer($0) } ?? .number(value)
            case .text(let text): self = .text(text)
            case .tuple(let list):
                var keys: [Key] = []
                for element in list.elements { keys.append(try Key(element)) }
                self = .tuple(keys)
            case .object(let object): self = .object(ObjectIdentifier(object))
            case .undefined: self = .text(Text("undefined"))
            case .iterator(let iterator): self = .object(ObjectIdentifier(iterator))
            case .list, .dictionary, .view:
                throw .failure(
                    "\(value.typePhrase) is not hashable, so it cannot be a dictionary key or a unique value")
            }
        }
    }

    /// A sequence that is seen through another one.
    final class View: Sendable {
        enum Kind: Sendable { case range(start: Int, stop: Int, step: Int), keys, values, items }
        let kind: Kind
        let elements: [Value]
        let extent: Extent

        init(_ kind: Kind, _ elements: [Value]) {
            self.kind = kind
            self.elements = elements
            extent = Extent(holding: elements.lazy.map(\.extent))
        }
    }
}

extension Jinja.Value {
    static func list(_ elements: [Self], _ origin: TokenOrigin = .template) -> Self {
        Self(.list(Jinja.List(elements)), origin)
    }
    static func tuple(_ elements: [Self]) -> Self { Self(.tuple(Jinja.List(elements))) }

    var extent: Jinja.Extent {
        switch content {
        case .text(let text): Jinja.Extent(depth: 0, size: 32 + text.count)
        case .digits(let digits): Jinja.Extent(depth: 0, size: 32 + digits.utf8.count)
        case .list(let list), .tuple(let list): list.extent
        case .dictionary(let mapping): mapping.extent
        case .view(let view): view.extent
        case .iterator(let iterator): Jinja.Extent(depth: iterator.depth, size: 32)
        case .object(let object): object.extent
        default: Jinja.Extent(depth: 0, size: 32)
        }
    }

    var isUndefined: Bool { if case .undefined = content { true } else { false } }
    var isNone: Bool { if case .none = content { true } else { false } }
    var text: Jinja.Text? { if case .text(let text) = content { text } else { nil } }

    /// What Python's `bool()` says.
    var isTrue: Bool {
        switch content {
        case .undefined, .none: false
        case .boolean(let value): value
        case .integer(let value): value != 0
        case .number(let value): value != 0
        case .text(let text): !text.isEmpty
        case .list(let list), .tuple(let list): !list.elements.isEmpty
        case .dictionary(let mapping): !mapping.entries.isEmpty
        case .view(let view): !view.elements.isEmpty
        case .digits, .iterator, .object: true
        }
    }

    /// Whether it is an integer or boolean of any size.
    var isInteger: Bool {
        switch content {
        case .integer, .boolean, .digits: true
        default: false
        }
    }

    /// The integer that Python would take it for where it asks for an index; booleans are integers.
    var index: Int? {
        switch content {
        case .integer(let value): value
        case .boolean(let value): value ? 1 : 0
        default: nil
        }
    }

    /// The elements of a list, tuple or view.
    var elements: [Self]? {
        switch content {
        case .list(let list), .tuple(let list): list.elements
        case .view(let view): view.elements
        default: nil
        }
    }

    /// Type name for error messages.
    var typeName: String {
        switch content {
        case .undefined: "undefined value"
        case .none: "none"
        case .boolean: "boolean"
        case .integer, .digits: "integer"
        case .number: "float"
        case .text: "string"
        case .list: "list"
        case .tuple: "tuple"
        case .dictionary: "dictionary"
        case .view(let view): if case .range = view.kind { "range" } else { "dictionary view" }
        case .iterator: "iterator"
        case .object(let object): object.typeName
        }
    }

    /// Type name with its article, for error messages.
    var typePhrase: String {
        switch typeName {
        case "none": "none"
        case let name where "aiou".contains(name.prefix(1)): "an \(name)"
        case let name: "a \(name)"
        }
    }
}

internal import LanguageModels

extension Jinja {
    typealias Method = @Sendable (Value, Arguments, Evaluator) throws(ChatTemplateError) -> Value

    /// Methods that would change what they are called on.
    static func forbidden(_ name: String, of value: Value) -> Bool {
        switch value.content {
        case .dictionary: ["clear", "pop", "popitem", "setdefault", "update"].contains(name)
        case .list:
            ["append", "clear", "pop", "reverse", "insert", "sort", "extend", "remove"].contains(name)
        default: false
        }
    }

    /// The method that Python objects of a value's kind have by this name.
    static func method(_ name: String, of value: Value) -> Method? {
        switch value.content {
        case .text:
            for methods in [textMethods, textTests, textSearches, textParts] {
                if let method = methods[name] { return method }
            }
            return nil
        case .dictionary: return dictionaryMethods[name]
        case .list: return listMethods[name]
        case .tuple: return name == "copy" ? nil : listMethods[name]
        case .number: return numberMethods[name]
        default: return nil
        }
    }

    private static let numberMethods: [String: Method] = [
        "is_integer": { value, arguments, _ throws(ChatTemplateError) in
            try arguments.none("is_integer")
            return .boolean(value.double.map { $0 == $0.rounded() } ?? false)
        }
    ]

    private static let dictionaryMethods: [String: Method] = [
        "keys": { value, arguments, _ throws(ChatTemplateError) in
            try arguments.none("keys")
            return Value(.view(View(.keys, value.entries.map(\.key))))
        },
        "values": { value, arguments, _ throws(ChatTemplateError) in
            try arguments.none("values")
            return Value(.view(View(.values, value.entries.map(\.value))))
        },
        "items": { value, arguments, _ throws(ChatTemplateError) in
            try arguments.none("items")
            return Value(.view(View(.items, value.pairs)))
        },
        "get": { value, arguments, _ throws(ChatTemplateError) in
            if !arguments.named.isEmpty { throw .failure("`get` takes only positional arguments.") }
            let parts = try arguments.bind("get", ["key", "default"], required: 1)
            guard case .dictionary(let mapping) = value.content else { return .none }
            return mapping[try Key(parts[0]!)] ?? parts[1] ?? .none
        },
        "copy": { value, arguments, _ throws(ChatTemplateError) in
            try arguments.none("copy")
            return value
        },
    ]

    private static let listMethods: [String: Method] = [
        "index": { value, arguments, _ throws(ChatTemplateError) in
            let element = try arguments.bind("index", ["value"], required: 1)[0]!
            guard let place = value.elements?.firstIndex(where: { $0 == element }) else {
                throw .failure("the value is not in the list.")
            }
            return .integer(place)
        },
        "count": { value, arguments, _ throws(ChatTemplateError) in
            let element = try arguments.bind("count", ["value"], required: 1)[0]!
            return .integer(value.elements?.filter { $0 == element }.count ?? 0)
        },
        "copy": { value, arguments, _ throws(ChatTemplateError) in
            try arguments.none("copy")
            return value
        },
    ]
}

extension Jinja.Value {
    /// A dictionary's entries.
    var entries: [(key: Self, value: Self)] {
        if case .dictionary(let mapping) = content { mapping.entries } else { [] }
    }

    /// A dictionary's entries as tuples.
    var pairs: [Self] { entries.map { .tuple([$0.key, $0.value]) } }
}

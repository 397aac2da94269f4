internal import LanguageModels

extension Jinja {
    /// Filters of lists and dictionaries.
    static let sequenceFilters: [String: Filter] = [
        "length": { value, arguments, evaluator throws(ChatTemplateError) in
            try arguments.none("length")
            return .integer(try evaluator.length(of: value))
        },
        "list": { value, arguments, evaluator throws(ChatTemplateError) in
            try arguments.none("list")
            return try evaluator.list(try evaluator.elements(of: value), value.origin)
        },
        "first": { value, arguments, evaluator throws(ChatTemplateError) in
            try arguments.none("first")
            var first: Value?
            switch value.content {
            case .iterator(let iterator): first = try iterator.next()
            case .text(let text): first = text.character(at: 0).map { .text($0) }
            default: first = try evaluator.elements(of: value).first
            }
            return first ?? .undefined("an empty sequence has no first item.")
        },
        "last": { value, arguments, evaluator throws(ChatTemplateError) in
            try arguments.none("last")
            if case .iterator = value.content {
                throw .failure("the result of a lazy filter has no last item. Use `list` first.")
            }
            return try evaluator.elements(of: value).last ?? .undefined("an empty sequence has no last item.")
        },
        "reverse": { value, arguments, evaluator throws(ChatTemplateError) in
            try arguments.none("reverse")
            if value.text != nil { return try evaluator.slice(value, from: nil, to: nil, step: .integer(-1)) }
            let elements = try evaluator.elements(of: value)
            return Value(.iterator(Iterator(over: value) { elements.reversed() }))
        },
        "sort": { value, arguments, evaluator throws(ChatTemplateError) in
            let parts = try arguments.bind("sort", ["reverse", "case_sensitive", "attribute"])
            let elements = try evaluator.elements(of: value)
            let keys = try evaluator.sortKeys(elements, parts[2], caseSensitive: parts[1]?.isTrue ?? false)
            try evaluator.charge(16 * value.extent.size)
            return try evaluator.list(try sorted(elements, by: keys, reverse: parts[0]?.isTrue ?? false))
        },
        "dictsort": { value, arguments, evaluator throws(ChatTemplateError) in
            let parts = try arguments.bind("dictsort", ["case_sensitive", "by", "reverse"])
            guard case .dictionary(let mapping) = value.content else {
                throw .failure(value.undefinedReason ?? "`dictsort` needs a dictionary.")
            }
            let by = parts[1]?.text?.string ?? "key"
            guard by == "key" || by == "value" else { throw .failure("`dictsort` can sort by key or value.") }
            let isSensitive = parts[0]?.isTrue ?? false
            let keys = mapping.entries.map { entry in
                let key = by == "key" ? entry.key : entry.value
                return isSensitive ? key : key.withoutCase
            }
            try evaluator.charge(16 * value.extent.size)
            return try evaluator.list(try sorted(value.pairs, by: keys, reverse: parts[2]?.isTrue ?? false))
        },
        "unique": { value, arguments, evaluator throws(ChatTemplateError) in
            let parts = try arguments.bind("unique", ["case_sensitive", "attribute"])
            return lazy(value, evaluator) { elements throws(ChatTemplateError) in
                var seen: Set<Key> = []
                var unique: [Value] = []
                for element in elements {
                    let key = try evaluator.attribute(path: parts[1], of: element)
                    if seen.insert(try Key(parts[0]?.isTrue == true ? key : key.withoutCase)).inserted {
                        unique.append(element)
                    }
                }
                return unique
            }
        },
        "min": extreme("min") { candidate, best throws(ChatTemplateError) in try candidate.isLess(than: best) },
        "max": extreme("max") { candidate, best throws(ChatTemplateError) in try best.isLess(than: candidate) },
        "sum": { value, arguments, evaluator throws(ChatTemplateError) in
            let parts = try arguments.bind("sum", ["attribute", "start"])
            var sum = parts[1] ?? .integer(0)
            if sum.text != nil { throw .failure("`sum` does not add strings. Use `join`.") }
            for element in try evaluator.elements(of: value) {
                sum = try evaluator.arithmetic(.add, sum, try evaluator.attribute(path: parts[0], of: element))
            }
            return sum
        },
        "items": { value, arguments, evaluator throws(ChatTemplateError) in
            try arguments.none("items")
            guard value.isUndefined || value.typeName == "dictionary" else {
                return lazy(.list([]), evaluator) { _ throws(ChatTemplateError) in
                    throw .failure("`items` needs a dictionary, not \(value.typePhrase).")
                }
            }
            return Value(.iterator(Iterator(over: value) { value.pairs }))
        },
        "batch": { value, arguments, evaluator throws(ChatTemplateError) in
            let parts = try arguments.bind("batch", ["linecount", "fill_with"], required: 1)
            let size = try parts[0]!.integer("the batch size")
            return lazy(value, evaluator) { elements throws(ChatTemplateError) in
                var batches: [Value] = []
                var batch: [Value] = []
                for element in elements {
                    if batch.count == size {
                        batches.append(try evaluator.list(batch))
                        batch = []
                    }
                    batch.append(element)
                }
                if !batch.isEmpty {
                    if let fill = parts[1], !fill.isNone, batch.count < size {
                        try evaluator.allow(elements: size)
                        batch += Array(repeating: fill, count: size - batch.count)
                    }
                    batches.append(try evaluator.list(batch))
                }
                return batches
            }
        },
        "slice": { value, arguments, evaluator throws(ChatTemplateError) in
            let parts = try arguments.bind("slice", ["slices", "fill_with"], required: 1)
            let count = try parts[0]!.integer("the number of slices")
            return lazy(value, evaluator) { elements throws(ChatTemplateError) in
                if count == 0 { throw .failure("the number of slices must not be zero.") }
                if count < 0 { return [] }
                try evaluator.allow(elements: count)
                var slices: [Value] = []
                var start = 0
                for index in 0..<count {
                    let size = elements.count / count + (index < elements.count % count ? 1 : 0)
                    var slice = Array(elements[start..<(start + size)])
                    start += size
                    if let fill = parts[1], !fill.isNone, index >= elements.count % count { slice.append(fill) }
                    slices.append(try evaluator.list(slice))
                }
                return slices
            }
        },
        "groupby": { value, arguments, evaluator throws(ChatTemplateError) in
            let parts = try arguments.bind("groupby", ["attribute", "default", "case_sensitive"], required: 1)
            return try evaluator.groups(
                try evaluator.elements(of: value), by: parts[0]!, standard: parts[1].flatMap { $0.isNone ? nil : $0 },
                caseSensitive: parts[2]?.isTrue ?? false)
        },
    ]

    /// Returns a value that is computed while it is iterated.
    static func lazy(
        _ source: Value, _ evaluator: Evaluator,
        _ body: @escaping ([Value]) throws(ChatTemplateError) -> [Value]
    ) -> Value {
        Value(
            .iterator(
                Iterator(over: source) { () throws(ChatTemplateError) in
                    try evaluator.deeper { () throws(ChatTemplateError) in
                        let elements = try body(try evaluator.elements(of: source))
                        try evaluator.charge(32 * elements.count)
                        return elements
                    }
                }))
    }

    private static func extreme(
        _ name: String, _ isBetter: @escaping @Sendable (Value, Value) throws(ChatTemplateError) -> Bool
    ) -> Filter {
        { value, arguments, evaluator throws(ChatTemplateError) in
            let parts = try arguments.bind(name, ["case_sensitive", "attribute"])
            let isSensitive = parts[0]?.isTrue ?? false
            var best: (element: Value, key: Value)?
            for element in try evaluator.elements(of: value) {
                let key = try evaluator.attribute(path: parts[1], of: element)
                let candidate = isSensitive ? key : key.withoutCase
                guard let current = best else {
                    best = (element, candidate)
                    continue
                }
                if try isBetter(candidate, current.key) { best = (element, candidate) }
            }
            return best?.element ?? .undefined("an empty sequence has no \(name).")
        }
    }
}

extension Jinja.Value {
    /// A text in lower case, and anything else as it is.
    var withoutCase: Self { text.map { .text($0.lowercased) } ?? self }
}

extension Jinja.Evaluator {
    /// Python's `len()`.
    func length(of value: Value) throws(ChatTemplateError) -> Int {
        switch value.content {
        case .undefined: return 0
        case .text(let text):
            try charge(text.count)
            return text.length
        case .dictionary(let mapping): return mapping.entries.count
        case .object(let object):
            if let context = object as? Jinja.LoopContext {
                return try context.attribute("length", self)?.index ?? 0
            }
        default: if let elements = value.elements { return elements.count }
        }
        throw .failure("\(value.typePhrase) has no length.")
    }

    /// What `sort` compares: lists of the values that a comma-separated list of paths leads to.
    func sortKeys(_ elements: [Value], _ path: Value?, caseSensitive: Bool) throws(ChatTemplateError) -> [Value] {
        var paths: [Value] = [path ?? .none]
        if let text = path?.text { paths = text.split(by: Text(","), limit: .max).map { .text($0) } }
        var keys: [Value] = []
        for element in elements {
            var parts: [Value] = []
            for path in paths {
                let part = try attribute(path: path, of: element)
                parts.append(caseSensitive ? part : part.withoutCase)
            }
            keys.append(try list(parts))
        }
        return keys
    }

    /// Pairs of a key and the elements that have it, in the order of the keys.
    func groups(
        _ elements: [Value], by path: Value, standard: Value?, caseSensitive: Bool
    ) throws(ChatTemplateError) -> Value {
        var pairs: [Value] = []
        var keys: [Value] = []
        for element in elements {
            let key = try attribute(path: path, of: element, standard: standard)
            keys.append(caseSensitive ? key : key.withoutCase)
            pairs.append(try tuple([key, element]))
        }
        let indices = try Jinja.sorted(elements.indices.map { .integer($0) }, by: keys, reverse: false)
        var groups: [Value] = []
        var members: [Value] = []
        var groupKey = Value.none
        var last: Value?
        for index in indices.compactMap(\.index) {
            if let previous = last, previous != keys[index] {
                groups.append(try group(groupKey, members))
                members = []
            }
            if members.isEmpty { groupKey = pairs[index].elements?[0] ?? .none }
            last = keys[index]
            members.append(elements[index])
        }
        if !members.isEmpty { groups.append(try group(groupKey, members)) }
        return try list(groups)
    }

    private func group(_ key: Value, _ members: [Value]) throws(ChatTemplateError) -> Value {
        Value(.object(Jinja.Group(key, try list(members))))
    }
}

extension Jinja {
    /// What `groupby` gives: a pair that also has names.
    final class Group: Object, @unchecked Sendable {
        private let key: Value
        private let members: Value

        init(_ key: Value, _ members: Value) {
            self.key = key
            self.members = members
        }

        override var typeName: String { "group" }
        override var extent: Extent { Extent(holding: [key.extent, members.extent]) }
        override var description: String { Value.tuple([key, members]).represented.string }
        override func iterate(_ evaluator: Evaluator) -> [Value] { [key, members] }

        override func attribute(_ name: String, _ evaluator: Evaluator) -> Value? {
            switch name {
            case "grouper": key
            case "list": members
            default: nil
            }
        }
    }
}

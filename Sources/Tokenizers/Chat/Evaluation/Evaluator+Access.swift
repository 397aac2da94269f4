internal import LanguageModels

extension Jinja.Evaluator {
    /// `object.name`: a method or attribute first, then an item, as Jinja looks them up.
    func attribute(_ name: String, of object: Value) throws(ChatTemplateError) -> Value {
        if let reason = object.undefinedReason { throw .failure(reason) }
        if let value = try member(name, of: object) { return value }
        if case .dictionary(let mapping) = object.content, let value = mapping[name] { return value }
        return .undefined("\(object.typePhrase) has no attribute `\(name)`.")
    }

    /// `object[index]`: an item first, then an attribute.
    func item(_ index: Value, of object: Value) throws(ChatTemplateError) -> Value {
        if let reason = object.undefinedReason { throw .failure(reason) }
        switch object.content {
        case .dictionary(let mapping): if let key = try? Jinja.Key(index), let value = mapping[key] { return value }
        case .text(let text):
            if let index = index.index {
                try charge(text.count)
                if let character = text.character(at: index) { return .text(character) }
            }
        case .list, .tuple, .view:
            if let index = index.index, object.isSubscriptable, let elements = object.elements {
                let position = index < 0 ? index + elements.count : index
                if elements.indices.contains(position) { return elements[position] }
            }
        case .object(let object):
            if let group = object as? Jinja.Group, let index = index.index {
                let elements = group.iterate(self)
                let position = index < 0 ? index + elements.count : index
                if elements.indices.contains(position) { return elements[position] }
            }
        default: break
        }
        if let name = index.text?.string, let value = try member(name, of: object) { return value }
        return .undefined("\(object.typePhrase) has no such item.")
    }

    /// An attribute that Python objects of this kind have: methods mostly. What would change a list or dictionary is
    /// undefined, as in the immutable sandbox.
    private func member(_ name: String, of object: Value) throws(ChatTemplateError) -> Value? {
        if case .object(let instance) = object.content {
            if name.hasPrefix("_") { return nil }
            return try instance.attribute(name, self)
        }
        if Jinja.forbidden(name, of: object) {
            return .undefined("`\(name)` would modify \(object.typePhrase), which templates must not do.")
        }
        guard let method = Jinja.method(name, of: object) else { return nil }
        return Value(
            .object(
                Jinja.Function(name, holding: object) { arguments, evaluator throws(ChatTemplateError) in
                    try evaluator.charge(object.extent.size)
                    return try method(object, arguments, evaluator)
                }))
    }

    /// `object[from:to:step]` with Python's meaning of negative and missing bounds.
    func slice(
        _ object: Value, from: Value?, to: Value?, step: Value?
    ) throws(ChatTemplateError) -> Value {
        if let reason = object.undefinedReason { throw .failure(reason) }
        var bounds: [Int?] = []
        for bound in [from, to, step] {
            guard let bound, !bound.isNone else {
                bounds.append(nil)
                continue
            }
            bounds.append(try bound.integer("a slice bound"))
        }
        if bounds[2] == 0 { throw .failure("a slice step must not be zero.") }
        let step = bounds[2] ?? 1
        switch object.content {
        case .text(let text):
            try charge(9 * text.count)
            let boundaries = text.boundaries
            let indices = Self.indices(boundaries.count - 1, bounds[0], bounds[1], step)
            if step == 1 {
                let first = indices.first ?? 0
                return try made(text.slice(boundaries[first]..<boundaries[first + indices.count]))
            }
            var result = text.slice(0..<0)
            for index in indices { result.append(text, boundaries[index]..<boundaries[index + 1]) }
            return try made(result)
        case .list(let list):
            let indices = Self.indices(list.elements.count, bounds[0], bounds[1], step)
            return try self.list(indices.map { list.elements[$0] }, object.origin)
        case .tuple(let list):
            return try tuple(Self.indices(list.elements.count, bounds[0], bounds[1], step).map { list.elements[$0] })
        case .view(let view):
            guard case .range(let start, _, let stride) = view.kind else { break }
            let indices = Self.indices(view.elements.count, bounds[0], bounds[1], step)
            let first = start + (indices.first ?? 0) * stride
            let kind = Jinja.View.Kind.range(
                start: first, stop: first + indices.count * step * stride, step: step * stride)
            return Value(.view(Jinja.View(kind, indices.map { view.elements[$0] })))
        default: break
        }
        throw .failure("\(object.typePhrase) cannot be sliced.")
    }

    /// The indices that a slice of a sequence takes, in its order.
    private static func indices(_ count: Int, _ from: Int?, _ to: Int?, _ step: Int) -> [Int] {
        func clamped(_ bound: Int, _ low: Int, _ high: Int) -> Int {
            min(max(bound < 0 ? max(bound, -count - 1) + count : bound, low), high)
        }
        let isForward = step > 0
        let start =
            from.map { isForward ? clamped($0, 0, count) : clamped($0, -1, count - 1) } ?? (isForward ? 0 : count - 1)
        let end = to.map { isForward ? clamped($0, 0, count) : clamped($0, -1, count - 1) } ?? (isForward ? count : -1)
        let step = isForward ? min(step, count + 1) : max(step, -count - 1)
        return Array(stride(from: start, to: end, by: step))
    }
}

extension Jinja.Value {
    /// Whether it has items by number.
    var isSubscriptable: Bool {
        switch content {
        case .text, .list, .tuple, .dictionary: return true
        case .view(let view):
            if case .range = view.kind { return true }
            return false
        default: return false
        }
    }
}

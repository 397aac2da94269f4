extension Jinja.Value {
    /// Python's `==`: numbers of all types by value, containers by their elements, objects by identity.
    static func == (left: Self, right: Self) -> Bool {
        switch (left.content, right.content) {
        case (.undefined, .undefined), (.none, .none): return true
        case (.text(let left), .text(let right)): return left == right
        case (.digits(let left), .digits(let right)): return left == right
        case (.list(let left), .list(let right)), (.tuple(let left), .tuple(let right)):
            return left === right || equal(left.elements, right.elements)
        case (.dictionary(let left), .dictionary(let right)): return left === right || equal(left, right)
        case (.view(let left), .view(let right)):
            if case .values = left.kind { return left === right }
            if case .range = left.kind {
                if case .range = right.kind { return equal(left.elements, right.elements) }
                return false
            }
            if case .range = right.kind { return false }
            return left.elements.count == right.elements.count
                && left.elements.allSatisfy { element in right.elements.contains { $0 == element } }
        case (.iterator(let left), .iterator(let right)): return left === right
        case (.object(let left), .object(let right)): return left === right
        default: break
        }
        if let left = left.index, let right = right.index { return left == right }
        if let left = left.double, let right = right.double { return left == right }
        return false
    }

    static func != (left: Self, right: Self) -> Bool { !(left == right) }

    private static func equal(_ left: [Self], _ right: [Self]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { $0 == $1 }
    }

    private static func equal(_ left: Jinja.Mapping, _ right: Jinja.Mapping) -> Bool {
        left.entries.count == right.entries.count
            && left.entries.allSatisfy { entry in
                guard let key = try? Jinja.Key(entry.key), let other = right[key] else { return false }
                return other == entry.value
            }
    }

    /// The value of a number, booleans included.
    var double: Double? {
        switch content {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): Double(value)
        case .digits(let digits): Double(digits)
        case .number(let value): value
        default: nil
        }
    }

    /// Python's `<`; an error for what has no order.
    func isLess(than other: Self) throws(ChatTemplateError) -> Bool {
        if let left = index, let right = other.index { return left < right }
        if let left = double, let right = other.double { return left < right }
        switch (content, other.content) {
        case (.text(let left), .text(let right)): return left < right
        case (.list(let left), .list(let right)), (.tuple(let left), .tuple(let right)):
            for (left, right) in zip(left.elements, right.elements) where left != right {
                return try left.isLess(than: right)
            }
            return left.elements.count < right.elements.count
        default:
            throw .failure(
                undefinedReason ?? other.undefinedReason
                    ?? "cannot compare \(typePhrase) with \(other.typePhrase)")
        }
    }

    /// Why it is undefined, where it is.
    var undefinedReason: String? { if case .undefined(let reason) = content { reason } else { nil } }
}

extension Jinja {
    /// Sorted as Python does: stable, and reversed so that equal elements keep their order. O(n log n).
    static func sorted(_ values: [Value], by keys: [Value], reverse: Bool) throws(ChatTemplateError) -> [Value] {
        var order = Array(values.indices)
        var scratch = order
        var width = 1
        while width < order.count {
            for start in stride(from: 0, to: order.count, by: 2 * width) {
                let middle = min(start + width, order.count)
                let end = min(start + 2 * width, order.count)
                var left = start
                var right = middle
                for place in start..<end {
                    var takesRight = left == middle
                    if left < middle, right < end {
                        let (first, second) = (keys[order[left]], keys[order[right]])
                        takesRight = try reverse ? first.isLess(than: second) : second.isLess(than: first)
                    }
                    scratch[place] = order[takesRight ? right : left]
                    if takesRight { right += 1 } else { left += 1 }
                }
            }
            swap(&order, &scratch)
            width *= 2
        }
        return order.map { values[$0] }
    }
}

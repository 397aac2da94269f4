internal import Glibc
internal import LanguageModels

extension Jinja.Evaluator {
    func arithmetic(
        _ operation: Jinja.Expression.Arithmetic, _ left: Value, _ right: Value
    ) throws(ChatTemplateError) -> Value {
        if let left = left.index, let right = right.index { return try integers(operation, left, right) }
        if left.isInteger, right.isInteger { throw .failure("integer overflow: the result exceeds 64 bits.") }
        if let left = left.double, let right = right.double { return try numbers(operation, left, right) }
        switch (operation, left.content, right.content) {
        case (.add, .text(let left), .text(let right)): return try joined(left, right)
        case (.add, .list(let first), .list(let second)):
            try allow(elements: first.elements.count + second.elements.count)
            return try made(.list(first.elements + second.elements, left.origin))
        case (.add, .tuple(let left), .tuple(let right)):
            try allow(elements: left.elements.count + right.elements.count)
            return try made(Value.tuple(left.elements + right.elements))
        case (.multiply, .text(let text), _): if let count = right.index { return try repeated(text, count) }
        case (.multiply, _, .text(let text)): if let count = left.index { return try repeated(text, count) }
        case (.multiply, .list(let list), _): if let count = right.index { return try self.list(repeated(list, count)) }
        case (.multiply, _, .list(let list)): if let count = left.index { return try self.list(repeated(list, count)) }
        case (.multiply, .tuple(let list), _): if let count = right.index { return try tuple(repeated(list, count)) }
        case (.multiply, _, .tuple(let list)): if let count = left.index { return try tuple(repeated(list, count)) }
        case (.remainder, .text(let format), _): return try made(try percentFormat(format, right))
        default: break
        }
        throw .failure(
            left.undefinedReason ?? right.undefinedReason
                ?? "`\(operation.symbol)` does not support \(left.typePhrase) and \(right.typePhrase).")
    }

    /// `+` of texts: what is added to a marked text is escaped.
    func joined(_ left: Text, _ right: Text) throws(ChatTemplateError) -> Value {
        var (left, right) = (left, right)
        if left.isMarkup != right.isMarkup {
            left = left.escaped
            right = right.escaped
        }
        try allow(bytes: left.count + right.count)
        var result = left
        result.append(right)
        return .text(result)
    }

    private func repeated(_ text: Text, _ count: Int) throws(ChatTemplateError) -> Value {
        if count <= 0 || text.isEmpty { return .text(text.slice(0..<0)) }
        let (bytes, overflow) = text.count.multipliedReportingOverflow(by: count)
        try allow(bytes: overflow ? .max : bytes)
        var result = text
        for _ in 1..<count { result.append(text) }
        return .text(result)
    }

    private func repeated(_ list: Jinja.List, _ count: Int) throws(ChatTemplateError) -> [Value] {
        if count <= 0 || list.elements.isEmpty { return [] }
        let (elements, overflow) = list.elements.count.multipliedReportingOverflow(by: count)
        try allow(elements: overflow ? .max : elements)
        return Array(repeatElement(list.elements, count: count).joined())
    }

    private func integers(
        _ operation: Jinja.Expression.Arithmetic, _ left: Int, _ right: Int
    ) throws(ChatTemplateError) -> Value {
        var (result, overflow) = (0, false)
        switch operation {
        case .add: (result, overflow) = left.addingReportingOverflow(right)
        case .subtract: (result, overflow) = left.subtractingReportingOverflow(right)
        case .multiply: (result, overflow) = left.multipliedReportingOverflow(by: right)
        case .divide: return try numbers(operation, Double(left), Double(right))
        case .floorDivide, .remainder:
            if right == 0 { throw .failure("division by zero.") }
            var (quotient, divides) = left.dividedReportingOverflow(by: right)
            var (remainder, _) = left.remainderReportingOverflow(dividingBy: right)
            if remainder != 0, (remainder < 0) != (right < 0) {
                remainder += right
                quotient -= 1
            }
            if operation == .remainder { divides = false }
            (result, overflow) = (operation == .remainder ? remainder : quotient, divides)
        case .power:
            if right < 0 { return try numbers(operation, Double(left), Double(right)) }
            (result, overflow) = power(left, right)
        }
        if overflow { throw .failure("integer overflow: the result exceeds 64 bits.") }
        return .integer(result)
    }

    private func power(_ base: Int, _ exponent: Int) -> (Int, Bool) {
        if base == 0 || base == 1 { return (exponent == 0 ? 1 : base, false) }
        if base == -1 { return (exponent % 2 == 0 ? 1 : -1, false) }
        if exponent > 63 { return (0, true) }
        var result = 1
        for _ in 0..<exponent {
            let (product, overflow) = result.multipliedReportingOverflow(by: base)
            if overflow { return (0, true) }
            result = product
        }
        return (result, false)
    }

    private func numbers(
        _ operation: Jinja.Expression.Arithmetic, _ left: Double, _ right: Double
    ) throws(ChatTemplateError) -> Value {
        switch operation {
        case .add: return .number(left + right)
        case .subtract: return .number(left - right)
        case .multiply: return .number(left * right)
        case .power:
            if left == 0, right < 0 { throw .failure("zero cannot be raised to a negative power.") }
            let result = pow(left, right)
            if result.isNaN, !left.isNaN, !right.isNaN {
                throw .failure("a negative number cannot be raised to a fractional power.")
            }
            if result.isInfinite, left.isFinite, right.isFinite { throw .failure("the result is too large.") }
            return .number(result)
        case .divide, .floorDivide, .remainder:
            if right == 0 { throw .failure("division by zero.") }
            if operation == .divide { return .number(left / right) }
            var remainder = fmod(left, right)
            if remainder != 0, (remainder < 0) != (right < 0) { remainder += right }
            if operation == .remainder { return .number(remainder == 0 ? copysign(0, right) : remainder) }
            return .number(((left - remainder) / right).rounded())
        }
    }

    func negated(_ value: Value) throws(ChatTemplateError) -> Value {
        if let integer = value.index {
            if integer == .min { throw .failure("integer overflow: the result exceeds 64 bits.") }
            return .integer(-integer)
        }
        if case .digits(let digits) = value.content {
            return Value(.digits(digits.hasPrefix("-") ? String(digits.dropFirst()) : "-" + digits))
        }
        guard let number = value.double else { throw .failure(noSign(value)) }
        return .number(-number)
    }

    func signed(_ value: Value) throws(ChatTemplateError) -> Value {
        if let integer = value.index { return .integer(integer) }
        guard value.double != nil else { throw .failure(noSign(value)) }
        return value
    }

    private func noSign(_ value: Value) -> String {
        value.undefinedReason ?? "\(value.typePhrase) cannot have a sign."
    }
}

extension Jinja.Expression.Arithmetic {
    var symbol: String {
        switch self {
        case .add: "+"
        case .subtract: "-"
        case .multiply: "*"
        case .divide: "/"
        case .floorDivide: "//"
        case .remainder: "%"
        case .power: "**"
        }
    }
}

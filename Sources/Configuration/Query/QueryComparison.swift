/// Comparisons of numbers, dates, and ordered text; the raw values are SQL operators.
public enum QueryComparison: String, Hashable, Sendable {
    /// Equal.
    case equal = "="
    /// Not equal.
    case unequal = "<>"
    /// Less than.
    case less = "<"
    /// Less than or equal.
    case lessOrEqual = "<="
    /// Greater than.
    case greater = ">"
    /// Greater than or equal.
    case greaterOrEqual = ">="

    /// Creates a comparison from an operator as typed; `nil` for any other text.
    ///
    /// `:` and `==` mean `=`, and `!=` means `<>`.
    public init?(sign: String) {
        switch sign {
        case ":", "==": self = .equal
        case "!=": self = .unequal
        default: self.init(rawValue: sign)
        }
    }

    /// Returns whether the comparison is true for two values.
    @inlinable @inline(__always)
    public func holds<Value: Comparable>(_ a: Value, _ b: Value) -> Bool {
        switch self {
        case .equal: a == b
        case .unequal: a != b
        case .less: a < b
        case .lessOrEqual: a <= b
        case .greater: a > b
        case .greaterOrEqual: a >= b
        }
    }
}

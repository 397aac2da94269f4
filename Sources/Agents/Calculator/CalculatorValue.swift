/// A number of the calculator: an exact fraction as long as one fits, a double where the result has no fraction or the
/// fraction grows beyond 128 bits.
///
/// The absolute value stays below 2^63 (-2^63 is a value): what is beyond is `nil` from every operation.
enum CalculatorValue {
    /// In lowest terms, the denominator positive.
    case exact(Int128, over: Int128)
    case approximate(Double)

    static let zero = CalculatorValue.exact(0, over: 1)

    /// The fraction in lowest terms; `nil` beyond the range.
    static func fraction(_ numerator: Int128, over denominator: Int128) -> CalculatorValue? {
        guard denominator != 0, numerator != .min, denominator != .min else { return nil }
        let divisor = greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
        let sign: Int128 = denominator < 0 ? -1 : 1
        let top = sign * numerator / Int128(divisor)
        let bottom = sign * denominator / Int128(divisor)
        let whole = top / bottom
        guard whole < limit, whole > -limit || (whole == -limit && top % bottom == 0) else { return nil }
        return .exact(top, over: bottom)
    }

    static func double(_ value: Double) -> CalculatorValue? {
        guard value.isFinite, abs(value) < 0x1p63 else { return nil }
        return .approximate(value)
    }

    /// 2^63.
    private static let limit: Int128 = 1 << 63

    private static func greatestCommonDivisor(_ one: UInt128, _ other: UInt128) -> UInt128 {
        var (one, other) = (one, other)
        while other != 0 { (one, other) = (other, one % other) }
        return one == 0 ? 1 : one
    }

    var double: Double {
        switch self {
        case .exact(let top, let bottom): Double(top) / Double(bottom)
        case .approximate(let value): value
        }
    }

    var isZero: Bool {
        switch self {
        case .exact(let top, _): top == 0
        case .approximate(let value): value == 0
        }
    }

    var isNegative: Bool {
        switch self {
        case .exact(let top, _): top < 0
        case .approximate(let value): value < 0
        }
    }

    /// The value if it is an integer that is known exactly.
    var integer: Int64? {
        guard case .exact(let top, 1) = self else { return nil }
        return Int64(exactly: top)
    }

    /// Returns the exact result of `exact` if both sides are fractions and it fits; otherwise, the result of `rounded`.
    private static func either(
        _ left: CalculatorValue, _ right: CalculatorValue,
        exact: (_ a: Int128, _ b: Int128, _ c: Int128, _ d: Int128) -> (Int128, Int128)?,
        rounded: (Double, Double) -> Double
    ) -> CalculatorValue? {
        if case .exact(let a, let b) = left, case .exact(let c, let d) = right, let (top, bottom) = exact(a, b, c, d),
            top != .min, bottom != .min
        {
            return fraction(top, over: bottom)
        }
        return double(rounded(left.double, right.double))
    }

    func plus(_ other: CalculatorValue) -> CalculatorValue? {
        Self.either(self, other, exact: Self.sum, rounded: +)
    }

    func minus(_ other: CalculatorValue) -> CalculatorValue? {
        Self.either(
            self, other, exact: { a, b, c, d in c == .min ? nil : Self.sum(a, b, -c, d) }, rounded: -)
    }

    func times(_ other: CalculatorValue) -> CalculatorValue? {
        Self.either(
            self, other, exact: { a, b, c, d in Self.pair(Self.product(a, c), Self.product(b, d)) }, rounded: *)
    }

    /// The divisor is not zero.
    func divided(by other: CalculatorValue) -> CalculatorValue? {
        Self.either(
            self, other, exact: { a, b, c, d in Self.pair(Self.product(a, d), Self.product(b, c)) }, rounded: /)
    }

    /// What is left of a division whose quotient is rounded down: it has the divisor's sign. The divisor is not zero.
    func remainder(by other: CalculatorValue) -> CalculatorValue? {
        Self.either(
            self, other,
            exact: { a, b, c, d in
                guard let left = Self.product(a, d), let right = Self.product(c, b), let scale = Self.product(b, d),
                    left != .min, right != .min
                else { return nil }
                let rest = left % right
                return (rest != 0 && (rest < 0) != (right < 0) ? rest + right : rest, scale)
            },
            rounded: { left, right in
                let rest = left.truncatingRemainder(dividingBy: right)
                return rest != 0 && (rest < 0) != (right < 0) ? rest + right : rest
            })
    }

    var negated: CalculatorValue? {
        switch self {
        case .exact(let top, let bottom): top == .min ? nil : Self.fraction(-top, over: bottom)
        case .approximate(let value): .approximate(-value)
        }
    }

    /// Returns whether this value is less than the other; exact if both are exact and the products fit.
    func isLess(than other: CalculatorValue) -> Bool {
        if case .exact(let a, let b) = self, case .exact(let c, let d) = other, let left = Self.product(a, d),
            let right = Self.product(c, b)
        {
            return left < right
        }
        return double < other.double
    }

    private static func product(_ left: Int128, _ right: Int128) -> Int128? {
        let (value, overflows) = left.multipliedReportingOverflow(by: right)
        return overflows ? nil : value
    }

    private static func pair(_ top: Int128?, _ bottom: Int128?) -> (Int128, Int128)? {
        if let top, let bottom { (top, bottom) } else { nil }
    }

    private static func sum(_ a: Int128, _ b: Int128, _ c: Int128, _ d: Int128) -> (Int128, Int128)? {
        guard let left = product(a, d), let right = product(c, b), let scale = product(b, d) else { return nil }
        let (value, overflows) = left.addingReportingOverflow(right)
        return overflows ? nil : (value, scale)
    }
}

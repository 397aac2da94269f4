internal import Glibc

extension CalculatorValue {
    /// Why a power has no value.
    enum PowerProblem: Error {
        case zeroToNegative, negativeToFraction, tooLarge
    }

    /// This to the power of `exponent`: exact for whole exponents as long as the fraction fits.
    func power(_ exponent: CalculatorValue) throws(PowerProblem) -> CalculatorValue {
        if isZero {
            if exponent.isNegative { throw .zeroToNegative }
            return exponent.isZero ? .exact(1, over: 1) : .zero
        }
        if let whole = exponent.integer {
            if let exact = wholePower(whole) { return exact }
        } else if isNegative {
            throw .negativeToFraction
        }
        guard let value = CalculatorValue.double(pow(double, exponent.double)) else { throw .tooLarge }
        return value
    }

    /// Returns a power by repeated squaring; `nil` if a factor exceeds the range or 128 bits.
    private func wholePower(_ exponent: Int64) -> CalculatorValue? {
        guard case .exact(var top, var bottom) = self else { return nil }
        if exponent < 0 { (top, bottom) = (bottom, top) }
        var rest = exponent.magnitude
        var (resultTop, resultBottom): (Int128, Int128) = (1, 1)
        while true {
            if rest & 1 == 1 {
                let upper = resultTop.multipliedReportingOverflow(by: top)
                let lower = resultBottom.multipliedReportingOverflow(by: bottom)
                guard !upper.overflow, !lower.overflow else { return nil }
                (resultTop, resultBottom) = (upper.partialValue, lower.partialValue)
            }
            rest >>= 1
            if rest == 0 { return CalculatorValue.fraction(resultTop, over: resultBottom) }
            let upper = top.multipliedReportingOverflow(by: top)
            let lower = bottom.multipliedReportingOverflow(by: bottom)
            guard !upper.overflow, !lower.overflow else { return nil }
            (top, bottom) = (upper.partialValue, lower.partialValue)
        }
    }

    /// The root; exact for squares of fractions. The value is not negative.
    var squareRoot: CalculatorValue? {
        if case .exact(let top, let bottom) = self, let upper = Self.exactRoot(top), let lower = Self.exactRoot(bottom)
        {
            return .fraction(upper, over: lower)
        }
        return .double(double.squareRoot())
    }

    private static func exactRoot(_ value: Int128) -> Int128? {
        guard value >= 0, value < 1 << 100 else { return nil }
        var root = Int128(Double(value).squareRoot())
        // The double is off by at most a few units at this size.
        while root > 0, root * root > value { root -= 1 }
        while (root + 1) * (root + 1) <= value { root += 1 }
        return root * root == value ? root : nil
    }

    /// Returns the value rounded half away from zero to `digits` digits after the point, 0 to 6.
    func rounded(digits: Int) -> CalculatorValue? {
        let scale = Self.scale(digits)
        guard let scaled = scaledInteger(scale) else { return self }
        return .fraction(scaled, over: scale)
    }

    /// An integer plainly, anything else rounded half away from zero to six digits after the point, without zeros at
    /// the end: `84`, `-3`, `2.5`, `0.333333`.
    var text: String {
        if let integer { return String(integer) }
        let scale = Self.scale(6)
        guard let scaled = scaledInteger(scale) else { return String(Int128(double)) }
        let magnitude = scaled.magnitude
        let whole = magnitude / UInt128(scale)
        var digits = String(magnitude % UInt128(scale))
        digits = String(repeating: "0", count: 6 - digits.count) + digits
        while digits.last == "0" { digits.removeLast() }
        return (scaled < 0 ? "-" : "") + String(whole) + (digits.isEmpty ? "" : "." + digits)
    }

    private static func scale(_ digits: Int) -> Int128 { (0..<digits).reduce(1) { power, _ in power * 10 } }

    /// The value times `scale`, rounded half away from zero; `nil` for doubles so large that they are whole anyway.
    private func scaledInteger(_ scale: Int128) -> Int128? {
        switch self {
        case .exact(let top, let bottom):
            // The whole part and the rest apart: neither leaves 128 bits, except for fractions with huge denominators.
            let whole = top / bottom
            let rest = top % bottom
            let (scaled, overflows) = rest.multipliedReportingOverflow(by: 2 * scale)
            guard !overflows else { return Self.scaled(double, scale) }
            let twice = scaled / bottom
            return whole * scale + (twice + (twice < 0 ? -1 : twice > 0 ? 1 : 0)) / 2
        case .approximate(let value): return Self.scaled(value, scale)
        }
    }

    private static func scaled(_ value: Double, _ scale: Int128) -> Int128? {
        abs(value) < 0x1p52 ? Int128((value * Double(scale)).rounded(.toNearestOrAwayFromZero)) : nil
    }
}

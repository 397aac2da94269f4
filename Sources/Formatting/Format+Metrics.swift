/// Results of evaluations and training runs.
extension Format {
    /// Returns a metric or measurement: `0.873`, `12.35`, `0.0106`, `12,345`, or `1.16e-30`.
    ///
    /// Values below 10 have three decimals, larger ones fewer, and small ones enough for three significant digits.
    public static func metric(_ value: Double) -> String {
        let size = value.magnitude
        guard size.isFinite else { return fixed(value, digits: 0) }
        if size >= 1e12 || size != 0 && size < 1e-7 { return scientific(value) }
        if size >= 9_999.5 { return count(value) }
        if size >= 0.09995 || size == 0 {
            return fixed(value, digits: size >= 999.95 ? 0 : size >= 99.995 ? 1 : size >= 9.9995 ? 2 : 3)
        }
        var digits = 4
        while digits < 9, size * powersOfTen[digits] < 99.95 { digits += 1 }
        return fixed(value, digits: digits)
    }

    /// Returns the score of one sample, such as `1` or `0.250`; empty if it is NaN.
    public static func score(_ value: Double) -> String {
        value.isNaN ? "" : value == value.rounded() && value.magnitude < 1e6 ? fixed(value, digits: 0) : metric(value)
    }

    /// Returns a loss with four significant digits, so that the last steps of a run remain distinguishable: `0.6943`,
    /// `8.317`, or `12.04`; `NaN` for NaN, because a diverged loss is a result.
    public static func loss(_ value: Double) -> String {
        let size = value.magnitude
        guard value.isFinite else { return value.isNaN ? "NaN" : fixed(value, digits: 0) }
        if size >= 999.95 || (size < 0.001 && size > 0) { return compact(value) }
        return fixed(value, digits: size >= 99.995 ? 1 : size >= 9.9995 ? 2 : size >= 0.99995 ? 3 : 4)
    }

    /// Returns the norm of gradients or weights with three significant digits, for columns: `12.4`, `1.07`, or `0.034`;
    /// `NaN` for NaN.
    public static func norm(_ value: Double) -> String {
        let size = value.magnitude
        guard value.isFinite else { return loss(value) }
        if size >= 999.5 || (size < 0.01 && size > 0) { return scientific(value) }
        return fixed(value, digits: size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3)
    }

    /// Returns the parts of a sum with a fixed number of decimals, rounded so that the digits of the parts add up to
    /// those of the total (largest-remainder method).
    ///
    /// Parts that do not add up to the total are rounded individually.
    public static func parts(_ values: [Double], of total: Double, digits: Int) -> [String] {
        let scale = powersOfTen[min(max(0, digits), powersOfTen.count - 1)]
        let exact = values.map { $0 * scale }
        guard (exact + [total * scale]).allSatisfy({ $0.magnitude < 1e15 }) else {
            return values.map { fixed($0, digits: digits) }
        }
        var whole = exact.map { Int($0.rounded(.down)) }
        let missing = Int((total * scale).rounded()) - whole.reduce(0, +)
        guard (0...values.count).contains(missing) else { return values.map { fixed($0, digits: digits) } }
        let byRemainder = exact.indices.sorted {
            (Double(whole[$0]) - exact[$0], $0) < (Double(whole[$1]) - exact[$1], $1)
        }
        for index in byRemainder.prefix(missing) { whole[index] += 1 }
        return whole.map { fixed(Double($0) / scale, digits: digits) }
    }
}

internal import Glibc
public import Statistics

/// Figures of evaluations as text. Reports, screens, and sentences all use these functions, so a figure reads the same
/// everywhere.
public enum EvalFigure {
    /// Returns a metric or measurement: `0.873`, `12.35`, `0.0106`, `12,345`, `1.16e-30`; `–` if it is not a number.
    ///
    /// Values below 10 have three decimals, larger ones fewer, and small ones enough for three significant digits.
    public static func value(_ value: Double) -> String {
        let size = value.magnitude
        guard size.isFinite else { return value.isNaN ? "–" : value > 0 ? "∞" : "-∞" }
        if size >= 1e12 || size != 0 && size < 1e-7 { return scientific(value) }
        if size >= 999.95 {
            guard size >= 9_999.5 else { return fixed(value, 0) }
            return grouped(Int(value.rounded()))
        }
        if size >= 9.9995 { return fixed(value, size >= 99.995 ? 1 : 2) }
        guard size == 0 || size >= 0.09995 else {
            var digits = 4
            while digits < 9, size * pow(10, Double(digits)) < 99.95 { digits += 1 }
            return fixed(value, digits)
        }
        return fixed(value, 3)
    }

    /// Returns the score of one sample: `1`, `0.250`; empty if it has none.
    public static func score(_ value: Double) -> String {
        value.isNaN ? "" : value == value.rounded() && value.magnitude < 1e6 ? fixed(value, 0) : Self.value(value)
    }

    /// Returns an interval such as `[0.851, 0.893]`; `nil` unless both bounds are finite.
    public static func interval(_ lower: Double?, _ upper: Double?) -> String? {
        guard let lower, let upper, lower.isFinite, upper.isFinite else { return nil }
        return "[\(value(lower)), \(value(upper))]"
    }

    /// Returns an interval such as `[0.851, 0.893]`.
    public static func interval(_ interval: Interval?) -> String? { Self.interval(interval?.lower, interval?.upper) }

    /// Returns a level or a share: `95 %`, `86.7 %`, `99.9 %`.
    public static func percent(_ share: Double) -> String {
        guard share.isFinite else { return "–" }
        let percent = share * 100
        // A level close to 1 must not round to 100 %.
        var digits = 1
        while digits < 6, percent < 100, percent > 99.5,
            (percent * pow(10, Double(digits))).rounded() == pow(10, Double(digits + 2))
        {
            digits += 1
        }
        var text = fixed(percent, digits)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text + " %"
    }

    /// Returns a p value: `.034`, `.39`, `< .001`, `1`.
    ///
    /// A p value close to .05 keeps enough digits to show on which side it is.
    public static func pValue(_ value: Double) -> String {
        guard value.isFinite else { return "–" }
        if value < 0.001 { return "< .001" }
        if value > 0.995 { return "1" }
        var digits = value < 0.0995 ? 3 : 2
        while digits < 8, value < 0.05, fixed(value, digits) == fixed(0.05, digits) { digits += 1 }
        return String(fixed(value, digits).dropFirst())
    }

    /// Returns a labeled p value: `p .034`, `p < .001`.
    public static func p(_ value: Double) -> String { "p " + pValue(value) }

    /// Returns points, which are hundredths of a score: `3.0`.
    public static func points(_ value: Double) -> String { fixed(value * 100, 1) }

    /// Returns 12345 as `12,345`.
    public static func grouped(_ number: Int) -> String {
        var text = ""
        for (place, digit) in String(number.magnitude).reversed().enumerated() {
            if place > 0, place.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return (number < 0 ? "-" : "") + String(text.reversed())
    }

    /// Returns a count with its noun: `1 sample`, `3 samples`.
    public static func count(_ number: Int, _ noun: String) -> String {
        "\(grouped(number)) \(noun)" + (number == 1 ? "" : "s")
    }

    /// Rounds to this many decimals, without a sign on zero: -0.0 is 0.0.
    public static func fixed(_ value: Double, _ decimals: Int) -> String {
        guard value.isFinite else { return value.isNaN ? "–" : value > 0 ? "∞" : "-∞" }
        guard abs(value) < 1e12 else { return "\(value)" }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let whole = (abs(value) * scale).rounded()
        guard whole < 9e15 else { return "\(value)" }
        let number = Int(whole)
        let sign = value < 0 && number > 0 ? "-" : ""
        guard decimals > 0 else { return sign + String(number) }
        let unit = Int(scale)
        let rest = String(number % unit)
        return sign + String(number / unit) + "." + String(repeating: "0", count: decimals - rest.count) + rest
    }

    private static func scientific(_ value: Double) -> String {
        var (size, exponent) = (value.magnitude, 0)
        while size >= 9.995 { (size, exponent) = (size / 10, exponent + 1) }
        while size < 0.9995 { (size, exponent) = (size * 10, exponent - 1) }
        return (value < 0 ? "-" : "") + fixed(size, 2) + "e\(exponent)"
    }
}

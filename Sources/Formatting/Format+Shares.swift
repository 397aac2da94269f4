internal import Glibc

/// Shares, probabilities, and statistics.
extension Format {
    /// Returns a share as a percentage, such as `93 %` or `0.6 %`.
    ///
    /// - Parameter digits: Number of decimals (default: one below 10 %, none above).
    public static func percent(_ fraction: Double, digits: Int? = nil) -> String {
        guard fraction.isFinite else { return "–" }
        let percent = fraction * 100
        if let digits { return fixed(percent, digits: digits) + " %" }
        return (percent.magnitude < 9.95 ? trimmed(fixed(percent, digits: 1)) : fixed(percent, digits: 0)) + " %"
    }

    /// Returns a part of a count like ``percent(_:digits:)``, such as `93 %`; `0 %` if the total is 0.
    public static func percent(_ part: Int, of total: Int) -> String {
        percent(total > 0 ? Double(part) / Double(total) : 0)
    }

    /// Returns progress as a percentage, rounded down, such as `24 %`; `100 %` only if the work is complete.
    public static func progress(_ fraction: Double) -> String {
        guard fraction.isFinite else { return "–" }
        if fraction >= 1 { return "100 %" }
        // The addend corrects products such as 0.29 * 100, which is slightly less than 29.
        return "\(min(99, Int((max(0, fraction) * 100 + 1e-9).rounded(.down)))) %"
    }

    /// Returns a median share with its range, such as `25 % 18–108`.
    public static func percent(_ middle: Double, from low: Double, to high: Double) -> String {
        func number(_ value: Double) -> String { fixed(value * 100, digits: value < 0.0995 ? 1 : 0) }
        return "\(number(middle)) % \(number(low))–\(number(high))"
    }

    /// Returns a probability with two decimals, such as `97.31 %`, `0.02 %`, or `<0.01 %`.
    ///
    /// `100 %` means at least 99.995 %, and `0 %` means exactly zero.
    public static func probability(_ value: Double) -> String {
        guard value.isFinite else { return "–" }
        let percent = value * 100
        if percent <= 0 { return "0 %" }
        if percent < 0.01 { return "<0.01 %" }
        return percent >= 99.995 ? "100 %" : fixed(percent, digits: 2) + " %"
    }

    /// Returns a share or confidence level with as many decimals as it needs: `95 %`, `86.7 %`, or `99.9 %`.
    ///
    /// A share close to 1 never rounds to `100 %`.
    public static func share(_ fraction: Double) -> String {
        guard fraction.isFinite else { return "–" }
        let percent = fraction * 100
        var digits = 1
        while digits < 6, percent < 100, percent > 99.5,
            (percent * powersOfTen[digits]).rounded() == powersOfTen[digits + 2]
        {
            digits += 1
        }
        return trimmed(percent, digits: digits) + " %"
    }

    /// Returns a part of a count like ``share(_:)``, such as `86.7 %`; `0 %` if the total is 0.
    public static func share(_ part: Int, of total: Int) -> String {
        share(total > 0 ? Double(part) / Double(total) : 0)
    }

    /// Returns percentage points, such as `3.0` for 0.03.
    ///
    /// - Parameter digits: Number of decimals (default: 1).
    public static func points(_ fraction: Double, digits: Int = 1) -> String { fixed(fraction * 100, digits: digits) }

    /// Returns a p value, such as `.034`, `.39`, `< .001`, or `1`.
    ///
    /// A p value close to .05 keeps enough digits to show which side it is on.
    public static func pValue(_ value: Double) -> String {
        guard value.isFinite else { return "–" }
        if value < 0.001 { return "< .001" }
        if value > 0.995 { return "1" }
        var digits = value < 0.0995 ? 3 : 2
        while digits < 8, value < 0.05, fixed(value, digits: digits) == fixed(0.05, digits: digits) { digits += 1 }
        return String(fixed(value, digits: digits).dropFirst())
    }

    /// Returns an interval such as `[0.851, 0.893]`, with the digits of ``metric(_:)``; `nil` unless both bounds are
    /// finite.
    public static func interval(_ lower: Double?, _ upper: Double?) -> String? {
        guard let lower, let upper, lower.isFinite, upper.isFinite else { return nil }
        return "[\(metric(lower)), \(metric(upper))]"
    }
}

internal import Glibc

/// A number formatter for axes and bars.
public enum AxisLabel {
    /// Returns a short form of a number, with three or four significant digits and no trailing zeros: `412`, `1.24M`,
    /// `88k`, `0.035`, `3.1e-05`.
    public static func text(_ value: Double) -> String {
        let size = abs(value)
        guard value.isFinite, size > 0 else { return Format.fixed(value, digits: 0) }
        // A value that rounds up to the next prefix gets that prefix: 999,950 is 1M.
        for (unit, prefix) in [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")] where size >= unit * 0.9995 {
            if size >= 0.9995e15 { break }
            return significant(value / unit) + prefix
        }
        // Values that round up to 0.001 need no power of ten.
        if size >= 0.000_999_5, size < 1_000 { return significant(value) }
        return power(value) { decimal($0, digits: 2) }
    }

    /// Returns a finite nonzero number in scientific notation: `3.1e-05`.
    ///
    /// - Parameter mantissa: Formats the number before the power of ten with at most two decimals. The magnitude of
    ///   that number is below 9.995, so the result is never 10.
    package static func power(_ value: Double, mantissa write: (Double) -> String) -> String {
        var exponent = Int(floor(log10(abs(value))))
        // Scale in two steps, because ten to the power of the smallest exponents underflows to 0.
        var mantissa =
            exponent < -300 ? value * 1e300 / pow(10, Double(exponent + 300)) : value / pow(10, Double(exponent))
        if abs(mantissa) >= 9.995 {
            mantissa /= 10
            exponent += 1
        }
        let digits = abs(exponent) < 10 ? "0\(abs(exponent))" : "\(abs(exponent))"
        return write(mantissa) + (exponent < 0 ? "e-" : "e+") + digits
    }

    private static func significant(_ value: Double) -> String {
        let size = abs(value)
        let digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : size >= 0.09995 ? 3 : 5
        return decimal(value, digits: digits)
    }

    /// Returns a number with at most `digits` decimals and no trailing zeros.
    static func decimal(_ value: Double, digits: Int) -> String {
        var text = Format.fixed(value, digits: digits)
        guard text.utf8.contains(UInt8(ascii: ".")) else { return text }
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text
    }
}

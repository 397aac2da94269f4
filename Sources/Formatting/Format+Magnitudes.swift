internal import Glibc

/// Numbers of any size: prefixes and powers of ten.
extension Format {
    /// Returns a number with at most three digits, such as `999`, `12.1k`, or `1.24M`.
    public static func compact(_ value: Int) -> String {
        let sign = value < 0 ? "-" : ""
        if value.magnitude < 1_000 { return String(value) }
        return sign + prefixed(Double(value.magnitude), units: ["", "k", "M", "G", "T", "P", "E"])
    }

    /// Returns three significant digits without trailing zeros, and the unit that fits in powers of 1,000.
    static func prefixed(_ value: Double, units: [String]) -> String {
        var value = value
        var unit = 0
        while unit < units.count - 1, value >= 999.5 {
            value /= 1_000
            unit += 1
        }
        // The limits allow for rounding: 9.996 becomes 10.0.
        let digits = unit == 0 ? 0 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0
        return trimmed(value, digits: digits) + units[unit]
    }

    /// Returns a short form of a number, with three or four significant digits and no trailing zeros: `412`, `1.24M`,
    /// `88k`, `0.035`, `3.1e-05`.
    public static func compact(_ value: Double) -> String {
        let size = value.magnitude
        guard value.isFinite, size > 0 else { return fixed(value, digits: 0) }
        // A value that rounds up to the next prefix gets that prefix: 999,950 is 1M.
        for (unit, prefix) in [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")] where size >= unit * 0.9995 {
            if size >= 0.9995e15 { break }
            return short(value / unit) + prefix
        }
        // Values that round up to 0.001 need no power of ten.
        if size >= 0.000_999_5, size < 1_000 { return short(value) }
        return scientific(value, trimmed: true)
    }

    private static func short(_ value: Double) -> String {
        let size = value.magnitude
        return trimmed(
            value, digits: size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : size >= 0.09995 ? 3 : 5)
    }

    /// Returns a number in scientific notation with three significant digits, such as `4.09e-03`, for columns that span
    /// many orders of magnitude; `0` for zero.
    ///
    /// - Parameter trimmed: Whether to omit trailing zeros, as in `3.1e-05`.
    public static func scientific(_ value: Double, trimmed: Bool = false) -> String {
        guard value.isFinite, value != 0 else { return fixed(value, digits: 0) }
        let (mantissa, exponent) = mantissa(of: value)
        let digits = trimmed ? Self.trimmed(mantissa, digits: 2) : fixed(mantissa, digits: 2)
        return digits + (exponent < 0 ? "e-" : "e+") + padded(abs(exponent), digits: 2)
    }

    /// Returns a number inside a formula: small whole numbers are exact, others have three significant digits, such as
    /// `8192`, `0.4`, or `8.09e22`.
    public static func factor(_ value: Double) -> String {
        if let integer = Int(exactly: value), integer.magnitude < 10_000_000 { return String(integer) }
        guard value.isFinite else { return fixed(value, digits: 0) }
        let (mantissa, exponent) = mantissa(of: value)
        if exponent >= 6 || exponent < -3 { return "\(trimmed(mantissa, digits: 2))e\(exponent)" }
        let unit = pow(10, Double(exponent - 2))
        return trimmed((value / unit).rounded() * unit, digits: max(0, 2 - exponent))
    }

    /// Splits a finite nonzero number into a mantissa and a power of ten. The magnitude of the mantissa is below 9.995,
    /// so with two decimals it never rounds to 10.
    private static func mantissa(of value: Double) -> (mantissa: Double, exponent: Int) {
        var exponent = Int(floor(log10(value.magnitude)))
        // Scale in two steps, because ten to the power of the smallest exponents underflows to 0.
        var mantissa =
            exponent < -300 ? value * 1e300 / pow(10, Double(exponent + 300)) : value / pow(10, Double(exponent))
        if mantissa.magnitude >= 9.995 {
            mantissa /= 10
            exponent += 1
        }
        return (mantissa, exponent)
    }
}

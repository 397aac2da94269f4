internal import Glibc

/// Numbers beside axes and bars.
public enum AxisLabel {
    /// A number in three figures, without zeros that say nothing: `412`, `1.24M`, `88k`, `0.035`, `3.1e-05`.
    public static func text(_ value: Double) -> String {
        let size = abs(value)
        guard value.isFinite, size > 0 else { return Format.fixed(value, digits: 0) }
        // What rounds up to the next prefix takes it: 999,950 is 1M.
        for (unit, prefix) in [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")] where size >= unit * 0.9995 {
            if size >= 1e15 { break }
            return significant(value / unit) + prefix
        }
        if size >= 0.001, size < 1_000 { return significant(value) }
        let exponent = Int(floor(log10(size)))
        let digits = abs(exponent) < 10 ? "0\(abs(exponent))" : "\(abs(exponent))"
        return significant(value / pow(10, Double(exponent))) + (exponent < 0 ? "e-" : "e+") + digits
    }

    private static func significant(_ value: Double) -> String {
        let size = abs(value)
        let digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : size >= 0.09995 ? 3 : 5
        return decimal(value, digits: digits)
    }

    /// A number with so many decimals at most.
    static func decimal(_ value: Double, digits: Int) -> String {
        var text = Format.fixed(value, digits: digits)
        guard text.utf8.contains(UInt8(ascii: ".")) else { return text }
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text
    }
}

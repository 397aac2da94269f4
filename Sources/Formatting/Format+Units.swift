/// Figures with units: sizes, rates, and amounts.
extension Format {
    /// Returns a number of bytes in powers of 1,000, such as `512 B` or `118 MB`.
    public static func bytes(_ value: Int) -> String {
        let units = [" B", " kB", " MB", " GB", " TB", " PB", " EB"]
        return (value < 0 ? "-" : "") + prefixed(Double(value.magnitude), units: units)
    }

    /// Returns a number of bytes stored as a decimal number, such as `274 MB`; in scientific notation above 9e18.
    public static func bytes(_ value: Double) -> String {
        value.isFinite && value.magnitude < 9e18 ? bytes(Int(value)) : compact(value) + " B"
    }

    /// Returns a number of bytes in powers of 1,024, such as `48 KiB` or `1.5 MiB`, for caches and pages.
    public static func binaryBytes(_ value: Int) -> String {
        if value >= 1 << 30, value % (1 << 30) == 0 { return "\(value >> 30) GiB" }
        if value >= 1 << 20 { return trimmed(Double(value) / Double(1 << 20), digits: 1) + " MiB" }
        return value >= 1 << 10 ? "\(value >> 10) KiB" : "\(value) B"
    }

    /// Returns a data rate, such as `118 MB/s`.
    public static func rate(bytesPerSecond: Double) -> String {
        guard bytesPerSecond.isFinite, bytesPerSecond >= 0, bytesPerSecond < 9e18 else { return "–" }
        return bytes(Int(bytesPerSecond)) + "/s"
    }

    /// Returns a rate, such as `52.3k spans/s`, with one decimal below 10.
    public static func rate(_ perSecond: Double, _ things: String) -> String {
        guard perSecond.isFinite, perSecond >= 0, perSecond < 9e18 else { return "–" }
        let number = perSecond < 9.95 ? trimmed(fixed(perSecond, digits: 1)) : compact(Int(perSecond.rounded()))
        return things.isEmpty ? "\(number)/s" : "\(number) \(things)/s"
    }

    /// Returns a number of arithmetic operations, such as `268 GFLOP`.
    public static func operations(_ value: Double, isFloatingPoint: Bool = true) -> String {
        let unit = isFloatingPoint ? "FLOP" : "OP"
        let number = compact(value)
        guard let prefix = number.last, "kMGT".contains(prefix) else { return "\(number) \(unit)" }
        return "\(number.dropLast()) \(prefix)\(unit)"
    }

    /// Returns a rate of arithmetic operations, such as `218 GFLOP/s` or `980 GOP/s`; at least in millions.
    public static func rate(operationsPerSecond: Double, isFloatingPoint: Bool = true) -> String {
        let unit = isFloatingPoint ? "FLOP/s" : "OP/s"
        let rate = operationsPerSecond
        guard rate > 0 else { return "0 \(unit)" }
        let (factor, prefix) = rate >= 0.9995e12 ? (1e12, "T") : rate >= 0.9995e9 ? (1e9, "G") : (1e6, "M")
        return "\(compact(rate / factor)) \(prefix)\(unit)"
    }

    /// Returns an amount in dollars, such as `$3.18` or `$1,204`, with two significant digits below a cent.
    public static func money(_ dollars: Double) -> String {
        guard dollars.isFinite, dollars.magnitude < 9e15 else { return "–" }
        let sign = dollars < 0 ? "-" : ""
        let amount = dollars.magnitude
        if amount >= 999.995 { return "\(sign)$\(count(Int(amount.rounded())))" }
        if amount >= 0.00995 || amount == 0 { return "\(sign)$\(fixed(amount, digits: 2))" }
        var digits = 4
        while digits < 8, amount < 0.995 * powersOfTen[1] / powersOfTen[digits] { digits += 1 }
        return "\(sign)$\(trimmed(fixed(amount, digits: digits)))"
    }
}

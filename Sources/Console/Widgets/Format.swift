/// Numbers as a person reads them: few digits, a unit, a blank between the two.
public enum Format {
    /// A number with so many decimals: `4.80`. What is no number is `–`.
    public static func fixed(_ value: Double, digits: Int) -> String {
        guard value.isFinite else { return value.isNaN ? "–" : value > 0 ? "∞" : "-∞" }
        let scale = powersOfTen[min(max(0, digits), powersOfTen.count - 1)]
        let scaled = (value.magnitude * scale).rounded()
        // Beyond 2^53 a double has no decimals to show.
        guard scaled < 9e15 else { return (value < 0 ? "-" : "") + String(value.magnitude) }
        let whole = String(Int(scaled / scale))
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard digits > 0 else { return sign + whole }
        let part = String(Int(scaled.truncatingRemainder(dividingBy: scale)))
        let width = min(digits, powersOfTen.count - 1)
        return "\(sign)\(whole).\(String(repeating: "0", count: width - part.utf8.count))\(part)"
    }

    /// An integer with its thousands set off: `61,204`.
    public static func count(_ value: Int) -> String {
        let digits = String(value.magnitude)
        var grouped: [UInt8] = []
        for (index, digit) in digits.utf8.enumerated() {
            if index > 0, (digits.utf8.count - index) % 3 == 0 { grouped.append(UInt8(ascii: ",")) }
            grouped.append(digit)
        }
        return (value < 0 ? "-" : "") + String(decoding: grouped, as: UTF8.self)
    }

    /// A count that a file or an axis holds as a decimal: `244`; without grouping above 1e15.
    public static func count(_ value: Double) -> String {
        value.magnitude < 1e15 ? count(Int(value.rounded())) : AxisLabel.text(value)
    }

    /// A count with its noun: `1 token`, `61,204 tokens`. The plural adds an s.
    public static func count(_ value: Int, _ thing: String) -> String {
        "\(count(value)) \(thing)\(value.magnitude == 1 ? "" : "s")"
    }

    /// A number in three digits at most: `999`, `12.1k`, `1.24M`.
    public static func compact(_ value: Int) -> String {
        let sign = value < 0 ? "-" : ""
        if value.magnitude < 1_000 { return String(value) }
        return sign + threeDigits(Double(value.magnitude), base: 1_000, units: ["", "k", "M", "G", "T", "P", "E"])
    }

    /// A measurement in three significant digits, for columns: `221`, `24.1`, `1.38`.
    public static func threeDigits(_ value: Double) -> String {
        fixed(value, digits: value.magnitude >= 99.95 ? 0 : value.magnitude >= 9.995 ? 1 : 2)
    }

    /// Three significant digits and a unit, without idle zeros.
    private static func threeDigits(_ value: Double, base: Double, units: [String]) -> String {
        var value = value
        var unit = 0
        while unit < units.count - 1, value >= base * 0.9995 {
            value /= base
            unit += 1
        }
        // The digits are counted after rounding: 9.996 is 10.0.
        let digits = unit == 0 ? 0 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0
        return trimmed(fixed(value, digits: digits)) + units[unit]
    }

    /// A decimal without zeros at its end.
    private static func trimmed(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: ".")) else { return text }
        var end = text.utf8.count
        let bytes = Array(text.utf8)
        while bytes[end - 1] == UInt8(ascii: "0") { end -= 1 }
        if bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    /// A number of bytes in powers of 1,000: `512 B`, `118 MB`.
    public static func bytes(_ value: Int) -> String {
        let sign = value < 0 ? "-" : ""
        return sign
            + threeDigits(
                Double(value.magnitude), base: 1_000, units: [" B", " kB", " MB", " GB", " TB", " PB", " EB"])
    }

    /// Bytes a second: `118 MB/s`.
    public static func rate(bytesPerSecond: Double) -> String {
        guard bytesPerSecond.isFinite, bytesPerSecond >= 0, bytesPerSecond < 9e18 else { return "–" }
        return bytes(Int(bytesPerSecond)) + "/s"
    }

    /// Things a second: `52.3k spans/s`; below 10 with a decimal.
    public static func rate(_ perSecond: Double, _ things: String) -> String {
        guard perSecond.isFinite, perSecond >= 0, perSecond < 9e18 else { return "–" }
        let number = perSecond < 9.95 ? trimmed(fixed(perSecond, digits: 1)) : compact(Int(perSecond.rounded()))
        return things.isEmpty ? "\(number)/s" : "\(number) \(things)/s"
    }

    /// A share of 1: `93 %`, `0.6 %`. Without a number of digits there is one below 10 %, none above.
    public static func percent(_ fraction: Double, digits: Int? = nil) -> String {
        guard fraction.isFinite else { return "–" }
        let percent = fraction * 100
        if let digits { return fixed(percent, digits: digits) + " %" }
        return (percent.magnitude < 9.95 ? trimmed(fixed(percent, digits: 1)) : fixed(percent, digits: 0)) + " %"
    }

    /// How far work has come, rounded down: `24 %`. `100 %` means that nothing is left.
    public static func progress(_ fraction: Double) -> String {
        guard fraction.isFinite else { return "–" }
        if fraction >= 1 { return "100 %" }
        // 0.29 * 100 is a little less than 29.
        return "\(min(99, Int((max(0, fraction) * 100 + 1e-9).rounded(.down)))) %"
    }

    /// The middle of several shares with their range: `25 % 18–108`.
    public static func percent(_ middle: Double, from low: Double, to high: Double) -> String {
        func number(_ value: Double) -> String { fixed(value * 100, digits: value < 0.0995 ? 1 : 0) }
        return "\(number(middle)) % \(number(low))–\(number(high))"
    }

    /// A probability, with the same decimals everywhere: `97.31 %`, `0.02 %`, `<0.01 %`. `100 %` is at least 99.995 %,
    /// and `0 %` is exactly zero.
    public static func probability(_ value: Double) -> String {
        guard value.isFinite else { return "–" }
        let percent = value * 100
        if percent <= 0 { return "0 %" }
        if percent < 0.01 { return "<0.01 %" }
        return percent >= 99.995 ? "100 %" : fixed(percent, digits: 2) + " %"
    }

    /// Dollars: `$3.18`, `$1,204`; two significant digits below a cent.
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

    private static let powersOfTen: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]
}

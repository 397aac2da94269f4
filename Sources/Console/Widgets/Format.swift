/// Number formatting for display, with few digits and a blank before the unit.
public enum Format {
    /// Returns a number with a fixed number of decimals, such as `4.80`; `–` for NaN.
    public static func fixed(_ value: Double, digits: Int) -> String {
        guard value.isFinite else { return value.isNaN ? "–" : value > 0 ? "∞" : "-∞" }
        let scale = powersOfTen[min(max(0, digits), powersOfTen.count - 1)]
        let scaled = (value.magnitude * scale).rounded()
        // Beyond 2^53, a Double has no decimals.
        guard scaled < 9e15 else { return (value < 0 ? "-" : "") + String(value.magnitude) }
        let whole = String(Int(scaled / scale))
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard digits > 0 else { return sign + whole }
        let part = String(Int(scaled.truncatingRemainder(dividingBy: scale)))
        let width = min(digits, powersOfTen.count - 1)
        return "\(sign)\(whole).\(String(repeating: "0", count: width - part.utf8.count))\(part)"
    }

    /// Returns an integer with thousands separators, such as `61,204`.
    public static func count(_ value: Int) -> String {
        let digits = String(value.magnitude)
        var grouped: [UInt8] = []
        for (index, digit) in digits.utf8.enumerated() {
            if index > 0, (digits.utf8.count - index) % 3 == 0 { grouped.append(UInt8(ascii: ",")) }
            grouped.append(digit)
        }
        return (value < 0 ? "-" : "") + String(decoding: grouped, as: UTF8.self)
    }

    /// Returns a count stored as a decimal number, such as `244`; without thousands separators above 1e15.
    public static func count(_ value: Double) -> String {
        value.magnitude < 1e15 ? count(Int(value.rounded())) : AxisLabel.text(value)
    }

    /// Returns a count with its noun, such as `1 token` or `61,204 tokens`. The plural adds an s.
    public static func count(_ value: Int, _ thing: String) -> String {
        "\(count(value)) \(thing)\(value.magnitude == 1 ? "" : "s")"
    }

    /// Returns a number with at most three digits, such as `999`, `12.1k`, or `1.24M`.
    public static func compact(_ value: Int) -> String {
        let sign = value < 0 ? "-" : ""
        if value.magnitude < 1_000 { return String(value) }
        return sign + threeDigits(Double(value.magnitude), base: 1_000, units: ["", "k", "M", "G", "T", "P", "E"])
    }

    /// Returns a measurement with three significant digits, for columns: `221`, `24.1`, or `1.38`.
    public static func threeDigits(_ value: Double) -> String {
        fixed(value, digits: value.magnitude >= 99.95 ? 0 : value.magnitude >= 9.995 ? 1 : 2)
    }

    /// Returns three significant digits and a unit, without trailing zeros.
    private static func threeDigits(_ value: Double, base: Double, units: [String]) -> String {
        var value = value
        var unit = 0
        while unit < units.count - 1, value >= base * 0.9995 {
            value /= base
            unit += 1
        }
        // The limits allow for rounding: 9.996 becomes 10.0.
        let digits = unit == 0 ? 0 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0
        return trimmed(fixed(value, digits: digits)) + units[unit]
    }

    /// Returns a decimal number without trailing zeros.
    private static func trimmed(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: ".")) else { return text }
        var end = text.utf8.count
        let bytes = Array(text.utf8)
        while bytes[end - 1] == UInt8(ascii: "0") { end -= 1 }
        if bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    /// Returns a number of bytes in powers of 1,000, such as `512 B` or `118 MB`.
    public static func bytes(_ value: Int) -> String {
        let sign = value < 0 ? "-" : ""
        return sign
            + threeDigits(
                Double(value.magnitude), base: 1_000, units: [" B", " kB", " MB", " GB", " TB", " PB", " EB"])
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

    /// Returns a share as a percentage, such as `93 %` or `0.6 %`.
    ///
    /// - Parameter digits: Number of decimals (default: one below 10 %, none above).
    public static func percent(_ fraction: Double, digits: Int? = nil) -> String {
        guard fraction.isFinite else { return "–" }
        let percent = fraction * 100
        if let digits { return fixed(percent, digits: digits) + " %" }
        return (percent.magnitude < 9.95 ? trimmed(fixed(percent, digits: 1)) : fixed(percent, digits: 0)) + " %"
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

    private static let powersOfTen: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]
}

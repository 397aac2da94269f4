/// Number formatting for display: one function per kind of figure, with few digits and a blank before the unit.
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
        value.magnitude < 1e15 ? count(Int(value.rounded())) : compact(value)
    }

    /// Returns a count with its noun, such as `1 token` or `61,204 tokens`. The plural adds an s.
    public static func count(_ value: Int, _ thing: String) -> String {
        "\(count(value)) \(thing)\(value.magnitude == 1 ? "" : "s")"
    }

    /// Returns a count out of a total, such as `244 of 1,000`; the count alone if the total is unknown or 0.
    public static func count(_ value: Int, of total: Int?) -> String {
        guard let total, total > 0 else { return count(value) }
        return "\(count(value)) of \(count(total))"
    }

    /// Returns a measurement with three significant digits, for columns: `221`, `24.1`, or `1.38`.
    public static func threeDigits(_ value: Double) -> String {
        fixed(value, digits: value.magnitude >= 99.95 ? 0 : value.magnitude >= 9.995 ? 1 : 2)
    }

    /// Returns a decimal number without trailing zeros.
    static func trimmed(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: ".")) else { return text }
        let digits = text.utf8.reversed().drop { $0 == UInt8(ascii: "0") }
        let isWhole = digits.first == UInt8(ascii: ".")
        return String(decoding: digits.dropFirst(isWhole ? 1 : 0).reversed(), as: UTF8.self)
    }

    /// Returns a number with at most `digits` decimals and no trailing zeros, such as `1.5` or `2`.
    public static func trimmed(_ value: Double, digits: Int) -> String { trimmed(fixed(value, digits: digits)) }

    /// Returns a number in full, without the fraction `.0` of whole numbers: `3`, `0.125`.
    public static func plain(_ value: Double) -> String {
        value.magnitude < 0x1p53 ? Int(exactly: value).map(String.init) ?? "\(value)" : "\(value)"
    }

    /// Returns a change with its sign, such as `+0.063` or `-0.100`; zero has a plus sign.
    public static func signed(_ value: Double, digits: Int) -> String {
        (value < 0 ? "" : "+") + fixed(value, digits: digits)
    }

    /// Returns an integer with leading zeros up to a number of digits, such as `007`.
    public static func padded(_ value: Int, digits: Int) -> String { padded(String(value), digits: digits) }

    /// Returns an unsigned integer in base 16 with leading zeros, such as `00c0ffee`.
    public static func hexadecimal(_ value: some UnsignedInteger, digits: Int, uppercase: Bool = false) -> String {
        padded(String(value, radix: 16, uppercase: uppercase), digits: digits)
    }

    private static func padded(_ text: String, digits: Int) -> String {
        String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    static let powersOfTen: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]
}

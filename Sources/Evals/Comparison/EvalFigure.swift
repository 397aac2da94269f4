internal import Glibc

/// Numbers as sentences of comparisons show them.
enum EvalFigure {
    /// With so many decimals, without a sign for nothing: -0.0 is 0.0.
    static func fixed(_ value: Double, _ decimals: Int) -> String {
        guard value.isFinite else { return value.isNaN ? "none" : value > 0 ? "infinite" : "-infinite" }
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

    /// With about three digits that count.
    static func short(_ value: Double) -> String {
        guard value.isFinite, value != 0 else { return value == 0 ? "0" : fixed(value, 0) }
        let magnitude = Int(log10(abs(value)).rounded(.down))
        return fixed(value, min(max(2 - magnitude, 0), 9))
    }

    /// 0.95 as `95`, 0.999 as `99.9`.
    static func percent(_ share: Double) -> String {
        let text = fixed(share * 100, 2)
        if text.hasSuffix(".00") { return String(text.dropLast(3)) }
        return text.hasSuffix("0") ? String(text.dropLast()) : text
    }

    /// `p .002`, `p < .001`.
    static func p(_ value: Double) -> String {
        if value < 0.001 { return "p < .001" }
        if value > 0.995 { return "p 1" }
        return "p " + fixed(value, value < 0.0995 ? 3 : 2).dropFirst()
    }

    /// 12345 as `12,345`.
    static func grouped(_ number: Int) -> String {
        var text = ""
        for (place, digit) in String(number.magnitude).reversed().enumerated() {
            if place > 0, place.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return (number < 0 ? "-" : "") + String(text.reversed())
    }

    /// `1 sample`, `3 samples`.
    static func count(_ number: Int, _ noun: String) -> String {
        "\(grouped(number)) \(noun)" + (number == 1 ? "" : "s")
    }
}

/// Parsers of numbers with units.
enum FilterNumber {
    /// Returns the count of `1000`, `1.5k`, `2M`, or `1_000`, rounded to a whole number.
    static func count(_ text: String) -> Int64? {
        guard let (number, unit) = split(text), number >= 0 else { return nil }
        let factor: Double
        switch unit {
        case "": factor = 1
        case "k", "K": factor = 1e3
        case "m", "M": factor = 1e6
        case "g", "G", "b", "B": factor = 1e9
        default: return nil
        }
        return whole(number * factor)
    }

    /// Returns the US dollars of `0.1`, `$0.10`, or `10c` (cents).
    static func dollars(_ text: String) -> Double? {
        let plain = text.hasPrefix("$") ? String(text.dropFirst()) : text
        guard let (number, unit) = split(plain), number >= 0 else { return nil }
        switch unit {
        case "", "$", "usd", "USD": return number
        case "c", "ct": return number / 100
        default: return nil
        }
    }

    /// Returns the nanoseconds of `250ms`, `2s`, `2` (seconds), `1m`, `1.5h`, or `1d`.
    static func duration(_ text: String) -> Int64? {
        guard let (number, unit) = split(text), number >= 0 else { return nil }
        let factor: Double
        switch unit.lowercased() {
        case "ns": factor = 1
        case "us", "µs": factor = 1e3
        case "ms": factor = 1e6
        case "", "s", "sec": factor = 1e9
        case "m", "min": factor = 60e9
        case "h": factor = 3600e9
        case "d": factor = 86400e9
        default: return nil
        }
        return whole(number * factor)
    }

    private static func whole(_ number: Double) -> Int64? {
        let rounded = number.rounded()
        return rounded < 9e18 ? Int64(rounded) : nil
    }

    /// Returns the number and the unit that follows it.
    private static func split(_ text: String) -> (Double, String)? {
        let digits = text.prefix { ("0"..."9").contains($0) || $0 == "." || $0 == "_" || $0 == "-" }
        guard let number = Double(digits.filter { $0 != "_" }), number.isFinite else { return nil }
        return (number, String(text[digits.endIndex...]))
    }
}

/// One estimated quantity, with the formula it comes from and the numbers put in.
public struct EstimateLine: Hashable, Sendable {
    /// `KV cache`.
    public var name: String
    /// In the unit, not scaled.
    public var value: Double
    /// `FLOP`, `B`, `s`, `token/s`, `token`, `FLOP/B`.
    public var unit: String
    /// `2 × layers × KV heads × width × tokens × batch × bytes = 2 × 32 × 8 × 128 × 8192 × 1 × 2`.
    public var formula: String
    /// Whose formula it is.
    public var source: String
    public var note: String?

    public init(_ name: String, _ value: Double, _ unit: String, formula: String, source: String, note: String? = nil) {
        self.name = name
        self.value = value
        self.unit = unit
        self.formula = formula
        self.source = source
        self.note = note
    }
}

/// Numbers within the formulas of estimates.
enum EstimateNumber {
    /// A number within a formula: short, and exact where it is a small integer.
    static func plain(_ value: Double) -> String {
        if let integer = Int(exactly: value), abs(integer) < 10_000_000 { return "\(integer)" }
        return significant(value)
    }

    /// Three significant digits.
    private static func significant(_ value: Double) -> String {
        guard value.isFinite, value != 0 else { return value == 0 ? "0" : "-" }
        var magnitude = 0
        var rest = abs(value)
        while rest >= 10 {
            rest /= 10
            magnitude += 1
        }
        while rest < 1 {
            rest *= 10
            magnitude -= 1
        }
        let digits = (rest * 100).rounded() / 100
        let sign = value < 0 ? "-" : ""
        if digits >= 10 { return significant(value < 0 ? -power(magnitude + 1) : power(magnitude + 1)) }
        if magnitude >= 6 || magnitude < -3 { return "\(sign)\(trimmed(digits, 2))e\(magnitude)" }
        return sign + trimmed(digits * power(magnitude), max(0, 2 - magnitude))
    }

    private static func power(_ exponent: Int) -> Double {
        var value = 1.0
        for _ in 0..<abs(exponent) { value *= 10 }
        return exponent < 0 ? 1 / value : value
    }

    /// A number with a maximum number of decimals and no trailing zeros.
    private static func trimmed(_ value: Double, _ decimals: Int) -> String {
        let scale = power(decimals)
        let units = Int((value * scale).rounded())
        let whole = units / Int(scale)
        var fraction = String(units % Int(scale))
        fraction = String(repeating: "0", count: max(0, decimals - fraction.count)) + fraction
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return fraction.isEmpty || decimals == 0 ? "\(whole)" : "\(whole).\(fraction)"
    }
}

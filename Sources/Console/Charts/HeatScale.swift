/// The scale of a heatmap, with the values at its ends. Scales created from values cover all of them.
public enum HeatScale: Hashable, Sendable {
    /// A linear scale from 0 to the maximum.
    case sequential(max: Float)
    /// A square-root scale from 0 to the maximum, which separates small values if a few are large.
    case root(max: Float)
    /// A linear scale from −limit to limit, with 0 in the middle.
    case diverging(limit: Float)

    /// Returns a linear scale that ends at the largest value.
    public static func sequential(of values: some Sequence<Float>) -> HeatScale {
        .sequential(max: values.reduce(0) { $1.isFinite ? Swift.max($0, $1) : $0 })
    }

    /// Returns a square-root scale that ends at the largest value.
    public static func root(of values: some Sequence<Float>) -> HeatScale {
        .root(max: values.reduce(0) { $1.isFinite ? Swift.max($0, $1) : $0 })
    }

    /// Returns a scale that is symmetric about 0 and covers all values.
    public static func diverging(of values: some Sequence<Float>) -> HeatScale {
        .diverging(limit: values.reduce(0) { $1.isFinite ? Swift.max($0, $1.magnitude) : $0 })
    }

    /// Returns the position of a value: 0 to 1, or −1 to 1 on a diverging scale; `nil` for NaN.
    ///
    /// Values beyond an end of the scale are clamped to that end.
    public func share(of value: Float) -> Float? {
        guard !value.isNaN else { return nil }
        switch self {
        case .sequential(let end): return end > 0 ? Swift.min(1, Swift.max(0, value / end)) : 0
        case .root(let end): return end > 0 ? Swift.min(1, Swift.max(0, value / end)).squareRoot() : 0
        case .diverging(let end): return end > 0 ? Swift.min(1, Swift.max(-1, value / end)) : 0
        }
    }

    /// Returns `count` evenly spaced positions from one end of the scale to the other, for legends.
    func steps(_ count: Int) -> [Float] {
        guard count > 1 else { return [1] }
        let shares = (0..<count).map { Float($0) / Float(count - 1) }
        return isDiverging ? shares.map { 2 * $0 - 1 } : shares
    }

    /// Whether the scale has a negative half.
    public var isDiverging: Bool { if case .diverging = self { true } else { false } }

    /// Scale that ends at 1, with a negative half if this scale has one, for values that are already positions.
    var unit: HeatScale { isDiverging ? .diverging(limit: 1) : .sequential(max: 1) }

    /// Name of a nonlinear scale, for legends.
    var remark: String? { if case .root = self { "sqrt" } else { nil } }

    /// Labels for the two ends of the scale.
    public var ends: (least: String, greatest: String) {
        switch self {
        case .sequential(let end), .root(let end): ("0", AxisLabel.text(Double(end)))
        case .diverging(let end): (end > 0 ? "-" + AxisLabel.text(Double(end)) : "0", AxisLabel.text(Double(end)))
        }
    }
}

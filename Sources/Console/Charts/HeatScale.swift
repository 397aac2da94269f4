/// What numbers the ends of a color scale stand for. Numbers are never clipped unseen: `of` covers all that it is given.
public enum HeatScale: Hashable, Sendable {
    /// From 0 to the greatest.
    case sequential(max: Float)
    /// From 0 to the maximum, by square root: keeps small values apart beside a few large ones.
    case root(max: Float)
    /// From −limit to limit, 0 in the middle.
    case diverging(limit: Float)

    /// A scale whose end is the greatest of the values.
    public static func sequential(of values: some Sequence<Float>) -> HeatScale {
        .sequential(max: values.reduce(0) { $1.isFinite ? Swift.max($0, $1) : $0 })
    }

    /// A square-root scale that ends at the largest value.
    public static func root(of values: some Sequence<Float>) -> HeatScale {
        .root(max: values.reduce(0) { $1.isFinite ? Swift.max($0, $1) : $0 })
    }

    /// A scale that is symmetric about 0 and holds the value of the greatest magnitude.
    public static func diverging(of values: some Sequence<Float>) -> HeatScale {
        .diverging(limit: values.reduce(0) { $1.isFinite ? Swift.max($0, $1.magnitude) : $0 })
    }

    /// Where a value stands: 0 to 1, or −1 to 1 on a diverging scale; nil for NaN. What lies beyond an end stands at it.
    public func share(of value: Float) -> Float? {
        guard !value.isNaN else { return nil }
        switch self {
        case .sequential(let end): return end > 0 ? Swift.min(1, Swift.max(0, value / end)) : 0
        case .root(let end): return end > 0 ? Swift.min(1, Swift.max(0, value / end)).squareRoot() : 0
        case .diverging(let end): return end > 0 ? Swift.min(1, Swift.max(-1, value / end)) : 0
        }
    }

    /// The shares from one end to the other in so many equal steps, as a legend shows them.
    func steps(_ count: Int) -> [Float] {
        guard count > 1 else { return [1] }
        let shares = (0..<count).map { Float($0) / Float(count - 1) }
        return isDiverging ? shares.map { 2 * $0 - 1 } : shares
    }

    public var isDiverging: Bool { if case .diverging = self { true } else { false } }

    /// The same kind of scale with its end at 1: shares are its values.
    var unit: HeatScale { isDiverging ? .diverging(limit: 1) : .sequential(max: 1) }

    /// The name of a nonlinear scale, for legends.
    var remark: String? { if case .root = self { "sqrt" } else { nil } }

    /// The numbers at the ends.
    public var ends: (least: String, greatest: String) {
        switch self {
        case .sequential(let end), .root(let end): ("0", AxisLabel.text(Double(end)))
        case .diverging(let end): (end > 0 ? "-" + AxisLabel.text(Double(end)) : "0", AxisLabel.text(Double(end)))
        }
    }
}

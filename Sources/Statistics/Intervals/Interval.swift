/// Two bounds between which a figure lies.
public struct Interval: Hashable, Sendable {
    /// The lower bound.
    public var lower: Double
    /// The upper bound.
    public var upper: Double
    /// How often such an interval holds the true figure: 0.95.
    public var level: Double

    /// Bounds as they are.
    public init(lower: Double, upper: Double, level: Double) {
        self.lower = lower
        self.upper = upper
        self.level = level
    }

    /// upper - lower.
    public var width: Double { upper - lower }
    /// Whether a value lies between the bounds, or on one.
    public func contains(_ value: Double) -> Bool { lower <= value && value <= upper }
}

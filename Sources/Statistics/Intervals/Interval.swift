/// A confidence interval.
public struct Interval: Hashable, Sendable {
    /// Lower bound.
    public var lower: Double
    /// Upper bound.
    public var upper: Double
    /// Confidence level, such as 0.95.
    public var level: Double

    /// Creates an interval without checking its bounds.
    public init(lower: Double, upper: Double, level: Double) {
        self.lower = lower
        self.upper = upper
        self.level = level
    }

    /// Upper bound minus lower bound.
    public var width: Double { upper - lower }
    /// Returns whether a value is within the bounds, inclusive.
    public func contains(_ value: Double) -> Bool { lower <= value && value <= upper }
}

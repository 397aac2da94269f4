/// A curve of a trend chart, with any number of points summarized in at most one bucket per column.
///
/// Minimum and maximum of a bucket come from its points, so a spike remains visible at any width.
public struct Trend: Identifiable, Sendable {
    /// Points of one column.
    public struct Bucket: Hashable, Sendable {
        /// Number of points.
        public var count: Int
        /// Minimum of the finite values; NaN if there are none.
        public var minimum: Double
        /// Maximum of the finite values; NaN if there are none.
        public var maximum: Double
        /// Mean of the finite values; NaN if there are none.
        public var mean: Double
        /// Value of the smoothed curve at the last finite point; NaN if there is none, and the mean without smoothing.
        public var smoothed: Double
        /// Number of values that are infinite or NaN.
        public var nonFinite: Int
        /// Axis position of the last point.
        public var lastX: Double

        /// Creates a bucket.
        public init(
            count: Int, minimum: Double, maximum: Double, mean: Double, smoothed: Double, nonFinite: Int, lastX: Double
        ) {
            self.count = count
            self.minimum = minimum
            self.maximum = maximum
            self.mean = mean
            self.smoothed = smoothed
            self.nonFinite = nonFinite
            self.lastX = lastX
        }

        /// Creates a bucket with one point.
        public init(x: Double, value: Double) {
            let finite = value.isFinite ? value : .nan
            self.init(
                count: 1, minimum: finite, maximum: finite, mean: finite, smoothed: finite,
                nonFinite: value.isFinite ? 0 : 1, lastX: x)
        }

        /// Whether a value is finite.
        public var hasFinite: Bool { count > nonFinite }
    }

    /// A position of a curve with its values.
    public struct Reading: Hashable, Sendable {
        /// Axis position.
        public var x: Double
        /// Mean of the column, or the last recorded value at the end of the curve.
        public var value: Double
        /// Value of the smoothed curve.
        public var smoothed: Double
    }

    /// Identity of the curve's subject, such as the row of a training run.
    public let id: Int64
    /// Visible part of the axis, from the left edge of the first column to the right edge of the last.
    public let range: ClosedRange<Double>
    /// Buckets from left to right; none is empty.
    public let buckets: [Bucket]
    /// Last point in the range.
    public let last: (x: Double, value: Double)?
    /// Unit of the axis.
    public let unit: TrendUnit

    /// Creates a curve from its buckets, and removes empty ones.
    ///
    /// - Parameters:
    ///   - id: Identity of the curve's subject.
    ///   - range: Visible part of the axis.
    ///   - buckets: Buckets from left to right.
    ///   - last: Last point in the range. The last bucket shows only its mean, not this point.
    ///   - unit: Unit of the axis.
    public init(
        id: Int64, range: ClosedRange<Double>, buckets: [Bucket], last: (x: Double, value: Double)?, unit: TrendUnit
    ) {
        self.id = id
        self.range = range
        self.buckets = buckets.filter { $0.count > 0 }
        self.last = last
        self.unit = unit
    }

    /// Creates a curve that shows each of its points.
    ///
    /// - Parameter points: Points in ascending order of `x`, which is finite.
    public init(id: Int64, points: [(x: Double, value: Double)], unit: TrendUnit) {
        let xs = points.map(\.x)
        self.init(
            id: id, range: (xs.first ?? 0)...(xs.last ?? 0), buckets: points.map { Bucket(x: $0.x, value: $0.value) },
            last: points.last, unit: unit)
    }

    /// Returns the values at a cursor, or at the end of the curve without a cursor.
    ///
    /// - Returns: `nil` if the curve starts after the cursor or has no points.
    public func reading(at cursor: Double?) -> Reading? {
        let bucket = if let cursor { buckets.last { $0.lastX <= cursor } } else { buckets.last }
        guard let bucket else { return nil }
        // The end shows the last recorded value, not the mean of the column.
        if cursor == nil, let last { return Reading(x: last.x, value: last.value, smoothed: bucket.smoothed) }
        return Reading(x: bucket.lastX, value: bucket.mean, smoothed: bucket.smoothed)
    }
}

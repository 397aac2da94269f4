public import JSON

/// One column of a chart: what the points in it are together.
public struct CurveBucket: Sendable, Equatable {
    /// From 0.
    public var column: Int
    public var count: Int
    /// Minimum of the finite values; NaN if there are none.
    public var minimum: Double
    public var maximum: Double
    public var mean: Double
    /// Value of the smoothed curve at the last finite point; NaN if there is none, and the mean without smoothing.
    public var smoothed: Double
    /// Number of values that are infinite or NaN.
    public var nonFinite: Int
    /// Place on the axis of the last point.
    public var lastX: Double
}

/// A point of a curve.
public struct CurvePoint: Sendable, Equatable, JSONRepresentable {
    /// The place on the axis.
    public var x: Double
    public var value: Double

    public init(x: Double, value: Double) {
        self.x = x
        self.value = value
    }

    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("x") { $0.measure(x) }
            json.member("value") { $0.measure(value) }
        }
    }
}

/// A curve ready to draw: at most one bucket a column, from left to right, columns without points left out.
///
/// Minimum and maximum are those of the points themselves, however many there are, so that no spike is lost; the first
/// and the last point are exact.
public struct RunCurve: Sendable, Equatable {
    public var run: Int64
    public var series: String
    /// What was asked for; `.step` where the run does not know its units.
    public var axis: CurveAxis
    /// The axis from the left edge of column 0 to the right edge of the last.
    public var range: ClosedRange<Double>
    public var columns: Int
    public var buckets: [CurveBucket]
    /// The first and last point within the range.
    public var first: CurvePoint?
    public var last: CurvePoint?
    /// Points within the range.
    public var pointCount: Int

    /// Smallest and greatest finite value; `nil` if there is none.
    public var bounds: ClosedRange<Double>? {
        let some = buckets.filter { $0.count > $0.nonFinite }
        guard let low = some.map(\.minimum).min(), let high = some.map(\.maximum).max() else { return nil }
        return low...high
    }
}

extension CurveBucket: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("column", column)
            json.member("count", count)
            json.member("minimum") { $0.measure(minimum) }
            json.member("maximum") { $0.measure(maximum) }
            json.member("mean") { $0.measure(mean) }
            json.member("smoothed") { $0.measure(smoothed) }
            json.member("non_finite", nonFinite)
            json.member("last_x") { $0.measure(lastX) }
        }
    }
}

extension RunCurve: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("run", run)
            json.member("series", series)
            json.member("axis", axis.rawValue)
            json.member("from", range.lowerBound)
            json.member("to", range.upperBound)
            json.member("columns", columns)
            json.member("points", pointCount)
            json.member("first", first)
            json.member("last", last)
            json.member("buckets", buckets)
        }
    }
}

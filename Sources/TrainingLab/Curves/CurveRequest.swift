/// What a chart counts from left to right.
public enum CurveAxis: String, Sendable, CaseIterable {
    case step
    /// Seconds since the run's origin.
    case time
    /// Tokens or examples seen: step × batch. A run that does not say its batch is drawn by step.
    case units
}

/// A curve by its run and name.
public struct CurveSource: Sendable, Hashable {
    public var run: Int64
    public var series: String

    public init(run: Int64, series: String) {
        self.run = run
        self.series = series
    }
}

/// How a curve is to be drawn.
public struct CurveRequest: Sendable, Equatable {
    public var axis: CurveAxis
    /// Number of columns of the chart, at least 1, and maximum number of buckets.
    public var columns: Int
    /// The part of the axis that is shown; nil shows all of it.
    public var range: ClosedRange<Double>?
    /// Weight of the past in the smoothed curve, 0 (none) to below 1.
    public var smoothing: Double

    public init(
        axis: CurveAxis = .step, columns: Int, range: ClosedRange<Double>? = nil, smoothing: Double = 0
    ) {
        self.axis = axis
        self.columns = min(max(columns, 1), 100_000)
        self.range = range
        self.smoothing = smoothing.isFinite ? min(max(smoothing, 0), 0.999_999) : 0
    }
}

/// Sorts points into the columns of a chart.
struct CurveBuckets {
    let range: ClosedRange<Double>
    let columns: Int
    private let scale: Double
    private var smoothing: Smoothing?
    private var slots: [Slot]
    private(set) var first: CurvePoint?
    private(set) var last: CurvePoint?
    private(set) var pointCount = 0

    private struct Slot {
        var count = 0
        var finite = 0
        var minimum = Double.infinity
        var maximum = -Double.infinity
        var total = 0.0
        var smoothed = Double.nan
        var lastX = 0.0
    }

    init(range: ClosedRange<Double>, columns: Int, smoothing weight: Double) {
        self.range = range
        self.columns = columns
        let width = range.upperBound - range.lowerBound
        scale = width > 0 && width.isFinite ? Double(columns) / width : 0
        smoothing = weight > 0 ? Smoothing(weight: weight) : nil
        slots = Array(repeating: Slot(), count: columns)
    }

    /// The column of a place on the axis; nil outside the range. Never falls from left to right.
    @inline(__always)
    func column(_ x: Double) -> Int? {
        guard x >= range.lowerBound, x <= range.upperBound else { return nil }
        return min(columns - 1, Int((x - range.lowerBound) * scale))
    }

    /// Adds a point; points come in the order of the axis.
    @inline(__always)
    mutating func add(_ x: Double, _ value: Double) {
        // The past is smoothed too where the chart does not show it.
        let smooth = smoothing?.next(value)
        guard let column = column(x) else { return }
        let point = CurvePoint(x: x, value: value)
        if first == nil { first = point }
        last = point
        pointCount += 1
        slots.withUnsafeMutableBufferPointer { slots in
            slots[column].count += 1
            slots[column].lastX = x
            guard value.isFinite else { return }
            slots[column].finite += 1
            slots[column].minimum = min(slots[column].minimum, value)
            slots[column].maximum = max(slots[column].maximum, value)
            slots[column].total += value
            if let smooth { slots[column].smoothed = smooth }
        }
    }

    /// Adds all points of a block, which are in one column, from `firstX` to `lastX`.
    mutating func add(_ block: SeriesBlock, in column: Int, from firstX: Double, to lastX: Double) {
        if first == nil { first = CurvePoint(x: firstX, value: block.first) }
        last = CurvePoint(x: lastX, value: block.last)
        pointCount += block.count
        slots[column].count += block.count
        slots[column].lastX = lastX
        guard block.finite > 0 else { return }
        slots[column].finite += block.finite
        slots[column].minimum = min(slots[column].minimum, block.minimum)
        slots[column].maximum = max(slots[column].maximum, block.maximum)
        slots[column].total += block.total
    }

    var buckets: [CurveBucket] {
        slots.indices.compactMap { index in
            let slot = slots[index]
            guard slot.count > 0 else { return nil }
            let some = slot.finite > 0
            // A sum of huge values may overflow, and rounding may leave the bounds by a bit.
            let quotient = slot.total / Double(slot.finite)
            let mean = some ? min(max(quotient.isNaN ? 0 : quotient, slot.minimum), slot.maximum) : .nan
            return CurveBucket(
                column: index, count: slot.count, minimum: some ? slot.minimum : .nan,
                maximum: some ? slot.maximum : .nan, mean: mean,
                smoothed: smoothing == nil ? mean : slot.smoothed, nonFinite: slot.count - slot.finite,
                lastX: slot.lastX)
        }
    }
}

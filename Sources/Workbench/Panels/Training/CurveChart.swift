internal import Console
internal import Training
internal import TrainingLab

/// Curves of one series in one chart: a band from minimum to maximum if a column contains several points, with the
/// smoothed line on it, and the same figure on held-out data as a line with marks.
struct CurveChart: Sendable {
    /// Requested curves that exist, starting with the visible run's.
    var curves: [RunCurve] = []
    /// Curves of the same runs on held-out data.
    var heldOut: [RunCurve] = []
    /// Runs with requested curves: the visible run, then the overlays. The index is the color.
    var order: [Int64] = []
    /// Name of the curve; `nil` until a run is visible.
    var series: String?
    /// The held-out curve drawn with it.
    var companion: String?
    var axis = CurveAxis.step
    /// Weight of earlier values, from 0 to 0.99, as in TensorBoard.
    var smoothing = 0.6
    var isLogVertical = false
    var isLogHorizontal = false
    /// Cursor on the axis; `nil` reads the end, even while the curve grows.
    var cursor: Double?
    /// Visible part of the axis; `nil` for all of it.
    var window: ClosedRange<Double>?
    /// The whole axis, as last drawn.
    var whole: ClosedRange<Double>?

    static let smoothings = [0, 0.3, 0.6, 0.8, 0.9, 0.95, 0.99]

    /// Returns the number of buckets for a width: two dots per cell, without the labels of the axis.
    static func buckets(of columns: Int) -> Int { max(16, (columns - 7) * 2) }

    mutating func show(_ set: CurveSet) {
        curves = set.lines
        heldOut = set.heldOut
        order = set.question.order
        companion = set.question.companion
        if window == nil { whole = curves.first?.range }
    }

    mutating func clear() {
        curves = []
        heldOut = []
        order = []
        forgetPlace()
    }

    /// Forgets positions, which are meaningless on another axis or for another run.
    mutating func forgetPlace() {
        cursor = nil
        window = nil
        whole = nil
    }

    // MARK: Reading

    /// Curve that the cursor follows.
    var leading: RunCurve? { curves.first }

    private var places: [Double] { leading?.buckets.filter { $0.count > 0 }.map(\.lastX) ?? [] }

    /// Moves the cursor by points of the leading curve.
    ///
    /// - Returns: Whether the cursor could move.
    @discardableResult
    mutating func moveCursor(by step: Int) -> Bool {
        let places = places
        guard !places.isEmpty else { return false }
        let here = cursor.flatMap { cursor in places.lastIndex { $0 <= cursor } } ?? places.count - 1
        let next = min(max(0, here + step), places.count - 1)
        // At the end, the cursor follows the end.
        cursor = next == places.count - 1 && window == nil ? nil : places[next]
        return next != here
    }

    mutating func moveCursorToStart() { cursor = places.first }

    mutating func moveCursorToEnd() { cursor = window == nil ? nil : places.last }

    /// Returns a curve's point under the cursor: position, value, and smoothed value.
    func reading(of curve: RunCurve) -> (x: Double, value: Double, smoothed: Double)? {
        let bucket =
            cursor.map { cursor in curve.buckets.last { $0.count > 0 && $0.lastX <= cursor } }
            ?? curve.buckets.last { $0.count > 0 }
        guard let bucket else { return nil }
        // The end shows the last recorded value, not the mean of the column.
        if cursor == nil, let last = curve.last { return (last.x, last.value, bucket.smoothed) }
        return (bucket.lastX, bucket.mean, bucket.smoothed)
    }

    // MARK: Looking closer

    /// Zooms around the cursor.
    mutating func magnify(by factor: Double) {
        guard let whole, whole.upperBound > whole.lowerBound else { return }
        let shown = window ?? whole
        let length = (shown.upperBound - shown.lowerBound) * factor
        guard factor > 1 ? window != nil : length > (whole.upperBound - whole.lowerBound) / 100_000 else {
            return
        }
        if length >= (whole.upperBound - whole.lowerBound) * 0.999 {
            window = nil
        } else {
            let center = cursor ?? shown.upperBound
            window = Self.window(of: length, from: center - length / 2, in: whole)
        }
    }

    /// Moves along the axis by half of the visible part.
    mutating func pan(by direction: Double) {
        guard let whole, let shown = window else { return }
        let length = shown.upperBound - shown.lowerBound
        window = Self.window(of: length, from: shown.lowerBound + direction * length / 2, in: whole)
    }

    /// Moves through `smoothings`; negative steps smooth less.
    mutating func smooth(by step: Int) {
        let here = Self.smoothings.firstIndex(of: smoothing) ?? 0
        smoothing = Self.smoothings[max(0, min(Self.smoothings.count - 1, here + step))]
    }

    mutating func nextAxis() {
        axis = axis.next
        forgetPlace()
    }

    private static func window(
        of length: Double, from start: Double, in whole: ClosedRange<Double>
    ) -> ClosedRange<Double> {
        let start = min(max(start, whole.lowerBound), whole.upperBound - length)
        return start...max(start, start + length)
    }

    // MARK: Colors

    /// Returns the color role of a run with a requested curve.
    func role(of run: Int64) -> Role? { order.firstIndex(of: run).map(Role.series) }

    /// Returns the sign of a run in lists and at the end of its line: a number if there are several runs.
    func sign(of run: Int64, _ glyphs: Glyphs) -> String? {
        guard let index = order.firstIndex(of: run) else { return nil }
        return order.count > 1 ? "\(index + 1)" : String(Character(glyphs.dot))
    }
}

extension CurveAxis {
    var next: CurveAxis {
        switch self {
        case .step: .time
        case .time: .units
        case .units: .step
        }
    }
}

internal import Console
internal import Training
internal import TrainingLab

/// Curves of one series over each other: a band from least to greatest where a column holds several points, and the
/// smoothed line on it; with them the same figure on held-out data, as a line with marks.
struct CurveChart: Sendable {
    /// Those that were asked for and exist, the shown run's first.
    var curves: [RunCurve] = []
    /// Curves of the same runs on held-out data.
    var heldOut: [RunCurve] = []
    /// The runs whose curves were asked for: the shown one, then those over it. Places in it are colors.
    var order: [Int64] = []
    /// What is drawn; nil until a run is shown.
    var series: String?
    /// The held-out curve drawn with it.
    var companion: String?
    var axis = CurveAxis.step
    /// The weight of what was before: TensorBoard's smoothing, from 0 to 0.99.
    var smoothing = 0.6
    var isLogVertical = false
    var isLogHorizontal = false
    /// The place on the axis that is read; nil reads the end, also while it moves on.
    var cursor: Double?
    /// The part of the axis that is looked at; nil shows all of it.
    var window: ClosedRange<Double>?
    /// All of the axis, as it was shown last.
    var whole: ClosedRange<Double>?

    static let smoothings = [0, 0.3, 0.6, 0.8, 0.9, 0.95, 0.99]

    /// Buckets for a pane of so many columns: two dots a cell, beside the labels of the axis.
    static func buckets(of columns: Int) -> Int { max(16, (columns - 7) * 2) }

    mutating func show(_ curves: [RunCurve], heldOut: [RunCurve] = []) {
        self.curves = curves
        self.heldOut = heldOut
        if window == nil { whole = curves.first?.range }
    }

    mutating func clear() {
        curves = []
        heldOut = []
        order = []
        forgetPlace()
    }

    /// Another axis, or another run: places on the old one mean nothing.
    mutating func forgetPlace() {
        cursor = nil
        window = nil
        whole = nil
    }

    // MARK: Reading

    /// The curve that the cursor walks on.
    var leading: RunCurve? { curves.first }

    private var places: [Double] { leading?.buckets.filter { $0.count > 0 }.map(\.lastX) ?? [] }

    /// - Returns: whether there was somewhere to go.
    @discardableResult
    mutating func moveCursor(by step: Int) -> Bool {
        let places = places
        guard !places.isEmpty else { return false }
        let here = cursor.flatMap { cursor in places.lastIndex { $0 <= cursor } } ?? places.count - 1
        let next = min(max(0, here + step), places.count - 1)
        // At the end it stays with the end.
        cursor = next == places.count - 1 && window == nil ? nil : places[next]
        return next != here
    }

    mutating func moveCursorToStart() { cursor = places.first }

    mutating func moveCursorToEnd() { cursor = window == nil ? nil : places.last }

    /// What a curve says under the cursor: where, its value, and its value when smoothed.
    func reading(of curve: RunCurve) -> (x: Double, value: Double, smoothed: Double)? {
        let bucket =
            cursor.map { cursor in curve.buckets.last { $0.count > 0 && $0.lastX <= cursor } }
            ?? curve.buckets.last { $0.count > 0 }
        guard let bucket else { return nil }
        // At the very end stands what was recorded last, not the mean of the column.
        if cursor == nil, let last = curve.last { return (last.x, last.value, bucket.smoothed) }
        return (bucket.lastX, bucket.mean, bucket.smoothed)
    }

    // MARK: Looking closer

    /// Shows half, or twice, of what is shown, around the cursor.
    ///
    /// - Returns: whether that changed anything.
    mutating func magnify(by factor: Double) -> Bool {
        guard let whole, whole.upperBound > whole.lowerBound else { return false }
        let shown = window ?? whole
        let length = (shown.upperBound - shown.lowerBound) * factor
        guard factor > 1 ? window != nil : length > (whole.upperBound - whole.lowerBound) / 100_000 else {
            return false
        }
        if length >= (whole.upperBound - whole.lowerBound) * 0.999 {
            window = nil
        } else {
            let center = cursor ?? shown.upperBound
            window = Self.window(of: length, from: center - length / 2, in: whole)
        }
        return true
    }

    /// Goes along the axis by half of what is shown.
    mutating func pan(by direction: Double) -> Bool {
        guard let whole, let shown = window else { return false }
        let length = shown.upperBound - shown.lowerBound
        let next = Self.window(of: length, from: shown.lowerBound + direction * length / 2, in: whole)
        guard next != shown else { return false }
        window = next
        return true
    }

    private static func window(
        of length: Double, from start: Double, in whole: ClosedRange<Double>
    ) -> ClosedRange<Double> {
        let start = min(max(start, whole.lowerBound), whole.upperBound - length)
        return start...max(start, start + length)
    }

    // MARK: Colors

    /// The color of each run whose curve was asked for.
    func role(of run: Int64) -> Role? { order.firstIndex(of: run).map(Role.series) }

    /// The sign of a run in lists and at the end of its line: a number where there are several.
    func sign(of run: Int64, _ glyphs: Glyphs) -> String? {
        guard let index = order.firstIndex(of: run) else { return nil }
        return order.count > 1 ? "\(index + 1)" : String(Character(glyphs.dot))
    }
}

extension CurveAxis {
    /// One word for the frame and the screen that is brought back.
    var word: String {
        switch self {
        case .step: "step"
        case .time: "time"
        case .units: "units"
        }
    }

    var next: CurveAxis {
        switch self {
        case .step: .time
        case .time: .units
        case .units: .step
        }
    }
}

/// A chart of one figure over time for one or several subjects, with a cursor and a window to zoom and pan.
///
/// Each curve is a band from minimum to maximum, visible if a column contains several points, with the smoothed line on
/// it. Companion curves show the same figure under other conditions, such as on held-out data, as lines with rings.
///
/// ```swift
/// var chart = TrendChart()
/// chart.show([loss], order: [loss.id])
/// chart.draw(into: &surface, in: area, labels, theme: theme)
/// ```
public struct TrendChart: Sendable {
    /// Curves of the subjects that have one; the cursor follows the first.
    public private(set) var trends: [Trend] = []
    /// Companion curves of the subjects that have one.
    public private(set) var companions: [Trend] = []
    /// Subjects of the chart, including subjects without a curve. The index determines the color.
    public private(set) var order: [Trend.ID] = []
    /// Weight of earlier values in smoothed curves, an element of `smoothings`. The caller smooths the curves.
    public var smoothing = 0.6
    /// Whether the scale of values is logarithmic.
    public var isLogVertical = false
    /// Whether the scale of the axis is logarithmic.
    public var isLogHorizontal = false
    /// Cursor on the axis; `nil` reads the end, even while the curve grows.
    public var cursor: Double?
    /// Visible part of the axis; `nil` for all of it. The caller reads curves for this part.
    public private(set) var window: ClosedRange<Double>?
    /// The whole axis, as last shown.
    private var whole: ClosedRange<Double>?

    /// Weights of earlier values to choose from, as in TensorBoard.
    public static let smoothings = [0, 0.3, 0.6, 0.8, 0.9, 0.95, 0.99]

    /// Creates a chart without curves.
    public init() {}

    /// Returns the number of buckets for a width: two dots per cell, without the labels of the axis.
    public static func buckets(of columns: Int) -> Int { max(16, (columns - 7) * 2) }

    // MARK: Curves

    /// Shows other curves, or later states of the same curves; the cursor and the window stay.
    ///
    /// - Parameters:
    ///   - trends: Curves of the subjects that have one, the leading one first.
    ///   - companions: Companion curves of the subjects that have one.
    ///   - order: Identities of all subjects, in the order of their colors.
    public mutating func show(_ trends: [Trend], companions: [Trend] = [], order: [Trend.ID]) {
        self.trends = trends
        self.companions = companions
        self.order = order
        if window == nil { whole = leading?.range }
    }

    /// Removes the curves, the cursor, and the window.
    public mutating func clear() {
        show([], order: [])
        forgetPlace()
    }

    /// Curve that the cursor follows.
    public var leading: Trend? { trends.first }

    /// Returns the color of a subject; `nil` if the chart does not show it.
    public func role(of id: Trend.ID) -> Role? { order.firstIndex(of: id).map(Role.series) }

    /// Returns the sign of a subject in lists and at the end of its line: a number if there are several subjects.
    public func sign(of id: Trend.ID, _ glyphs: Glyphs) -> String? {
        guard let index = order.firstIndex(of: id) else { return nil }
        return order.count > 1 ? "\(index + 1)" : String(Character(glyphs.dot))
    }

    /// Returns the color of a companion curve: the subject's own, or a different color if there is one subject.
    func companionRole(_ index: Int) -> Role { .series(order.count > 1 ? index : index + 1) }

    // MARK: Cursor

    /// Moves the cursor by points along the leading curve.
    ///
    /// - Returns: Whether the cursor could move.
    @discardableResult
    public mutating func moveCursor(by step: Int) -> Bool {
        guard let places = leading?.buckets.map(\.lastX), !places.isEmpty else { return false }
        let here = cursor.flatMap { cursor in places.lastIndex { $0 <= cursor } } ?? places.count - 1
        let next = min(max(0, here + step), places.count - 1)
        // At the end, the cursor follows the end.
        cursor = next == places.count - 1 && window == nil ? nil : places[next]
        return next != here
    }

    /// Moves the cursor to the first point of the leading curve.
    public mutating func moveCursorToStart() { cursor = leading?.buckets.first?.lastX }

    /// Moves the cursor to the last visible point of the leading curve.
    public mutating func moveCursorToEnd() { cursor = window == nil ? nil : leading?.buckets.last?.lastX }

    /// Forgets the cursor and the window, which are meaningless on another axis or for other curves.
    public mutating func forgetPlace() {
        cursor = nil
        window = nil
        whole = nil
    }

    // MARK: Window

    /// Multiplies the length of the window by a factor, around the cursor; below 1, the factor zooms in.
    public mutating func zoom(by factor: Double) {
        guard let whole, whole.upperBound > whole.lowerBound else { return }
        let shown = window ?? whole
        let length = (shown.upperBound - shown.lowerBound) * factor
        guard factor > 1 ? window != nil : length > (whole.upperBound - whole.lowerBound) / 100_000 else { return }
        if length >= (whole.upperBound - whole.lowerBound) * 0.999 {
            window = nil
        } else {
            let center = cursor ?? shown.upperBound
            window = Self.window(of: length, from: center - length / 2, in: whole)
        }
    }

    /// Moves the window by multiples of half its length.
    public mutating func pan(by direction: Double) {
        guard let whole, let shown = window else { return }
        let length = shown.upperBound - shown.lowerBound
        window = Self.window(of: length, from: shown.lowerBound + direction * length / 2, in: whole)
    }

    /// Shows the whole axis.
    public mutating func showAll() { window = nil }

    private static func window(
        of length: Double, from start: Double, in whole: ClosedRange<Double>
    ) -> ClosedRange<Double> {
        let start = min(max(start, whole.lowerBound), whole.upperBound - length)
        return start...max(start, start + length)
    }

    // MARK: Smoothing

    /// Moves through `smoothings`; negative steps smooth less.
    public mutating func smooth(by step: Int) {
        let here = Self.smoothings.firstIndex(of: smoothing) ?? 0
        smoothing = Self.smoothings[max(0, min(Self.smoothings.count - 1, here + step))]
    }
}

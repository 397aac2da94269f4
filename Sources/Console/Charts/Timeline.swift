/// The time axis of a waterfall, with a window that can be zoomed and panned.
///
/// Rows are drawn one at a time, so the cost of drawing depends only on the visible rows, even for 100,000 spans. Times
/// are in nanoseconds since the start of the run.
public struct Timeline: Hashable, Sendable {
    /// Length of the run.
    public private(set) var length: Int64
    /// Visible part of the run.
    public private(set) var window: Range<Int64>

    /// Length of the shortest window.
    public static let shortest: Int64 = 100

    /// Creates a timeline that shows the whole run.
    public init(length: Int64) {
        self.length = max(Self.shortest, min(length, .max / 4))
        window = 0..<self.length
    }

    /// Updates the length of a growing run; a window that shows the whole run continues to do so.
    public mutating func setLength(_ length: Int64) {
        let showedAll = isWhole
        self.length = max(Self.shortest, min(length, .max / 4))
        window = showedAll ? 0..<self.length : placed(window.lowerBound, window.upperBound - window.lowerBound)
    }

    /// Whether the window shows the whole run.
    public var isWhole: Bool { window == 0..<length }

    /// Length of the run divided by the length of the window.
    public var magnification: Double { Double(length) / Double(window.upperBound - window.lowerBound) }

    /// Divides the length of the window by `factor` and keeps `time` in the same column.
    public mutating func zoom(by factor: Double, around time: Int64) {
        guard factor.isFinite, factor > 0 else { return }
        let span = Double(window.upperBound - window.lowerBound)
        let length = min(Double(self.length), max(Double(Self.shortest), span / factor))
        let fixed = min(max(window.lowerBound, time), window.upperBound)
        let share = Double(fixed - window.lowerBound) / span
        window = placed(fixed - Int64(share * length), Int64(length))
    }

    /// Moves the window by a multiple of its length.
    public mutating func pan(by windows: Double) {
        guard windows.isFinite else { return }
        let span = window.upperBound - window.lowerBound
        let distance = min(max(windows * Double(span), -Double(length)), Double(length))
        window = placed(window.lowerBound + Int64(distance), span)
    }

    /// Shows the whole run.
    public mutating func showAll() { window = 0..<length }

    /// Shows a range of times, with some space around it.
    public mutating func show(_ range: ClosedRange<Int64>) {
        let lower = min(max(0, range.lowerBound), length)
        let upper = min(max(lower, range.upperBound), length)
        let air = (upper - lower) / 20
        window = placed(lower - air, max(Self.shortest, upper - lower + 2 * air))
    }

    /// Moves the window just far enough to show a span, or its start if the span is longer than the window.
    public mutating func reveal(_ range: ClosedRange<Int64>) {
        let span = window.upperBound - window.lowerBound
        let lower = min(max(0, range.lowerBound), length)
        let upper = min(max(0, range.upperBound), length)
        if lower < window.lowerBound || upper - lower >= span {
            if window.contains(lower), lower - window.lowerBound < span / 2 { return }
            window = placed(lower - span / 20, span)
        } else if upper > window.upperBound {
            window = placed(upper - span + span / 20, span)
        }
    }

    private func placed(_ start: Int64, _ span: Int64) -> Range<Int64> {
        let span = min(max(Self.shortest, span), length)
        let lower = min(max(0, start), length - span)
        return lower..<lower + span
    }

    // MARK: Positions

    /// Returns the column of a time, with its fraction, if the window is `columns` columns wide.
    public func column(of time: Int64, columns: Int) -> Double {
        (Double(time) - Double(window.lowerBound)) / Double(window.upperBound - window.lowerBound) * Double(columns)
    }

    /// Returns the time at the left edge of a column.
    public func time(atColumn column: Int, columns: Int) -> Int64 {
        let share = Double(min(max(0, column), columns)) / Double(max(1, columns))
        return window.lowerBound + Int64(share * Double(window.upperBound - window.lowerBound))
    }

    // MARK: Drawing

    /// Draws a span in a row.
    ///
    /// A span with a duration fills at least the smallest part of a cell; a span without one is a dot. An arrow
    /// points to a span outside the window.
    public func drawBar(
        from start: Int64, to end: Int64, in row: Rect, into surface: inout Surface, style: Style,
        shape: BarShape = .airy, theme: Theme
    ) {
        guard !row.isEmpty, start <= end else { return }
        // Events at the end of the run belong to the last column.
        let isAtEnd = start == window.upperBound && start == length
        if end < window.lowerBound || start >= window.upperBound && !isAtEnd {
            let isBefore = end < window.lowerBound
            let place = Point(column: isBefore ? row.column : row.endColumn - 1, row: row.row)
            let glyph = isBefore ? theme.glyphs.left : theme.glyphs.right
            surface.put(glyph, at: place, style: style.overlaid(with: theme[.faint]))
            return
        }
        guard end > start, !isAtEnd else {
            // A span without a duration is a dot.
            let column = min(Int(column(of: start, columns: row.columns)), row.columns - 1)
            let place = Point(column: row.column + column, row: row.row)
            surface.put(theme.glyphs.nothing, at: place, style: style)
            return
        }
        surface.putBar(
            from: column(of: start, columns: row.columns), to: column(of: end, columns: row.columns), in: row,
            style: style, shape: shape, glyphs: theme.glyphs)
    }

    /// Draws the labels of the time axis in a row; each label starts at its tick.
    public func drawAxis(in row: Rect, into surface: inout Surface, theme: Theme) {
        surface.clipped(to: row) { surface in
            for tick in TimeAxis.ticks(in: window, columns: row.columns) {
                let column = Int(column(of: tick.time, columns: row.columns))
                // Omit labels that would be clipped at the edge.
                guard column + DisplayWidth.of(tick.label) <= row.columns || column == 0 else { continue }
                surface.put(
                    tick.label, at: Point(column: row.column + column, row: row.row), style: theme[.dim])
            }
        }
    }

    /// Draws a mark at a time, such as the replay position, over a row; draws nothing if the time is outside the
    /// window.
    public func drawMark(at time: Int64, in row: Rect, into surface: inout Surface, theme: Theme) {
        guard window.contains(time) || time == window.upperBound, !row.isEmpty else { return }
        let column = min(Int(column(of: time, columns: row.columns)), row.columns - 1)
        surface.clipped(to: row) {
            $0.put(
                theme.glyphs.expanded, at: Point(column: row.column + column, row: row.row),
                style: theme[.accent])
        }
    }
}

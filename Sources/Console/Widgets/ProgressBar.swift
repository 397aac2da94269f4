internal import Formatting

/// The progress of a job, such as `import 42 % ▕███▌    ▏ 118 MB/s 3 s left`.
public struct ProgressBar: Hashable, Sendable {
    /// Name of the job.
    public var label: String
    /// Completed share, 0 to 1; `nil` if the total is unknown.
    public var fraction: Double?
    /// Speed and remaining time, or the amount done if the total is unknown.
    public var details: [String]
    /// Width of the bar in columns, without its ends.
    public var barColumns: Int

    /// Creates a progress bar.
    public init(_ label: String, fraction: Double?, details: [String] = [], barColumns: Int = 8) {
        self.label = label
        self.fraction = fraction.map { $0.isFinite ? max(0, min(1, $0)) : 0 }
        self.details = details
        self.barColumns = max(1, barColumns)
    }

    private var percent: String? { fraction.map(Format.progress) }

    private var head: [(String, Role)] {
        [(label, .text)] + (percent.map { [($0.paddedToColumns(5, .right), .text)] } ?? [])
    }

    /// Width of all parts in columns.
    public var columns: Int {
        let words = head.map(\.0) + details
        let text = words.reduce(0) { $0 + DisplayWidth.of($1) + 1 } - 1
        return text + (fraction == nil ? 0 : barColumns + 3)
    }

    /// Width of the label and the percentage in columns.
    public var minimumColumns: Int { head.reduce(0) { $0 + DisplayWidth.of($1.0) + 1 } - 1 }

    /// Draws the parts that fit. If space is short, details are omitted first, starting with the last, and then the
    /// bar.
    public func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard !area.isEmpty else { return }
        var column = area.column
        func put(_ text: String, _ role: Role, into surface: inout Surface) {
            let lead = column > area.column ? 1 : 0
            column += lead
            column += surface.put(
                text, at: Point(column: column, row: area.row), style: theme[role],
                width: max(0, area.endColumn - column))
        }
        put(label, .text, into: &surface)
        for (text, role) in head.dropFirst() {
            guard column + 1 + DisplayWidth.of(text) <= area.endColumn else { return }
            put(text, role, into: &surface)
        }
        if let fraction {
            guard area.endColumn - column >= barColumns + 3 else { return }
            let bar = Rect(column: column + 2, row: area.row, columns: barColumns, rows: 1)
            surface.put(theme.glyphs.gaugeStart, at: Point(column: column + 1, row: area.row), style: theme[.dim])
            surface.put(
                theme.glyphs.gaugeEnd, at: Point(column: bar.endColumn, row: area.row), style: theme[.dim])
            surface.bar(fraction, in: bar, style: theme[.gauge], glyphs: theme.glyphs)
            column = bar.endColumn + 1
        }
        for detail in details {
            guard column + 1 + DisplayWidth.of(detail) <= area.endColumn else { return }
            put(detail, .dim, into: &surface)
        }
    }
}

extension Surface {
    /// Draws a horizontal bar over a share of a line, in fractions of a cell. Any share above 0 is visible.
    public mutating func bar(_ fraction: Double, in area: Rect, style: Style, glyphs: Glyphs) {
        guard !area.isEmpty, fraction.isFinite, fraction > 0, let full = glyphs.bars.last else { return }
        let steps = glyphs.bars.count
        let parts = max(1, Int((min(1, fraction) * Double(area.columns * steps)).rounded()))
        let whole = parts / steps
        fill(Rect(column: area.column, row: area.row, columns: whole, rows: 1), with: full, style: style)
        if parts % steps > 0 {
            put(
                glyphs.bars[parts % steps - 1], at: Point(column: area.column + whole, row: area.row), style: style)
        }
    }
}

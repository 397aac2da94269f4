internal import Console
internal import EvalLogs
internal import Evals
internal import Formatting
internal import Traces

extension EvalGrid {
    /// Positions of the cells: columns are as wide as the longest interval, and names take several lines.
    struct Layout {
        /// Columns that names of rows take, and a cell with the gap after it.
        var labels: Int
        var width: Int
        var headRows: Int
        /// Rows and columns of the matrix that are shown.
        var rows: Range<Int>
        var columns: Range<Int>
        /// Hidden rows and columns, such as `← 1 more   → 3 more`; empty if there are none.
        var more: String
        /// Rows that names and cells take.
        var usedRows: Int { headRows + rows.count * cellRows }
    }

    /// Lines of a cell with the gap below it, and the most lines of a name.
    private static let cellRows = 3
    /// Columns of a cell in addition to its text: the cursor, one after the text, and the gap.
    private static let frame = 3

    func layout(in area: Rect, _ glyphs: Glyphs) -> Layout? {
        guard !rows.isEmpty, !columns.isEmpty, area.rows > Self.cellRows, area.columns > 8 else { return nil }
        let longest = rows.map { DisplayWidth.of($0) }.max() ?? 8
        let labels = min(area.columns / 4, longest) + 2
        let texts = cells.compactMap(\.self).flatMap { [Self.value($0), Self.interval($0)] }
        let needed = (texts.map { DisplayWidth.of($0) }.max() ?? 0) + Self.frame
        let free = area.columns - labels
        let width = min(free, max(needed, 12, min(40, free / columns.count)))
        let room = max(1, free / width)
        let first = max(0, min(cursor.column - room / 2, columns.count - room))
        let shown = first..<min(columns.count, first + room)
        let headRows = shown.map { Self.wrapped(columns[$0], width - 2).count }.max() ?? 1
        let high = max(1, (area.rows - headRows + 1) / Self.cellRows)
        let top = max(0, min(cursor.row - high / 2, rows.count - high))
        let down = top..<min(rows.count, top + high)
        let more = [
            (glyphs.left, first), (glyphs.right, columns.count - shown.upperBound), (glyphs.up, top),
            (glyphs.down, rows.count - down.upperBound),
        ].filter { $0.1 > 0 }.map { "\(Character($0.0)) \($0.1) more" }.joined(separator: "   ")
        return Layout(labels: labels, width: width, headRows: headRows, rows: down, columns: shown, more: more)
    }

    /// Returns a name in at most three lines, broken after a punctuation mark near the end of a line.
    static func wrapped(_ name: String, _ width: Int) -> [String] {
        var lines: [String] = []
        var rest = Substring(name)
        while lines.count < cellRows - 1, DisplayWidth.of(String(rest)) > width, width > 1 {
            var line = rest
            while DisplayWidth.of(String(line)) > width { line.removeLast() }
            let signs = line.lastIndex { "/-:, _.".contains($0) }
            if let sign = signs, line.distance(from: line.startIndex, to: sign) >= width / 2 { line = line[...sign] }
            // A character that is wider than the line stands alone.
            if line.isEmpty { line = rest.prefix(1) }
            lines.append(String(line))
            rest = rest[line.endIndex...].drop { $0 == " " }
        }
        return lines + [String(rest)]
    }

    func draw(_ layout: Layout, into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        func column(_ place: Int) -> Int {
            area.column + layout.labels + (place - layout.columns.lowerBound) * layout.width
        }
        for place in layout.columns {
            let style = theme[place == cursor.column ? .accent : .columnHeader]
            let lines = Self.wrapped(columns[place], layout.width - 2)
            // Short names are directly above their cells.
            let top = area.row + layout.headRows - lines.count
            for (row, line) in lines.enumerated() {
                surface.put(
                    line, at: Point(column: column(place), row: top + row), style: style, width: layout.width - 2)
            }
        }
        for place in layout.rows {
            let top = area.row + layout.headRows + (place - layout.rows.lowerBound) * Self.cellRows
            let style = theme[place == cursor.row ? .accent : .text]
            for (row, line) in Self.wrapped(rows[place], layout.labels - 1).enumerated() where top + row < area.endRow {
                surface.put(
                    line, at: Point(column: area.column, row: top + row), style: style, width: layout.labels - 1)
            }
            for other in layout.columns {
                let cell = Rect(column: column(other), row: top, columns: layout.width - 1, rows: 2)
                draw(place, other, into: &surface, in: cell, theme: theme, isFocused: isFocused)
            }
        }
    }

    /// Draws the runs around the cursor, one per line, if there is no room for cells.
    func drawList(into surface: inout Surface, in area: Rect, theme: Theme) {
        let places = rows.indices.flatMap { row in columns.indices.map { HeatGrid.Position(row: row, column: $0) } }
            .filter { cell($0.row, $0.column) != nil }
        let start = max(0, min(places.firstIndex(of: cursor) ?? 0, places.count - area.rows))
        for (line, place) in places.dropFirst(start).prefix(area.rows).enumerated() {
            guard let entry = cell(place.row, place.column) else { continue }
            surface.put(
                StyledLine([
                    .init(Self.value(entry), place == cursor ? .accent : .strong),
                    .init("  \(columns[place.column])  \(rows[place.row])", .dim),
                ]), at: Point(column: area.column, row: area.row + line), theme: theme, width: area.columns)
        }
    }

    /// The scale of all bars: 0 to 1 if it holds every figure and interval.
    private var scale: ClosedRange<Double> {
        let metrics = cells.compactMap { $0?.metric }
        let values = metrics.flatMap { [$0.value, $0.lower, $0.upper].compactMap(\.self) }.filter(\.isFinite)
        guard let least = values.min(), let greatest = values.max(), least < 0 || greatest > 1 else { return 0...1 }
        return min(0, least)...max(1, greatest)
    }

    /// Returns the metric, with the part of the task that an incomplete run covers.
    private static func value(_ entry: EvalRunEntry) -> String {
        guard let metric = entry.metric else { return entry.part ?? "no metric yet" }
        return Format.metric(metric.value) + (entry.part.map { "  \($0)" } ?? "")
    }

    private static func interval(_ entry: EvalRunEntry) -> String {
        guard let metric = entry.metric else { return entry.part == nil ? "" : "no metric yet" }
        return Format.interval(metric.lower, metric.upper) ?? "no interval"
    }

    private func draw(
        _ row: Int, _ column: Int, into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool
    ) {
        let entry = cell(row, column)
        if cursor == HeatGrid.Position(row: row, column: column) {
            surface.fill(
                Rect(column: area.column, row: area.row, columns: 1, rows: area.rows), with: theme.glyphs.cursorBar,
                style: theme[isFocused ? .accent : .dim])
        }
        var inside = Rect(
            column: area.column + 1, row: area.row, columns: max(0, area.columns - 1), rows: area.rows)
        guard let entry else {
            surface.put("no run", at: inside.origin, style: theme[.faint], width: inside.columns)
            return
        }
        // A run of only some samples is not compared with whole ones.
        let style = theme[entry.isWhole ? .strong : .dim]
        let width = surface.put(Self.value(entry), at: inside.origin, style: style, width: inside.columns)
        surface.put(
            Self.interval(entry), at: Point(column: inside.column, row: inside.row + 1), style: theme[.dim],
            width: inside.columns)
        _ = inside.takeLeft(width + 1)
        guard inside.columns >= 8, let metric = entry.metric else { return }
        IntervalBar(metric.value, lower: metric.lower, upper: metric.upper).draw(
            into: &surface, in: inside.takeTop(1), range: scale,
            style: theme[entry.isWhole ? .accent : .dim], whisker: theme[.dim], glyphs: theme.glyphs)
    }
}

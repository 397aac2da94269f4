internal import Console
internal import Retrieval

extension StageColumns {
    /// Where a column is drawn, and which stage it is.
    struct Placed: Hashable, Sendable {
        var stage: Int
        var area: Rect
    }

    /// Columns between two stages: room for the line that follows a passage.
    static let gap = 4
    /// Narrower columns say nothing.
    static let narrowest = 19

    /// The stages that there is room for, the one under the cursor among them.
    func placed(in area: Rect) -> [Placed] {
        guard !stages.isEmpty, area.columns > 0 else { return [] }
        let most = max(1, (area.columns + Self.gap) / (Self.narrowest + Self.gap))
        let count = min(stages.count, most)
        let first = max(0, min(column - count / 2, stages.count - count))
        let room = area.columns - Self.gap * (count - 1)
        var left = area.column
        return (0..<count).map { index in
            let columns = room / count + (index < room % count ? 1 : 0)
            defer { left += columns + Self.gap }
            return Placed(
                stage: first + index, area: Rect(column: left, row: area.row, columns: columns, rows: area.rows))
        }
    }

    /// Rows of a column's head: its name, and what it took.
    static let headRows = 2

    /// The stage and line at a place.
    func place(at point: Point, in area: Rect) -> (stage: Int, line: Int)? {
        guard let column = placed(in: area).first(where: { $0.area.contains(point) }) else { return nil }
        let row = point.row - area.row - Self.headRows
        guard row >= 0 else { return nil }
        return (column.stage, top + row)
    }

    func draw(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        let columns = placed(in: area)
        for column in columns {
            drawHead(stages[column.stage], into: &surface, in: column.area, theme, isCurrent: column.stage == self.column)
            drawLines(column, into: &surface, theme, isFocused: isFocused)
        }
        guard let passage = selected else { return }
        for (left, right) in zip(columns, columns.dropFirst()) {
            drawLink(passage, from: left, to: right, into: &surface, theme)
        }
    }

    private func drawHead(
        _ stage: Stage, into surface: inout Surface, in area: Rect, _ theme: Theme, isCurrent: Bool
    ) {
        let seconds = stage.seconds.map(RetrievalFigure.duration) ?? ""
        let room = area.columns - DisplayWidth.of(seconds) - 1
        surface.put(stage.name, at: area.origin, style: theme[isCurrent ? .titleFocused : .title], width: room)
        surface.put(
            seconds, at: Point(column: area.column + room + 1, row: area.row), style: theme[.dim],
            width: area.columns - room - 1, aligned: .right)
        surface.fill(
            Rect(column: area.column, row: area.row + 1, columns: area.columns, rows: 1),
            with: theme.glyphs.horizontal, style: theme[isCurrent ? .accent : .border])
    }

    private func drawLines(_ column: Placed, into surface: inout Surface, _ theme: Theme, isFocused: Bool) {
        let stage = stages[column.stage]
        let body = Rect(
            column: column.area.column, row: column.area.row + Self.headRows, columns: column.area.columns,
            rows: max(0, column.area.rows - Self.headRows))
        if stage.entries.isEmpty {
            surface.put("nothing", at: body.origin, style: theme[.faint], width: body.columns)
            return
        }
        for row in 0..<body.rows {
            let index = top + row
            guard lines[column.stage].indices.contains(index) else { break }
            let line = Rect(column: body.column, row: body.row + row, columns: body.columns, rows: 1)
            switch lines[column.stage][index] {
            case .limit(let text): drawLimit(text, into: &surface, in: line, theme)
            case .entry(let entry):
                let isHere = column.stage == self.column && index == self.line
                let look: RowLook = isHere ? (isFocused ? .selected : .selectedInactive) : .plain
                drawEntry(stage, stage.entries[entry], into: &surface, in: line, look: look, theme)
            }
        }
    }

    private func drawLimit(_ text: String, into surface: inout Surface, in line: Rect, _ theme: Theme) {
        surface.fill(line, with: theme.glyphs.horizontal, style: theme[.faint])
        surface.put(" \(text) ", at: Point(column: line.column + 2, row: line.row), style: theme[.faint])
    }

    private func drawEntry(
        _ stage: Stage, _ entry: Stage.Entry, into surface: inout Surface, in line: Rect, look: RowLook, _ theme: Theme
    ) {
        guard let record else { return }
        let isFollowed = entry.passage == selected
        if look != .plain { surface.fill(line, style: theme.style(.text, in: look)) }
        let role: Role = isFollowed ? .accent : entry.verdict.isKept ? .text : .dim
        let mark = RetrievalFigure.mark(entry, of: stage, theme.glyphs)
        let number = stage.kind == .context ? mark : String(entry.rank)
        surface.put(
            number, at: line.origin, style: theme.style(stage.kind == .context ? markRole(entry) : .dim, in: look),
            width: 3, aligned: stage.kind == .context ? .left : .right)
        let figure = RetrievalFigure.figure(entry, of: stage, in: record)
        let figureColumns = min(DisplayWidth.of(figure), max(0, line.columns - 12))
        let label = record[entry.passage].label
        surface.put(
            label, at: Point(column: line.column + 4, row: line.row), style: theme.style(role, in: look),
            width: max(0, line.columns - 5 - figureColumns))
        surface.put(
            figure, at: Point(column: line.endColumn - figureColumns, row: line.row),
            style: theme.style(entry.verdict.isKept ? .number : .faint, in: look), width: figureColumns, aligned: .right)
    }

    private func markRole(_ entry: Stage.Entry) -> Role { entry.verdict.isKept ? .success : .warning }

    // MARK: The line that follows a passage

    /// Joins the places of a passage in two neighboring columns.
    private func drawLink(
        _ passage: PassageID, from left: Placed, to right: Placed, into surface: inout Surface, _ theme: Theme
    ) {
        let start = left.area.endColumn
        let first = left.area.row + Self.headRows
        let last = left.area.endRow - 1
        guard let from = place(of: passage, in: left.stage).map({ first + $0 - top }) else { return }
        let style = theme[.accent]
        let glyphs = theme.glyphs
        func put(_ glyph: Unicode.Scalar, _ column: Int, _ row: Int) {
            guard row >= first, row <= last else { return }
            surface.put(glyph, at: Point(column: start + column, row: row), style: style)
        }
        guard let to = place(of: passage, in: right.stage).map({ first + $0 - top }) else {
            if stages[left.stage].entries.contains(where: { $0.passage == passage && $0.verdict.isKept }) {
                put(glyphs.horizontal, 0, from)
                put(glyphs.failed, 1, from)
            }
            return
        }
        if from == to {
            for column in 0..<Self.gap { put(glyphs.horizontal, column, from) }
            return
        }
        put(glyphs.horizontal, 0, from)
        put(from < to ? glyphs.topRight : glyphs.bottomRight, 1, from)
        for row in min(from, to) + 1..<max(from, to) { put(glyphs.vertical, 1, row) }
        put(from < to ? glyphs.bottomLeft : glyphs.topLeft, 1, to)
        put(glyphs.horizontal, 2, to)
        put(glyphs.horizontal, 3, to)
    }
}

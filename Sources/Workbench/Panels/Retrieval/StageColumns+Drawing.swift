internal import Console
internal import Formatting
internal import Retrieval

extension StageColumns {
    /// The area of a stage.
    struct Placed: Hashable, Sendable {
        var stage: Int
        var area: Rect
    }

    /// Columns between two stages, for the line that follows a passage.
    static let gap = 4
    /// Minimum width of a stage.
    static let narrowest = 19

    /// Returns the areas of the stages that fit, including the one under the cursor.
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

    /// Returns the hidden stages with the keys that reach them: `‹ lexical (h)`, or `‹ 2 (h)` if the names exceed `room`
    /// columns.
    func hiddenLabels(in area: Rect, room: Int) -> (before: [FrameLabel], after: [FrameLabel]) {
        let shown = placed(in: area).map(\.stage)
        guard let first = shown.first, let last = shown.last else { return ([], []) }
        let hidden = [stages[..<first], stages[(last + 1)...]]
        func name(_ stages: ArraySlice<Stage>) -> String {
            stages.count == 1 ? stages[stages.startIndex].name : "\(stages.count) more stages"
        }
        // ` ── ` and `‹  (h)` surround a name.
        let used = hidden.filter { !$0.isEmpty }.reduce(0) { $0 + DisplayWidth.of(name($1)) + 10 }
        let labels = hidden.map { used <= room ? name($0) : "\($0.count)" }
        return (
            hidden[0].isEmpty ? [] : [FrameLabel("‹ \(labels[0]) (h)", role: .warning)],
            hidden[1].isEmpty ? [] : [FrameLabel("\(labels[1]) (l) ›", role: .warning)]
        )
    }

    /// Returns the number of rows of a column's head: its name and duration, and a rule if there is room.
    static func headRows(in rows: Int) -> Int { rows > 3 ? 2 : rows > 1 ? 1 : 0 }

    /// Returns the stage and line at a point.
    func place(at point: Point, in area: Rect) -> (stage: Int, line: Int)? {
        guard let column = placed(in: area).first(where: { $0.area.contains(point) }) else { return nil }
        let row = point.row - area.row - Self.headRows(in: area.rows)
        guard row >= 0 else { return nil }
        return (column.stage, list.top + row)
    }

    func draw(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        let columns = placed(in: area)
        for column in columns {
            drawHead(column, into: &surface, theme)
            drawLines(column, into: &surface, theme, isFocused: isFocused)
        }
        guard let passage = selected else { return }
        for (left, right) in zip(columns, columns.dropFirst()) {
            drawLink(passage, from: left, to: right, into: &surface, theme)
        }
    }

    // MARK: Heads

    /// Draws the stage's name with its settings and duration, and a rule below.
    private func drawHead(_ column: Placed, into surface: inout Surface, _ theme: Theme) {
        let (stage, area) = (stages[column.stage], column.area)
        let isCurrent = column.stage == self.column
        let rows = Self.headRows(in: area.rows)
        guard rows > 0 else { return }
        var seconds = stage.seconds.map(Format.duration(seconds:)) ?? ""
        if DisplayWidth.of(stage.name) + 1 + DisplayWidth.of(seconds) > area.columns { seconds = "" }
        let room = area.columns - (seconds.isEmpty ? 0 : DisplayWidth.of(seconds) + 1)
        var head = StyledLine(stage.name.truncated(toColumns: room), isCurrent ? .titleFocused : .title)
        for word in stage.headline {
            guard head.columns + 2 + DisplayWidth.of(word) <= room else { break }
            head.append("  \(word)", .dim)
        }
        surface.put(head, at: area.origin, theme: theme, width: room)
        surface.put(
            seconds, at: Point(column: area.endColumn - DisplayWidth.of(seconds), row: area.row), style: theme[.dim])
        guard rows > 1 else { return }
        let rule = Rect(column: area.column, row: area.row + 1, columns: area.columns, rows: 1)
        surface.fill(rule, with: theme.glyphs.horizontal, style: theme[isCurrent ? .accent : .border])
    }

    /// Draws `↓ 23` into the rule if the followed passage is below or above the visible lines.
    private func drawElsewhere(_ column: Placed, into surface: inout Surface, _ theme: Theme) {
        guard Self.headRows(in: column.area.rows) > 1, let passage = selected,
            let line = place(of: passage, in: column.stage),
            let entry = entry(column.stage, line), !list.visible.contains(line)
        else { return }
        let arrow = Character(line < list.top ? theme.glyphs.up : theme.glyphs.down)
        let text = " \(arrow) \(entry.rank) "
        surface.put(
            text,
            at: Point(column: column.area.endColumn - DisplayWidth.of(text) - 1, row: column.area.row + 1),
            style: theme[.accent])
    }

    // MARK: Lines

    private func drawLines(_ column: Placed, into surface: inout Surface, _ theme: Theme, isFocused: Bool) {
        let stage = stages[column.stage]
        let head = Self.headRows(in: column.area.rows)
        let body = Rect(
            column: column.area.column, row: column.area.row + head, columns: column.area.columns,
            rows: max(0, column.area.rows - head))
        if stage.entries.isEmpty {
            // Provisional figures would be mistaken for the results of Enter.
            let reason = stage.isPending ? "waits for Enter: needs a model" : "nothing found"
            for (row, line) in StyledLine(reason, .dim).wrapped(to: body.columns).enumerated() where row < body.rows {
                surface.put(
                    line, at: Point(column: body.column, row: body.row + row), theme: theme, width: body.columns)
            }
            return
        }
        let isShort = usesShortLabels(column, body.rows)
        drawElsewhere(column, into: &surface, theme)
        for row in 0..<body.rows {
            let index = list.top + row
            guard lines[column.stage].indices.contains(index) else { break }
            let line = Rect(column: body.column, row: body.row + row, columns: body.columns, rows: 1)
            switch lines[column.stage][index] {
            case .limit(let text): drawLimit(text, into: &surface, in: line, theme)
            case .entry(let entry):
                let isHere = column.stage == self.column && index == list.selection
                let look: RowState = isHere ? (isFocused ? .selected : .selectedInactive) : .plain
                drawEntry(
                    stage, stage.entries[entry], into: &surface, in: line, look: look, isShort: isShort, theme)
            }
        }
    }

    private func drawLimit(_ text: String, into surface: inout Surface, in line: Rect, _ theme: Theme) {
        surface.fill(line, with: theme.glyphs.horizontal, style: theme[.faint])
        surface.put(" \(text) ", at: Point(column: line.column + 2, row: line.row), style: theme[.dim])
    }

    /// Returns the width of a rank, or of the mark in the context, with the blank after it.
    private func rankColumns(_ stage: Stage) -> Int {
        guard stage.kind != .context else { return 2 }
        return max(3, String(stage.entries.last?.rank ?? 0).count + 1)
    }

    /// Returns whether a column omits the folders of all its labels, because one visible label does not fit.
    private func usesShortLabels(_ column: Placed, _ rows: Int) -> Bool {
        guard let record else { return false }
        let stage = stages[column.stage]
        return (list.top..<list.top + rows).contains { line in
            guard let entry = entry(column.stage, line) else { return false }
            let taken = rankColumns(stage) + (gold.contains(entry.passage) ? 2 : 0)
            let figure = DisplayWidth.of(stage.figure(of: entry, in: record))
            return DisplayWidth.of(record[entry.passage].label) + taken + figure + 1 > column.area.columns
        }
    }

    private func drawEntry(
        _ stage: Stage, _ entry: Stage.Entry, into surface: inout Surface, in line: Rect, look: RowState, isShort: Bool,
        _ theme: Theme
    ) {
        guard let record else { return }
        let isFollowed = entry.passage == selected
        let isKept = entry.verdict.isKept
        if look != .plain { surface.fill(line, style: theme.style(.text, in: look)) }
        var rank = rankColumns(stage)
        if stage.kind == .context {
            surface.put(
                isKept ? theme.glyphs.check : theme.glyphs.failed, at: line.origin,
                style: theme.style(isKept ? .success : .warning, in: look))
        } else {
            surface.put(
                String(entry.rank), at: line.origin, style: theme.style(isFollowed ? .accent : .dim, in: look),
                width: rank - 1, aligned: .right)
        }
        if gold.contains(entry.passage) {
            surface.put(
                theme.glyphs.diamond, at: Point(column: line.column + rank, row: line.row),
                style: theme.style(.success, in: look))
            rank += 2
        }
        let figure = stage.figure(of: entry, in: record)
        let figureColumns = min(DisplayWidth.of(figure), max(0, line.columns - rank - 10))
        let room = max(0, line.columns - rank - (figureColumns == 0 ? 0 : figureColumns + 1))
        surface.put(
            PassageLabel.fitting(
                isShort ? shortLabels[entry.passage.index] : record[entry.passage].label, columns: room, theme.glyphs),
            at: Point(column: line.column + rank, row: line.row),
            style: theme.style(isFollowed ? .accent : isKept ? .text : .dim, in: look), width: room)
        surface.put(
            figure, at: Point(column: line.endColumn - figureColumns, row: line.row),
            style: theme.style(isKept ? .number : .faint, in: look), width: figureColumns, aligned: .right)
    }

    // MARK: The line that follows a passage

    /// Connects a passage in two neighboring columns. The line ends with a cross if the next stage gets its passages from
    /// this one but not this passage.
    private func drawLink(
        _ passage: PassageID, from left: Placed, to right: Placed, into surface: inout Surface, _ theme: Theme
    ) {
        let first = left.area.row + Self.headRows(in: left.area.rows)
        let last = left.area.endRow - 1
        let glyphs = theme.glyphs
        func put(_ glyph: Unicode.Scalar, _ column: Int, _ row: Int, _ role: Role = .accent) {
            guard row >= first, row <= last else { return }
            surface.put(glyph, at: Point(column: left.area.endColumn + column, row: row), style: theme[role])
        }
        guard let from = place(of: passage, in: left.stage).map({ first + $0 - list.top }) else { return }
        guard let to = place(of: passage, in: right.stage).map({ first + $0 - list.top }) else {
            guard isFed(right.stage, by: left.stage) else { return }
            put(glyphs.horizontal, 0, from)
            put(glyphs.failed, 1, from, .failure)
            return
        }
        // A blank at both ends separates the line from numbers and marks.
        if from == to {
            for column in 1..<Self.gap - 1 { put(glyphs.horizontal, column, from) }
            return
        }
        put(from < to ? glyphs.topRight : glyphs.bottomRight, 1, from)
        for row in min(from, to) + 1..<max(from, to) { put(glyphs.vertical, 1, row) }
        put(from < to ? glyphs.bottomLeft : glyphs.topLeft, 1, to)
        put(glyphs.horizontal, 2, to)
    }
}

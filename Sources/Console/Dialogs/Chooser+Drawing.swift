internal import Formatting

extension Chooser {
    /// Areas of the parts of the box.
    struct Areas {
        var input: Rect
        var rule: Rect
        var list: Rect
        var detail: Rect
    }

    /// Draws the box centered on the screen, and puts the cursor after the typed text.
    public func draw(into surface: inout Surface, in screen: Rect, theme: Theme) {
        let inside = popup(in: screen).draw(into: &surface, in: screen, theme: theme)
        guard !inside.isEmpty else { return }
        drawContent(into: &surface, in: screen, theme: theme)
        Popup.drawHints(hints, into: &surface, below: inside, theme: theme)
    }

    private func drawContent(into surface: inout Surface, in screen: Rect, theme: Theme) {
        let areas = areas(in: screen)
        drawInput(into: &surface, in: areas.input, theme: theme)
        surface.fill(areas.rule, with: theme.glyphs.horizontal, style: theme[.border])
        let shown = list.fitted(to: areas.list.rows)
        if shown.isEmpty {
            surface.put(emptyText, at: areas.list.origin, style: theme[.dim], width: areas.list.columns)
        }
        let columns = FactColumns(matches.map { choices[$0].facts }, titles: widestTitle, width: areas.list.columns - 2)
        let matcher = FuzzyMatcher(query)
        for row in shown.visible {
            let line = Rect(
                column: areas.list.column, row: areas.list.row + row - shown.top, columns: areas.list.columns, rows: 1)
            draw(row: row, columns, matcher, into: &surface, in: line, theme)
        }
        let edge = Rect(column: areas.list.endColumn + 1, row: areas.list.row, columns: 1, rows: areas.list.rows)
        ScrollBar(shown).draw(into: &surface, in: edge, theme: theme)
        guard let selected, !areas.detail.isEmpty else { return }
        let text = selected.disabledReason ?? selected.detail
        surface.put(text, at: areas.detail.origin, style: theme[.dim], width: areas.detail.columns)
    }

    // MARK: Parts

    private func popup(in screen: Rect) -> Popup {
        let count = query.isEmpty ? Format.count(choices.count) : "\(Format.count(matches.count)) of \(choices.count)"
        let rows = 2 + min(Self.maxRows, max(3, choices.count + (typedAction == nil ? 0 : 1)))
        let title = marked.isEmpty ? self.title : "\(self.title) ── \(marked.count) marked"
        return Popup(
            FrameLabel(title), content: Size(width(in: screen), rows + (hasDetails ? 1 : 0)),
            trailing: [FrameLabel(count, role: .dim)])
    }

    /// Returns the width that the rows need: at least 68 columns and at most 120 if the screen is wide enough.
    private func width(in screen: Rect) -> Int {
        let facts = choices.reduce(0) { max($0, $1.facts.reduce(0) { $0 + DisplayWidth.of($1) + 2 }) }
        return min(max(68, widestTitle + facts + 4), max(1, screen.columns - 8), 120)
    }

    private var widestTitle: Int { searched.reduce(0) { max($0, DisplayWidth.of($1)) } }
    private var hasDetails: Bool { choices.contains { !$0.detail.isEmpty } }

    /// Returns the area of the box, including its border.
    func box(in screen: Rect) -> Rect { popup(in: screen).area(in: screen) }

    func areas(in screen: Rect) -> Areas {
        var inside = box(in: screen).inset(columns: 2, rows: 1)
        let input = inside.takeTop(1)
        let rule = inside.takeTop(1)
        let detail = hasDetails && inside.rows > 3 ? inside.takeBottom(1) : Rect(column: 0, row: 0, columns: 0, rows: 0)
        return Areas(input: input, rule: rule, list: inside, detail: detail)
    }

    private var hints: [KeyHint] {
        var hints = [KeyHint("Enter", "choose", priority: 0), KeyHint("Esc", "cancel", priority: 0)]
        if allowsMultiple { hints.insert(KeyHint("Tab", "mark"), at: 1) }
        return hints
    }

    private func drawInput(into surface: inout Surface, in row: Rect, theme: Theme) {
        guard !row.isEmpty else { return }
        surface.put(
            theme.glyphs.isASCII ? ">" : "›", at: row.origin, style: theme[.accent], width: row.columns)
        var field = row
        _ = field.takeLeft(2)
        if query.isEmpty { surface.put(placeholder, at: field.origin, style: theme[.faint], width: field.columns) }
        input.draw(into: &surface, in: field, style: theme[.strong], theme: theme, isFocused: true)
    }

    private func draw(
        row: Int, _ columns: FactColumns, _ matcher: FuzzyMatcher, into surface: inout Surface, in line: Rect,
        _ theme: Theme
    ) {
        let look: RowState = row == list.selection ? .selected : .plain
        surface.fill(line, style: theme.style(.text, in: look))
        var text = line
        let gutter = text.takeLeft(2)
        guard matches.indices.contains(row) else {
            let sentence = "\(typedAction ?? "") “\(query)”"
            surface.put(sentence, at: text.origin, style: theme.style(.accent, in: look), width: text.columns)
            return
        }
        let choice = choices[matches[row]]
        if marked.contains(matches[row]) {
            surface.put(theme.glyphs.check, at: gutter.origin, style: theme.style(.accent, in: look))
        } else if choice.isCurrent {
            surface.put(theme.glyphs.bullet, at: gutter.origin, style: theme.style(.accent, in: look))
        }
        columns.draw(
            choice.facts, into: &surface, in: &text,
            style: theme.style(choice.disabledReason == nil ? factRole : .faint, in: look))
        drawTitle(of: matches[row], matcher, look, into: &surface, in: text, theme)
    }

    private func drawTitle(
        of index: Int, _ matcher: FuzzyMatcher, _ look: RowState, into surface: inout Surface, in area: Rect,
        _ theme: Theme
    ) {
        let choice = choices[index]
        let positions = Set(matcher.match(searched[index])?.positions ?? [])
        let lead = choice.group.isEmpty ? 0 : choice.group.utf8.count + 1
        var column = area.column
        var offset = 0
        for character in searched[index] where column < area.endColumn {
            let role: Role = offset < lead ? .dim : choice.disabledReason == nil ? .text : .faint
            var style = theme.style(role, in: look)
            if positions.contains(offset) { style = theme.style(.accent, in: look).adding([.bold, .underline]) }
            column += surface.put(
                String(character), at: Point(column: column, row: area.row), style: style,
                width: area.endColumn - column)
            offset += character.utf8.count
        }
        guard let reason = choice.disabledReason, !hasDetails, area.endColumn - column > 8 else { return }
        surface.put(
            "  " + reason, at: Point(column: column, row: area.row), style: theme.style(.faint, in: look),
            width: area.endColumn - column)
    }
}

/// The fact columns at the right of a chooser's rows. The last ones are dropped if titles need the room.
private struct FactColumns {
    private var widths: [Int] = []

    init(_ rows: [[String]], titles: Int, width: Int) {
        for row in rows {
            for (index, fact) in row.enumerated() {
                if index == widths.count { widths.append(0) }
                widths[index] = max(widths[index], DisplayWidth.of(fact))
            }
        }
        // Facts take at most half of the row, or all the room that the titles leave if that is more.
        let room = max(width / 2, width - titles)
        while !widths.isEmpty, widths.reduce(0, { $0 + $1 + 2 }) > room { widths.removeLast() }
    }

    /// Draws the facts at the right of an area and shrinks the area by their width.
    func draw(_ facts: [String], into surface: inout Surface, in area: inout Rect, style: Style) {
        for (index, width) in widths.enumerated().reversed() where width > 0 {
            let place = area.takeRight(width)
            _ = area.takeRight(2)
            guard index < facts.count else { continue }
            surface.put(facts[index], at: place.origin, style: style, width: place.columns, aligned: .right)
        }
    }
}

extension Form {
    /// Draws the form in the middle of the screen, with the cursor in the edited value.
    public func draw(into surface: inout Surface, in screen: Rect, theme: Theme) {
        let inside = popup(in: screen).draw(into: &surface, in: screen, theme: theme)
        guard !inside.isEmpty else { return }
        let area = listArea(in: screen)
        let shown = list.fitted(to: area.rows)
        for row in shown.visible {
            let line = Rect(column: area.column, row: area.row + row - shown.top, columns: area.columns, rows: 1)
            draw(row: row, into: &surface, in: line, theme: theme)
        }
        let edge = Rect(column: area.endColumn + 1, row: area.row, columns: 1, rows: area.rows)
        ScrollBar(shown).draw(into: &surface, in: edge, theme: theme)
        if let help = selected?.help, hasHelp, inside.rows > area.rows {
            let point = Point(column: inside.column, row: inside.endRow - 1)
            let note = input.candidates.isEmpty ? help : input.candidates.joined(separator: "  ")
            surface.put(note, at: point, style: theme[.popup].overlaid(with: theme[.dim]), width: inside.columns)
        }
        Popup.drawHints(hints, into: &surface, below: inside, theme: theme)
    }

    private var hints: [KeyHint] {
        var hints = [KeyHint("Enter", verb, priority: 0)]
        if selected?.choices.isEmpty == false { hints.append(KeyHint("←→", "change")) }
        if selected?.isPath == true { hints.append(KeyHint("Tab", "complete")) }
        if fields.count > 1 { hints.append(KeyHint("↑↓", "field")) }
        return hints + [KeyHint("Esc", "cancel", priority: 0)]
    }

    private var hasHelp: Bool { fields.contains { !$0.help.isEmpty } }
    private var nameWidth: Int { fields.reduce(4) { max($0, DisplayWidth.of($1.name)) } }

    private func popup(in screen: Rect) -> Popup {
        let rows = min(Self.maxRows, max(1, fields.count)) + (hasHelp ? 2 : 0)
        let texts = fields.indices.reduce(0) { widest, row in
            let field = fields[row]
            let note = problem(row) ?? (field.choices.isEmpty ? field.allowed : "")
            return max(widest, max(valueColumns, DisplayWidth.of(field.shown)) + DisplayWidth.of(note) + 2)
        }
        let helps = min(80, fields.reduce(0) { max($0, DisplayWidth.of($1.help)) })
        let columns = min(max(60, nameWidth + texts + 4, helps), max(1, screen.columns - 8), 110)
        let changed = changes.count
        return Popup(
            FrameLabel(title), content: Size(columns, rows),
            trailing: changed == 0 ? [] : [FrameLabel("\(changed) changed", role: .accent)])
    }

    /// Minimum width of the values, which aligns the notes after them.
    private var valueColumns: Int { 18 }

    func listArea(in screen: Rect) -> Rect {
        var inside = popup(in: screen).area(in: screen).inset(columns: 2, rows: 1)
        if hasHelp, inside.rows > 2 { _ = inside.takeBottom(2) }
        return inside
    }

    private func draw(row: Int, into surface: inout Surface, in line: Rect, theme: Theme) {
        let isSelected = row == list.selection
        let field = fields[row]
        var rest = line
        let name = rest.takeLeft(min(nameWidth, line.columns / 2))
        _ = rest.takeLeft(2)
        surface.put(
            field.name, at: name.origin, style: isSelected ? theme[.accent] : theme[.text], width: name.columns)
        let problem = problem(row)
        let note = problem ?? (field.choices.isEmpty ? field.allowed : "")
        let wanted = max(valueColumns, DisplayWidth.of(field.shown) + 2)
        let value = rest.takeLeft(min(wanted, max(rest.columns - DisplayWidth.of(note) - 2, rest.columns / 2)))
        drawValue(of: row, into: &surface, in: value, theme: theme)
        _ = rest.takeLeft(2)
        surface.put(note, at: rest.origin, style: theme[problem == nil ? .dim : .failure], width: rest.columns)
    }

    private func drawValue(of row: Int, into surface: inout Surface, in area: Rect, theme: Theme) {
        let isSelected = row == list.selection
        let shown = fields[row].shown
        let style = theme[isChanged(row) ? .strong : fields[row].value.isEmpty ? .dim : .text]
        guard fields[row].choices.isEmpty else {
            let text = isSelected ? "\(theme.glyphs.left) \(shown) \(theme.glyphs.right)" : shown
            surface.put(text, at: area.origin, style: isSelected ? theme[.selection] : style, width: area.columns)
            if isSelected { surface.cursor = area.origin }
            return
        }
        guard isSelected else {
            surface.put(shown, at: area.origin, style: style, width: area.columns)
            return
        }
        let background = theme[.selectionInactive]
        surface.fill(area, style: background)
        if fields[row].value.isEmpty {
            surface.put(shown, at: area.origin, style: background.overlaid(with: theme[.dim]), width: area.columns)
        }
        input.draw(into: &surface, in: area, style: background.overlaid(with: style), theme: theme, isFocused: true)
    }
}

internal import Console
internal import Evals
internal import LanguageModels
internal import Traces

extension EvalSides {
    /// Rows above the list: the names of the runs.
    static let headRows = 1

    /// Minimum width to show both sides; below it, only the focused side is shown, and h and l switch.
    private static let fewestColumns = 46

    /// Returns the areas of both sides and of the sign between them; a hidden side is empty.
    private func columns(_ area: Rect) -> (left: Rect, sign: Rect, right: Rect) {
        var rest = area
        guard area.columns >= Self.fewestColumns else {
            let sign = rest.takeLeft(2)
            let none = Rect(column: area.column, row: area.row, columns: 0, rows: area.rows)
            return side == .left ? (rest, sign, none) : (none, sign, rest)
        }
        let left = rest.takeLeft(max(0, (area.columns - 3) / 2))
        let sign = rest.takeLeft(3)
        return (left, sign, rest)
    }

    func draw(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var rest = area
        var head = rest.takeTop(Self.headRows)
        _ = head.takeLeft(ListView.gutter)
        if head.columns > 1 { head.columns -= 1 }
        let heads = columns(head)
        for (side, place, entry) in [(Side.left, heads.left, base), (.right, heads.right, new)]
        where !place.isEmpty {
            surface.put(
                "     " + (entry?.title ?? ""), at: place.origin,
                style: side == self.side ? theme[.accent].adding(.bold) : theme[.columnHeader], width: place.columns)
        }
        guard isRead else {
            surface.put(
                "reading both runs' steps", at: Point(column: rest.column + ListView.gutter, row: rest.row),
                style: theme[.dim], width: max(0, rest.columns - ListView.gutter))
            return
        }
        let first = alignment.firstDifference
        list.draw(into: &surface, in: rest, theme: theme, isFocused: isFocused) { surface, line in
            let row = alignment.rows[line.index]
            let places = columns(line.area)
            draw(row.left, .left, row, into: &surface, in: places.left, line, theme)
            draw(row.right, .right, row, into: &surface, in: places.right, line, theme)
            let (sign, role) = Self.sign(row, isFirst: line.index == first, theme.glyphs)
            surface.put(
                sign, at: places.sign.origin, style: line.style(role, theme), width: places.sign.columns,
                aligned: .center)
        }
    }

    /// Returns the sign between the sides: how their steps compare, in red at the first difference.
    private static func sign(
        _ row: StepAlignment.Row, isFirst: Bool, _ glyphs: Glyphs
    ) -> (String, Console.Role) {
        if row.isSame { return ("=", .faint) }
        let sign = row.left == nil ? "+" : row.right == nil ? "-" : String(Character(glyphs.multiply))
        return (sign, isFirst ? .failure : .warning)
    }

    private func draw(
        _ number: Int?, _ side: Side, _ row: StepAlignment.Row, into surface: inout Surface, in area: Rect,
        _ line: ListView.Row, _ theme: Theme
    ) {
        guard !area.isEmpty, let number, let step = step(side, row) else { return }
        var rest = area
        let isFirst = !row.isSame && number >= 0 && alignment.firstDifference == line.index
        surface.put(
            String(number + 1), at: rest.takeLeft(3).origin, style: line.style(.dim, theme), width: 3, aligned: .right)
        _ = rest.takeLeft(2)
        // The name comes first: a narrow side has no room for more.
        let time = rest.takeRight(rest.columns >= 28 ? 8 : 0)
        let kind = rest.takeLeft(rest.columns >= 20 ? 11 : 0)
        surface.put(
            step.kind.name, at: kind.origin, style: line.style(step.problem == nil ? .dim : .failure, theme),
            width: max(0, kind.columns - 1))
        var text = StyledLine(step.name, step.problem != nil ? .failure : isFirst ? .strong : .text)
        // Calls of the same tool differ in their input.
        if let problem = step.problem {
            text.append("  \(problem)", .failure)
        } else if step.kind != .model, let part = step.parts.first {
            text.append("  " + part.text.prefix(200).split(separator: "\n").joined(separator: " "), .dim)
        }
        var column = rest.column
        for run in text.runs {
            column += surface.put(
                run.text, at: Point(column: column, row: rest.row), style: line.style(run.role, theme),
                width: max(0, rest.endColumn - 1 - column))
        }
        surface.put(
            EvalFigure.seconds(step.seconds), at: time.origin, style: line.style(.dim, theme), width: time.columns,
            aligned: .right)
    }
}

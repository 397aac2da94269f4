internal import Formatting

extension Heatmap {
    /// Draws the heatmap, its labels, and the cursor.
    public func draw(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool = true) {
        let placement = placement(in: area, theme: theme)
        guard placement.rows > 0, placement.columns > 0, !placement.cells.isEmpty else { return }
        let painter = Painter(
            grid: grid.pooled(rows: placement.rows, columns: placement.columns, by: pooling), scale: scale,
            cursor: drawnCursor(placement), placement: placement, palette: HeatPalette(theme), theme: theme,
            hasNumbers: hasNumbers, isFocused: isFocused)
        surface.clipped(to: placement.cells) { surface in
            if placement.isHalved {
                painter.paintHalves(into: &surface)
            } else {
                for row in 0..<placement.rows {
                    for column in 0..<placement.columns { painter.paint(row, column, into: &surface) }
                }
            }
        }
        drawRowLabels(placement, into: &surface, theme: theme)
        drawColumnLabels(placement, into: &surface, theme: theme)
    }

    /// Returns the cursor's position among the drawn cells.
    private func drawnCursor(_ placement: Placement) -> HeatGrid.Position? {
        guard let cursor, cursor.row >= 0, cursor.row < grid.rows, cursor.column >= 0, cursor.column < grid.columns
        else { return nil }
        func drawn(_ index: Int, _ count: Int, _ shown: Int) -> Int { ((index + 1) * shown - 1) / count }
        return HeatGrid.Position(
            row: drawn(cursor.row, grid.rows, placement.rows),
            column: drawn(cursor.column, grid.columns, placement.columns))
    }

    private func drawRowLabels(_ placement: Placement, into surface: inout Surface, theme: Theme) {
        guard placement.labels.columns > 1 else { return }
        let cursor = drawnCursor(placement)
        var taken: Set<Int> = []
        func put(_ row: Int) {
            // Label a row of several lines in its middle. If rows share a line, use the label of the cursor's row or of
            // the first row.
            let line = (placement.rowEdges[row] + placement.rowEdges[row + 1] - 1) / 4
            let index = row == cursor?.row ? self.cursor?.row ?? 0 : row * grid.rows / placement.rows
            guard line < placement.labels.rows, rowLabels.indices.contains(index), taken.insert(line).inserted else {
                return
            }
            surface.put(
                rowLabels[index], at: Point(column: placement.labels.column, row: placement.labels.row + line),
                style: theme[row == cursor?.row ? .accent : .dim], width: placement.labels.columns - 1,
                aligned: .right)
        }
        if let row = cursor?.row { put(row) }
        for row in 0..<placement.rows { put(row) }
    }

    private func drawColumnLabels(_ placement: Placement, into surface: inout Surface, theme: Theme) {
        let header = placement.header
        guard !header.isEmpty else { return }
        let cursor = drawnCursor(placement)
        var taken: [Range<Int>] = []
        func put(_ label: String, at column: Int, _ role: Role) {
            let edges = placement.columnEdges
            let width = min(DisplayWidth.of(label), header.columns, max(edges[column + 1] - edges[column], 12))
            guard width > 0 else { return }
            let edge = header.column + edges[column]
            let start = role == .accent ? max(header.column, min(edge, header.endColumn - width)) : edge
            let range = start..<start + width
            guard range.upperBound <= header.endColumn,
                !taken.contains(where: { range.lowerBound <= $0.upperBound && $0.lowerBound <= range.upperBound })
            else { return }
            surface.put(label, at: Point(column: start, row: header.row), style: theme[role], width: width)
            taken.append(range)
        }
        if let cursor, let full = self.cursor, columnLabels.indices.contains(full.column) {
            put(columnLabels[full.column], at: cursor.column, .accent)
        }
        for column in 0..<placement.columns where column != cursor?.column {
            let index = column * grid.columns / placement.columns
            if columnLabels.indices.contains(index) { put(columnLabels[index], at: column, .dim) }
        }
    }

    /// Paints the cells.
    private struct Painter {
        let grid: HeatGrid
        let scale: HeatScale
        let cursor: HeatGrid.Position?
        let placement: Placement
        let palette: HeatPalette
        let theme: Theme
        let hasNumbers: Bool
        let isFocused: Bool

        private func isCrossed(_ row: Int, _ column: Int) -> Bool {
            guard isFocused, let cursor else { return false }
            return row == cursor.row || column == cursor.column
        }

        private func isCursor(_ row: Int, _ column: Int) -> Bool {
            cursor == HeatGrid.Position(row: row, column: column)
        }

        func paint(_ row: Int, _ column: Int, into surface: inout Surface) {
            let (rows, columns) = (placement.rowEdges, placement.columnEdges)
            let cell = Rect(
                column: placement.cells.column + columns[column], row: placement.cells.row + rows[row] / 2,
                columns: columns[column + 1] - columns[column], rows: (rows[row + 1] - rows[row]) / 2)
            let value = grid[row, column]
            if value.isNaN {
                if isCrossed(row, column) {
                    surface.put(theme.glyphs.nothing, at: cell.origin, style: theme[.faint])
                }
            } else if let color = palette.color(of: value, on: scale, isCrossed: isCrossed(row, column)),
                palette.isColored
            {
                surface.fill(cell, style: Style(background: color))
                write(value, in: cell, style: textStyle(of: value, isCrossed(row, column)).on(color), &surface)
            } else if let share = scale.share(of: value) {
                surface.fill(cell, with: palette.glyph(share), style: theme[isCrossed(row, column) ? .strong : .text])
                write(value, in: cell, style: theme[.text], &surface)
            }
            if isCursor(row, column) { mark(cell, holding: value, &surface) }
        }

        private func textStyle(of value: Float, _ isCrossed: Bool) -> Style {
            palette.textStyle(of: value, on: scale, theme: theme, isCrossed: isCrossed)
        }

        private func write(_ value: Float, in cell: Rect, style: Style, _ surface: inout Surface) {
            guard hasNumbers, cell.columns >= 6 else { return }
            let text = " " + Format.fixed(Double(value), digits: 2) + " "
            guard DisplayWidth.of(text) <= cell.columns else { return }
            let lead = (cell.columns - DisplayWidth.of(text)) / 2
            surface.put(
                text, at: Point(column: cell.column + lead, row: cell.row + (cell.rows - 1) / 2), style: style)
        }

        /// Marks the cursor's cell without hiding its shade: with brackets, or with a plus sign if the cell has one
        /// column.
        private func mark(_ cell: Rect, holding value: Float, _ surface: inout Surface) {
            if cell.columns == 1, palette.isColored, !value.isNaN {
                let place = Point(column: cell.column, row: cell.row + (cell.rows - 1) / 2)
                var style = textStyle(of: value, isFocused)
                style.background = surface[place].style.background
                surface.put("+", at: place, style: style)
                return
            }
            guard cell.columns > 1 else {
                let style = theme[isFocused ? .matchCurrent : .selectionInactive]
                return surface.restyle(cell) { isFocused ? style : $0.overlaid(with: style) }
            }
            let row = cell.row + (cell.rows - 1) / 2
            for (column, sign) in [(cell.column, Unicode.Scalar("[")), (cell.endColumn - 1, "]")] {
                let place = Point(column: column, row: row)
                var style = surface[place].style.adding(.bold)
                style.foreground = theme[.accent].foreground
                // The accent color would be invisible on some cell colors.
                if style.background != .terminal {
                    style.foreground = textStyle(of: value, isFocused).foreground
                }
                surface.put(sign, at: place, style: style)
            }
        }

        /// Draws each row half a line high, two rows per screen line.
        func paintHalves(into surface: inout Surface) {
            for line in 0..<placement.cells.rows {
                let rows = (placement.row(atHalf: 2 * line), placement.row(atHalf: 2 * line + 1))
                for column in 0..<placement.columns {
                    let (upper, lower) = (
                        rows.0.flatMap { halfColor($0, column) }, rows.1.flatMap { halfColor($0, column) }
                    )
                    let cells = Rect(
                        column: placement.cells.column + placement.columnEdges[column],
                        row: placement.cells.row + line,
                        columns: placement.columnEdges[column + 1] - placement.columnEdges[column], rows: 1)
                    fill(cells, upper, lower, &surface)
                }
            }
            frameCursor(into: &surface)
        }

        /// Marks the cursor's cell on its left and right, so that its shade stays visible: inside the cell if it has at
        /// least three columns, otherwise next to it.
        private func frameCursor(into surface: inout Surface) {
            guard let cursor else { return }
            let columns = placement.columnEdges[cursor.column]..<placement.columnEdges[cursor.column + 1]
            let halves = placement.rowEdges[cursor.row]..<placement.rowEdges[cursor.row + 1]
            let inset = columns.count >= 3 ? 0 : 1
            let accent = theme[.accent].foreground
            for side in [columns.lowerBound - inset, columns.upperBound - 1 + inset]
            where side >= 0 && side < placement.cells.columns {
                for line in halves.lowerBound / 2...(halves.upperBound - 1) / 2 {
                    let colors = [2 * line, 2 * line + 1].map { half -> Color? in
                        if halves.contains(half) { return accent }
                        guard let row = placement.row(atHalf: half), let column = placement.column(at: side) else {
                            return nil
                        }
                        return halfColor(row, column)
                    }
                    let place = Rect(
                        column: placement.cells.column + side, row: placement.cells.row + line, columns: 1, rows: 1)
                    fill(place, colors[0], colors[1], &surface)
                }
            }
        }

        private func fill(_ cells: Rect, _ upper: Color?, _ lower: Color?, _ surface: inout Surface) {
            switch (upper, lower) {
            case (nil, nil): break
            case (let upper?, nil): surface.fill(cells, with: "▀", style: Style(foreground: upper))
            case (nil, let lower?): surface.fill(cells, with: "▄", style: Style(foreground: lower))
            case (let upper?, let lower?) where upper == lower: surface.fill(cells, style: Style(background: upper))
            case (let upper?, let lower?):
                surface.fill(cells, with: "▀", style: Style(foreground: upper, background: lower))
            }
        }

        private func halfColor(_ row: Int, _ column: Int) -> Color? {
            palette.color(of: grid[row, column], on: scale, isCrossed: isCrossed(row, column))
        }
    }
}

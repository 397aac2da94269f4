extension Heatmap {
    public func draw(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool = true) {
        let placement = placement(in: area, theme: theme)
        guard placement.rows > 0, placement.columns > 0, !placement.cells.isEmpty else { return }
        let painter = Painter(
            grid: grid.pooled(rows: placement.rows, columns: placement.columns, by: pooling), scale: scale,
            cursor: drawnCursor(placement), placement: placement, palette: HeatPalette(theme), theme: theme,
            hasNumbers: hasNumbers, isFocused: isFocused)
        surface.clipped(to: placement.cells) { surface in
            for row in 0..<placement.rows {
                for column in 0..<placement.columns { painter.paint(row, column, into: &surface) }
            }
        }
        drawRowLabels(placement, into: &surface, theme: theme)
        drawColumnLabels(placement, into: &surface, theme: theme)
    }

    /// The cursor among the cells that are drawn.
    private func drawnCursor(_ placement: Placement) -> HeatGrid.Place? {
        guard let cursor, cursor.row >= 0, cursor.row < grid.rows, cursor.column >= 0, cursor.column < grid.columns
        else { return nil }
        func drawn(_ index: Int, _ count: Int, _ shown: Int) -> Int { ((index + 1) * shown - 1) / count }
        return HeatGrid.Place(
            row: drawn(cursor.row, grid.rows, placement.rows),
            column: drawn(cursor.column, grid.columns, placement.columns))
    }

    private func drawRowLabels(_ placement: Placement, into surface: inout Surface, theme: Theme) {
        guard placement.labels.columns > 1 else { return }
        let cursor = drawnCursor(placement)
        for line in 0..<placement.labels.rows {
            var row = placement.height == 0 ? 2 * line : line / max(1, placement.height)
            // A cell of several lines is labeled at its first; of two cells in a line the cursor's is.
            guard placement.height <= 1 || line % placement.height == (placement.height - 1) / 2 else { continue }
            if placement.height == 0, cursor?.row == row + 1 { row += 1 }
            let index = row * grid.rows / placement.rows
            let isCursor = cursor?.row == row
            let shown = isCursor ? self.cursor?.row ?? index : index
            guard rowLabels.indices.contains(shown) else { continue }
            surface.put(
                rowLabels[shown], at: Point(column: placement.labels.column, row: placement.labels.row + line),
                style: theme[isCursor ? .accent : .dim], width: placement.labels.columns - 1, aligned: .right)
        }
    }

    private func drawColumnLabels(_ placement: Placement, into surface: inout Surface, theme: Theme) {
        let header = placement.header
        guard !header.isEmpty else { return }
        let cursor = drawnCursor(placement)
        var taken: [Range<Int>] = []
        func put(_ label: String, at column: Int, _ role: Role) {
            let width = min(DisplayWidth.of(label), header.columns, max(placement.width, 12))
            guard width > 0 else { return }
            let wanted = header.column + column * placement.width
            let start = role == .accent ? max(header.column, min(wanted, header.endColumn - width)) : wanted
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

    /// Paints cell after cell.
    private struct Painter {
        let grid: HeatGrid
        let scale: HeatScale
        let cursor: HeatGrid.Place?
        let placement: Placement
        let palette: HeatPalette
        let theme: Theme
        let hasNumbers: Bool
        let isFocused: Bool

        private func isCrossed(_ row: Int, _ column: Int) -> Bool {
            guard isFocused, let cursor else { return false }
            return row == cursor.row || column == cursor.column
        }

        private func isCursor(_ row: Int, _ column: Int) -> Bool { cursor == HeatGrid.Place(row: row, column: column) }

        func paint(_ row: Int, _ column: Int, into surface: inout Surface) {
            if placement.height == 0 { return paintHalf(row, column, into: &surface) }
            let cell = Rect(
                column: placement.cells.column + column * placement.width,
                row: placement.cells.row + row * placement.height, columns: placement.width, rows: placement.height)
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

        /// The cursor's cell: between brackets, or turned over where there is room for none.
        private func mark(_ cell: Rect, holding value: Float, _ surface: inout Surface) {
            guard cell.columns > 1 else {
                let style = theme[isFocused ? .matchCurrent : .selectionInactive]
                return surface.restyle(cell) { isFocused ? style : $0.overlaid(with: style) }
            }
            let row = cell.row + (cell.rows - 1) / 2
            for (column, sign) in [(cell.column, Unicode.Scalar("[")), (cell.endColumn - 1, "]")] {
                let place = Point(column: column, row: row)
                var style = surface[place].style.adding(.bold)
                style.foreground = theme[.accent].foreground
                // On a ground of its own color the accent would vanish.
                if style.background != .terminal {
                    style.foreground = textStyle(of: value, isFocused).foreground
                }
                surface.put(sign, at: place, style: style)
            }
        }

        /// Two rows of the matrix in one of the screen: the upper and the lower half of its cells.
        private func paintHalf(_ row: Int, _ column: Int, into surface: inout Surface) {
            guard row % 2 == 0 else { return }
            let place = Point(column: placement.cells.column + column, row: placement.cells.row + row / 2)
            let (upper, lower) = (halfColor(row, column), halfColor(row + 1, column))
            switch (upper, lower) {
            case (nil, nil): break
            case (let upper?, nil): surface.put("▀", at: place, style: Style(foreground: upper))
            case (nil, let lower?): surface.put("▄", at: place, style: Style(foreground: lower))
            case (let upper?, let lower?):
                surface.put("▀", at: place, style: Style(foreground: upper, background: lower))
            }
        }

        private func halfColor(_ row: Int, _ column: Int) -> Color? {
            if isCursor(row, column) { return theme[isFocused ? .accent : .dim].foreground }
            return palette.color(of: grid[row, column], on: scale, isCrossed: isCrossed(row, column))
        }
    }
}

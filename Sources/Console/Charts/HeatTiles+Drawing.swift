internal import Formatting

extension HeatTiles {
    /// Draws the tiles, their labels, and the cursor.
    public func draw(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool = true) {
        let placement = placement(in: area)
        guard !placement.tiles.isEmpty else { return }
        let palette = HeatPalette(theme)
        drawLabels(placement, into: &surface, theme: theme)
        for row in placement.shownRows {
            for column in placement.shownColumns {
                let tile = Rect(
                    column: placement.tiles.column + (column - placement.shownColumns.lowerBound) * placement.width,
                    row: placement.tiles.row + (row - placement.shownRows.lowerBound) * placement.height,
                    columns: placement.width, rows: placement.height)
                draw(
                    HeatGrid.Position(row: row, column: column), in: tile, hasMini: placement.hasMinis, into: &surface,
                    palette: palette, theme: theme, isFocused: isFocused)
            }
        }
    }

    private func drawLabels(_ placement: Placement, into surface: inout Surface, theme: Theme) {
        for row in placement.shownRows {
            let line = placement.tiles.row + (row - placement.shownRows.lowerBound) * placement.height
            surface.put(
                "\(rowPrefix)\(row)", at: Point(column: placement.labels.column, row: line),
                style: theme[row == cursor.row ? .accent : .dim], width: max(0, placement.labels.columns - 1),
                aligned: .right)
        }
        guard !placement.header.isEmpty else { return }
        // If labels are wider than tiles, label only every second tile, or every third, and so on.
        let widest = columnPrefix.count + String(max(0, columns - 1)).count + 1
        let step = (widest + placement.width - 1) / placement.width
        for column in placement.shownColumns {
            let isCursor = column == cursor.column
            let isNear = abs(column - cursor.column) < step
            guard isCursor || column % step == 0 && !isNear else { continue }
            let start = placement.header.column + (column - placement.shownColumns.lowerBound) * placement.width
            let label = "\(columnPrefix)\(column)"
            let last = placement.header.endColumn - DisplayWidth.of(label)
            guard isCursor || start <= last else { continue }
            surface.put(
                label, at: Point(column: max(placement.header.column, min(start, last)), row: placement.header.row),
                style: theme[isCursor ? .accent : .dim], width: placement.header.columns)
        }
    }

    private func draw(
        _ place: HeatGrid.Position, in tile: Rect, hasMini: Bool, into surface: inout Surface, palette: HeatPalette,
        theme: Theme, isFocused: Bool
    ) {
        let index = place.row * columns + place.column
        let score = scores.indices.contains(index) ? scores[index] : .nan
        let isCursor = place == cursor
        let inside = picture(in: tile)
        var line = tile
        line.columns = inside.columns
        if hasMini { line.rows = 1 }
        drawScore(score, in: line, into: &surface, palette: palette, theme: theme)
        if isCursor { mark(line, into: &surface, theme: theme, isFocused: isFocused) }
        guard hasMini, heatmaps.indices.contains(index), let mini = heatmaps[index] else { return }
        let rows = inside.rows * (palette.isColored ? 2 : 1)
        var picture = Heatmap(
            mini.pooled(rows: rows, columns: inside.columns, by: pooling), scale: miniScale ?? .root(of: mini.values))
        picture.isSquare = false
        picture.draw(into: &surface, in: inside, theme: theme, isFocused: false)
    }

    private func drawScore(
        _ score: Float, in line: Rect, into surface: inout Surface, palette: HeatPalette, theme: Theme
    ) {
        guard let share = scale.share(of: score) else {
            surface.put("–", at: line.origin, style: theme[.faint], width: line.columns)
            return
        }
        var number: Style
        if palette.isColored, let color = palette.color(of: score, on: scale) {
            surface.fill(line, style: Style(background: color))
            number = palette.textStyle(of: score, on: scale, theme: theme).on(color)
        } else {
            surface.fill(line, with: palette.glyph(share), style: theme[.text])
            number = theme[.text]
        }
        // Leave a space at each side for the cursor's brackets.
        let texts = [2, 1].lazy.map { Format.fixed(Double(score), digits: $0) }
        guard let text = texts.first(where: { DisplayWidth.of($0) + 2 <= line.columns }) else { return }
        if !palette.isColored { number = theme[.strong] }
        surface.put(text, at: Point(column: line.column + 1, row: line.row), style: number)
    }

    /// Marks the cursor with brackets around the score.
    private func mark(_ line: Rect, into surface: inout Surface, theme: Theme, isFocused: Bool) {
        let style = theme[isFocused ? .matchCurrent : .selectionInactive]
        guard line.columns > 2 else {
            return surface.restyle(line) { isFocused ? style : $0.overlaid(with: style) }
        }
        for (column, sign) in [(line.column, Unicode.Scalar("[")), (line.endColumn - 1, "]")] {
            surface.put(sign, at: Point(column: column, row: line.row), style: style)
        }
    }
}

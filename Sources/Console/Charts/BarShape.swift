/// Shapes of the bars in a chart.
public enum BarShape: Hashable, Sendable {
    /// Bars fill the height of their row and end at an eighth of a cell.
    case fine
    /// Bars leave space between rows and end at a whole cell.
    case airy
}

extension Surface {
    /// Draws a bar of `length` cells from the left edge of a row; a length above 0 is always visible.
    public mutating func putBar(
        length: Double, in row: Rect, role: Role, shape: BarShape = .fine, theme: Theme, over base: Style = .plain
    ) {
        putBar(
            from: 0, to: length, in: row, style: base.overlaid(with: theme[role]), shape: shape, glyphs: theme.glyphs)
    }

    /// Draws a bar between two positions in a row, measured in cells from the row's left edge.
    ///
    /// A bar that is not empty fills at least the smallest part of a cell. Parts outside the row are clipped.
    public mutating func putBar(
        from start: Double, to end: Double, in row: Rect, style: Style, shape: BarShape, glyphs: Glyphs
    ) {
        guard end > start || (end == start && end > 0 && start.isFinite), !row.isEmpty else { return }
        let limit = Double(row.columns)
        guard end > 0, start < limit else { return }
        let parts = shape == .airy ? 1 : glyphs.bars.count
        let first = min(Int((max(0, start) * Double(parts)).rounded()), row.columns * parts - 1)
        let last = max(first + 1, Int((min(limit, end) * Double(parts)).rounded()))
        let glyph = shape == .airy ? glyphs.lowBar : glyphs.bars[parts - 1]
        for cell in first / parts...(last - 1) / parts {
            let left = max(0, first - cell * parts)
            let right = min(parts, last - cell * parts)
            let point = Point(column: row.column + cell, row: row.row)
            if left == 0 && right == parts {
                // Draw a span far narrower than its cell as a hairline, regardless of the shape.
                let isHairline = parts == 1 && !glyphs.isASCII && end - start < 0.3
                set(Cell(glyph: (isHairline ? glyphs.bars[0] : glyph).value, style: style), at: point)
            } else if left > 0 && right == parts {
                // Block characters grow from the left. With reversed colors, the rest of a block grows from the right.
                set(Cell(glyph: glyphs.bars[left - 1].value, style: style.adding(.reverse)), at: point)
            } else {
                set(Cell(glyph: glyphs.bars[right - left - 1].value, style: style), at: point)
            }
        }
    }
}

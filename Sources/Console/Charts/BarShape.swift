/// How the bars of a chart fill their rows.
public enum BarShape: Hashable, Sendable {
    /// The full height, with edges to an eighth of a cell.
    case fine
    /// Air between the rows, with edges to a cell.
    case airy
}

extension Surface {
    /// Draws a bar that starts at the left edge of a row and takes `length` cells; what is not zero is seen.
    ///
    /// Complexity: O(columns).
    public mutating func putBar(
        length: Double, in row: Rect, role: Role, shape: BarShape = .fine, theme: Theme, over base: Style = .plain
    ) {
        putBar(
            from: 0, to: length, in: row, style: base.overlaid(with: theme[role]), shape: shape, glyphs: theme.glyphs)
    }

    /// Draws a bar between two places of a row, in cells from its left edge; what is not empty takes at least one part
    /// of a cell, and what lies outside is cut off.
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
                // A span far narrower than its cell is a hairline, whatever the shape.
                let isHairline = parts == 1 && !glyphs.isASCII && end - start < 0.3
                set(Cell(glyph: (isHairline ? glyphs.bars[0] : glyph).value, style: style), at: point)
            } else if left > 0 && right == parts {
                // Blocks grow from the left: the rest of one that is turned inside out grows from the right.
                set(Cell(glyph: glyphs.bars[left - 1].value, style: style.adding(.reverse)), at: point)
            } else {
                set(Cell(glyph: glyphs.bars[right - left - 1].value, style: style), at: point)
            }
        }
    }
}

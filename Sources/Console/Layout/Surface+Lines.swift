extension Surface {
    /// Draws a box with rounded corners along the edge of an area of at least two rows and columns.
    public mutating func box(_ area: Rect, style: Style, glyphs: Glyphs) {
        guard area.columns > 1, area.rows > 1 else { return }
        let (left, right) = (area.column, area.endColumn - 1)
        let (top, bottom) = (area.row, area.endRow - 1)
        fill(
            Rect(column: left + 1, row: top, columns: area.columns - 2, rows: 1), with: glyphs.horizontal, style: style)
        fill(
            Rect(column: left + 1, row: bottom, columns: area.columns - 2, rows: 1), with: glyphs.horizontal,
            style: style)
        fill(Rect(column: left, row: top + 1, columns: 1, rows: area.rows - 2), with: glyphs.vertical, style: style)
        fill(Rect(column: right, row: top + 1, columns: 1, rows: area.rows - 2), with: glyphs.vertical, style: style)
        put(glyphs.topLeft, at: Point(column: left, row: top), style: style)
        put(glyphs.topRight, at: Point(column: right, row: top), style: style)
        put(glyphs.bottomLeft, at: Point(column: left, row: bottom), style: style)
        put(glyphs.bottomRight, at: Point(column: right, row: bottom), style: style)
    }

    /// Draws a horizontal line that joins the lines it touches.
    ///
    /// A line across a frame ends in `├` and `┤` at the borders and crosses separators in `┼`.
    public mutating func horizontalLine(row: Int, columns: Range<Int>, style: Style, glyphs: Glyphs) {
        for column in columns {
            let arms = CellShape.Arms(
                left: column > columns.lowerBound ? 1 : 0, right: column < columns.upperBound - 1 ? 1 : 0, up: 0,
                down: 0)
            join(arms, at: Point(column: column, row: row), style: style, glyphs: glyphs)
        }
    }

    /// Draws a vertical line that joins the lines it touches.
    public mutating func verticalLine(column: Int, rows: Range<Int>, style: Style, glyphs: Glyphs) {
        for row in rows {
            let arms = CellShape.Arms(
                left: 0, right: 0, up: row > rows.lowerBound ? 1 : 0, down: row < rows.upperBound - 1 ? 1 : 0)
            join(arms, at: Point(column: column, row: row), style: style, glyphs: glyphs)
        }
    }

    /// Adds the arms of a light line to the line in a cell, if there is one.
    private mutating func join(_ arms: CellShape.Arms, at point: Point, style: Style, glyphs: Glyphs) {
        guard bounds.contains(point) else { return }
        var arms = arms
        let present = self[point].glyph
        if let old = CellShape.armsOfFrame(present, glyphs) {
            arms.left = max(arms.left, old.left)
            arms.right = max(arms.right, old.right)
            arms.up = max(arms.up, old.up)
            arms.down = max(arms.down, old.down)
        }
        put(CellShape.frame(arms, glyphs), at: point, style: style)
    }
}

extension CellShape {
    /// Returns the arms of a frame character; `nil` for other characters.
    static func armsOfFrame(_ glyph: UInt32, _ glyphs: Glyphs) -> Arms? {
        switch glyph {
        case glyphs.horizontal.value: Arms(left: 1, right: 1, up: 0, down: 0)
        case glyphs.vertical.value: Arms(left: 0, right: 0, up: 1, down: 1)
        case _ where glyphs.isASCII: glyph == glyphs.cross.value ? Arms(left: 1, right: 1, up: 1, down: 1) : nil
        case 0x256D: Arms(left: 0, right: 1, up: 0, down: 1)
        case 0x256E: Arms(left: 1, right: 0, up: 0, down: 1)
        case 0x256F: Arms(left: 1, right: 0, up: 1, down: 0)
        case 0x2570: Arms(left: 0, right: 1, up: 1, down: 0)
        default: arms(of: glyph)
        }
    }

    /// Returns the frame character with the given arms; corners are rounded.
    static func frame(_ arms: Arms, _ glyphs: Glyphs) -> Unicode.Scalar {
        switch (arms.left > 0, arms.right > 0, arms.up > 0, arms.down > 0) {
        case (true, true, true, true): glyphs.cross
        case (true, true, false, true): glyphs.teeDown
        case (true, true, true, false): glyphs.teeUp
        case (false, true, true, true): glyphs.teeRight
        case (true, false, true, true): glyphs.teeLeft
        case (false, true, false, true): glyphs.topLeft
        case (true, false, false, true): glyphs.topRight
        case (false, true, true, false): glyphs.bottomLeft
        case (true, false, true, false): glyphs.bottomRight
        case (_, _, false, false): glyphs.horizontal
        case (false, false, _, _): glyphs.vertical
        }
    }
}

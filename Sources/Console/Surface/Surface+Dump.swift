extension Surface {
    /// Text of all rows, without trailing blanks, joined by newlines.
    public var textDump: String {
        (0..<size.rows).map(textOfRow).joined(separator: "\n")
    }

    /// Returns the text of one row without trailing blanks; empty outside the grid.
    public func textOfRow(_ row: Int) -> String {
        guard row >= 0, row < size.rows else { return "" }
        let cells = cells[row * size.columns..<(row + 1) * size.columns]
        guard let last = cells.lastIndex(where: { $0.glyph != 0x20 && $0.width != 0 }) else { return "" }
        var text = ""
        for cell in cells[...last] where cell.width != 0 { append(cell, to: &text) }
        return text
    }

    func append(_ cell: Cell, to text: inout String) {
        if let scalar = Unicode.Scalar(cell.glyph) {
            text.unicodeScalars.append(scalar)
        } else {
            text += self.text(of: cell)
        }
    }

    /// Styles of all cells as readable text.
    ///
    /// Every row is a line of runs: the length and a letter for the style (`3a`), with `.` for the plain style. Plain
    /// cells at the end of a row are left out. The legend below lists the style of each letter in the notation of theme
    /// files. The last line gives the position of the cursor if the cursor is visible.
    public var styleDump: String {
        var letters: [Style: String] = [.plain: "."]
        var legend: [String] = []
        var lines: [String] = []
        for row in 0..<size.rows {
            var runs: [(style: Style, count: Int)] = []
            for cell in cells[row * size.columns..<(row + 1) * size.columns] {
                if runs.last?.style == cell.style {
                    runs[runs.count - 1].count += 1
                } else {
                    runs.append((cell.style, 1))
                }
            }
            if runs.last?.style == .plain { runs.removeLast() }
            let words = runs.map { run in
                if letters[run.style] == nil {
                    let letter = Self.letter(legend.count)
                    letters[run.style] = letter
                    legend.append("\(letter) = \(run.style.spelling)")
                }
                return (run.count == 1 ? "" : String(run.count)) + letters[run.style]!
            }
            lines.append(words.joined(separator: " "))
        }
        while lines.last == "" { lines.removeLast() }
        let place = cursor.map { ["cursor at column \($0.column), row \($0.row)"] } ?? []
        return (lines + legend + place).joined(separator: "\n")
    }

    /// Surface as text for other programs: the size, the cursor, and one line per cell, row by row.
    ///
    /// A line has the width of the cell, its style in the notation of theme files, a tab, and its text. The right half
    /// of a wide glyph has the width 0 and no text.
    public var cellDump: String {
        var dump = "\(size.columns)x\(size.rows)\n"
        dump += cursor.map { "cursor \($0.column) \($0.row)\n" } ?? "cursor none\n"
        var known: (style: Style, spelling: String) = (.plain, Style.plain.spelling)
        for cell in cells {
            if cell.style != known.style { known = (cell.style, cell.style.spelling) }
            dump += "\(cell.width) \(known.spelling)\t"
            if cell.width != 0 { append(cell, to: &dump) }
            dump += "\n"
        }
        return dump
    }

    /// Returns the letters for a style: `a`, `b`, ... `z`, `aa`, `ab`, ...
    private static func letter(_ index: Int) -> String {
        let sign = String(Character(Unicode.Scalar(UInt8(97 + index % 26))))
        return index < 26 ? sign : letter(index / 26 - 1) + sign
    }
}

extension Surface {
    /// The text of all rows, joined by newlines, without the blanks at their ends.
    public var textDump: String {
        (0..<size.rows).map(textOfRow).joined(separator: "\n")
    }

    /// The text of one row without the blanks at its end; empty outside the grid.
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

    /// The styles of all cells as text that a person can read and compare.
    ///
    /// A line a row, each run of one style as its length and a letter (`3a`), `.` being the plain style; what is plain
    /// to the end of a row is left out. Below stands what each letter means, in the spelling of the theme files.
    /// A last line tells where the cursor stands.
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

    /// The surface as text for other programs: the size, the cursor, then one line per cell, row by row, with the width
    /// of the cell, its style in the notation of theme files, a tab, and its text.
    ///
    /// The right half of a wide glyph has the width 0 and no text.
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

    /// `a`, `b`, ... `z`, `aa`, `ab`, ...
    private static func letter(_ index: Int) -> String {
        let sign = String(Character(Unicode.Scalar(UInt8(97 + index % 26))))
        return index < 26 ? sign : letter(index / 26 - 1) + sign
    }
}

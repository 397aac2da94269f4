internal import Console

/// Sentences wrapped between words to a number of columns.
enum ProseLines {
    static func of(_ text: String, _ role: Role = .text, columns: Int) -> [StyledLine] {
        of(StyledLine(text, role), columns: columns)
    }

    static func of(_ line: StyledLine, columns: Int) -> [StyledLine] {
        guard columns > 0 else { return [] }
        var lines = [StyledLine()]
        var used = 0
        for run in line.runs {
            for (index, word) in run.text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
                let blank = index > 0 && used > 0 ? 1 : 0
                let width = DisplayWidth.of(word)
                if used > 0, used + blank + width > columns {
                    lines.append(StyledLine(String(word), run.role))
                    used = width
                } else {
                    lines[lines.count - 1].append(String(repeating: " ", count: blank) + word, run.role)
                    used += blank + width
                }
            }
        }
        return lines
    }

    /// Draws a sentence, wrapped to an area.
    static func draw(_ text: String, _ role: Role, into surface: inout Surface, in area: Rect, theme: Theme) {
        surface.put(of(text, role, columns: area.columns), in: area, theme: theme)
    }
}

extension Surface {
    /// Draws lines from the top of an area.
    mutating func put(_ lines: [StyledLine], in area: Rect, theme: Theme) {
        for (row, line) in lines.prefix(area.rows).enumerated() {
            put(line, at: Point(column: area.column, row: area.row + row), theme: theme, width: area.columns)
        }
    }
}

internal import Console
internal import Formatting

/// Formulas, and sums that are held against what they should be, as lines.
struct SumLines: Sendable {
    private(set) var lines: [StyledLine] = []

    mutating func formula(_ text: String) { lines.append(StyledLine(text, .dim)) }

    /// - Parameter tolerance: How far the sum may be off, as a share of the greatest number that it is made of.
    mutating func check(
        _ name: String, _ value: Double, of expected: Double, scale: Double = 1, tolerance: Double = 1e-3,
        digits: Int = 4
    ) {
        let holds = abs(value - expected) <= tolerance * max(scale, abs(expected))
        var line = StyledLine("\(name) = ", .text)
        line.append(Format.fixed(value, digits: digits), .strong)
        line.append(
            holds ? "  ✓" : "  ✗ expected \(Format.fixed(expected, digits: digits))", holds ? .success : .failure)
        lines.append(line)
    }

    /// Counts have no digits and no tolerance.
    mutating func check(_ name: String, _ count: Int, of expected: Int) {
        check(name, Double(count), of: Double(expected), tolerance: 0, digits: 0)
    }

    /// Lines that are wider than the area go on below.
    func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        var rest = area
        for line in lines {
            for part in line.wrapped(to: max(1, area.columns)) where rest.rows > 0 {
                let row = rest.takeTop(1)
                surface.put(part, at: row.origin, theme: theme, width: row.columns)
            }
        }
    }
}

extension StyledLine {
    /// Broken at blanks. Lines that go on begin where the first one does, or two columns in where that is at the edge.
    func wrapped(to columns: Int) -> [StyledLine] {
        guard self.columns > columns else { return [self] }
        let margin = runs.first?.text.prefix { $0 == " " }.count ?? 0
        let hang = margin > 0 ? margin : 2
        var lines: [StyledLine] = [StyledLine()]
        var used = 0
        for run in runs {
            for word in run.text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
                let text = (word.offset > 0 ? " " : "") + word.element
                let width = DisplayWidth.of(text)
                if used + width > columns, used > 0 {
                    lines.append(StyledLine(String(repeating: " ", count: hang)))
                    lines[lines.count - 1].append(String(word.element), run.role, run.attributes)
                    used = hang + DisplayWidth.of(String(word.element))
                } else {
                    lines[lines.count - 1].append(text, run.role, run.attributes)
                    used += width
                }
            }
        }
        return lines
    }
}

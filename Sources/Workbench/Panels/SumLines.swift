internal import Console
internal import Formatting

/// Formulas, and sums that are compared with their expected values, as lines.
struct SumLines: Sendable {
    private(set) var lines: [StyledLine] = []

    mutating func formula(_ text: String) { lines.append(StyledLine(text, .dim)) }

    /// - Parameter tolerance: Allowed error, as a share of the largest term.
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

    /// Checks a count, without digits and tolerance.
    mutating func check(_ name: String, _ count: Int, of expected: Int) {
        check(name, Double(count), of: Double(expected), tolerance: 0, digits: 0)
    }

    /// Draws the lines, wrapped to the area.
    func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        surface.put(lines.flatMap { $0.wrapped(to: max(1, area.columns)) }, in: area, theme: theme)
    }
}

extension StyledLine {
    /// Returns the line broken at blanks. Further lines start below the first one, or two columns in if it starts at the edge.
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

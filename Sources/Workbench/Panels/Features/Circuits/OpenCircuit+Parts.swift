internal import Console
internal import Interpretability

extension OpenCircuit {
    /// Returns the areas of the bars and of the check below them.
    static func parts(of inside: Rect) -> (bars: Rect, check: Rect) {
        var rest = inside
        let check = rest.takeBottom(min(1, inside.rows))
        return (rest, check)
    }

    var partsFrame: Frame {
        guard let sum = reading?.sum else { return Frame("Contributions") }
        return Frame(
            "Contributions", count: FrameLabel("\(sum.terms.count)"),
            details: [FrameLabel("\(question.grain)", role: .dim)])
    }

    /// Draws bars of the parts, the largest first, and the check of their sum below.
    func drawParts(into surface: inout Surface, in inside: Rect, theme: Theme, isFocused: Bool) {
        guard let sum = reading?.sum else { return }
        let areas = Self.parts(of: inside)
        parts.draw(into: &surface, in: areas.bars, theme: theme, isFocused: isFocused) { surface, line in
            drawBar(
                sum.terms[line.index], of: sum.terms.first.map { abs($0.value) } ?? 0, into: &surface, line,
                theme: theme)
        }
        var check = StyledLine("Σ \(Self.number(sum.sum))  logit difference \(Self.number(sum.logit))  ", .dim)
        check.append(
            sum.holds ? "\(theme.glyphs.check) equal" : "\(theme.glyphs.failed) off by \(Self.number(sum.error))",
            sum.holds ? .success : .failure)
        surface.put(check, at: areas.check.origin, theme: theme, width: areas.check.columns)
    }

    /// Draws a bar from the middle: to the right if the part favors the answer, to the left if it favors the other.
    private func drawBar(
        _ term: AttributionSum.Term, of greatest: Double, into surface: inout Surface, _ line: ListView.Row,
        theme: Theme
    ) {
        var rest = line.area
        surface.put(term.part.label, at: rest.takeLeft(12).origin, style: line.style(.text, theme), width: 11)
        let number = rest.takeRight(9)
        surface.put(
            Self.number(term.value), at: number.origin, style: line.style(.text, theme), width: number.columns,
            aligned: .right)
        guard greatest > 0, rest.columns >= 4 else { return }
        let half = Double(rest.columns / 2)
        let end = half + term.value / greatest * half
        surface.putBar(
            from: min(half, end), to: max(half, end), in: rest,
            style: line.style(.text, theme).overlaid(with: theme[term.value < 0 ? .series2 : .series1]), shape: .airy,
            glyphs: theme.glyphs)
    }

    /// Returns the formulas of a pane, and the checks of its sums.
    func sums(of pane: FeaturePage.PaneName) -> SumLines {
        var sums = SumLines()
        guard let reading else { return sums }
        switch pane {
        case .map:
            sums.formula("m = \(reading.metric)")
            sums.formula("score = \(reading.map.formula), unclipped; the scale ends at the largest |score|")
            if let corrupt = reading.map.corrupt {
                sums.formula("clean \(Self.number(reading.map.clean)), corrupt \(Self.number(corrupt))")
            }
            // The run of the parts computes the difference again.
            sums.check("clean m", reading.map.clean, of: reading.sum.logit)
            let finite = reading.map.scores.filter(\.isFinite)
            sums.formula("\(finite.count) of \(reading.map.scores.count) cells were run")
        case .parts:
            sums.formula("part = x_part / σ · γ W_U (right − wrong): its output through the final norm, with σ fixed")
            sums.check(
                "Σ parts", reading.sum.sum, of: reading.sum.logit,
                scale: max(1, reading.sum.terms.first.map { abs($0.value) } ?? 0))
        case .cell:
            sums.formula("a run of one prompt with this cell's activations from the other prompt")
            guard let cell, let value = reading.value(row: cell.row, column: cell.column) else { break }
            if reading.question.method == .attribution {
                sums.formula("estimated \(Self.number(value)), run \(Self.number(cell.value))")
            } else {
                sums.check("run again", cell.value, of: value)
            }
        default: break
        }
        return sums
    }
}

internal import Console
internal import Interpretability

extension CircuitPage {
    /// Bars of what each part adds, strongest first, and the check of their sum below.
    func drawParts(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var frame = Frame("Contributions", isFocused: isFocused)
        if let sum = reading?.sum {
            frame.count = FrameLabel("\(sum.parts.count)")
            frame.details = [FrameLabel("\(question.grain)", role: .dim)]
        }
        var inside = frame.drawIfRoom(into: &surface, in: area, theme: theme).inset(columns: 1)
        guard let sum = reading?.sum else { return }
        if drawSums(of: .parts, into: &surface, in: inside, theme: theme) { return }
        let foot = inside.takeBottom(min(1, inside.rows))
        parts.draw(into: &surface, in: inside, theme: theme, isFocused: isFocused) { surface, line in
            drawBar(sum.parts[line.index], of: sum.greatest, into: &surface, line, theme: theme)
        }
        var check = StyledLine("Σ \(Self.number(sum.sum))  logit difference \(Self.number(sum.logit))  ", .dim)
        check.append(
            sum.holds ? "\(theme.glyphs.check) equal" : "\(theme.glyphs.failed) off by \(Self.number(sum.error))",
            sum.holds ? .success : .failure)
        surface.put(check, at: foot.origin, theme: theme, width: foot.columns)
    }

    /// To the right of the middle what speaks for the answer, to the left what speaks against it.
    private func drawBar(
        _ part: CircuitSum.Part, of greatest: Double, into surface: inout Surface, _ line: ListView.Row, theme: Theme
    ) {
        var rest = line.area
        surface.put(part.label, at: rest.takeLeft(12).origin, style: line.style(.text, theme), width: 11)
        let number = rest.takeRight(9)
        surface.put(
            Self.number(part.value), at: number.origin, style: line.style(.text, theme), width: number.columns,
            aligned: .right)
        guard greatest > 0, rest.columns >= 4 else { return }
        let half = Double(rest.columns / 2)
        let end = half + part.value / greatest * half
        surface.putBar(
            from: min(half, end), to: max(half, end), in: rest,
            style: line.style(.text, theme).overlaid(with: theme[part.value < 0 ? .series2 : .series1]), shape: .airy,
            glyphs: theme.glyphs)
    }

    /// The formulas of what a pane shows, and whether what should add up does.
    func sums(of pane: Pane) -> SumLines? {
        guard let reading else { return nil }
        var sums = SumLines()
        switch pane {
        case .map:
            sums.formula("m = \(reading.metric)")
            sums.formula("score = \(reading.map.formula), unclipped; the scale ends at the largest |score|")
            if let corrupt = reading.map.corrupt {
                sums.formula("clean \(Self.number(reading.map.clean)), corrupt \(Self.number(corrupt))")
            }
            // The difference is read once more from the logits of the parts' run.
            sums.check("clean m", reading.map.clean, of: reading.sum.logit)
            let finite = reading.map.scores.filter(\.isFinite)
            sums.formula("\(finite.count) of \(reading.map.scores.count) cells were run")
        case .parts:
            sums.formula("part = x_part / σ · γ W_U (right − wrong): its output through the final norm, with σ fixed")
            sums.check("Σ parts", reading.sum.sum, of: reading.sum.logit, scale: max(1, reading.sum.greatest))
        case .cell:
            sums.formula("a run of one prompt with this cell's activations from the other prompt")
            guard let cell,
                reading.map.values.indices.contains(cell.row * reading.map.columns.labels.count + cell.column)
            else { break }
            let value = reading.map.values[cell.row * reading.map.columns.labels.count + cell.column]
            if reading.question.method == .attribution {
                sums.formula("estimated \(Self.number(value)), run \(Self.number(cell.value))")
            } else {
                sums.check("run again", cell.value, of: value)
            }
        }
        return sums
    }
}

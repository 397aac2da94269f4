package import Console
internal import EvalLogs
internal import Evals
internal import Formatting
internal import LanguageModels

extension EvalPanel {
    package func render(into surface: inout Surface, area: Rect, theme: Theme) {
        for placed in placedPanes {
            let isFocused = placed.pane == pane
            switch placed.pane {
            case .runs: drawRuns(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .about: drawAbout(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .chart: drawChart(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .samples: drawSamples(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .sample: drawSample(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .steps: drawSteps(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .pairs: drawPairs(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .before, .after:
                drawSide(placed.pane, into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .rows: drawRows(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .left, .right:
                drawStep(placed.pane, into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .causes: drawCauses(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .cause: drawCause(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .matrix: drawMatrix(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .queue: drawQueue(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .agreement: drawAgreement(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            }
        }
    }

    /// The border of a pane, where there is room for one; the last one says what else there is.
    func framed(_ frame: Frame, into surface: inout Surface, in area: Rect, theme: Theme) -> Rect {
        let hidden = placedPanes.last?.area == area ? self.hidden.map { word(for: $0) } : []
        return frame.drawIfRoom(into: &surface, in: area, theme: theme, hidden: hidden)
    }

    private func word(for pane: Pane) -> String {
        switch pane {
        case .about: about.rawValue.prefix(1).uppercased() + about.rawValue.dropFirst()
        case .pairs: "Diff"
        case .rows: "Side by side"
        case .causes: "What went wrong"
        case .cause: "Example"
        case .queue: "To judge"
        case .runs, .chart, .samples, .sample, .steps, .before, .after, .left, .right, .matrix, .agreement:
            pane.rawValue.prefix(1).uppercased() + pane.rawValue.dropFirst()
        }
    }

    // MARK: Runs

    private func drawRuns(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        let all = Format.count(runs.entries.count)
        var frame = Frame("Runs", count: FrameLabel(all), isFocused: isFocused)
        if !runs.filter.isEmpty {
            frame.count = FrameLabel("\(Format.count(runs.listed.count)) of \(all)")
            frame.details.append(FrameLabel(runs.filter, role: .match))
        }
        if runs.marked.count > 0 { frame.details.append(FrameLabel("\(runs.marked.count) marked", role: .accent)) }
        let foreign = runs.entries.count(where: \.isForeign)
        if foreign > 0 { frame.details.append(FrameLabel("\(foreign) from other tools")) }
        let inside = framed(frame, into: &surface, in: area, theme: theme)
        guard !runs.entries.isEmpty else {
            let lines = [
                hasFailed ?? "no runs yet", "", "r  runs a task file with a model",
                "i  opens a log from Inspect, lm-eval, promptfoo, garak, or OpenAI evals",
            ]
            for (row, line) in lines.enumerated() where row < inside.rows {
                surface.put(
                    line, at: Point(column: inside.column + 1, row: inside.row + row), style: theme[.dim],
                    width: inside.columns - 1)
            }
            return
        }
        guard !runs.listed.isEmpty else {
            surface.put(
                "\(Self.noSuchRun): / edits the filter, Esc lists all",
                at: Point(column: inside.column + 1, row: inside.row), style: theme[.dim], width: inside.columns - 1)
            return
        }
        EvalRunTable(rows: runs)
            .draw(into: &surface, in: inside, theme: theme, isFocused: isFocused, shown: open?.id, now: now())
    }

    private func drawAbout(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var frame = Frame(
            FrameLabel(about.rawValue.prefix(1).uppercased() + about.rawValue.dropFirst()), isFocused: isFocused)
        if let entry = runs.selected { frame.details = [FrameLabel(entry.title, role: .dim)] }
        drawText(text, frame, into: &surface, in: area, theme: theme)
    }

    private func drawChart(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var frame = Frame(FrameLabel(chart.kind.title), isFocused: isFocused)
        let material = material
        switch chart.kind {
        case .bars, .cost:
            frame.count = FrameLabel(Format.count(material.peers.count))
            if let selected = material.selected, let metric = selected.metric {
                frame.details = [FrameLabel(EvalFigure.name(metric, in: selected.run))]
            }
            if let unit = chart.kind.unit { frame.trailing = [FrameLabel(unit)] }
        case .slices, .histogram, .confusion:
            if let open = material.open, open.id == material.selected?.id {
                let left = chart.kind == .slices ? open.slices.first?.slices.reduce(0) { $0 + $1.unscored } ?? 0 : 0
                let count = chart.kind == .slices && open.sampleCount > 0 ? open.sampleCount : open.index.known
                frame.count = FrameLabel((left > 0 ? "\(Format.count(count - left)) of " : "") + Format.count(count))
                if !open.isRead { frame.trailing = [FrameLabel("reading", role: .warning)] }
            }
            if let score = material.open?.run.scores.first { frame.details = [FrameLabel(score.name)] }
        case .roc, .precisionRecall, .reliability:
            if let points = material.open?.confidences, !points.isEmpty {
                frame.count = FrameLabel(Format.count(points.count))
                frame.trailing = [EvalChart.figure(chart.kind, points)].compactMap { $0.map { FrameLabel($0) } }
            }
        }
        let full = EvalChart.full(material)
        if frame.trailing.isEmpty, material.selected != nil, full < EvalChart.Kind.allCases.count {
            frame.trailing = [
                FrameLabel("\(full) of \(EvalChart.Kind.allCases.count) charts have data", role: .dim)
            ]
        }
        let inside = framed(frame, into: &surface, in: area, theme: theme).inset(columns: 1)
        guard runs.selected != nil || runs.entries.isEmpty else {
            surface.put(Self.noSuchRun, at: inside.origin, style: theme[.dim], width: inside.columns)
            return
        }
        if turned.contains(.chart) { return chart.sums(material).draw(into: &surface, in: inside, theme: theme) }
        chart.drawStack(material, into: &surface, in: inside, theme: theme)
    }

    /// Where a filter lists nothing.
    static let noSuchRun = "no run matches"

    var material: EvalChart.Material {
        EvalChart.Material(entries: runs.entries, selected: runs.selected, open: open)
    }

    // MARK: Samples

    private func drawSamples(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var frame = Frame("Samples", isFocused: isFocused)
        if let open {
            frame.count = FrameLabel(SampleTable.count(open))
            if !open.filter.isEmpty { frame.details = [FrameLabel(open.filter.typed, role: .match)] }
            frame.details.append(FrameLabel(runs.title(open), role: .dim))
            if let base = open.base, let entry = runs.entry(base) {
                frame.details.append(FrameLabel("against \(entry.title)", role: .accent))
            }
            frame.trailing = SampleTable.outcomes(open.index)
        }
        let inside = framed(frame, into: &surface, in: area, theme: theme)
        guard let open else { return }
        if let problem = open.filter.problem {
            for (row, line) in StyledLine(problem, .failure).wrapped(to: max(10, inside.columns - 2)).enumerated()
            where row < inside.rows {
                surface.put(
                    line, at: Point(column: inside.column + 1, row: inside.row + row), theme: theme,
                    width: inside.columns - 1)
            }
            return
        }
        guard open.count > 0 else {
            let word =
                !open.isRead || open.searched != nil
                ? "reading"
                : open.filter.isEmpty ? "the run has no samples yet" : "no sample matches: / edits the filter"
            surface.put(
                word, at: Point(column: inside.column + 1, row: inside.row), style: theme[.dim],
                width: inside.columns - 1)
            return
        }
        SampleTable(open: open, list: samples)
            .draw(into: &surface, in: inside, theme: theme, isFocused: isFocused)
    }

    private func drawSample(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var frame = Frame("Sample", isFocused: isFocused)
        if let open, open.count > 0 {
            frame.count = FrameLabel("\(Format.count(samples.selection + 1)) of \(Format.count(open.count))")
        }
        drawText(text, frame, into: &surface, in: area, theme: theme)
    }

    private func drawSteps(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var frame = Frame("Steps", isFocused: isFocused)
        if let sample { frame.count = FrameLabel(Format.count(sample.steps.count)) }
        let inside = framed(frame, into: &surface, in: area, theme: theme)
        guard let sample else { return }
        guard !sample.steps.isEmpty else {
            surface.put(
                "no steps were recorded", at: Point(column: inside.column + 1, row: inside.row), style: theme[.dim],
                width: inside.columns - 1)
            return
        }
        steps.draw(into: &surface, in: inside, theme: theme, isFocused: isFocused) { surface, line in
            let step = sample.steps[line.index]
            // Of a sample that passed no step is where it went wrong, whatever its log marks.
            let isFailing = line.index == sample.failingStep && sample.row.outcome != .passed
            var rest = line.area
            let time = rest.takeRight(10)
            let mark = isFailing ? theme.glyphs.failed : theme.glyphs.nothing
            surface.put(
                String(Character(mark)), at: rest.takeLeft(2).origin,
                style: line.style(isFailing ? .failure : .faint, theme))
            surface.put(step.kind.name, at: rest.takeLeft(10).origin, style: line.style(.dim, theme), width: 9)
            var text = step.name
            if let problem = step.problem { text += "  \(problem)" }
            surface.put(
                text, at: rest.origin, style: line.style(step.problem == nil ? .text : .failure, theme),
                width: max(0, rest.columns - 1))
            surface.put(
                EvalFigure.seconds(step.seconds), at: time.origin, style: line.style(.dim, theme), width: time.columns,
                aligned: .right)
        }
    }

    func drawText(_ text: TextView, _ frame: Frame, into surface: inout Surface, in area: Rect, theme: Theme) {
        var frame = frame
        if let status = text.searchStatus { frame.trailing = [FrameLabel(status, role: .match)] }
        let inside = framed(frame, into: &surface, in: area, theme: theme).inset(columns: 1)
        text.draw(into: &surface, in: inside, theme: theme)
        drawThumb(of: text, into: &surface, in: area, theme: theme)
    }

    func drawThumb(of text: TextView, into surface: inout Surface, in area: Rect, theme: Theme) {
        guard !(text.isAtTop && text.isAtEnd), area.rows > 2, Frame.inside(of: area) != area else { return }
        let row = area.row + 1 + Int(text.fraction * Double(area.rows - 3))
        surface.put(
            theme.glyphs.scrollThumb, at: Point(column: area.endColumn - 1, row: row), style: theme[.scrollThumb])
    }
}

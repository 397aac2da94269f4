package import Console
internal import EvalLogs
internal import Evals
internal import Formatting
internal import LanguageModels

extension EvalPage {
    // MARK: Layout

    /// Divides the screen: narrow screens show a list and the focused pane, and low screens only the focused pane.
    package func layout(in size: Size) -> PaneTree<PaneName> {
        let isWide = size.columns >= 100
        let focus = screen.focus
        guard size.rows >= (isWide ? 14 : 18) else { return .pane(focus) }
        switch view {
        case .runs:
            // One row more than there are runs, and at most half of the screen: the overview may need the rest.
            let top = PaneTree<PaneName>.Part(.fixed(max(6, min(size.rows / 2, runs.entries.count + 4))), .runs)
            guard isWide else { return .rows([top, .init(.weight(1), focus == .chart ? .chart : .about)]) }
            return .rows([top, .init(.weight(1), .columns([.init(.weight(5), .about), .init(.weight(6), .chart)]))])
        case .samples:
            guard isWide else { return Self.halves(.samples, focus == .steps ? .steps : .sample) }
            let rows = max(5, min(12, 2 + (sample?.steps.count ?? 3), size.rows / 3))
            return .columns([
                .init(.weight(6), .samples),
                .init(.weight(7), .rows([.init(.weight(1), .sample), .init(.fixed(rows), .steps)])),
            ])
        case .diff:
            guard isWide else { return Self.halves(.pairs, focus == .after ? .after : .before) }
            let texts = [PaneTree<PaneName>.Part(.weight(1), .before), .init(.weight(1), .after)]
            return .rows([.init(.weight(1), .pairs), .init(.weight(1), .columns(texts))])
        case .sides:
            // One row per step, and room to read the steps below.
            let rows = max(5, min(size.rows * 2 / 5, sides.alignment.rows.count + 2 + EvalSides.headRows))
            let texts = [PaneTree<PaneName>.Part(.weight(1), .left), .init(.weight(1), .right)]
            return .rows([.init(.fixed(rows), .rows), .init(.weight(1), .columns(texts))])
        case .failures:
            return .rows([
                .init(.fixed(max(6, min(size.rows / 2, clusters.count + 4))), .causes), .init(.weight(1), .cause),
            ])
        case .matrix: return .pane(.matrix)
        case .queue:
            guard isWide else { return .rows([.init(.weight(1), .queue), .init(.fixed(6), .agreement)]) }
            return .columns([.init(.weight(1), .queue), .init(.fixed(44), .agreement)])
        }
    }

    private static func halves(_ upper: PaneName, _ lower: PaneName) -> PaneTree<PaneName> {
        .rows([.init(.weight(1), .pane(upper)), .init(.weight(1), .pane(lower))])
    }

    // MARK: Chart

    var material: EvalChart.Material {
        EvalChart.Material(entries: runs.entries, selected: runs.selected, open: open)
    }

    var chartFrame: Frame {
        var frame = Frame(FrameLabel(chart.kind.title))
        let material = material
        switch chart.kind {
        case .bars, .cost:
            frame.count = FrameLabel(Format.count(material.peers.count))
            if let selected = material.selected, let metric = selected.metric {
                frame.details = [FrameLabel(EvalFigure.name(metric, in: selected.run))]
            }
            if let unit = chart.kind.unit { frame.trailing = [FrameLabel(unit)] }
        case .slices, .histogram, .confusion:
            if let open, open.id == material.selected?.id {
                let left = chart.kind == .slices ? open.slices.first?.slices.reduce(0) { $0 + $1.unscored } ?? 0 : 0
                let count = chart.kind == .slices && open.sampleCount > 0 ? open.sampleCount : open.index.known
                frame.count = FrameLabel((left > 0 ? "\(Format.count(count - left)) of " : "") + Format.count(count))
                if !open.isRead { frame.trailing = [FrameLabel("reading", role: .warning)] }
            }
            if let score = open?.run.scores.first { frame.details = [FrameLabel(score.name)] }
        case .roc, .precisionRecall, .reliability:
            if let points = open?.confidences, !points.isEmpty {
                frame.count = FrameLabel(Format.count(points.count))
                frame.trailing = [EvalChart.figure(chart.kind, points)].compactMap { $0.map { FrameLabel($0) } }
            }
        }
        let (full, all) = (EvalChart.full(material), EvalChart.Kind.allCases.count)
        if frame.trailing.isEmpty, material.selected != nil, full < all {
            frame.trailing = [FrameLabel("\(full) of \(all) charts have data", role: .dim)]
        }
        return frame
    }

    func drawChart(into surface: inout Surface, in area: Rect, theme: Theme) {
        if runs.selected == nil, !runs.entries.isEmpty {
            surface.put(Self.noSuchRun, at: area.origin, style: theme[.dim], width: area.columns)
        } else if showsSums {
            chart.sums(material).draw(into: &surface, in: area, theme: theme)
        } else {
            chart.drawStack(material, into: &surface, in: area, theme: theme)
        }
    }

    // MARK: Matrix

    var matrixFrame: Frame {
        guard !matrix.rows.isEmpty else { return Frame("Matrix") }
        return Frame(
            "Matrix", count: FrameLabel("\(matrix.rows.count) by \(matrix.columns.count)"),
            details: [FrameLabel(matrix.task, role: .dim), FrameLabel(matrix.metric)],
            trailing: matrix.hidden > 0 ? [FrameLabel("latest complete runs, \(matrix.hidden) not shown")] : [])
    }

    /// Draws the cells and, in the remaining room, the overview of the selected run.
    func drawMatrix(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard !matrix.rows.isEmpty else {
            surface.put("no runs of this task", at: area.origin, style: theme[.dim], width: area.columns)
            return
        }
        var rest = area
        var foot = rest.takeBottom(1)
        guard let layout = matrix.layout(in: rest, theme.glyphs) else {
            return matrix.drawList(into: &surface, in: area, theme: theme)
        }
        matrix.draw(layout, into: &surface, in: rest, theme: theme, isFocused: true)
        let more = foot.takeRight(min(foot.columns, DisplayWidth.of(layout.more)))
        surface.put(layout.more, at: more.origin, style: theme[.accent], width: more.columns)
        guard let entry = matrix.selected else { return }
        _ = rest.takeTop(layout.usedRows)
        if rest.rows >= 8 {
            surface.put(entry.title, at: rest.takeTop(1).origin, style: theme[.heading], width: rest.columns)
            var text = TextView(reading(of: entry).sections(.overview))
            text.layout(rest.size)
            return text.draw(into: &surface, in: rest, theme: theme)
        }
        let metric = entry.metric.map(EvalFigure.text) ?? "no metric yet"
        surface.put(
            StyledLine([
                .init(entry.title, .accent), .init("  \(metric)", .strong),
                .init("  n \(Format.count(entry.metric?.count ?? entry.completed))", .dim),
                .init(entry.part.map { "  \($0)" } ?? "", .warning),
            ]), at: foot.origin, theme: theme, width: foot.columns)
    }

    // MARK: Copying

    func copy() -> Work<Self> {
        switch view {
        case .samples, .queue: return sampleReading.map { .copy($0.markdown, what: "the sample") } ?? []
        case .diff: return diff.contrast.map { .copy($0.sentence, what: "the comparison") } ?? []
        case .sides:
            guard let row = sides.row, let step = sides.step(sides.side, row) else { return [] }
            let text = step.parts.map { "### \($0.title)\n\n\($0.text)" }.joined(separator: "\n\n")
            return .copy(
                SampleReading.printed("## \(step.kind.name) \(step.name)\n\n\(text)\n"), what: "the step")
        case .failures:
            guard let failures else { return [] }
            let rows = failures.clusters.map { "| \($0.samples.count) | \(SampleReading.printed($0.title)) |" }
            let text = (["| samples | what went wrong |", "|---:|---|"] + rows).joined(separator: "\n") + "\n"
            return .copy(text, what: "what went wrong")
        case .runs, .matrix: return target.map { .copy(reading(of: $0).markdown, what: "the metrics") } ?? []
        }
    }
}

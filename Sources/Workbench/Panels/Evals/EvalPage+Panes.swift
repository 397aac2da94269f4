internal import Console
internal import EvalLogs
internal import Evals
internal import Formatting
internal import LanguageModels
internal import Tables

extension EvalPage {
    package static var panes: [Pane<Self>] {
        [
            runList,
            .text(.about, \.text, frame: \.aboutFrame, isPresent: { $0.view == .runs }),
            .canvas(.chart, frame: \.chartFrame, isPresent: { $0.view == .runs }) {
                $0.drawChart(into: &$1, in: $2, theme: $3)
            },
            sampleList,
            .text(
                .sample, \.text,
                frame: { page in
                    var frame = Frame("Sample")
                    if let open = page.open, open.count > 0 {
                        let place = Format.count(page.samples.selection + 1)
                        frame.count = FrameLabel("\(place) of \(Format.count(open.count))")
                    }
                    return frame
                }, isPresent: { $0.view == .samples }),
            stepList,
            clusterList,
            .text(.cause, \.example, frame: \.exampleFrame, isPresent: { $0.view == .failures }),
            pairList,
            .text(
                .before, \.diff.before, frame: { $0.sideFrame("Before", $0.diff.base) },
                isPresent: { $0.view == .diff }),
            .text(
                .after, \.diff.after, frame: { $0.sideFrame("After", $0.diff.new) }, isPresent: { $0.view == .diff }),
            stepPairList,
            .text(
                .left, \.sides.before, frame: { $0.stepFrame(.left) }, isPresent: { $0.view == .sides },
                along: \.sides.after),
            .text(
                .right, \.sides.after, frame: { $0.stepFrame(.right) }, isPresent: { $0.view == .sides },
                along: \.sides.before),
            .canvas(
                .matrix, frame: \.matrixFrame, isPresent: { $0.view == .matrix },
                move: { $0.moveMatrix($1) }, draw: { $0.drawMatrix(into: &$1, in: $2, theme: $3) }),
            .text(
                .queue, \.text, frame: \.queueFrame, isPresent: { $0.view == .queue },
                above: (
                    // On a low screen, the sample comes first.
                    rows: { min(3, $1 / 3) },
                    draw: { page, surface, area, theme in
                        for (row, line) in page.queue.head(theme.glyphs).enumerated() where row < area.rows {
                            let start = Point(column: area.column, row: area.row + row)
                            surface.put(line, at: start, theme: theme, width: area.columns)
                        }
                    }
                )),
            .canvas(.agreement, frame: { _ in Frame("Agreement") }, isPresent: { $0.view == .queue }) {
                $0.queue.drawAgreement(into: &$1, in: $2, theme: $3)
            },
        ].map { pane in
            var pane = pane
            pane.hasScrollBar = false
            return pane
        }
    }

    package static func word(of pane: PaneName) -> String? {
        switch pane {
        case .chart: "Chart"
        case .left: "Left"
        case .right: "Right"
        default: nil
        }
    }

    private static let header = Table([])

    // MARK: Runs

    /// Text where a filter lists no run.
    static let noSuchRun = "no run matches"

    private static var runList: Pane<Self> {
        .rows(
            .runs, \.runs.list, frame: \.runFrame, isPresent: { $0.view == .runs },
            empty: { page in
                if page.runs.entries.isEmpty {
                    return [
                        page.fault ?? "no runs yet", "", "r  runs a task file with a model",
                        "i  opens a log from Inspect, lm-eval, promptfoo, garak, or OpenAI evals",
                    ]
                }
                return page.runs.listed.isEmpty ? ["\(noSuchRun): / edits the filter, Esc lists all"] : nil
            }, part: { header.rowsArea(in: $1) }
        ) { page, surface, area, theme, isFocused in
            page.runs.draw(
                into: &surface, in: area, theme: theme, isFocused: isFocused, shown: page.open?.id, now: page.now())
        }
    }

    private var runFrame: Frame {
        let all = Format.count(runs.entries.count)
        var frame = Frame("Runs", count: FrameLabel(all))
        if !runs.filter.isEmpty {
            frame.count = FrameLabel("\(Format.count(runs.listed.count)) of \(all)")
            frame.details.append(FrameLabel(runs.filter, role: .match))
        }
        if !runs.marked.isEmpty { frame.details.append(FrameLabel("\(runs.marked.count) marked", role: .accent)) }
        let foreign = runs.entries.count(where: \.isForeign)
        if foreign > 0 { frame.details.append(FrameLabel("\(foreign) from other tools")) }
        return frame
    }

    private var aboutFrame: Frame {
        Frame(FrameLabel(about.title), details: runs.selected.map { [FrameLabel($0.title, role: .dim)] } ?? [])
    }

    // MARK: Samples

    private static var sampleList: Pane<Self> {
        .rows(
            .samples, \.samples, frame: \.sampleFrame, isPresent: { $0.view == .samples },
            empty: { page in
                guard let open = page.open else { return [] }
                guard open.count == 0, open.filter.problem == nil else { return nil }
                if !open.isRead || open.searched != nil { return ["reading"] }
                return [
                    open.filter.isEmpty ? "the run has no samples yet" : "no sample matches: / edits the filter"
                ]
            }, part: { header.rowsArea(in: $1) }
        ) { page, surface, area, theme, isFocused in
            guard let open = page.open else { return }
            guard let problem = open.filter.problem else {
                return SampleTable(open: open, list: page.samples)
                    .draw(into: &surface, in: area, theme: theme, isFocused: isFocused)
            }
            let lines = StyledLine(problem, .failure).wrapped(to: max(10, area.columns - 2))
            for (row, line) in lines.enumerated() where row < area.rows {
                surface.put(
                    line, at: Point(column: area.column + 1, row: area.row + row), theme: theme,
                    width: area.columns - 1)
            }
        }
    }

    private var sampleFrame: Frame {
        var frame = Frame("Samples")
        guard let open else { return frame }
        frame.count = FrameLabel(SampleTable.count(open))
        if !open.filter.isEmpty { frame.details = [FrameLabel(open.filter.typed, role: .match)] }
        frame.details.append(FrameLabel(runs.title(open), role: .dim))
        if let base = open.base.flatMap({ runs.entry($0) }) {
            frame.details.append(FrameLabel("against \(base.title)", role: .accent))
        }
        frame.trailing = SampleTable.outcomes(open.index)
        return frame
    }

    private static var stepList: Pane<Self> {
        .rows(
            .steps, \.steps,
            frame: { Frame("Steps", count: $0.sample.map { FrameLabel(Format.count($0.steps.count)) }) },
            isPresent: { $0.view == .samples },
            empty: { $0.sample?.steps.isEmpty == true ? ["no steps were recorded"] : nil }, part: { $1 }
        ) { page, surface, area, theme, isFocused in
            guard let sample = page.sample else { return }
            page.steps.draw(into: &surface, in: area, theme: theme, isFocused: isFocused) { surface, line in
                let step = sample.steps[line.index]
                // A sample that passed has no failing step, whatever its log marks.
                let isFailing = line.index == sample.failingStep && sample.row.outcome != .passed
                var rest = line.area
                let time = rest.takeRight(10)
                let mark = isFailing ? theme.glyphs.failed : theme.glyphs.nothing
                surface.put(
                    String(Character(mark)), at: rest.takeLeft(2).origin,
                    style: line.style(isFailing ? .failure : .faint, theme))
                surface.put(step.kind.name, at: rest.takeLeft(10).origin, style: line.style(.dim, theme), width: 9)
                surface.put(
                    [step.name, step.problem].compactMap(\.self).joined(separator: "  "), at: rest.origin,
                    style: line.style(step.problem == nil ? .text : .failure, theme), width: max(0, rest.columns - 1))
                surface.put(
                    EvalFigure.seconds(step.seconds), at: time.origin, style: line.style(.dim, theme),
                    width: time.columns, aligned: .right)
            }
        }
    }

    // MARK: Failures

    private static var clusterList: Pane<Self> {
        .rows(
            .causes, \.clusters,
            frame: { page in
                var frame = Frame("What went wrong")
                if let found = page.failures {
                    frame.count = FrameLabel("\(Format.count(found.failed)) of \(Format.count(found.total))")
                }
                if let run = page.target { frame.details = [FrameLabel(run.title, role: .dim)] }
                return frame
            }, isPresent: { $0.view == .failures },
            empty: { page in
                guard page.failures?.clusters.isEmpty ?? true else { return nil }
                let passed =
                    page.failures != nil
                    || page.open?.isRead == true && page.open?.index.count(of: .passed) == page.open?.index.known
                return [passed ? "all samples passed" : "reading the failures"]
            }, part: { header.rowsArea(in: $1) }
        ) { page, surface, area, theme, isFocused in
            guard let found = page.failures else { return }
            var columns = Columns<FailureClusters.Cluster>(width: area.columns, theme: theme)
            found.addColumns(to: &columns)
            columns.draw(found.clusters, page.clusters, into: &surface, in: area, isFocused: isFocused)
        }
    }

    private var exampleFrame: Frame {
        guard let cluster, let open else { return Frame("Example") }
        let names = cluster.samples.prefix(4).compactMap { open.row($0)?.id }
        guard !names.isEmpty else { return Frame("Example") }
        let hidden = cluster.samples.count - names.count
        return Frame(
            "Example",
            details: [
                FrameLabel(
                    names.joined(separator: ", ") + (hidden > 0 ? " and \(Format.count(hidden)) more" : ""))
            ])
    }
}

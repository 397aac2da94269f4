internal import Console
internal import EvalLogs
internal import Evals
internal import Formatting
internal import Traces
internal import Workspace

extension EvalPanel {
    /// Goes to the groups of what went wrong in the run.
    mutating func showFailures() -> [Effect<EvalAnswer>] {
        guard let id = target?.id ?? open?.id else { return [] }
        if page != .failures { origin = page == .queue ? .runs : page }
        go(to: .failures)
        if failures.run != id || failures.found == nil { failures.wait(for: id) }
        return (open?.id == id ? askFailures() : show(id)) + followFailure()
    }

    /// Maximum number of failures to group without a request: grouping takes a moment.
    private static let mostUnasked = 300

    /// Groups the samples that did not pass, once all are read.
    func askFailures() -> [Effect<EvalAnswer>] {
        guard let open, open.isRead, open.failures == nil else { return [] }
        let missed = [EvalRow.Outcome.failed, .error, .unscored].reduce(0) { $0 + open.index.count(of: $1) }
        let isWanted = page == .failures || !open.filter.causes.isEmpty || missed <= Self.mostUnasked
        guard missed > 0, isWanted else { return [] }
        let (log, id) = (open.log, open.id)
        return [
            .stream(key: "failures") { cancellation, _ in
                .failures(
                    run: id, FailuresBox(found: try cancellation.during { try FailureClusters(log, isCancelled: $0) }))
            }
        ]
    }

    mutating func take(failures found: FailureClusters, of run: Int64) -> [Effect<EvalAnswer>] {
        guard open?.id == run else { return [] }
        open?.failures = found
        guard page == .failures else { return page == .runs ? showText(keeping: true) : [] }
        failures.show(found, of: run)
        layoutPanes()
        return followFailure()
    }

    /// Reads the first sample of the group under the cursor.
    mutating func followFailure() -> [Effect<EvalAnswer>] {
        guard page == .failures, let open, failures.run == open.id else { return [] }
        if failures.found == nil, let known = open.failures { failures.show(known, of: open.id) }
        guard let place = failures.cluster?.samples.first, place != failures.shown else { return [] }
        let (log, id) = (open.log, open.id)
        return [
            .ask(key: "typical") { _ in .typical(run: id, EvalSampleBox(sample: try log.sample(place))) }
        ]
    }

    mutating func show(typical sample: EvalSampleRecord, of run: Int64) -> [Effect<EvalAnswer>] {
        guard page == .failures, failures.run == run, failures.cluster?.samples.first == sample.row.index else {
            return []
        }
        failures.shown = sample.row.index
        failures.text.show(SampleReading(sample: sample, scores: open?.run.scores ?? []).sections)
        layoutPanes()
        return advanceText()
    }

    /// The samples of the group under the cursor, and no others.
    mutating func openFailure() -> [Effect<EvalAnswer>] {
        guard let cluster = failures.cluster, open?.id == failures.run else { return [] }
        let place = failures.list.selection + 1
        go(to: .samples)
        pane = .samples
        origin = .failures
        return setFilter("\(SampleFilter.causeWord)=\(place)") + showText() + [.notify(cluster.title)]
    }

    func copyFailures() -> [Effect<EvalAnswer>] {
        guard let found = failures.found else { return [] }
        let rows = found.clusters.map { "| \($0.samples.count) | \(SampleReading.printed($0.title)) |" }
        let text = (["| samples | what went wrong |", "|---:|---|"] + rows).joined(separator: "\n") + "\n"
        return [.copy(text, what: "what went wrong")]
    }

    // MARK: Drawing

    func drawCauses(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var frame = Frame("What went wrong", isFocused: isFocused)
        if let found = failures.found {
            frame.count = FrameLabel("\(Format.count(found.failed)) of \(Format.count(found.total))")
        }
        if let run = failures.run.flatMap({ runs.entry($0) }) { frame.details = [FrameLabel(run.title, role: .dim)] }
        let inside = framed(frame, into: &surface, in: area, theme: theme)
        guard let found = failures.found, !found.clusters.isEmpty else {
            let passed =
                failures.found != nil || open?.isRead == true && open?.index.count(of: .passed) == open?.index.known
            surface.put(
                passed ? "all samples passed" : "reading the failures",
                at: Point(column: inside.column + 1, row: inside.row), style: theme[.dim], width: inside.columns - 1)
            return
        }
        failures.draw(into: &surface, in: inside, theme: theme, isFocused: isFocused)
    }

    func drawCause(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var frame = Frame("Example", isFocused: isFocused)
        if let cluster = failures.cluster, let open {
            let names = cluster.samples.prefix(4).compactMap { open.row($0)?.id }
            let rest = cluster.samples.count - names.count
            if !names.isEmpty {
                frame.details = [
                    FrameLabel(names.joined(separator: ", ") + (rest > 0 ? " and \(Format.count(rest)) more" : ""))
                ]
            }
        }
        drawText(failures.text, frame, into: &surface, in: area, theme: theme)
    }
}

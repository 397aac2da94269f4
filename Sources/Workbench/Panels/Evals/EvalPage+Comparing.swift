internal import Console
internal import EvalLogs
internal import Evals
internal import LanguageModels

/// Differences between two runs, sample by sample and step by step, and traces of samples.
extension EvalPage {
    // MARK: Two runs

    mutating func compareMarked() -> Work<Self> {
        if runs.marked.count >= 2 { return showInOrder(runs.marked[0], runs.marked[1]) }
        guard let target else { return [] }
        if let marked = runs.marked.first, marked != target.id { return showInOrder(marked, target.id) }
        guard let partner = partner(of: target.id) else {
            return .notify("\(target.run.task) has no other run: mark two runs with m", .warning)
        }
        return showInOrder(partner.id, target.id)
    }

    /// Compares two runs with the older one as the baseline, in whatever order they were marked.
    private mutating func showInOrder(_ one: Int64, _ other: Int64) -> Work<Self> {
        guard let first = runs.entry(one), let second = runs.entry(other), second.isOlder(than: first) else {
            return showDiff(one, other)
        }
        return showDiff(other, one)
    }

    private mutating func showDiff(_ base: Int64, _ new: Int64) -> Work<Self> {
        diff.wait(for: runs.entry(base), runs.entry(new))
        go(to: .diff)
        return compare(base, new)
    }

    /// Reads and compares both runs in the background.
    private func compare(_ base: Int64, _ new: Int64) -> Work<Self> {
        let (first, second) = (runs.entry(base)?.log, runs.entry(new)?.log)
        return background("contrast") { desk, cancellation in
            let logs = (try first ?? desk.log(base), try second ?? desk.log(new))
            return ContrastedLogs(
                contrast: try desk.contrast(logs.0, logs.1, until: cancellation), base: logs.0, new: logs.1)
        } then: { page, found in
            page.show(found, base, new)
        } failed: { page, _ in
            if page.view == .diff { page.go(to: .runs) }
            return []
        }
    }

    private mutating func show(_ found: ContrastedLogs, _ base: Int64, _ new: Int64) -> Work<Self> {
        var work: Work<Self> = []
        if view == .diff, diff.base?.id == base, diff.new?.id == new {
            diff.show(found)
            // The texts are empty now, even if the cursor is on the same pair.
            work = .again("pair")
        }
        guard open?.id == new else { return work }
        let before = selectedSample
        open?.compare(found.contrast, base: base)
        if let before, let place = open?.place(of: before) { samples.select(place) }
        return view == .samples ? .notify(found.contrast.sentence) : work
    }

    /// Reads both samples of the selected pair.
    func readPair() -> Work<Self> {
        guard let pair = diff.pair, let logs = diff.logs else { return [] }
        return read("pair") { _ in
            (try logs.base.sample(pair.rowA), try logs.new.sample(pair.rowB))
        } show: { page, samples in
            func sections(_ sample: EvalSampleRecord, _ entry: EvalRunEntry?) -> [TextSection] {
                SampleReading(sample: sample, scores: entry?.run.scores ?? []).briefSections
            }
            page.diff.before.show(sections(samples.0, page.diff.base))
            page.diff.after.show(sections(samples.1, page.diff.new))
        }
    }

    /// The most likely baseline of a run: the latest earlier run of the same task.
    private func partner(of id: Int64) -> EvalRunEntry? {
        guard let entry = runs.entry(id) else { return nil }
        let peers = runs.entries.filter { $0.id != id && $0.run.task == entry.run.task }
        // Compare with a partial run only if there is no complete one.
        let others = peers.contains(where: \.isWhole) ? peers.filter(\.isWhole) : peers
        return others.filter { $0.isOlder(than: entry) }.max { $0.isOlder(than: $1) } ?? others.first
    }

    mutating func askBaseline() -> Work<Self> {
        guard let open else { return [] }
        if open.contrast != nil {
            self.open?.compare(nil, base: nil)
            return .notify("baseline removed")
        }
        let (partner, new) = (partner(of: open.id)?.id, open.id)
        let choices = runs.entries.filter { $0.id != new }.map { entry in
            Choice(
                Escape.printable(entry.title), facts: ["\(entry.id)"], isCurrent: entry.id == partner, value: entry.id)
        }
        return .choose("Compare with run", choices) { $0.compare($1, new) }
    }

    // MARK: Steps side by side

    /// Reads the steps of both runs for the selected pair.
    mutating func readSides() -> Work<Self> {
        guard let pair = diff.pair, let logs = diff.logs else { return [] }
        sides.wait(for: pair, diff.base, diff.new)
        return read("sides") { desk in
            (try desk.steps(of: logs.base, sample: pair.rowA), try desk.steps(of: logs.new, sample: pair.rowB))
        } then: { page, steps in
            page.sides.show(steps.0, steps.1)
            return []
        } failed: { page, _ in
            if page.view == .sides { page.go(to: .diff) }
            return []
        }
    }

    /// Opens the step of the highlighted run in its trace.
    func openStep() -> Work<Self> {
        guard let step = sides.selected else {
            let name = (sides.side == .left ? sides.base : sides.new)?.title ?? "the run"
            return .notify("\(name) has no step here: press h or l to switch runs", .warning)
        }
        guard let trace = step.trace else {
            return .notify("no trace to open: the log records no steps, or the workspace is read-only", .warning)
        }
        return [.changed, .open(Self.reference(trace, span: step.span, title: sides.pair?.id ?? step.name))]
    }

    private func offerStep() -> Work<Self> {
        guard let pair = diff.pair, let logs = diff.logs, let row = sides.row else { return [] }
        let isLeft = sides.side == .left
        guard let step = isLeft ? row.left : row.right else { return openStep() }
        return readTrace(
            of: isLeft ? logs.base : logs.new, isLeft ? pair.rowA : pair.rowB, step: step, isOffer: true)
    }

    // MARK: Traces

    func openElsewhere() -> Work<Self> {
        switch view {
        case .samples, .queue: openTrace(isOffer: true)
        case .diff: openTraceOfPair(isOffer: true)
        case .sides: offerStep()
        case .runs, .matrix, .failures: selection.map { .offer($0) } ?? []
        }
    }

    /// Opens the trace of the sample at the selected step, or else at the failing one.
    func openTrace(isOffer: Bool) -> Work<Self> {
        guard let open, let index = currentSample else { return [] }
        let step = screen.focus == .steps ? steps.selection : nil
        return readTrace(of: open.log, index, step: step, isOffer: isOffer)
    }

    func openTraceOfPair(isOffer: Bool) -> Work<Self> {
        guard let pair = diff.pair, let logs = diff.logs else { return [] }
        let isBefore = screen.focus == .before
        return readTrace(
            of: isBefore ? logs.base : logs.new, isBefore ? pair.rowA : pair.rowB, step: nil, isOffer: isOffer)
    }

    /// - Parameter step: Step to show; `nil` for the failing one.
    private func readTrace(of log: any EvalLog, _ index: Int, step: Int?, isOffer: Bool) -> Work<Self> {
        read("trace") { desk -> Reference in
            let trace = try desk.trace(of: log, sample: index)
            let sample = try log.sample(index)
            let wanted = step ?? (isOffer ? Self.offered(sample) : sample.failingStep ?? sample.steps.indices.last)
            let span = wanted.flatMap { trace.spans.indices.contains($0) ? trace.spans[$0] : nil }
            var reference = Self.reference(trace.trace, span: span, title: sample.row.id)
            if isOffer {
                let shown = wanted.flatMap { sample.steps.indices.contains($0) ? sample.steps[$0] : nil }
                let panels = try desk.panels(showing: shown, of: trace, span: span) ?? []
                reference.panels = panels.isEmpty ? nil : panels
            }
            return reference
        } then: { _, reference in
            [.changed, isOffer ? .offer(reference) : .open(reference)]
        }
    }

    /// The step that other pages can show: the failing step if it is a model call or a search; otherwise, the last
    /// model call.
    private static func offered(_ sample: EvalSampleRecord) -> Int? {
        let failing = sample.failingStep.flatMap { step in
            sample.steps.indices.contains(step) && [.model, .retrieval].contains(sample.steps[step].kind) ? step : nil
        }
        return failing ?? sample.steps.lastIndex { $0.kind == .model }
    }

    private static func reference(_ trace: Int64, span: Int?, title: String) -> Reference {
        span.map { Reference(.span, [trace, Int64($0)], title: title) } ?? Reference(.trace, [trace], title: title)
    }
}

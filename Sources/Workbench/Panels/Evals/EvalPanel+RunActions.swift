internal import Console
internal import EvalLogs
internal import Evals
internal import Formatting
internal import LanguageModels
internal import Workspace

extension EvalPanel {
    // MARK: Running

    mutating func start(_ start: EvalStart, name: String) -> [Effect<EvalAnswer>] {
        let title = "eval \(Escape.printable(name))"
        guard !working.contains(title) else { return [.notify("\(title) is already running", .warning)] }
        working.insert(title)
        if start.isNew { awaited = Set(runs.entries.map(\.id)) }
        let desk = desk
        return [
            .job(
                JobRequest(EvalStore.workbenchJob, title: title) { job in
                    .ended(title: title, try desk.start(start, job))
                }),
            .wait(key: "watch", for: Self.watchInterval, then: .tick),
        ]
    }

    mutating func startAgain(_ make: (Int64) -> EvalStart) -> [Effect<EvalAnswer>] {
        guard let target else { return [] }
        let start = make(target.id)
        // What was said of its end is over.
        let goesOn = start.isNew ? [] : [Effect<EvalAnswer>.notify("resuming \(target.title)")]
        return goesOn + self.start(start, name: target.title)
    }

    /// Pauses or resumes the run. A paused run sends no new requests, but running ones finish.
    func pauseRun() -> [Effect<EvalAnswer>] {
        guard let target else { return [] }
        let (desk, id, name) = (desk, target.id, target.title)
        let isPaused = target.progress?.waits.contains { $0.cause == .paused }
        return [
            .ask(key: "order") { _ in
                let isNow = try desk.pause(id, isPaused: isPaused)
                return .written(isNow ? "pausing \(name): P resumes it" : "resuming \(name)")
            }
        ]
    }

    /// Asks before it stops the run, and says how far the run is.
    func askStop() -> [Effect<EvalAnswer>] {
        guard let target else { return [] }
        let done = target.total.map { "\(target.samples) of \(Format.count($0))" } ?? target.samples
        let share = target.share.map { " (\($0))" } ?? ""
        return [
            .question(
                Question(
                    "Stop \(Escape.printable(target.title).truncated(toColumns: 40))?",
                    lines: ["\(done) samples\(share) are saved. Press a to resume the run."],
                    [.init("s", "stop the run", value: .line(.stop(target.id), ""))]))
        ]
    }

    func stop(_ id: Int64) -> [Effect<EvalAnswer>] {
        let (desk, name) = (desk, runs.entry(id)?.title ?? "run \(id)")
        return [
            .ask(key: "order") { _ in
                try desk.stop(id)
                return .written("stopping \(name); finished samples are saved")
            }
        ]
    }

    func changeConcurrency(by step: Int) -> [Effect<EvalAnswer>] {
        guard let target else { return [] }
        let (desk, id, chosen, now) = (desk, target.id, target.most, target.progress?.concurrency)
        return [
            .ask(key: "order") { _ in
                // What was chosen, not what is left of it while the other side is slow.
                let before = min(max(1, try chosen ?? desk.concurrency(of: id) ?? now ?? 8), 512)
                let most = min(512, max(1, before + step * max(1, before / 4)))
                try desk.setConcurrency(most, of: id)
                return .steered(run: id, most: most)
            }
        ]
    }

    func rename(_ id: Int64, to name: String) -> [Effect<EvalAnswer>] {
        let desk = desk
        return [
            .ask(key: "rename") { _ in
                try desk.rename(id, to: name)
                return .done("renamed")
            }
        ]
    }

    func delete(_ ids: [Int64]) -> [Effect<EvalAnswer>] {
        let desk = desk
        let name = ids.count == 1 ? runs.entry(ids[0])?.title ?? "the run" : Format.count(ids.count, "run")
        return [
            .ask(key: "delete") { _ in
                for id in ids { try desk.delete(id) }
                return .done("deleted \(name)")
            }
        ]
    }

    // MARK: Comparing

    mutating func compareMarked() -> [Effect<EvalAnswer>] {
        if runs.marked.count >= 2 { return showInOrder(runs.marked[0], runs.marked[1]) }
        guard let target else { return [] }
        if let marked = runs.marked.first, marked != target.id { return showInOrder(marked, target.id) }
        guard let partner = partner(of: target.id) else {
            return [.notify("\(target.run.task) has no other run: mark two runs with m", .warning)]
        }
        return showInOrder(partner.id, target.id)
    }

    /// Compares two runs with the older one as the baseline, in whatever order they were marked.
    private mutating func showInOrder(_ one: Int64, _ other: Int64) -> [Effect<EvalAnswer>] {
        guard let first = runs.entry(one), let second = runs.entry(other), second.isOlder(than: first) else {
            return showDiff(one, other)
        }
        return showDiff(other, one)
    }

    private mutating func showDiff(_ base: Int64, _ new: Int64) -> [Effect<EvalAnswer>] {
        diff.wait(for: runs.entry(base), runs.entry(new))
        go(to: .diff)
        return compare(base, new)
    }

    /// Reads and compares both runs in the background.
    func compare(_ base: Int64, _ new: Int64) -> [Effect<EvalAnswer>] {
        let desk = desk
        let (first, second) = (runs.entry(base)?.log, runs.entry(new)?.log)
        return [
            .stream(key: "contrast") { cancellation, _ in
                let logs = (try first ?? desk.log(base), try second ?? desk.log(new))
                let contrast = try desk.contrast(logs.0, logs.1, until: cancellation)
                return .contrast(base: base, new: new, ContrastBox(contrast: contrast, base: logs.0, new: logs.1))
            }
        ]
    }

    mutating func show(_ box: ContrastBox, _ base: Int64, _ new: Int64) -> [Effect<EvalAnswer>] {
        var effects: [Effect<EvalAnswer>] = []
        if open?.id == new {
            let before = selectedSample
            open?.compare(box.contrast, base: base)
            samples.count = open?.count ?? 0
            if let before, let place = open?.place(of: before) { samples.select(place) }
            if page == .samples { effects.append(.notify(box.contrast.sentence)) }
        }
        guard page == .diff, diff.base?.id == base, diff.new?.id == new else { return effects }
        diff.show(box)
        layoutPanes()
        return effects + followPair()
    }

    /// Reads the pair under the cursor.
    mutating func followPair() -> [Effect<EvalAnswer>] {
        guard page == .diff, let pair = diff.pair, let place = diff.place, let logs = diff.logs else { return [] }
        guard diff.shown != place else { return [] }
        return [
            .ask(key: "pair") { _ in
                let before = pair.base >= 0 ? EvalSampleBox(sample: try logs.base.sample(Int(pair.base))) : nil
                let after = pair.new >= 0 ? EvalSampleBox(sample: try logs.new.sample(Int(pair.new))) : nil
                return .pair(place: place, before: before, after: after)
            }
        ]
    }

    // MARK: Traces

    /// - Parameter step: `nil` takes the failing one.
    func askTrace(step: Int?, isOffer: Bool) -> [Effect<EvalAnswer>] {
        guard let open, let index = page == .queue ? queue.sample : selectedSample else { return [] }
        return askTrace(of: open.log, index, step: step, isOffer: isOffer)
    }

    func askTraceOfPair(isBefore: Bool, isOffer: Bool) -> [Effect<EvalAnswer>] {
        guard let pair = diff.pair, let logs = diff.logs else { return [] }
        let index = Int(isBefore ? pair.base : pair.new)
        guard index >= 0 else { return [.notify("the sample is not in this run", .warning)] }
        return askTrace(of: isBefore ? logs.base : logs.new, index, step: nil, isOffer: isOffer)
    }

    func askTrace(of log: any EvalLog, _ index: Int, step: Int?, isOffer: Bool) -> [Effect<EvalAnswer>] {
        let desk = desk
        return [
            .ask(key: "trace") { _ in
                let trace = try desk.trace(of: log, sample: index)
                let sample = try log.sample(index)
                // A panel of tokens or of attention takes a call of a model.
                let call = isOffer ? sample.steps.lastIndex { $0.kind == .model } : nil
                let failing = sample.failingStep ?? sample.steps.indices.last
                let wanted = step ?? (isOffer ? Self.offered(sample) ?? call : failing)
                guard isOffer else { return .trace(trace, step: wanted, title: sample.row.id, panels: nil) }
                let shown = wanted.flatMap { sample.steps.indices.contains($0) ? sample.steps[$0] : nil }
                let span = wanted.flatMap { trace.spans.indices.contains($0) ? trace.spans[$0] : nil }
                let panels = try desk.panels(showing: shown, of: trace, span: span)
                return .trace(trace, step: wanted, title: sample.row.id, panels: panels ?? [])
            }
        ]
    }

    /// The step that other panels can show: the failing one where it is a call of a model or a search.
    private static func offered(_ sample: EvalSampleRecord) -> Int? {
        sample.failingStep.flatMap { step in
            guard sample.steps.indices.contains(step) else { return nil }
            return [.model, .retrieval].contains(sample.steps[step].kind) ? step : nil
        }
    }

    /// - Parameter panels: Where it is offered, none of them stands for all; `nil` opens it at once.
    func go(to trace: EvalTrace, _ step: Int?, _ title: String, _ panels: Set<String>?) -> [Effect<EvalAnswer>] {
        let span = step.flatMap { trace.spans.indices.contains($0) ? trace.spans[$0] : nil }
        var reference =
            span.map { Reference(.span, [trace.trace, Int64($0)], title: title) }
            ?? Reference(.trace, [trace.trace], title: title)
        guard let panels else { return [.changed, .open(reference)] }
        reference.panels = panels.isEmpty ? nil : panels
        return [.changed, .offer(reference)]
    }

    func openElsewhere() -> [Effect<EvalAnswer>] {
        switch page {
        case .samples, .queue: return askTrace(step: pane == .steps ? steps.selection : nil, isOffer: true)
        case .diff: return askTraceOfPair(isBefore: pane == .before, isOffer: true)
        case .sides: return offerSide()
        case .runs, .matrix, .failures: return selection.map { [.offer($0)] } ?? []
        }
    }

    // MARK: Judging

    func askRatings(_ said: Rating? = nil, isUndo: Bool = false) -> [Effect<EvalAnswer>] {
        ratings { _ in said.map { ($0, isUndo) } }
    }

    /// Does something with the ratings of the run, and reads what stands then.
    private func ratings(
        _ action: @escaping @Sendable (any ReviewDesk) throws -> (Rating, Bool)?
    ) -> [Effect<EvalAnswer>] {
        guard let open, queue.run == open.id else { return [] }
        let (desk, log, id) = (desk.ratings, open.log, open.id)
        // Read the rows again if the run has grown.
        let rows = queue.rows.count >= min(ReviewPage.mostRows, open.index.known) ? queue.rows : []
        return [
            .ask(key: "ratings") { cancellation in
                let said = try action(desk)
                let run = log.run
                let rows =
                    rows.isEmpty
                    ? try cancellation.during { try log.rows(0..<ReviewPage.mostRows, isCancelled: $0) } : rows
                let ratings = try desk.ratings(of: run)
                let box = RatingsBox(ratings: ratings, rows: rows, agreement: RaterAgreement(ratings, rows: rows))
                return .ratings(run: id, box, said: said?.0, isUndo: said?.1 ?? false)
            }
        ]
    }

    /// Whether the sample that the queue is at is the one on the screen: a verdict is of what one sees.
    var isSampleShown: Bool {
        guard page == .queue, let open, queue.run == open.id, let entry = queue.entry, let sample else { return false }
        return sample.row.index == entry.index && sample.row.id == entry.id
    }

    /// Asks for a grade by the first letter of its word: digits switch panels here as they do everywhere.
    func askGrade() -> [Effect<EvalAnswer>] {
        guard isSampleShown, let entry = queue.entry else { return [] }
        let name = Escape.printable(entry.id).truncated(toColumns: 30)
        return [
            .question(
                Question(
                    "Grade \(name)",
                    GradeScale.all.map { grade in
                        Question<EvalAnswer>.Option(
                            grade.key, "\(grade.word), \(grade.number) of \(GradeScale.all.count)",
                            value: .line(.grade(entry.index, grade.number), ""))
                    }))
        ]
    }

    /// - Parameter isSure: It was asked whether what has no answer is to pass.
    func say(_ verdict: Rating.Verdict, note: String? = nil, isSure: Bool = false) -> [Effect<EvalAnswer>] {
        guard isSampleShown, let entry = queue.entry else { return [] }
        if verdict.passes == true, queue.isWithoutAnswer, !isSure {
            let name = Escape.printable(entry.id).truncated(toColumns: 30)
            return [
                .question(
                    Question(
                        "Rate a sample without an answer?", lines: ["\(name) has no answer."],
                        [
                            .init(
                                "r", "rate it “\(GradeScale.words(verdict))”",
                                value: .line(.pass(entry.index, verdict), ""))
                        ]))
            ]
        }
        guard let open,
            let rating = queue.rating(
                verdict, note: note ?? queue.entry?.own?.note ?? "", of: open.run, at: now())
        else { return [] }
        return ratings { desk in
            try desk.add(rating)
            return (rating, false)
        }
    }

    /// A note stays with what was said; where nothing was, the sample is put off with it.
    func comment(_ text: String) -> [Effect<EvalAnswer>] {
        say(queue.entry?.own?.verdict ?? .skipped, note: text)
    }

    func undoRating() -> [Effect<EvalAnswer>] {
        guard let open, queue.run == open.id else { return [] }
        let (run, rater) = (open.run, queue.rater)
        return ratings { desk in try desk.undo(rater: rater, of: run).map { ($0, true) } }
    }
}

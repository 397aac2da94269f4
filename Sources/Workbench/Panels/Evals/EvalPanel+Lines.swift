internal import Console
internal import EvalLogs
internal import Evals

extension EvalPanel {
    func line(
        _ purpose: EvalAnswer.Line, _ label: String, text: String = "", history: String? = nil,
        complete: @escaping @Sendable (String) -> [String] = { _ in [] },
        live: (@Sendable (String) -> EvalAnswer)? = nil
    ) -> Prompt<EvalAnswer> {
        Prompt(
            label, text: text, history: history, complete: complete, live: live,
            cancelled: EvalAnswer.lineCancelled,
            accept: { .line(purpose, $0) })
    }

    mutating func askFilter() -> [Effect<EvalAnswer>] {
        switch pane {
        case .runs, .chart:
            return [
                .prompt(
                    line(
                        .filterRuns, "/", text: runs.filter, history: "eval-runs",
                        live: { .line(.filterRuns, $0) }))
            ]
        case .pairs:
            return [
                .prompt(
                    line(
                        .filterPairs, "/", text: diff.words, history: "eval-pairs",
                        live: { .line(.filterPairs, $0) }))
            ]
        case .matrix:
            return [.prompt(line(.findCell, "find ", live: { .line(.findCell, $0) }))]
        default: break
        }
        guard page == .samples, pane != .sample, let open else {
            return [.prompt(line(.find, "find ", history: "find", live: { .line(.find, $0) }))]
        }
        let (slices, words, scores) = (open.run.slices, open.index.words, open.run.scores.map(\.name))
        return [
            .prompt(
                line(
                    .filter, "/", text: open.filter.typed, history: "eval-filter",
                    complete: { SampleFilter.candidates($0, slices: slices, values: words, scores: scores) },
                    live: { .line(.filter, $0) }))
        ]
    }

    mutating func askBaseline() -> [Effect<EvalAnswer>] {
        guard let open else { return [] }
        if open.contrast != nil {
            self.open?.compare(nil, base: nil)
            samples.count = self.open?.count ?? 0
            return [.notify("baseline removed")]
        }
        let partner = partner(of: open.id)?.id
        let choices = runs.entries.filter { $0.id != open.id }.map { entry in
            Choice(
                Escape.printable(entry.title), facts: ["\(entry.id)"], isCurrent: entry.id == partner,
                value: "\(entry.id)")
        }
        return [
            .choose(
                ChoiceRequest("Compare with run", choices, cancelled: EvalAnswer.lineCancelled) {
                    .line(.baseline(open.id), $0)
                })
        ]
    }

    /// The run that another is most likely to be held against: the youngest before it of the same task.
    func partner(of id: Int64) -> EvalRunEntry? {
        guard let entry = runs.entry(id) else { return nil }
        let peers = runs.entries.filter { $0.id != id && $0.run.task == entry.run.task }
        // Compare with a partial run only if there is no complete one.
        let others = peers.contains(where: \.isWhole) ? peers.filter(\.isWhole) : peers
        let before = others.filter { ($0.run.start ?? 0, $0.id) < (entry.run.start ?? 0, entry.id) }
        return before.max { ($0.run.start ?? 0, $0.id) < ($1.run.start ?? 0, $1.id) } ?? others.first
    }

    func askExport() -> [Effect<EvalAnswer>] {
        if page == .runs { return askExportOfRuns() }
        let plain = Self.plainName(open.map { runs.title($0) } ?? "") ?? "samples"
        return [
            .fill(
                FormRequest(export: "Export the samples", name: "\(plain).jsonl", endings: [".jsonl", ".csv"]) {
                    .line(.export, $0)
                })
        ]
    }

    /// A run's name as a file can be called: `facts exec:./solve.py` is `facts-exec-solve.py`.
    static func plainName(_ name: String) -> String? {
        let parts = name.unicodeScalars.split {
            !($0.properties.isAlphabetic || "0123456789._".unicodeScalars.contains($0))
        }
        // Drop dots at either end: in `./`, they belong to the path.
        let words = parts.compactMap { part -> String? in
            guard let first = part.firstIndex(where: { $0 != "." }), let last = part.lastIndex(where: { $0 != "." })
            else { return nil }
            return String(part[first...last])
        }
        return words.isEmpty ? nil : words.joined(separator: "-")
    }

    func askRename() -> [Effect<EvalAnswer>] {
        if page == .queue {
            let raters = Set([queue.rater] + (queue.queue?.entries.flatMap { $0.others.map(\.rater) } ?? []))
            return [
                .choose(
                    ChoiceRequest(
                        "Who judges?",
                        raters.sorted().map { Choice(Escape.printable($0), isCurrent: $0 == queue.rater, value: $0) },
                        typed: "Judge as", cancelled: EvalAnswer.lineCancelled
                    ) { .line(.rater, $0) })
            ]
        }
        guard let target else { return [] }
        return [askText("Rename the run", "name", Escape.printable(target.run.name), .rename(target.id))]
    }

    /// Asks for a few words, with the present ones to begin with.
    func askText(_ title: String, _ name: String, _ text: String, _ purpose: EvalAnswer.Line) -> Effect<EvalAnswer> {
        .fill(
            FormRequest(title, verb: "save", Form.Field(name, value: text), cancelled: EvalAnswer.lineCancelled) {
                .line(purpose, $0)
            })
    }

    /// Asks before it deletes the chosen runs; logs of other programs among them stay.
    func askDelete() -> [Effect<EvalAnswer>] {
        let own = chosen.filter { !$0.isForeign }
        guard let first = own.first else { return [] }
        func name(_ entry: EvalRunEntry) -> String { Escape.printable(entry.title).truncated(toColumns: 40) }
        let isOne = own.count == 1
        let names = isOne ? [] : own.prefix(6).map(name) + (own.count > 6 ? ["and \(own.count - 6) more"] : [])
        return [
            .question(
                Question(
                    isOne ? "Delete \(name(first))?" : "Delete \(own.count) marked runs?",
                    lines: names + [
                        "This permanently deletes the \(isOne ? "run and its" : "runs and their") samples."
                    ],
                    [
                        .init(
                            "d", isOne ? "delete the run" : "delete the \(own.count) runs",
                            value: .line(.delete(own.map(\.id)), ""))
                    ]))
        ]
    }

    mutating func accept(_ purpose: EvalAnswer.Line, _ typed: String) -> [Effect<EvalAnswer>] {
        let typed = typed.trimmed
        switch purpose {
        case .filter: return setFilter(typed)
        case .filterRuns: return setRunFilter(typed)
        case .filterPairs:
            diff.find(typed)
            layoutPanes()
            return followPair()
        case .findCell:
            if matrix.find(typed), let entry = matrix.selected { runs.select(entry.id) }
            return []
        case .find: return findInText(typed)
        case .comment: return comment(typed)
        case .rater:
            guard !typed.isEmpty else { return [] }
            queue.rater = typed
            return askRatings()
        case .choices(let task, let model): return start(task, model, with: typed)
        case .pass(let sample, let verdict):
            guard queue.sample == sample else { return [] }
            return say(verdict, isSure: true)
        case .grade(let sample, let grade):
            guard queue.sample == sample else { return [] }
            return say(.grade(grade))
        case .delete(let ids): return delete(ids)
        case .stop(let id): return stop(id)
        case _ where typed.isEmpty: return []
        case .task: return check(task: PathCompletion.expanded(typed))
        case .model(let task) where typed == ModelChoices.findFile:
            return [.browse(ModelChoices.browse { .line(.model(task: task), $0) })]
        case .model(let task): return check(model: typed, task: task)
        case .judge(let task, let model) where typed == ModelChoices.findFile:
            return [.browse(ModelChoices.browse { .line(.judge(task: task, model: model), $0) })]
        case .judge(let task, let model): return [askChoices(task, model, refused: "judge=\(typed)")]
        case .open: return openLog(PathCompletion.expanded(typed))
        case .export: return export(to: PathCompletion.expanded(typed))
        case .exportRuns(let ids): return export(ids, to: PathCompletion.expanded(typed))
        case .rename(let id): return rename(id, to: typed)
        case .baseline(let new):
            let number = Int64(typed.prefix { $0 != " " })
            if number == new {
                return [.notify("\(typed) is this same run: Tab lists other runs", .warning)]
            }
            guard let id = number, runs.entry(id) != nil else {
                return [.notify("unknown run \(typed): Tab lists the runs", .warning)]
            }
            return compare(id, new)
        }
    }

    /// Lists the runs in which all of the words stand.
    mutating func setRunFilter(_ typed: String) -> [Effect<EvalAnswer>] {
        guard typed != runs.filter else { return [] }
        runs.set(filter: typed)
        layoutPanes()
        return followRun()
    }

    private mutating func findInText(_ typed: String) -> [Effect<EvalAnswer>] {
        switch pane {
        case .rows, .left, .right:
            sides.before.find(typed)
            sides.after.find(typed)
            return advanceText()
        case .causes:
            failures.text.find(typed)
            return advanceText()
        default: return readText { $0.find(typed) }
        }
    }

    static func fileName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}

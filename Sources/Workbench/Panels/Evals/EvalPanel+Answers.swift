internal import Console
internal import EvalLogs
internal import Evals
internal import Formatting
internal import Traces

extension EvalPanel {
    mutating func start(_ saved: String?) -> [Effect<EvalAnswer>] {
        if let screen = saved.flatMap(EvalScreen.init(text:)) { screen.apply(to: &self) }
        layoutPanes()
        return paths.flatMap { openLog($0) } + reload()
    }

    mutating func receive(_ answer: EvalAnswer) -> [Effect<EvalAnswer>] {
        switch answer {
        case .runs(let box): return list(box)
        case .tick: return reload()
        case .look: return look()
        case .looked(let revision): return revision == self.revision ? watch() : reload()
        case .followTick(let run): return lookAgain(run)
        case .followed(let id, let change, let run): return take(change, run, of: id)
        case .opened(let box):
            var opened = OpenEval(box.id, box.log, box.run)
            opened.prompt = box.prompt
            return adopt(opened)
        case .foreign(let box): return take(box)
        case .rows(let run, let box, let head): return append(box.rows, of: run, head: head)
        case .counted(let id, let errors):
            guard let errors, counted[id] == nil, let run = runs.entry(id)?.run else { return [] }
            counted[id] = errors
            runs.update(id, withErrors(run, of: id))
            return showText(keeping: true)
        case .slices(let run, let slices, let samples):
            guard open?.id == run else { return [] }
            open?.sampleCount = samples
            open?.slices = slices
            return showText(keeping: true)
        case .page(let run, let page, let box):
            guard open?.id == run else { return [] }
            open?.adopt(box.rows, page: page)
            return askPage()
        case .sample(let run, let box):
            guard open?.id == run, box.sample.row.index == (page == .queue ? queue.sample : selectedSample) else {
                return []
            }
            sample = box.sample
            steps.count = box.sample.steps.count
            steps.select(box.sample.failingStep ?? 0)
            layoutPanes()
            return showText()
        case .found(let run, let typed, let found, let end, let isEnd):
            guard open?.id == run, open?.filter.typed == typed else { return [] }
            let before = selectedSample
            open?.found(found, upTo: end)
            if isEnd { open?.endSearch() }
            samples.count = open?.count ?? 0
            layoutPanes()
            return askPage() + (selectedSample == before ? [] : followSample())
        case .confidences(let run, let points):
            if open?.id == run { open?.confidences = points }
            return []
        case .sureness(let run, let isTold):
            if open?.id == run { open?.tellsSureness = isTold }
            return []
        case .labels(let run, let points):
            if open?.id == run { open?.labels = points }
            return []
        case .contrast(let base, let new, let box): return show(box, base, new)
        case .failures(let run, let box): return take(failures: box.found, of: run)
        case .typical(let run, let box): return show(typical: box.sample, of: run)
        case .sides(let pair, let before, let after): return show(sides: pair, before, after)
        case .pair(let place, let before, let after):
            guard diff.place == place else { return [] }
            diff.shown = place
            (diff.beforeSample, diff.afterSample) = (before?.sample, after?.sample)
            return showPair()
        case .trace(let trace, let step, let title, let panels): return go(to: trace, step, title, panels)
        case .ratings(let run, let box, let said, let isUndo):
            guard page == .queue, queue.run == run else { return [] }
            let before = queue.sample
            let isFirst = queue.queue == nil
            queue.show(box, keeping: said == nil && !isFirst)
            queue.last = isUndo ? nil : said ?? queue.last
            if isUndo, let said, let row = box.rows.first(where: { $0.id == said.sample && $0.epoch == said.epoch }) {
                queue.go(to: row.index)
            }
            let all = said != nil && !isUndo && queue.queue?.rated == queue.queue?.entries.count
            return (queue.sample == before ? showText() : []) + followSample()
                + (all ? [.notify("all \(queue.rows.count) samples are judged", .success)] : [])
        case .ended(let title, let end):
            working.remove(title)
            return [.notify(end.sentence, end.isGood ? .success : .warning), .changed]
        case .steered(let run, let most):
            mosts[run] = most
            return [.notify("at most \(Format.count(most, "sample")) in flight", .success)] + reload()
        case .done(let sentence): return [.notify(sentence, .success), .changed]
        case .written(let sentence): return [.notify(sentence, .success)]
        case .line(let purpose, let typed): return accept(purpose, typed)
        case .taskIsGood(let task, let check):
            if check.asksJudge { judged.insert(task) } else { judged.remove(task) }
            return askModel(task, check)
        case .models(let models, let task, let proposed): return [choose(among: models, for: task, proposed)]
        case .modelIsGood(let task, let model): return [askJudge(task, model)]
        case .judges(let models, let task, let model):
            return [
                .choose(
                    ModelChoices.request(
                        "Judge model for \(Self.fileName(task))", models, current: "",
                        cancelled: EvalAnswer.lineCancelled
                    ) { .line(.judge(task: task, model: model), $0) })
            ]
        case .lineCancelled: return []
        case .advanceText: return advanceText()
        }
    }

    mutating func fail(_ key: String, _ sentence: String) -> [Effect<EvalAnswer>] {
        if working.remove(key) != nil { return reload() }
        if let again = askAgain(key) { return [again] }
        switch key {
        case "open":
            wanted = nil
            return []
        case "contrast":
            if page == .diff { go(to: .runs) }
            return showText()
        case "sides":
            if page == .sides { go(to: .diff) }
            return []
        case "rows":
            open?.isRead = true
            reopened = nil
            return showText(keeping: true)
        case _ where key.hasPrefix("log "): hasFailed = runs.entries.isEmpty ? sentence : nil
        case "runs":
            hasFailed = sentence
            return watch()
        default: break
        }
        return []
    }

    // MARK: Runs

    private mutating func list(_ box: EvalRunsBox) -> [Effect<EvalAnswer>] {
        hasFailed = nil
        revision = box.revision
        causes.merge(box.causes) { _, new in new }
        let progress = Dictionary(box.progress.map { ($0.run, $0) }, uniquingKeysWith: { _, last in last })
        for (id, run) in box.foreign where logs.indices.contains(Int(-id) - 1) { logs[Int(-id) - 1].run = run }
        let foreign = logs.enumerated().map { index, log in
            let id = -Int64(index + 1)
            return EvalRunEntry(id: id, run: withErrors(log.run, of: id), log: log.log, progress: nil)
        }
        let own = box.runs.compactMap { run -> EvalRunEntry? in
            guard let id = Int64(run.key) else { return nil }
            var entry = EvalRunEntry(
                id: id, run: run, log: nil, progress: progress[id], most: mosts[id], cause: causes[id],
                isPaused: box.paused.contains(id))
            entry.isElsewhere = entry.isAlive && !box.own.contains(id)
            // What another process told is a moment older than its samples.
            if entry.isElsewhere, let told = entry.progress {
                entry.progress?.completed = max(told.completed, run.completed)
            }
            return entry
        }
        let before = open.flatMap { runs.entry($0.id) }
        runs.show(foreign + own)
        layoutPanes()
        if let open, runs.entry(open.id) == nil { close() }
        if let open, let entry = runs.entry(open.id) { self.open?.run = entry.run }
        var effects = watch()
        if let started = startedRun(among: own) {
            runs.select(started)
            if open?.id != started { wanted = Wanted(run: started, sample: nil) }
        }
        if let wanted, runs.entry(wanted.run) != nil {
            runs.select(wanted.run)
            if open?.id != wanted.run { effects += show(wanted.run) }
        } else if let open, let entry = runs.entry(open.id), open.isRead, hasGrown(entry, before, open.index.known) {
            effects += show(open.id)
        } else if open == nil {
            effects += followRun()
        }
        return effects + showText(keeping: true)
    }

    /// The run that was started here, once it is in the list.
    private mutating func startedRun(among own: [EvalRunEntry]) -> Int64? {
        guard let known = awaited, let new = own.first(where: { !known.contains($0.id) }) else { return nil }
        awaited = nil
        return page == .runs ? new.id : nil
    }

    /// Returns whether a run has grown enough to read its samples again.
    private func hasGrown(_ entry: EvalRunEntry, _ before: EvalRunEntry?, _ known: Int) -> Bool {
        guard !entry.isForeign, let before else { return false }
        let isOther = before.isAlive || before.run.completed != entry.run.completed || before.run.end != entry.run.end
        if isOther, !entry.isAlive { return true }
        return entry.run.completed - known >= max(16, known / 20)
    }

    private mutating func take(_ box: EvalLogsBox) -> [Effect<EvalAnswer>] {
        // Logs from the last session or the sample data need no message.
        let isRestored = paths.contains(box.path)
        paths.removeAll { $0 == box.path }
        guard !box.logs.isEmpty else {
            return [.notify("\(box.path): no eval runs found. Open a log or a folder of logs.", .warning)]
        }
        // Read an open log again under its number.
        let isKnown = logs.contains { $0.path == box.path }
        if isKnown {
            for (index, place) in zip(logs.indices.filter { logs[$0].path == box.path }, box.logs.indices) {
                (logs[index].log, logs[index].run) = (box.logs[place], box.runs[place])
            }
        } else {
            logs += zip(box.logs, box.runs).map { (path: box.path, log: $0, run: $1) }
        }
        let first = logs.firstIndex { $0.path == box.path } ?? 0
        let id = -Int64(first + 1)
        if wanted == nil || wanted?.run == id { wanted = Wanted(run: id, sample: wanted?.sample) }
        if isKnown, open?.id == id { open = nil }
        let told: [Effect<EvalAnswer>] = isRestored ? [] : [.notify(Self.opened(box), .success)]
        return told + reload() + countErrors(in: box.path)
    }

    /// `opened after.jsonl: a log of Orrery, 300 samples`
    private static func opened(_ box: EvalLogsBox) -> String {
        var parts = Set(box.runs.map(\.format)).sorted().map(EvalLogFormats.title)
        if box.runs.count > 1 { parts.append(Format.count(box.runs.count, "run")) }
        if box.runs.allSatisfy(\.isCounted) {
            parts.append(Format.count(box.runs.reduce(0) { $0 + $1.completed }, "sample"))
        }
        return "opened \(fileName(box.path)): \(parts.joined(separator: ", "))"
    }

    private mutating func adopt(_ opened: OpenEval) -> [Effect<EvalAnswer>] {
        // What was asked before something else was opened.
        if let wanted, wanted.run != opened.id { return [] }
        let isSame = open?.id == opened.id
        if isSame {
            reopened = opened
            open?.run = opened.run
            open?.isRead = false
            open?.hasNews = false
        } else {
            (open, reopened) = (opened, nil)
            samples.count = 0
            sample = nil
            turned = []
        }
        if wanted?.sample == nil { wanted = nil }
        layoutPanes()
        var effects = [readRows(opened)] + showText(keeping: isSame) + follow()
        if page == .queue, !isSame { effects += askRatings() }
        return effects
    }

    /// Replaces the open run with the reread one, keeping its filter and baseline.
    private mutating func takeReopened(_ run: Int64) -> [Effect<EvalAnswer>] {
        guard var new = reopened, new.id == run, let old = open else { return [] }
        reopened = nil
        if wanted?.sample == nil, let sample = selectedSample { wanted = Wanted(run: run, sample: sample) }
        new.run = old.run
        new.hasNews = old.hasNews
        // These arrive before the rows.
        new.slices = old.slices
        new.sampleCount = old.sampleCount
        new.widestName = old.widestName
        new.tellsSureness = old.tellsSureness
        if let contrast = old.contrast { new.compare(contrast, base: old.base) }
        let needsTexts = new.set(old.filter)
        open = new
        return (needsTexts ? [search(new, old.filter)] : []) + (page == .queue ? askRatings() : [])
    }

    private mutating func close() {
        (open, reopened) = (nil, nil)
        sample = nil
        samples.count = 0
        steps.count = 0
        if page == .samples || page == .queue || page == .failures { go(to: .runs) }
    }

    private mutating func append(_ rows: [EvalRow], of run: Int64, head: EvalRun?) -> [Effect<EvalAnswer>] {
        guard open?.id == run else { return [] }
        let isEnd = head != nil
        let before = selectedSample
        let renewed = takeReopened(run)
        open?.append(rows)
        if let head {
            open?.isRead = true
            if runs.entry(run)?.isForeign == true {
                counted[run] = open?.index.count(of: .error)
                let head = withErrors(head, of: run)
                open?.run = head
                runs.update(run, head)
            }
        }
        samples.count = open?.count ?? 0
        if let sample = wanted?.sample, let place = open?.place(of: sample) {
            samples.select(place)
            wanted = nil
        } else if isEnd, wanted?.run == run {
            wanted = nil
        }
        layoutPanes()
        let followed = renewed + (selectedSample == before && sample != nil ? askPage() : followSample())
        return followed + (isEnd ? askConfidences() + askFailures() : [])
            + (page == .runs ? showText(keeping: true) : [])
    }
}

internal import Console
internal import Training
internal import TrainingLab

extension TrainingPanel {
    mutating func start(_ saved: String?) -> [Effect<TrainingAnswer>] {
        if let screen = saved.flatMap(TrainingScreen.init(text:)) { screen.apply(to: &self) }
        layoutPanes()
        var effects = reload()
        if let wanted { effects.append(askOpen(wanted)) }
        return effects
    }

    func reload() -> [Effect<TrainingAnswer>] {
        let store = engine.store
        return [.ask(key: "runs") { _ in .runs(RunListBox(runs: try store.runs())) }]
    }

    /// Reloads the visible run, since its figures may refer to newly measured ceilings.
    func reopen() -> [Effect<TrainingAnswer>] { shown.map { [askOpen($0.summary.id)] } ?? [] }

    mutating func show(_ id: Int64) -> [Effect<TrainingAnswer>] {
        wanted = id
        return [askOpen(id)]
    }

    private func askOpen(_ id: Int64) -> Effect<TrainingAnswer> {
        let engine = engine
        return .ask(key: "open") { _ in .opened(OpenTrainingBox(open: try engine.open(id))) }
    }

    /// Requests the curves for the current chart.
    mutating func askCurves() -> [Effect<TrainingAnswer>] {
        guard let shown, let series = chart.series else { return [] }
        let engine = engine
        let order = [shown.summary.id] + overlays
        let companion = shown.companions[series]
        chart.order = order
        chart.companion = companion
        let request = CurveRequest(
            axis: chart.axis, columns: CurveChart.buckets(of: chartColumns), range: chart.window,
            smoothing: chart.smoothing)
        return [
            .ask(key: "curves") { _ in .curves(try engine.curves(of: order, series, with: companion, request)) }
        ]
    }

    mutating func receive(_ answer: TrainingAnswer) -> [Effect<TrainingAnswer>] {
        switch answer {
        case .runs(let box): return list(box.runs)
        case .opened(let box): return adopt(box.open)
        case .curves(let box):
            chart.show(box.curves, heldOut: box.heldOut)
            return []
        case .tick: return reload()
        case .lookDue(let id): return id == shown?.summary.id ? look() : []
        case .looked(let run, let fault, let isNew): return looked(run, fault: fault, isNew: isNew)
        case .ordered(let sentence): return [.notify(sentence)] + (shown.map { [askOpen($0.summary.id)] } ?? [])
        case .changedRun(let change, let sentence):
            ownChanges += [change].compactMap(\.self)
            return [.notify(sentence, .success), .changed]
        case .written(let sentence): return [.notify(sentence, .success)]
        case .undone(let change, let sentence):
            ownChanges.removeAll { $0 == change }
            return [.notify(sentence ?? change.isGone, sentence == nil ? .warning : .success), .changed]
        case .followed(let ids, let sentence, let notes): return followed(ids, sentence, notes)
        case .origin(let box): return [trainLine(box.origin)]
        case .planned(let box): return train(box.plan)
        case .trained(let title, let sentence, let isGood, let run):
            training[title] = nil
            // A user who reads another run stays there.
            let shows = awaited != nil && run != shown?.summary.id
            if training.isEmpty { awaited = nil }
            return [.notify(sentence, isGood ? .success : .failure), .changed]
                + (shows ? run.map { show($0) } ?? [] : [])
        case .line(let purpose, let typed): return accept(purpose, typed)
        case .lineCancelled: return []
        case .advanceText: return advanceText()
        }
    }

    mutating func fail(_ key: String, _ sentence: String) -> [Effect<TrainingAnswer>] {
        if training.removeValue(forKey: key) != nil {
            if training.isEmpty { awaited = nil }
            return reload()
        }
        guard key == "open" else { return [] }
        // The run no longer exists, or it cannot be read; the list shows the others.
        if let id = wanted ?? shown?.summary.id, let summary = runs.runs.first(where: { $0.id == id }) {
            unreadable[id] = summary
        }
        wanted = nil
        return reload()
    }

    // MARK: Runs

    private mutating func list(_ found: [RunSummary]) -> [Effect<TrainingAnswer>] {
        runs.show(found)
        // Rows of the panes depend on their content.
        layoutPanes()
        let known = Set(found.map(\.id))
        if overlays.contains(where: { !known.contains($0) }) { overlays.removeAll { !known.contains($0) } }
        if let id = shown?.summary.id, !known.contains(id) { close() }
        if let awaited, let run = found.first(where: { $0.folder == awaited && $0.isAlive }) {
            self.awaited = nil
            return show(run.id) + watch()
        }
        if let shown {
            let isSame = found.first { $0.id == shown.summary.id } == shown.summary
            let isOverMoving = found.contains { overlays.contains($0.id) && $0.isAlive }
            let isDue = (!isSame || !shown.pending.isEmpty) && canOpen(shown.summary.id)
            return (isDue ? [askOpen(shown.summary.id)] : isOverMoving ? askCurves() : []) + watch()
        }
        if wanted == nil, let first = runs.runs.first(where: { canOpen($0.id) }) { return show(first.id) + watch() }
        return watch()
    }

    /// Whether the page may open a run by itself: not again after a failure, unless the run has changed since.
    private func canOpen(_ id: Int64) -> Bool {
        unreadable[id].map { failed in runs.runs.first { $0.id == id } != failed } ?? true
    }

    private mutating func adopt(_ open: OpenTrainingRun) -> [Effect<TrainingAnswer>] {
        let isNew = shown?.summary.id != open.summary.id
        unreadable[open.summary.id] = nil
        if wanted == open.summary.id { wanted = nil }
        // Ignore a run that was requested before another one.
        if let wanted, wanted != open.summary.id { return [] }
        shown = open
        overlays.removeAll { $0 == open.summary.id }
        layers.show(open.layers)
        if isNew {
            runs.select(open.summary.id)
            chart.clear()
            fault = nil
        }
        if chart.series.map({ name in !open.series.contains { $0.name == name } }) ?? true {
            chart.series = OpenTrainingRun.losses(of: open.series).first ?? open.names.first
        }
        layoutPanes()
        return askCurves() + showText(keeping: !isNew) + watch() + (isNew ? look() : [])
    }

    private mutating func close() {
        shown = nil
        wanted = nil
        overlays = []
        fault = nil
        chart.clear()
        layers.clear()
        text.show([])
    }

    private mutating func followed(_ ids: [Int64], _ sentence: String, _ notes: [String]) -> [Effect<TrainingAnswer>] {
        pane = .chart
        layoutPanes()
        let more = notes.count > 1 ? " (and \(notes.count - 1) more)" : ""
        let told: Effect<TrainingAnswer> =
            notes.first.map { .notify("\(sentence) \($0)\(more)", .warning) } ?? .notify(sentence, .success)
        return [told, .changed] + (ids.first.map { show($0) } ?? [])
    }

    // MARK: Text

    var reading: TrainingReading? {
        shown.map { TrainingReading($0, now: engine.now(), fault: fault) }
    }

    /// Shows the text of the current view.
    ///
    /// - Parameter keeping: Whether to keep the scroll position, because the text only grew.
    mutating func showText(keeping: Bool = false) -> [Effect<TrainingAnswer>] {
        let sections = reading?.sections(view) ?? []
        guard !keeping || sections.map(\.text) != text.sections.map(\.text) else { return [] }
        let (wasAtTop, top) = (text.isAtTop, text.top)
        text.show(sections)
        if keeping, !wasAtTop { text.scroll(to: top) }
        return advanceText()
    }

    mutating func advanceText() -> [Effect<TrainingAnswer>] {
        text.advance() ? [.wait(key: "text", for: .zero, then: .advanceText)] : []
    }
}

internal import Console
internal import Training
internal import TrainingLab

extension TrainingPanel {
    mutating func start(_ saved: String?) -> [Effect<TrainingAnswer>] {
        if let screen = saved.flatMap(TrainingScreen.init(text:)) { screen.apply(to: &self) }
        layoutPanes()
        let engine = engine
        var effects = reload()
        effects.append(.ask(key: "peaks") { _ in .peaks(try engine.peaks()) })
        if let wanted { effects += show(wanted) }
        return effects
    }

    mutating func reload() -> [Effect<TrainingAnswer>] {
        let store = engine.store
        return [.ask(key: "runs") { _ in .runs(RunListBox(runs: try store.runs())) }]
    }

    mutating func show(_ id: Int64) -> [Effect<TrainingAnswer>] {
        wanted = id
        overlays.removeAll { $0 == id }
        chart.cursor = nil
        return [askOpen(id)]
    }

    private func askOpen(_ id: Int64) -> Effect<TrainingAnswer> {
        let engine = engine
        return .ask(key: "open") { _ in .opened(OpenTrainingBox(open: try engine.open(id))) }
    }

    /// Asks for the curves as the chart shows them now.
    func askCurves() -> [Effect<TrainingAnswer>] {
        guard let shown, let series = chart.series else { return [] }
        let store = engine.store
        let sources = ([shown.summary.id] + overlays).map { CurveSource(run: $0, series: series) }
        let request = CurveRequest(
            axis: chart.axis, columns: CurveChart.buckets(of: chartColumns), range: nil, smoothing: chart.smoothing)
        return [.ask(key: "curves") { _ in .curves(CurvesBox(curves: try store.curves(sources, request))) }]
    }

    mutating func receive(_ answer: TrainingAnswer) -> [Effect<TrainingAnswer>] {
        switch answer {
        case .runs(let box):
            let started = awaitsRun ? box.runs.first { $0.state == .running } : nil
            runs.show(box.runs)
            if let started {
                awaitsRun = false
                return show(started.id) + watch()
            }
            let known = Set(box.runs.map(\.id))
            overlays.removeAll { !known.contains($0) }
            if let id = shown?.summary.id, !known.contains(id) { close() }
            if shown == nil, wanted == nil, let first = box.runs.first { return show(first.id) + watch() }
            return watch()
        case .opened(let box): return adopt(box.open)
        case .curves(let box):
            chart.curves = box.curves
            return []
        case .peaks(let peaks):
            self.peaks = peaks
            return showText(keeping: true)
        case .tick: return reload() + (shown.map { [askOpen($0.summary.id)] } ?? [])
        case .ordered(let sentence): return [.notify(sentence)]
        case .done(let sentence): return [.notify(sentence, .success), .changed]
        case .followed(let ids, let sentence):
            pane = .chart
            return [.notify(sentence, .success), .changed] + (ids.first.map { show($0) } ?? [])
        case .trained(let title, let sentence, let run):
            training.remove(title)
            awaitsRun = false
            return [.notify(sentence, .success), .changed] + (run.map { show($0) } ?? [])
        case .line(let purpose, let typed): return accept(purpose, typed)
        case .lineCancelled: return []
        case .advanceText: return advanceText()
        }
    }

    mutating func fail(_ key: String, _ sentence: String) -> [Effect<TrainingAnswer>] {
        if training.remove(key) != nil { return reload() }
        if key == "open" { wanted = nil }
        return []
    }

    private mutating func adopt(_ open: OpenTrainingRun) -> [Effect<TrainingAnswer>] {
        let isNew = shown?.summary.id != open.summary.id
        shown = open
        if wanted == open.summary.id { wanted = nil }
        runs.select(open.summary.id)
        layers.show(open.layers)
        if chart.series.map({ name in !open.series.contains { $0.name == name } }) ?? true {
            chart.series = open.names.contains(RunSeries.trainLoss) ? RunSeries.trainLoss : open.names.first
        }
        if isNew { chart.curves = [] }
        layoutPanes()
        return askCurves() + showText(keeping: !isNew) + watch()
    }

    private mutating func close() {
        shown = nil
        wanted = nil
        overlays = []
        chart.curves = []
        layers.clear()
        text.show([])
    }

    // MARK: Text

    /// - Parameter keeping: the text has grown rather than changed: the reader stays where they are.
    mutating func showText(keeping: Bool = false) -> [Effect<TrainingAnswer>] {
        let sections = shown.map { TrainingReading($0, peaks: peaks, now: engine.now()).sections(view) } ?? []
        let (wasAtEnd, top) = (text.isAtEnd && !text.isAtTop, text.top)
        guard !keeping || sections.map(\.text) != text.sections.map(\.text) else { return [] }
        text.show(sections)
        if keeping { wasAtEnd ? text.scrollToEnd() : text.scroll(to: top) }
        return advanceText()
    }

    mutating func advanceText() -> [Effect<TrainingAnswer>] {
        text.advance() ? [.wait(key: "text", for: .zero, then: .advanceText)] : []
    }
}

internal import Console
internal import TrainingLab

extension TrainingPage {
    mutating func openSelected() -> Work<Self> {
        guard screen.focus == .runs, let run = runs.selected else { return [] }
        screen.focus = .chart
        wanted = run.id
        // Opening the open run again also checks for changes by other programs.
        return [.again("open"), .again("runs"), fault == nil ? [] : look()]
    }

    /// Shows the list: running runs first, sorted by their start. Sorted by change, two of them would swap places at
    /// every update.
    mutating func list(_ found: [RunSummary]) -> Work<Self> {
        let live = found.filter(\.isAlive).sorted { ($0.created, $0.id) > ($1.created, $1.id) }
        runs.show(live + found.filter { !$0.isAlive })
        let known = Set(found.map(\.id))
        overlays.removeAll { !known.contains($0) }
        if let id = shown?.summary.id, !known.contains(id) { close() }
        if let awaited, let run = live.first(where: { $0.folder == awaited }) {
            self.awaited = nil
            wanted = run.id
        } else if let shown {
            let isSame = found.first { $0.id == shown.summary.id } == shown.summary
            if !isSame || !shown.pending.isEmpty, canOpen(shown.summary.id) { return [.again("open"), watch()] }
        } else if wanted == nil {
            wanted = runs.rows.first { canOpen($0.id) }?.id
        }
        return watch()
    }

    mutating func adopt(_ open: OpenTrainingRun) -> Work<Self> {
        wanted = nil
        unreadable[open.summary.id] = nil
        let isNew = shown?.summary.id != open.summary.id
        shown = open
        overlays.removeAll { $0 == open.summary.id }
        showLayers()
        if isNew {
            runs.select(open.summary.id)
            chart.clear()
            fault = nil
        }
        if series.map({ name in !open.series.contains { $0.name == name } }) ?? true {
            series = OpenTrainingRun.losses(of: open.series).first ?? open.names.first
        }
        if isNew { text.show(sections) } else { text.refresh(sections) }
        return [watch(), isNew ? look() : []]
    }

    private mutating func close() {
        shown = nil
        wanted = nil
        overlays = []
        fault = nil
        chart.clear()
        layers.show([])
        text.show([])
    }

    // MARK: Runs that cannot be read

    /// Returns to the list, because the run no longer exists or cannot be read.
    mutating func leaveUnreadable() -> Work<Self> {
        if let id = wanted ?? shown?.summary.id, let summary = runs.rows.first(where: { $0.id == id }) {
            unreadable[id] = summary
        }
        wanted = nil
        return .again("runs")
    }

    /// Whether the page may open a run by itself: not again after a failure, unless the run has changed since.
    private func canOpen(_ id: Int64) -> Bool {
        unreadable[id].map { failed in runs.rows.first { $0.id == id } != failed } ?? true
    }

    // MARK: Layers and text

    private mutating func showLayers() {
        let all = shown?.layers.layers ?? []
        layers.show(isSortedByFigure ? all.sorted { figure.rank($0) > figure.rank($1) } : all)
    }

    mutating func nextFigure() {
        figure = figure.next
        showLayers()
    }

    mutating func toggleSort() {
        isSortedByFigure.toggle()
        showLayers()
    }

    mutating func nextView() {
        let views = View.allCases
        view = views[((views.firstIndex(of: view) ?? 0) + 1) % views.count]
        text.show(sections)
    }

    var reading: TrainingReading? {
        shown.map { TrainingReading($0, now: engine.now(), fault: fault) }
    }

    private var sections: [TextSection] { reading?.sections(view) ?? [] }

    // MARK: Runs of other programs

    func follow(_ path: String) -> Work<Self> {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return job("run import", title: "import \(name)") { engine, _ in
            try engine.follow(path)
        } then: { page, report in
            page.screen.focus = .chart
            page.wanted = report.runs.first ?? page.wanted
            let more = report.notes.count > 1 ? " (and \(report.notes.count - 1) more)" : ""
            return [
                report.notes.first.map { .notify("\(report.sentence) \($0)\(more)", .warning) }
                    ?? .notify(report.sentence, .success),
                .changed,
            ]
        }
    }

    /// Follows the log of the visible run.
    private func look() -> Work<Self> {
        guard let run = shown?.summary, let source = run.source else { return .cancel("look") }
        return background("look") { engine, cancellation in
            try engine.look(at: source, until: cancellation)
        } then: { page, found in
            page.looked(run.id, source, fault: found.fault, isNew: found.isNew)
        }
    }

    private mutating func looked(_ id: Int64, _ source: String, fault: String?, isNew: Bool) -> Work<Self> {
        guard let run = shown?.summary, run.id == id else { return [] }
        let wasFault = self.fault
        self.fault = fault
        if fault != wasFault { text.refresh(sections) }
        var work: [Work<Self>] = isNew ? [.again("runs")] : []
        // A deleted log is not checked again until the run is reopened.
        if TrainingEngine.canonical(source) != nil {
            work.append(.wait("look", Self.lookInterval) { $0.shown?.summary.id == id ? $0.look() : [] })
        } else if fault != nil, wasFault == nil {
            work.append(
                .notify("The log of \(run.name) no longer exists. The data read so far remains.", .warning))
        }
        return Work(work)
    }

    // MARK: Watching

    static var watchInterval: Duration { .milliseconds(500) }
    private static var lookInterval: Duration { .seconds(2) }

    /// Reads the runs again after a moment, less often while none is running: another process may add a run or follow
    /// a log at any time.
    private func watch() -> Work<Self> {
        let isAlive = !training.isEmpty || runs.rows.contains(where: \.isAlive) || shown?.summary.isAlive == true
        return .wait("watch", isAlive ? Self.watchInterval : Self.lookInterval) { _ in .again("runs") }
    }
}

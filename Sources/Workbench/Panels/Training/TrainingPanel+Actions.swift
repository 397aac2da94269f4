internal import Console
internal import Training
internal import TrainingLab

extension TrainingPanel {
    mutating func perform(_ action: TrainingAction) -> [Effect<TrainingAnswer>] {
        switch action {
        case .moveDown: move({ $0.move(by: 1) }, along: { $0.moveCursor(by: 1) }, scrolling: { $0.scroll(by: 1) })
        case .moveUp: move({ $0.move(by: -1) }, along: { $0.moveCursor(by: -1) }, scrolling: { $0.scroll(by: -1) })
        case .pageDown:
            move({ $0.movePages(1) }, along: { $0.moveCursor(by: 20) }, scrolling: { $0.scrollPages(by: 1) })
        case .pageUp:
            move({ $0.movePages(-1) }, along: { $0.moveCursor(by: -20) }, scrolling: { $0.scrollPages(by: -1) })
        case .toTop: move({ $0.moveToStart() }, along: { $0.moveCursorToStart() }, scrolling: { $0.scrollToTop() })
        case .toEnd: move({ $0.moveToEnd() }, along: { $0.moveCursorToEnd() }, scrolling: { $0.scrollToEnd() })
        case .left: sideways(by: -1)
        case .right: sideways(by: 1)
        case .open: openSelected()
        case .back: back()
        case .nextPane: turnPane(by: 1)
        case .previousPane: turnPane(by: -1)
        case .zoom: toggleZoom()
        case .mark: toggleOverlay()
        case .nextSeries: changeSeries(by: 1)
        case .previousSeries: changeSeries(by: -1)
        case .chooseSeries: askSeries()
        case .closer: magnify(by: 0.5)
        case .farther: magnify(by: 2)
        case .smoother: changeSmoothing(by: 1)
        case .rougher: changeSmoothing(by: -1)
        case .axis: changeAxis()
        case .logVertical: change { $0.isLogVertical.toggle() }
        case .logHorizontal: change { $0.isLogHorizontal.toggle() }
        case .figures: changeFigure()
        case .sort: sortLayers()
        case .run: askTrain()
        case .pause: pauseOrResume()
        case .rate:
            [
                .fill(
                    FormRequest(
                        "Scale the learning rate",
                        .init(
                            "factor", value: "0.5", allowed: "above 0, up to 1,000",
                            help: "0.5 halves the scheduled rate, 1 restores it.", check: Self.factorProblem)
                    ) { .line(.rate, $0) })
            ]
        case .stop: askStop()
        case .checkpoint: send(.checkpoint, "writing a checkpoint after this step")
        case .view: nextView()
        case .search: [.prompt(line(.find, "find ", history: "find"))]
        case .nextMatch: find { $0.findNext() }
        case .previousMatch: find { $0.findPrevious() }
        case .toggleWrap: find { $0.setWraps(!$0.wraps) }
        case .follow:
            [
                .browse(
                    FileRequest(
                        "Follow a training log", .fileOrFolder,
                        isExpected: { name in
                            name.contains("tfevents") || [".wandb", ".jsonl", ".json"].contains { name.hasSuffix($0) }
                        }, cancelled: TrainingAnswer.lineCancelled
                    ) { .line(.follow, $0) })
            ]
        case .copy: copyFigures()
        case .export: askExport()
        case .rename: askRename()
        case .delete: deleteSelected()
        case .undo: undo()
        }
    }

    // MARK: Moving

    private mutating func move(
        _ change: (inout ListView) -> Void, along walk: (inout CurveChart) -> Void,
        scrolling scroll: (inout TextView) -> Void
    ) -> [Effect<TrainingAnswer>] {
        switch pane {
        case .runs: change(&runs.list)
        case .layers: change(&layers.list)
        case .chart: walk(&chart)
        case .detail:
            scroll(&text)
            return advanceText()
        }
        return []
    }

    private mutating func sideways(by step: Int) -> [Effect<TrainingAnswer>] {
        guard pane == .detail else {
            // At the edge, the view moves with the cursor.
            if !chart.moveCursor(by: step), chart.pan(by: step < 0 ? -1 : 1) { return askCurves() }
            return []
        }
        text.scrollSideways(by: step * 8)
        return advanceText()
    }

    private mutating func find(_ change: (inout TextView) -> Void) -> [Effect<TrainingAnswer>] {
        change(&text)
        return reveal(.detail) + advanceText()
    }

    private mutating func change(_ change: (inout CurveChart) -> Void) -> [Effect<TrainingAnswer>] {
        change(&chart)
        return reveal(.chart)
    }

    /// Focuses a pane that an action changed if the screen cannot show all panes.
    mutating func reveal(_ wanted: Pane) -> [Effect<TrainingAnswer>] {
        guard !placedPanes.contains(where: { $0.pane == wanted }) else { return [] }
        let columns = chartColumns
        pane = wanted
        layoutPanes()
        return advanceText() + (columns == chartColumns ? [] : askCurves())
    }

    private mutating func openSelected() -> [Effect<TrainingAnswer>] {
        guard pane == .runs, let run = runs.selected else { return [] }
        pane = .chart
        layoutPanes()
        // Opening the open run again also checks for changes by other programs.
        return show(run.id) + reload() + (fault == nil ? [] : look())
    }

    private mutating func back() -> [Effect<TrainingAnswer>] {
        if isZoomed { return toggleZoom() }
        if pane == .chart, chart.cursor != nil {
            chart.cursor = nil
            return []
        }
        if pane == .chart, chart.window != nil {
            chart.window = nil
            return askCurves()
        }
        guard pane != .runs else { return [.back] }
        pane = .runs
        layoutPanes()
        return []
    }

    private mutating func turnPane(by step: Int) -> [Effect<TrainingAnswer>] {
        let all = panes
        let columns = chartColumns
        pane = all[((all.firstIndex(of: pane) ?? 0) + step + all.count) % all.count]
        layoutPanes()
        return advanceText() + (columns == chartColumns ? [] : askCurves())
    }

    private mutating func toggleZoom() -> [Effect<TrainingAnswer>] {
        let columns = chartColumns
        isZoomed.toggle()
        layoutPanes()
        return advanceText() + (columns == chartColumns ? [] : askCurves())
    }

    // MARK: The chart

    private mutating func toggleOverlay() -> [Effect<TrainingAnswer>] {
        guard let run = runs.selected else { return [] }
        guard shown != nil else { return show(run.id) }
        if let index = overlays.firstIndex(of: run.id) {
            overlays.remove(at: index)
        } else if run.id == shown?.summary.id {
            return [.notify("This run's curve is already shown. Select another run.", .information)]
        } else {
            guard overlays.count < Self.mostOverlays else {
                return [.notify("At most \(Self.mostOverlays) runs can be overlaid. Remove one first.", .warning)]
            }
            overlays.append(run.id)
        }
        return askCurves()
    }

    /// Maximum number of overlaid curves; colors repeat after it.
    static var mostOverlays: Int { 7 }

    private mutating func changeSeries(by step: Int) -> [Effect<TrainingAnswer>] {
        guard let names = shown?.names, !names.isEmpty else { return [] }
        let here = chart.series.flatMap { names.firstIndex(of: $0) } ?? 0
        return show(series: names[(here + step + names.count) % names.count]) + reveal(.chart)
    }

    mutating func show(series: String) -> [Effect<TrainingAnswer>] {
        chart.series = series
        return askCurves()
    }

    private func askSeries() -> [Effect<TrainingAnswer>] {
        let choices = (shown?.series ?? []).map { Choice($0.name, isCurrent: $0.name == chart.series) }
        return [
            .choose(
                ChoiceRequest("Curve", choices, cancelled: TrainingAnswer.lineCancelled) { .line(.series, $0) })
        ]
    }

    private mutating func changeSmoothing(by step: Int) -> [Effect<TrainingAnswer>] {
        let all = CurveChart.smoothings
        let here = all.firstIndex(of: chart.smoothing) ?? 0
        chart.smoothing = all[max(0, min(all.count - 1, here + step))]
        return askCurves()
    }

    private mutating func changeAxis() -> [Effect<TrainingAnswer>] {
        chart.axis = chart.axis.next
        chart.forgetPlace()
        return askCurves() + reveal(.chart)
    }

    private mutating func changeFigure() -> [Effect<TrainingAnswer>] {
        layers.nextFigure()
        layoutPanes()
        return reveal(.layers)
    }

    private mutating func sortLayers() -> [Effect<TrainingAnswer>] {
        layers.toggleSort()
        return reveal(.layers)
    }

    private mutating func magnify(by factor: Double) -> [Effect<TrainingAnswer>] {
        chart.magnify(by: factor) ? askCurves() + reveal(.chart) : reveal(.chart)
    }

    private mutating func nextView() -> [Effect<TrainingAnswer>] {
        let views = View.allCases
        view = views[((views.firstIndex(of: view) ?? 0) + 1) % views.count]
        return reveal(.detail) + showText()
    }

    // MARK: Lines

    func line(
        _ purpose: TrainingAnswer.Line, _ label: String, text: String = "", history: String? = nil
    ) -> Prompt<TrainingAnswer> {
        Prompt(
            label, text: text, isProposal: true, history: history, cancelled: TrainingAnswer.lineCancelled,
            accept: { .line(purpose, $0) })
    }

    private func askExport() -> [Effect<TrainingAnswer>] {
        // A run's name may contain characters that are invalid in a file name.
        let name = Escape.printable(shown?.summary.name ?? "run").split(separator: "/").last.map(String.init) ?? "run"
        return [
            .fill(
                FormRequest(export: "Export the curves", name: "\(name).csv", endings: [".csv", ".jsonl"]) {
                    .line(.export, $0)
                })
        ]
    }

    /// Returns the problem with a learning-rate factor, or `nil`.
    @Sendable private static func factorProblem(_ typed: String) -> String? {
        guard let factor = Double(typed), factor.isFinite, factor > 0, factor <= 1_000 else {
            return "must be a number above 0 and at most 1,000"
        }
        return nil
    }

    private func askRename() -> [Effect<TrainingAnswer>] {
        guard let run = target else { return [] }
        let (id, name) = (run.id, Form.Field("name", value: Escape.printable(run.name)))
        return [
            .fill(
                FormRequest("Rename the run", verb: "rename", name, cancelled: TrainingAnswer.lineCancelled) {
                    .line(.rename(id), $0)
                })
        ]
    }

    private func askStop() -> [Effect<TrainingAnswer>] {
        guard let run = target else { return [] }
        return [
            .question(
                Question(
                    "Stop training “\(Escape.printable(run.name).truncated(toColumns: 40))”?",
                    lines: ["Training writes a checkpoint and stops after this step. Press r to resume it."],
                    [.init("s", "stop and keep the checkpoint", value: .line(.stop(run.id), ""))]))
        ]
    }

    mutating func accept(_ purpose: TrainingAnswer.Line, _ typed: String) -> [Effect<TrainingAnswer>] {
        let typed = typed.trimmed
        switch purpose {
        case .rename(let id): return rename(id, to: typed)
        case .find:
            text.find(typed)
            return reveal(.detail) + advanceText()
        case .stop(let id): return send(.stop, "Training stops after this step.", to: id)
        case _ where typed.isEmpty: return []
        case .series: return show(series: typed) + reveal(.chart)
        case .train(let proposed) where typed == Self.otherConfiguration: return [trainFile(proposed)]
        case .train(let proposed): return plan(PathCompletion.expanded(typed), proposed.origin)
        case .follow: return follow(PathCompletion.expanded(typed))
        case .rate:
            guard let factor = Double(typed) else { return [] }
            return send(
                .scaleLearningRate(factor), "after this step, the learning rate is \(typed) times the scheduled rate")
        case .export: return exporting(to: PathCompletion.expanded(typed))
        }
    }
}

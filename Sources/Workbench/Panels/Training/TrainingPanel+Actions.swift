internal import Console
internal import Training
internal import TrainingLab

extension TrainingPanel {
    mutating func perform(_ action: TrainingAction) -> [Effect<TrainingAnswer>] {
        switch action {
        case .moveDown: move({ $0.move(by: 1) }, scrolling: { $0.scroll(by: 1) })
        case .moveUp: move({ $0.move(by: -1) }, scrolling: { $0.scroll(by: -1) })
        case .pageDown: move({ $0.movePages(1) }, scrolling: { $0.scrollPages(by: 1) })
        case .pageUp: move({ $0.movePages(-1) }, scrolling: { $0.scrollPages(by: -1) })
        case .toTop: move({ $0.moveToStart() }, scrolling: { $0.scrollToTop() })
        case .toEnd: move({ $0.moveToEnd() }, scrolling: { $0.scrollToEnd() })
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
        case .smoother: changeSmoothing(by: 1)
        case .rougher: changeSmoothing(by: -1)
        case .axis: changeAxis()
        case .logVertical: change({ $0.isLogVertical.toggle() })
        case .logHorizontal: change({ $0.isLogHorizontal.toggle() })
        case .figures: changeFigure()
        case .sort: change({ _ in }, layers: { $0.toggleSort() })
        case .run: [.prompt(line(.train, "train ", history: "train", complete: PathCompletion.candidates))]
        case .pause: pauseOrResume()
        case .rate: [.prompt(line(.rate, "learning rate × ", text: "0.5", history: nil))]
        case .stop: askStop()
        case .checkpoint: send(.checkpoint, "a checkpoint is written after this step")
        case .view: nextView()
        case .search: [.prompt(line(.find, "find ", history: "find"))]
        case .nextMatch: find { $0.findNext() }
        case .previousMatch: find { $0.findPrevious() }
        case .toggleWrap: find { $0.setWraps(!$0.wraps) }
        case .follow: [.prompt(line(.follow, "import ", history: "import", complete: PathCompletion.candidates))]
        case .copy: copyFigures()
        case .export: askExport()
        case .rename: askRename()
        case .delete: deleteSelected()
        case .undo: undo()
        }
    }

    // MARK: Moving

    private mutating func move(
        _ change: (inout ListView) -> Void, scrolling scroll: (inout TextView) -> Void
    ) -> [Effect<TrainingAnswer>] {
        switch pane {
        case .runs: change(&runs.list)
        case .layers: change(&layers.list)
        case .chart: break
        case .detail:
            scroll(&text)
            return advanceText()
        }
        return []
    }

    private mutating func sideways(by step: Int) -> [Effect<TrainingAnswer>] {
        guard pane == .detail else { return change { $0.moveCursor(by: step) } }
        text.scrollSideways(by: step * 8)
        return advanceText()
    }

    private mutating func find(_ change: (inout TextView) -> Void) -> [Effect<TrainingAnswer>] {
        change(&text)
        return advanceText()
    }

    private mutating func change(
        _ chart: (inout CurveChart) -> Void, layers: (inout LayerView) -> Void = { _ in }
    ) -> [Effect<TrainingAnswer>] {
        chart(&self.chart)
        layers(&self.layers)
        return []
    }

    private mutating func openSelected() -> [Effect<TrainingAnswer>] {
        guard pane == .runs, let run = runs.selected else { return [] }
        pane = .chart
        layoutPanes()
        return run.id == shown?.summary.id ? [] : show(run.id)
    }

    private mutating func back() -> [Effect<TrainingAnswer>] {
        if isZoomed { return toggleZoom() }
        if pane == .chart, chart.cursor != nil {
            chart.cursor = nil
            return []
        }
        guard pane != .runs else { return [.back] }
        pane = .runs
        layoutPanes()
        return []
    }

    private mutating func turnPane(by step: Int) -> [Effect<TrainingAnswer>] {
        let all = Pane.allCases
        pane = all[((all.firstIndex(of: pane) ?? 0) + step + all.count) % all.count]
        layoutPanes()
        return []
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
            return [.notify("its curve is shown already: mark another run", .information)]
        } else {
            guard overlays.count < Self.mostOverlays else {
                return [.notify("\(Self.mostOverlays) runs over one: take one away first", .warning)]
            }
            overlays.append(run.id)
        }
        return askCurves()
    }

    /// Colors go round after these.
    private static var mostOverlays: Int { 7 }

    private mutating func changeSeries(by step: Int) -> [Effect<TrainingAnswer>] {
        guard let names = shown?.names, !names.isEmpty else { return [] }
        let here = chart.series.flatMap { names.firstIndex(of: $0) } ?? 0
        return show(series: names[(here + step + names.count) % names.count])
    }

    mutating func show(series: String) -> [Effect<TrainingAnswer>] {
        chart.series = series
        chart.cursor = nil
        return askCurves()
    }

    private func askSeries() -> [Effect<TrainingAnswer>] {
        let names = shown?.series.map(\.name) ?? []
        return [
            .prompt(
                line(
                    .series, "curve ", history: "curves",
                    complete: { typed in names.filter { typed.isEmpty || $0.contains(typed) } }))
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
        chart.cursor = nil
        return askCurves()
    }

    private mutating func changeFigure() -> [Effect<TrainingAnswer>] {
        layers.nextFigure()
        layoutPanes()
        return []
    }

    private mutating func nextView() -> [Effect<TrainingAnswer>] {
        let views = View.allCases
        view = views[((views.firstIndex(of: view) ?? 0) + 1) % views.count]
        return showText()
    }

    // MARK: Lines

    func line(
        _ purpose: TrainingAnswer.Line, _ label: String, text: String = "", history: String? = nil,
        complete: @escaping @Sendable (String) -> [String] = { _ in [] }
    ) -> Prompt<TrainingAnswer> {
        Prompt(
            label, text: text, history: history, complete: complete, cancelled: TrainingAnswer.lineCancelled(purpose),
            accept: { .line(purpose, $0) })
    }

    private func askExport() -> [Effect<TrainingAnswer>] {
        let name = shown?.summary.name.split(separator: "/").last.map(String.init) ?? "run"
        return [.prompt(line(.export, "export to ", text: "\(name).csv", complete: PathCompletion.candidates))]
    }

    private func askRename() -> [Effect<TrainingAnswer>] {
        guard let run = target else { return [] }
        return [.prompt(line(.rename(run.id), "name ", text: run.name))]
    }

    private func askStop() -> [Effect<TrainingAnswer>] {
        guard let run = target else { return [] }
        return [.prompt(line(.stop(run.id), "end \(run.name) after this step? y or n "))]
    }

    mutating func accept(_ purpose: TrainingAnswer.Line, _ typed: String) -> [Effect<TrainingAnswer>] {
        let typed = typed.trimmed
        guard !typed.isEmpty || purpose == .find else { return [] }
        switch purpose {
        case .series:
            guard let name = shown?.series.map(\.name).first(where: { $0 == typed }) else {
                return [.notify("the run has no curve called \(typed): Tab lists them", .failure)]
            }
            return show(series: name)
        case .train: return train(PathCompletion.expanded(typed))
        case .follow: return follow(PathCompletion.expanded(typed))
        case .rate:
            guard let factor = Double(typed), factor.isFinite, factor > 0, factor <= 1_000 else {
                return [.notify("a factor is a number above 0: 0.5 halves the rate, 1 is the schedule", .failure)]
            }
            return send(
                .scaleLearningRate(factor), "the schedule's rate is multiplied by \(typed) from the next step on")
        case .find:
            text.find(typed)
            return advanceText()
        case .export: return exporting(to: PathCompletion.expanded(typed))
        case .rename(let id): return rename(id, to: typed)
        case .stop(let id):
            return typed.lowercased().hasPrefix("y") ? send(.stop, "it ends after this step", to: id) : []
        }
    }
}

internal import Console
internal import TrainingLab

extension TrainingPage {
    /// Maximum number of overlaid curves; colors repeat after it.
    static var mostOverlays: Int { 7 }

    /// Everything that the curves depend on; summaries of runs change when there are new points.
    var curveQuestion: CurveQuestion? {
        guard let shown, let series else { return nil }
        return CurveQuestion(
            order: [shown.summary.id] + overlays,
            summaries: [shown.summary] + runs.rows.filter { overlays.contains($0.id) }, series: series,
            companion: shown.companions[series],
            request: CurveRequest(
                axis: axis, columns: TrendChart.buckets(of: screen.area(of: .chart)?.columns ?? 60),
                range: chart.window, smoothing: chart.smoothing))
    }

    mutating func show(_ curves: CurveSet) {
        self.curves = curves
        chart.show(curves.lines, companions: curves.heldOut, order: curves.question.order)
    }

    mutating func nextAxis() {
        axis = axis.next
        chart.forgetPlace()
    }

    /// Moves the chart cursor, or the text if it has the focus.
    mutating func sideways(by step: Int) {
        if screen.focus == .detail { text.move(.columns(step)) } else { chart.move(.columns(step)) }
    }

    package mutating func back() -> Work<Self>? {
        guard screen.focus == .chart, chart.cursor != nil || chart.window != nil else { return nil }
        if chart.cursor != nil { chart.cursor = nil } else { chart.showAll() }
        return []
    }

    mutating func toggleOverlay() -> Work<Self> {
        guard let run = runs.selected else { return [] }
        guard let shown else {
            wanted = run.id
            return []
        }
        if let index = overlays.firstIndex(of: run.id) {
            overlays.remove(at: index)
        } else if run.id == shown.summary.id {
            return .notify("This run's curve is already shown. Select another run.")
        } else if overlays.count == Self.mostOverlays {
            return .notify("At most \(Self.mostOverlays) runs can be overlaid. Remove one first.", .warning)
        } else {
            overlays.append(run.id)
        }
        return []
    }

    mutating func changeSeries(by step: Int) {
        guard let names = shown?.names, !names.isEmpty else { return }
        let here = series.flatMap { names.firstIndex(of: $0) } ?? 0
        series = names[(here + step + names.count) % names.count]
    }

    func chooseSeries() -> Work<Self> {
        let choices = (shown?.series ?? []).map { Choice($0.name, isCurrent: $0.name == series) }
        return .choose("Curve", choices) { page, series in
            page.series = series
            page.screen.reveal(.chart)
            return []
        }
    }
}

/// The request for the curves of a chart.
struct CurveQuestion: Equatable, Sendable {
    /// Runs in the order of their colors.
    var order: [Int64]
    var summaries: [RunSummary]
    var series: String
    /// The held-out curve drawn with it.
    var companion: String?
    var request: CurveRequest
}

/// The curves of a chart: smoothed lines, and the same figure on held-out data, unsmoothed.
struct CurveSet: Sendable {
    var question: CurveQuestion
    /// Axis of the visible run's curve: steps if the run does not record the units of the requested axis.
    var axis: CurveAxis
    var lines: [Trend]
    var heldOut: [Trend]
}

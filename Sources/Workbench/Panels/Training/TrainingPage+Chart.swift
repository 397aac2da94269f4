internal import Console
internal import TrainingLab

extension TrainingPage {
    /// Maximum number of overlaid curves; colors repeat after it.
    static var mostOverlays: Int { 7 }

    /// Everything that the curves depend on; summaries of runs change when there are new points.
    var curveQuestion: CurveQuestion? {
        guard let shown, let series = chart.series else { return nil }
        return CurveQuestion(
            order: [shown.summary.id] + overlays,
            summaries: [shown.summary] + runs.rows.filter { overlays.contains($0.id) }, series: series,
            companion: shown.companions[series],
            request: CurveRequest(
                axis: chart.axis, columns: CurveChart.buckets(of: screen.area(of: .chart)?.columns ?? 60),
                range: chart.window, smoothing: chart.smoothing))
    }

    /// Moves the chart cursor, or the text if it has the focus.
    mutating func sideways(by step: Int) {
        if screen.focus == .detail { text.move(.columns(step)) } else { chart.move(.columns(step)) }
    }

    package mutating func back() -> Work<Self>? {
        guard screen.focus == .chart, chart.cursor != nil || chart.window != nil else { return nil }
        if chart.cursor != nil { chart.cursor = nil } else { chart.window = nil }
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
        let here = chart.series.flatMap { names.firstIndex(of: $0) } ?? 0
        chart.series = names[(here + step + names.count) % names.count]
    }

    func chooseSeries() -> Work<Self> {
        let choices = (shown?.series ?? []).map { Choice($0.name, isCurrent: $0.name == chart.series) }
        return .choose("Curve", choices) { page, series in
            page.chart.series = series
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
    var lines: [RunCurve]
    var heldOut: [RunCurve] = []
}

extension CurveChart {
    mutating func move(_ motion: Motion) {
        switch motion {
        case .rows(let rows): moveCursor(by: rows)
        case .pages(let pages): moveCursor(by: 20 * pages)
        case .start: moveCursorToStart()
        case .end: moveCursorToEnd()
        // At the edge, the view moves with the cursor.
        case .columns(let step): if !moveCursor(by: step) { pan(by: step < 0 ? -1 : 1) }
        }
    }
}

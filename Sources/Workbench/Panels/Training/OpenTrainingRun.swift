internal import Console
internal import KernelLab
internal import Training
internal import TrainingLab

/// A run with everything that the panes show of it, but its curves.
struct OpenTrainingRun: Sendable {
    var summary: RunSummary
    var description: RunDescription?
    var series: [SeriesSummary]
    /// The smallest values of the curves that `losses` names.
    var least: [SeriesValue]
    var samples: [RunSample]
    var events: [RunEvent]
    var layers: LayerTable
    /// Orders that it has not taken yet.
    var pending: [RunOrder]
    /// Arithmetic per second of the last steps; nil if not recorded.
    var arithmetic: TrainingArithmetic?

    /// The curves to page through. Curves of single layers are in their own table, held-out curves beside their
    /// training curves.
    var names: [String] {
        let companions = Set(self.companions.values)
        return Self.names(of: series).filter { !companions.contains($0) }
    }

    /// The held-out curve drawn with each training curve.
    var companions: [String: String] { CurvePairs.companions(in: Self.names(of: series)) }

    static func names(of series: [SeriesSummary]) -> [String] {
        series.map(\.name).filter { name in
            !["norm/gradient/", "norm/parameter/", "update_ratio/"].contains { name.hasPrefix($0) }
        }
    }

    /// The curves that tell how good it is: of a run of others, those whose names speak of a loss.
    static func losses(of series: [SeriesSummary]) -> [String] {
        let own = [RunSeries.trainLoss, RunSeries.validationLoss].filter { name in series.contains { $0.name == name } }
        return own.isEmpty ? Array(names(of: series).filter { $0.lowercased().contains("loss") }.prefix(4)) : own
    }

    func last(_ name: String) -> Double? { series.first { $0.name == name }?.last.value }

    /// What happened, as the chart marks it.
    var marks: [CurveChart.Mark] {
        events.map { event in
            CurveChart.Mark(
                step: event.step, time: Double(event.time &- summary.origin) * 1e-9,
                units: Double(event.step) * Double(max(1, summary.batch)), kind: event.kind)
        }
    }
}

extension RunSummary {
    /// Whether it may still change by itself.
    var isAlive: Bool { state == .running || state == .paused }

    func last(_ name: String) -> Double? { last.first { $0.series == name }?.value }

    /// The loss that a list shows: of training where it was measured, else the first curve that speaks of one.
    var loss: Double? {
        last(RunSeries.trainLoss) ?? last.first { $0.series.lowercased().contains("loss") }?.value ?? last.first?.value
    }

    /// The share of its steps that it has made; nil if their number is unknown.
    var share: Double? {
        guard let steps, steps > 0 else { return nil }
        return min(1, Double(step) / Double(steps))
    }

    /// The state in one word for a list, with the progress of a live run: `running 23 %`.
    var standing: String {
        guard state == .running, let share else { return state.word }
        return "\(state.word) \(TrainingFigure.progress(share))"
    }
}

extension RunState {
    var role: Role {
        switch self {
        case .running: .success
        case .paused, .interrupted: .warning
        case .failed, .diverged: .failure
        case .finished, .stopped, .idle: .dim
        }
    }
}

internal import Console
internal import Formatting
internal import KernelLab
internal import Presentation
internal import Training
internal import TrainingLab

/// A run with all data of the panes except curves.
struct OpenTrainingRun: Sendable {
    var summary: RunSummary
    var description: RunDescription?
    var series: [SeriesSummary]
    /// Lowest values of the curves in `losses`.
    var least: [SeriesValue]
    var samples: [RunSample]
    var events: [RunEvent]
    var layers: LayerTable
    /// Requests that the run has not handled yet.
    var pending: [RunOrder]
    /// Arithmetic per second of the last steps; `nil` if not recorded.
    var arithmetic: TrainingArithmetic?

    /// Curves to page through. Curves of single layers have their own table, and held-out curves appear with their
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

    /// Returns the curves that measure quality: for imported runs, curves whose names contain "loss".
    static func losses(of series: [SeriesSummary]) -> [String] {
        let own = [RunSeries.trainLoss, RunSeries.validationLoss].filter { name in series.contains { $0.name == name } }
        return own.isEmpty ? Array(names(of: series).filter { $0.lowercased().contains("loss") }.prefix(4)) : own
    }

    func last(_ name: String) -> Double? { series.first { $0.name == name }?.last.value }
}

extension RunSummary {
    /// Whether the run may still change.
    var isAlive: Bool { state == .running || state == .paused }

    /// Share of completed steps; `nil` if the total is unknown.
    var share: Double? {
        guard let steps, steps > 0 else { return nil }
        return min(1, Double(step) / Double(steps))
    }

    /// The state in one word for a list, with the progress of a live run: `running 23 %`.
    var standing: String {
        guard state == .running, let share else { return state.word }
        return "\(state.word) \(Format.progress(share))"
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

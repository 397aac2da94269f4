internal import Console
internal import Training
internal import TrainingLab

/// A run with everything that the panes show of it, but its curves.
struct OpenTrainingRun: Sendable {
    var summary: RunSummary
    var description: RunDescription?
    var series: [SeriesSummary]
    var samples: [RunSample]
    var events: [RunEvent]
    var layers: LayerTable

    /// The curves that a person looks through: those of single layers stand in their own table.
    var names: [String] {
        series.map(\.name).filter { name in
            !["norm/gradient/", "norm/parameter/", "update_ratio/"].contains { name.hasPrefix($0) }
        }
    }

    func last(_ name: String) -> Double? { series.first { $0.name == name }?.last.value }
}

extension RunSummary {
    /// Whether it may still change by itself.
    var isAlive: Bool { state == .running || state == .paused }

    func last(_ name: String) -> Double? { last.first { $0.series == name }?.value }

    /// The loss that a list shows: of held-out text where it was measured, else of training.
    var loss: Double? { last(RunSeries.trainLoss) ?? last.first?.value }
}

extension RunState {
    var role: Role {
        switch self {
        case .running: .success
        case .paused, .interrupted: .warning
        case .failed, .diverged: .failure
        case .finished, .stopped, .quiet: .dim
        }
    }
}

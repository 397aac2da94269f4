internal import Console
internal import Training
internal import TrainingLab

/// Runs of training, our own and those of other programs: their curves laid over each other, what every layer's
/// gradients do, what the model writes meanwhile; and changes to the run while it is running.
package struct TrainingPanel: Panel {
    package static let identifier = "training"
    package static let title = "Training"
    package static let opens: Set<Reference.Kind> = [.trainingRun]

    /// The panes, in the order of Tab.
    package enum Pane: String, CaseIterable, Sendable {
        case runs, chart, layers, detail
    }

    /// What the pane of text shows.
    enum View: String, CaseIterable, Sendable {
        case overview, samples, events, configuration

        /// The title in the frame.
        var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
    }

    let engine: TrainingEngine
    var area = Rect(Size(0, 0))
    var pane = Pane.runs
    var isZoomed = false
    var runs = RunRows()
    /// The run that chart, layers and text are about.
    var shown: OpenTrainingRun?
    /// Runs whose curve is laid over it, in the order in which they were marked.
    var overlays: [Int64] = []
    var chart = CurveChart()
    var layers = LayerView()
    var text = TextView([])
    var view = View.overview
    /// What is to be shown once it is known.
    var wanted: Int64?
    /// The folder of a run that was started here and is to be shown once it is in the list.
    var awaited: String?
    /// The folders of runs that are being trained here, by the title of their job.
    var training: [String: String] = [:]
    /// Why the log of the shown run is not followed any more.
    var fault: String?
    var ownChanges: [OwnChange] = []

    package init(_ context: PanelContext) {
        engine = TrainingEngine(context.workspace, now: context.now)
    }

    /// What steering, renaming and deleting are about: the row under the cursor in the list, else what is shown.
    var target: RunSummary? { pane == .runs ? runs.selected : shown?.summary }

    package var selection: Reference? {
        shown.map { Reference(.trainingRun, [$0.summary.id], title: $0.summary.name) }
    }

    package mutating func open(_ reference: Reference) -> [Effect<TrainingAnswer>]? {
        guard reference.kind == .trainingRun, let id = reference.path.first else { return nil }
        pane = .chart
        runs.select(id)
        return show(id)
    }

    package mutating func update(_ event: Event<TrainingAction, TrainingAnswer>) -> [Effect<TrainingAnswer>] {
        switch event {
        case .start(let saved): start(saved)
        case .action(let action): perform(action)
        case .mouse(let mouse): click(mouse)
        case .resize(let area): place(area)
        case .answer(let answer): receive(answer)
        case .failed(let key, let sentence): fail(key, sentence)
        case .changed: reload() + reopen()
        }
    }

    package func save() -> String { TrainingScreen(self).text }
}

extension Reference.Kind {
    /// A run of training: `[row]`.
    public static let trainingRun = Reference.Kind(rawValue: "training-run")
}

/// What comes back to the training panel.
package enum TrainingAnswer: Sendable {
    case runs(RunListBox)
    case opened(OpenTrainingBox)
    case curves(CurvesBox)
    /// Time to look whether runs have changed.
    case tick
    /// Time to look whether the log of a run has grown, and what was found.
    case lookDue(Int64)
    case looked(run: Int64, fault: String?, isNew: Bool)
    case ordered(String)
    case changedRun(OwnChange?, String)
    case written(String)
    case undone(OwnChange, String?)
    case followed(runs: [Int64], sentence: String, notes: [String])
    case origin(RunOriginBox)
    case planned(PlanBox)
    case trained(title: String, sentence: String, isGood: Bool, run: Int64?)
    case line(Line, String)
    case lineCancelled
    case advanceText

    /// What a line was asked for.
    package enum Line: Sendable {
        case series, follow, rate, find, export
        case train(RunOriginBox)
        case rename(Int64)
        case stop(Int64)
    }
}

/// Values of this panel alone, passed through the shell.
package struct RunListBox: Sendable { let runs: [RunSummary] }
package struct OpenTrainingBox: Sendable { let open: OpenTrainingRun }
package struct CurvesBox: Sendable {
    let curves: [RunCurve]
    let heldOut: [RunCurve]
}
package struct RunOriginBox: Sendable { let origin: RunOrigin }
package struct PlanBox: Sendable { let plan: TrainingEngine.Plan }

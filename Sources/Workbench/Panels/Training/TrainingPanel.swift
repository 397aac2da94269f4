internal import Console
internal import Training
internal import TrainingLab

/// The training panel: curves of Orrery's own and imported training runs, gradients per layer, sample texts, and
/// changes to a run while it trains.
package struct TrainingPanel: Panel {
    package static let identifier = "training"
    package static let title = "Training"
    package static let opens: Set<Reference.Kind> = [.trainingRun]

    /// The panes, in the order of Tab.
    package enum Pane: String, CaseIterable, Sendable {
        case runs, chart, layers, detail
    }

    /// Views of the text pane.
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
    /// Run shown in the chart, the layers, and the text.
    var shown: OpenTrainingRun?
    /// Runs with overlaid curves, in the order of marking.
    var overlays: [Int64] = []
    var chart = CurveChart()
    var layers = LayerView()
    var text = TextView([])
    var view = View.overview
    /// Run to show once it is known.
    var wanted: Int64?
    /// Runs that could not be opened, as they were then.
    var unreadable: [Int64: RunSummary] = [:]
    /// Folder of a run started here, to show once the list has it.
    var awaited: String?
    /// Folders of runs training here, by the title of their job.
    var training: [String: String] = [:]
    /// Problem that stops following the log of the visible run.
    var fault: String?
    var ownChanges: [OwnChange] = []

    package init(_ context: PanelContext) {
        engine = TrainingEngine(context.workspace, now: context.now)
    }

    /// Run that actions apply to: the selected row if the list has the focus; otherwise, the visible run.
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
    /// A training run: `[row]`.
    public static let trainingRun = Reference.Kind(rawValue: "training-run")
}

/// Results of the training panel's effects.
package enum TrainingAnswer: Sendable {
    case runs(RunListBox)
    case opened(OpenTrainingBox)
    case curves(CurvesBox)
    /// Time to check whether runs have changed.
    case tick
    /// Time to check whether the log of a run has grown.
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

    /// Purpose of a line that the user types.
    package enum Line: Sendable {
        case series, follow, rate, find, export
        case train(RunOriginBox)
        case rename(Int64)
        case stop(Int64)
    }
}

/// Values of this panel, passed through the shell.
package struct RunListBox: Sendable { let runs: [RunSummary] }
package struct OpenTrainingBox: Sendable { let open: OpenTrainingRun }
package struct CurvesBox: Sendable {
    let curves: [RunCurve]
    let heldOut: [RunCurve]
}
package struct RunOriginBox: Sendable { let origin: RunOrigin }
package struct PlanBox: Sendable { let plan: TrainingEngine.Plan }

internal import Console
internal import Training
internal import TrainingLab

extension TrainingPage {
    package static func actions(_ actions: inout Actions<Self>) {
        actions.add("h", "left", name: "left", "move the chart cursor left", unless: \.whyNoStep) {
            $0.sideways(by: -1)
        }
        actions.add("l", "right", name: "right", "move the chart cursor right", unless: \.whyNoStep) {
            $0.sideways(by: 1)
        }
        actions.add("enter", name: "open", "open the run", hint: "open", unless: \.whyNotOpened) { $0.openSelected() }
        addCharting(to: &actions)
        addSteering(to: &actions)
        addReading(to: &actions)
        addManaging(to: &actions)
    }

    private static func addCharting(to actions: inout Actions<Self>) {
        actions.group("Charting")
        actions.add(
            "space", name: "mark", "overlay the run's curve, or remove it", hint: "overlay",
            unless: { $0.runs.isEmpty ? noRuns : nil }
        ) { $0.toggleOverlay() }
        actions.add(
            "]", name: "next-curve", "show the next curve", hint: "curve", shows: .chart, unless: \.whyNoSeries
        ) { $0.changeSeries(by: 1) }
        actions.add("[", name: "previous-curve", "show the previous curve", shows: .chart, unless: \.whyNoSeries) {
            $0.changeSeries(by: -1)
        }
        actions.add("c", name: "curve", "choose a curve by name", unless: \.whyNoSeries) { $0.chooseSeries() }
        actions.add(
            ".", name: "closer", "zoom in to half of the axis around the cursor", shows: .chart, unless: \.whyNoCurve
        ) { $0.chart.zoom(by: 0.5) }
        actions.add(
            ",", name: "farther", "zoom out to twice as much of the axis", shows: .chart,
            unless: { $0.chart.window == nil ? "the whole axis is shown" : nil }
        ) { $0.chart.zoom(by: 2) }
        actions.add("+", "=", name: "smoother", "smooth the curve more", unless: \.whyNotSmoother) {
            $0.chart.smooth(by: 1)
        }
        actions.add("-", name: "rougher", "smooth the curve less", unless: \.whyNotRougher) {
            $0.chart.smooth(by: -1)
        }
        actions.add(
            "a", name: "axis", "change the axis: steps, time, or tokens and examples", hint: "axis", shows: .chart,
            unless: \.whyNoCurve
        ) { $0.nextAxis() }
        actions.add(
            "L", name: "log", "turn the logarithmic scale for values on or off", hint: "log", shows: .chart,
            unless: \.whyNoCurve
        ) { $0.chart.isLogVertical.toggle() }
        actions.add(
            "H", name: "log-axis", "turn the logarithmic scale for steps on or off", shows: .chart,
            unless: \.whyNoCurve
        ) { $0.chart.isLogHorizontal.toggle() }
    }

    /// Adds the steering keys, which come first in the footer while they act on a run.
    private static func addSteering(to actions: inout Actions<Self>) {
        actions.group("Steering")
        actions.add("r", name: "run", "train from a configuration file", hint: "train", writes: true) {
            $0.chooseConfiguration()
        }
        actions.add(
            "p", name: "pause", "pause or resume the run", hint: "pause", writes: true,
            wording: { ActionWording(hint: $0.target?.state == .paused ? "resume" : "pause", isFirst: true) },
            unless: \.whyNotSteered
        ) { $0.pauseOrResume() }
        actions.add(
            "*", name: "rate", "multiply the schedule's learning rate by a factor", hint: "rate", writes: true,
            wording: { _ in ActionWording(hint: "rate", isFirst: true) }, unless: \.whyNotSteered
        ) { _ in
            .value("Scale the learning rate", rateField) { page, typed in
                guard let factor = Double(typed) else { return [] }
                return page.send(
                    .scaleLearningRate(factor),
                    "after this step, the learning rate is \(typed) times the scheduled rate")
            }
        }
        actions.add(
            "x", name: "stop", "stop the run after this step, with a checkpoint", writes: true, unless: \.whyNotSteered
        ) { $0.confirmStop() }
        actions.add(
            "K", name: "checkpoint", "write a checkpoint now", hint: "checkpoint", writes: true,
            wording: { _ in ActionWording(hint: "checkpoint", isFirst: true) }, unless: \.whyNotSteered
        ) { $0.send(.checkpoint, "writing a checkpoint after this step") }
    }

    private static func addReading(to actions: inout Actions<Self>) {
        actions.group("Reading")
        actions.add(
            "v", name: "view", "show the overview, samples, events, or configuration", hint: "view", shows: .detail,
            unless: \.whyNoRun
        ) { $0.nextView() }
        actions.add(
            "f", name: "figures", "change the layer figures: gradients, weights, or updates", shows: .layers,
            unless: \.whyNoLayers
        ) { $0.nextFigure() }
        actions.add("S", name: "sort", "sort layers by name or by figure", shows: .layers, unless: \.whyNoLayers) {
            $0.toggleSort()
        }
    }

    private static func addManaging(to actions: inout Actions<Self>) {
        actions.group("Managing")
        actions.add(
            "i", name: "import", "import a log from another program: TensorBoard, W&B, JSON Lines", hint: "import",
            writes: true
        ) { _ in
            .browse("Follow a training log", .fileOrFolder, isExpected: isLog) {
                $0.follow(PathCompletion.expanded($1))
            }
        }
        actions.add("y", name: "copy", "copy the figures as Markdown", unless: \.whyNoRun) { page in
            page.reading.map { .copy($0.markdown, what: "the figures") } ?? []
        }
        actions.add("e", name: "export", "write the curves to a file (.csv or .jsonl)", unless: \.whyNoSeries) { page in
            .export("Export the curves", name: page.exportName, endings: [".csv", ".jsonl"]) { $0.export(to: $1) }
        }
        actions.add("R", name: "rename", "rename the run", writes: true, unless: \.whyNoTarget) { $0.renameTarget() }
        actions.add("D", name: "delete", "delete the run (u restores it)", writes: true, unless: \.whyNoTarget) {
            $0.deleteTarget()
        }
        actions.addUndo(\.ownChanges) { try $0.store.undo(only: $1) }
    }

    // MARK: Why an action is unavailable

    private static let noRuns = "No runs yet. Press r to train, or i to import a log."

    private var whyNoRun: String? { shown == nil ? "open a run first" : nil }
    private var whyNoTarget: String? { target == nil ? "select a run first" : nil }
    private var whyNoLayers: String? { layers.isEmpty ? "no per-layer norms were recorded for this run" : nil }
    private var whyNoCurve: String? { chart.trends.isEmpty ? "no curve yet" : nil }
    private var whyNoSeries: String? {
        whyNoRun ?? (shown?.series.isEmpty == true ? "the run has no curves yet" : nil)
    }
    private var whyNoStep: String? { screen.focus == .detail ? nil : whyNoCurve }
    private var whyNotSmoother: String? {
        whyNoCurve ?? (chart.smoothing == TrendChart.smoothings.last ? "smoothing is at its maximum" : nil)
    }
    private var whyNotRougher: String? { whyNoCurve ?? (chart.smoothing == 0 ? "smoothing is off" : nil) }
    private var whyNotOpened: String? {
        if runs.isEmpty { return Self.noRuns }
        return screen.focus == .runs ? nil : "Enter opens runs in the list. Press Tab to go there."
    }

    private var whyNotSteered: String? {
        guard let run = target else { return "select a run first" }
        if run.isForeign { return "Another program is training this run. You can watch it but not control it." }
        if run.isAlive { return nil }
        return run.state == .finished
            ? "the run has finished all its steps"
            : "The run has ended (\(run.state.word)). Press r to resume it from its last checkpoint."
    }

    // MARK: Pieces

    /// Name of the exported file. A run's name may contain characters that are invalid in a file name.
    private var exportName: String {
        let parts = Escape.printable(shown?.summary.name ?? "").split(separator: "/" as Character)
        return "\(parts.last ?? "run").csv"
    }

    @Sendable private static func isLog(_ name: String) -> Bool {
        name.contains("tfevents") || [".wandb", ".jsonl", ".json"].contains(where: name.hasSuffix)
    }

    private static var rateField: Form.Field {
        Form.Field(
            "factor", value: "0.5", allowed: "above 0, up to 1,000",
            help: "0.5 halves the scheduled rate, 1 restores it.",
            check: { typed in
                guard let factor = Double(typed), factor.isFinite, factor > 0, factor <= 1_000 else {
                    return "must be a number above 0 and at most 1,000"
                }
                return nil
            })
    }
}

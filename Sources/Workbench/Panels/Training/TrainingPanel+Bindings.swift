package import Console
internal import TrainingLab

/// Actions of the training panel.
package enum TrainingAction: MovingAction {
    case moveDown, moveUp, pageDown, pageUp, toTop, toEnd, left, right, open, back, nextPane, previousPane, zoom
    case mark, nextSeries, previousSeries, chooseSeries, closer, farther, smoother, rougher, axis, logVertical,
        logHorizontal
    case run, pause, rate, stop, checkpoint
    case view, figures, sort, search, nextMatch, previousMatch, toggleWrap
    case follow, copy, export, rename, delete, undo
}

extension TrainingPanel {
    package static var bindings: [Binding<TrainingAction>] { moving + charting + steering + reading + keeping }

    private static var moving: [Binding<TrainingAction>] {
        let group = Binding<TrainingAction>.movingGroup
        return Binding.rows + [
            Binding("h", "left", .left, name: "left", description: "move the chart cursor left", group: group),
            Binding("l", "right", .right, name: "right", description: "move the chart cursor right", group: group),
            Binding("enter", .open, name: "open", description: "open the run", group: group, hint: "open"),
        ] + Binding.panes
    }

    private static var charting: [Binding<TrainingAction>] {
        let group = "Charting"
        return [
            Binding(
                "space", .mark, name: "mark", description: "overlay the run's curve, or remove it",
                group: group, hint: "overlay"),
            Binding(
                "]", .nextSeries, name: "next-curve", description: "show the next curve", group: group, hint: "curve"),
            Binding("[", .previousSeries, name: "previous-curve", description: "show the previous curve", group: group),
            Binding("c", .chooseSeries, name: "curve", description: "choose a curve by name", group: group),
            Binding(
                ".", .closer, name: "closer", description: "zoom in to half of the axis around the cursor",
                group: group),
            Binding(",", .farther, name: "farther", description: "zoom out to twice as much of the axis", group: group),
            Binding("+", "=", .smoother, name: "smoother", description: "smooth the curve more", group: group),
            Binding("-", .rougher, name: "rougher", description: "smooth the curve less", group: group),
            Binding(
                "a", .axis, name: "axis", description: "change the axis: steps, time, or tokens and examples",
                group: group,
                hint: "axis"),
            Binding(
                "L", .logVertical, name: "log", description: "turn the logarithmic scale for values on or off",
                group: group,
                hint: "log"),
            Binding(
                "H", .logHorizontal, name: "log-axis", description: "turn the logarithmic scale for steps on or off",
                group: group),
        ]
    }

    private static var steering: [Binding<TrainingAction>] {
        let group = "Steering"
        return [
            Binding(
                "r", .run, name: "run", description: "train from a configuration file", group: group, hint: "train"
            ).writing,
            Binding(
                "p", .pause, name: "pause", description: "pause or resume the run", group: group,
                hint: "pause"
            ).writing,
            Binding(
                "*", .rate, name: "rate", description: "multiply the schedule's learning rate by a factor",
                group: group, hint: "rate"
            ).writing,
            Binding(
                "x", .stop, name: "stop", description: "stop the run after this step, with a checkpoint", group: group
            ).writing,
            Binding(
                "K", .checkpoint, name: "checkpoint", description: "write a checkpoint now", group: group,
                hint: "checkpoint"
            ).writing,
        ]
    }

    private static var reading: [Binding<TrainingAction>] {
        let group = "Reading"
        return [
            Binding(
                "v", .view, name: "view", description: "show the overview, samples, events, or configuration",
                group: group, hint: "view"),
            Binding(
                "f", .figures, name: "figures", description: "change the layer figures: gradients, weights, or updates",
                group: group),
            Binding("S", .sort, name: "sort", description: "sort layers by name or by figure", group: group),
            Binding("/", .search, name: "find", description: "find text in this pane", group: group),
            Binding("n", .nextMatch, name: "next-match", description: "go to the next match", group: group),
            Binding("N", .previousMatch, name: "previous-match", description: "go to the previous match", group: group),
            Binding("w", .toggleWrap, name: "wrap", description: "wrap or truncate long lines", group: group),
        ]
    }

    private static var keeping: [Binding<TrainingAction>] {
        let group = "Managing"
        return [
            Binding(
                "i", .follow, name: "import",
                description: "import a log from another program: TensorBoard, W&B, JSON Lines", group: group,
                hint: "import"
            ).writing,
            Binding("y", .copy, name: "copy", description: "copy the figures as Markdown", group: group),
            Binding(
                "e", .export, name: "export", description: "write the curves to a file (.csv or .jsonl)", group: group),
            Binding("R", .rename, name: "rename", description: "rename the run", group: group).writing,
            Binding("D", .delete, name: "delete", description: "delete the run (u restores it)", group: group).writing,
            Binding(
                "u", .undo, name: "undo", description: "undo the last deletion or renaming on this page", group: group
            ).writing,
        ]
    }
}

extension TrainingPanel {
    /// Returns the footer's words. Steering comes first: its keys appear only while they act on a run.
    package func wording(_ action: TrainingAction) -> ActionWording? {
        switch action {
        case .pause: ActionWording(hint: target?.state == .paused ? "resume" : "pause", isFirst: true)
        case .rate: ActionWording(hint: "rate", isFirst: true)
        case .checkpoint: ActionWording(hint: "checkpoint", isFirst: true)
        case .undo: ownChanges.last?.wording
        default: nil
        }
    }

    package func disabledReason(_ action: TrainingAction) -> String? {
        switch action {
        case .open:
            runs.runs.isEmpty
                ? Self.noRuns : pane == .runs ? nil : "Enter opens runs in the list. Press Tab to go there."
        case .mark: runs.runs.isEmpty ? Self.noRuns : nil
        case .pause, .rate, .stop, .checkpoint: whyNotSteered
        case .nextSeries, .previousSeries, .chooseSeries:
            shown == nil ? "open a run first" : shown?.series.isEmpty == true ? "the run has no curves yet" : nil
        case .axis, .logVertical, .logHorizontal, .closer: chart.curves.isEmpty ? "no curve yet" : nil
        case .smoother, .rougher:
            if chart.curves.isEmpty {
                "no curve yet"
            } else if action == .smoother, chart.smoothing == CurveChart.smoothings.last {
                "smoothing is at its maximum"
            } else if action == .rougher, chart.smoothing == 0 {
                "smoothing is off"
            } else {
                nil
            }
        case .left, .right:
            pane == .detail ? nil : chart.curves.isEmpty ? "no curve yet" : nil
        case .farther: chart.window == nil ? "the whole axis is shown" : nil
        case .copy, .view, .search, .toggleWrap: shown == nil ? "open a run first" : nil
        case .export:
            shown == nil ? "open a run first" : shown?.series.isEmpty == true ? "the run has no curves yet" : nil
        case .rename, .delete: target == nil ? "select a run first" : nil
        case .undo: ownChanges.isEmpty ? OwnChange.none : nil
        case .nextMatch, .previousMatch: text.search == nil ? "search first: press /" : nil
        case .figures, .sort: layers.rows.isEmpty ? "no per-layer norms were recorded for this run" : nil
        default: nil
        }
    }

    private static let noRuns = "No runs yet. Press r to train, or i to import a log."

    /// Reason why a run cannot be steered.
    private var whyNotSteered: String? {
        guard let run = target else { return "select a run first" }
        if run.isForeign { return "Another program is training this run. You can watch it but not control it." }
        if run.isAlive { return nil }
        return switch run.state {
        case .finished: "the run has finished all its steps"
        default: "The run has ended (\(run.state.word)). Press r to resume it from its last checkpoint."
        }
    }
}

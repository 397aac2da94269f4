package import Console
internal import TrainingLab

/// What the training panel can be made to do.
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
            Binding("h", "left", .left, name: "left", description: "the chart's cursor to the left", group: group),
            Binding("l", "right", .right, name: "right", description: "the chart's cursor to the right", group: group),
            Binding("enter", .open, name: "open", description: "show the run", group: group, hint: "open"),
        ] + Binding.panes
    }

    private static var charting: [Binding<TrainingAction>] {
        let group = "The chart"
        return [
            Binding(
                "space", .mark, name: "mark", description: "lay the run's curve over the shown one, or take it away",
                group: group, hint: "overlay"),
            Binding("]", .nextSeries, name: "next-curve", description: "the next curve", group: group, hint: "curve"),
            Binding("[", .previousSeries, name: "previous-curve", description: "the curve before", group: group),
            Binding("c", .chooseSeries, name: "curve", description: "choose the curve by its name", group: group),
            Binding(
                ".", .closer, name: "closer", description: "look at half of the axis, around the cursor", group: group),
            Binding(",", .farther, name: "farther", description: "look at twice as much of it", group: group),
            Binding("+", "=", .smoother, name: "smoother", description: "smooth the curve more", group: group),
            Binding("-", .rougher, name: "rougher", description: "smooth it less", group: group),
            Binding(
                "a", .axis, name: "axis", description: "along steps, time, or tokens and examples", group: group,
                hint: "axis"),
            Binding(
                "L", .logVertical, name: "log", description: "a logarithmic scale for the values", group: group,
                hint: "log"),
            Binding("H", .logHorizontal, name: "log-axis", description: "a logarithmic scale for steps", group: group),
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
                "x", .stop, name: "stop", description: "end the run after this step, with a checkpoint", group: group
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
                "v", .view, name: "view", description: "read samples, events, the configuration or the overview",
                group: group, hint: "view"),
            Binding(
                "f", .figures, name: "figures", description: "figures of layers: gradients, weights, updates",
                group: group),
            Binding("S", .sort, name: "sort", description: "sort layers by name or by figure", group: group),
            Binding("/", .search, name: "find", description: "find text in what is read", group: group),
            Binding("n", .nextMatch, name: "next-match", description: "to the next match", group: group),
            Binding("N", .previousMatch, name: "previous-match", description: "to the match before", group: group),
            Binding("w", .toggleWrap, name: "wrap", description: "wrap long lines, or cut them", group: group),
        ]
    }

    private static var keeping: [Binding<TrainingAction>] {
        let group = "Keeping"
        return [
            Binding(
                "i", .follow, name: "import",
                description: "take in a log of another program: TensorBoard, W&B, JSON lines", group: group,
                hint: "import"
            ).writing,
            Binding("y", .copy, name: "copy", description: "copy the figures as Markdown", group: group),
            Binding(
                "e", .export, name: "export", description: "write the curves to a file (.csv or .jsonl)", group: group),
            Binding("R", .rename, name: "rename", description: "give the run another name", group: group).writing,
            Binding("D", .delete, name: "delete", description: "delete the run", group: group).writing,
            Binding(
                "u", .undo, name: "undo", description: "undo the last deletion or renaming of this page", group: group
            ).writing,
        ]
    }
}

extension TrainingPanel {
    /// Steering comes first in the footer: its keys appear only while they act on a run.
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
        case .open: runs.runs.isEmpty ? Self.noRuns : pane == .runs ? nil : "it opens what the list has: Tab goes there"
        case .mark: runs.runs.isEmpty ? Self.noRuns : nil
        case .pause, .rate, .stop, .checkpoint: whyNotSteered
        case .nextSeries, .previousSeries, .chooseSeries:
            shown == nil ? "open a run first" : shown?.series.isEmpty == true ? "the run has no curves yet" : nil
        case .axis, .logVertical, .logHorizontal, .closer: chart.curves.isEmpty ? "there is no curve yet" : nil
        case .smoother, .rougher:
            if chart.curves.isEmpty {
                "there is no curve yet"
            } else if action == .smoother, chart.smoothing == CurveChart.smoothings.last {
                "it is as smooth as it gets"
            } else if action == .rougher, chart.smoothing == 0 {
                "nothing is smoothed"
            } else {
                nil
            }
        case .left, .right:
            pane == .detail ? nil : chart.curves.isEmpty ? "there is no curve to walk along yet" : nil
        case .farther: chart.window == nil ? "all of it is shown" : nil
        case .copy, .view, .search, .toggleWrap: shown == nil ? "open a run first" : nil
        case .export:
            shown == nil ? "open a run first" : shown?.series.isEmpty == true ? "the run has no curves yet" : nil
        case .rename, .delete: target == nil ? "select a run first" : nil
        case .undo: ownChanges.isEmpty ? OwnChange.none : nil
        case .nextMatch, .previousMatch: text.search == nil ? "search first: press /" : nil
        case .figures, .sort: layers.rows.isEmpty ? "the run has no norms of layers" : nil
        default: nil
        }
    }

    private static let noRuns = "there are no runs yet: r trains, i takes in a log"

    /// Why a run takes no orders.
    private var whyNotSteered: String? {
        guard let run = target else { return "select a run first" }
        if run.isForeign { return "another program trains it: it can be watched, not steered" }
        if run.isAlive { return nil }
        return switch run.state {
        case .finished: "the run has made all its steps"
        default: "the run is \(run.state.word): r resumes it from its last checkpoint"
        }
    }
}

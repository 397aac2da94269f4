package import Console
internal import Traces

/// Actions of the trace panel.
package enum TraceAction: MovingAction {
    case moveDown, moveUp, pageDown, pageUp, toTop, toEnd
    case left, right, open, back, nextPane, previousPane, zoom
    case stepForward, stepBack, togglePlay, faster, slower
    case next(TraceLandmark), previous(TraceLandmark)
    case search, nextMatch, previousMatch, onlyMatches
    case nextView, allMessages, toggleWrap
    case zoomIn, zoomOut, zoomFit, expandAll
    case scope, sort, reverse
    case mark, nextMark
    case copy, copyStep, exportStep, exportRun
    case importPath, importDiscovered, rename, delete, undo, makeCase
}

/// Landmarks that `]` and `[` jump between.
package enum TraceLandmark: Hashable, Sendable {
    case error, tool, model, compaction
}

extension TracePanel {
    package static var bindings: [Binding<TraceAction>] {
        moving + replaying + searching + viewing + keeping
    }

    private static var moving: [Binding<TraceAction>] {
        let group = Binding<TraceAction>.movingGroup
        return Binding.rows + [
            Binding(
                "h", "left", .left, name: "left", description: "close the branch, or go to its parent", group: group),
            Binding("l", "right", .right, name: "right", description: "open the branch, or go into it", group: group),
            Binding(
                "enter", .open, name: "open", description: "open the run, or read the step", group: group, hint: "open"),
        ] + Binding.panes
    }

    private static var replaying: [Binding<TraceAction>] {
        let group = "Replaying"
        return [
            Binding(".", .stepForward, name: "step", description: "go one step forward", group: group, hint: "step"),
            Binding(",", .stepBack, name: "step-back", description: "go one step back", group: group, hint: "back"),
            Binding("space", .togglePlay, name: "play", description: "play or pause", group: group, hint: "play"),
            Binding(
                ">", .faster, name: "faster",
                description: "play faster: 1 step/s, 1x, 2x, 10x (pauses of at most 10 s)",
                group: group),
            Binding("<", .slower, name: "slower", description: "play slower", group: group),
            Binding(
                "]e", .next(.error), name: "next-error", description: "go to the next failed step", group: group,
                hint: "next error"),
            Binding(
                "[e", .previous(.error), name: "previous-error", description: "go to the previous failed step",
                group: group),
            Binding("]t", .next(.tool), name: "next-tool", description: "go to the next tool call", group: group),
            Binding(
                "[t", .previous(.tool), name: "previous-tool", description: "go to the previous tool call", group: group
            ),
            Binding("]m", .next(.model), name: "next-model", description: "go to the next model call", group: group),
            Binding(
                "[m", .previous(.model), name: "previous-model", description: "go to the previous model call",
                group: group),
            Binding(
                "]c", .next(.compaction), name: "next-compaction",
                description: "go to the next compaction of the context", group: group),
            Binding(
                "[c", .previous(.compaction), name: "previous-compaction",
                description: "go to the previous compaction of the context", group: group),
        ]
    }

    private static var searching: [Binding<TraceAction>] {
        let group = "Finding"
        return [
            Binding(
                "/", .search, name: "filter", description: "filter runs; in a run, find steps and text", group: group,
                hint: "search"),
            Binding("n", .nextMatch, name: "next-match", description: "go to the next match", group: group),
            Binding("N", .previousMatch, name: "previous-match", description: "go to the previous match", group: group),
            Binding(
                "f", .onlyMatches, name: "only-matches", description: "show only matching steps, or all", group: group),
            Binding("m", .mark, name: "mark", description: "mark or unmark this step", group: group)
                .writing,
            Binding("'", .nextMark, name: "next-mark", description: "go to the next marked step", group: group),
        ]
    }

    private static var viewing: [Binding<TraceAction>] {
        let group = "Reading"
        return [
            Binding(
                "v", .nextView, name: "view", description: "show the conversation, JSON, or raw record", group: group,
                hint: "view"),
            Binding(
                "a", .allMessages, name: "all-messages", description: "show all messages, or only new ones",
                group: group),
            Binding("w", .toggleWrap, name: "wrap", description: "wrap or truncate long lines", group: group),
            Binding(
                "+", "=", .zoomIn, name: "timeline-in", description: "zoom in on the timeline around this step",
                group: group),
            Binding(
                "-", .zoomOut, name: "timeline-out", description: "zoom out on the timeline", group: group),
            Binding(
                "0", .zoomFit, name: "timeline-all",
                description: "show the whole timeline, or the part around this step", group: group),
            Binding("*", .expandAll, name: "expand-all", description: "open or close all branches", group: group),
            Binding(
                "O", .scope, name: "origin", description: "list agents, chats, evals, retrievals, or all runs",
                group: group, hint: "agents, chats, …"),
            Binding("s", .sort, name: "sort", description: "sort runs by the next column", group: group),
            Binding("S", .reverse, name: "reverse", description: "reverse the sort order", group: group),
        ]
    }

    private static var keeping: [Binding<TraceAction>] {
        let group = "Managing"
        return [
            Binding("y", .copy, name: "copy", description: "copy the message or command", group: group),
            Binding("Y", .copyStep, name: "copy-step", description: "copy the whole step as Markdown", group: group),
            Binding(
                "e", .exportStep, name: "export", description: "write this step to a file (.md or .json)", group: group,
                hint: "export"),
            Binding(
                "E", .exportRun, name: "export-run", description: "write the whole run to a file (.md or .json)",
                group: group),
            Binding(
                "T", .makeCase, name: "test-case", description: "save this model call as an eval case",
                group: group),
            Binding("i", .importPath, name: "import", description: "import runs from a file or folder", group: group)
                .writing,
            Binding(
                "I", .importDiscovered, name: "import-found",
                description: "import the sessions found on this machine", group: group
            ).writing,
            Binding("R", .rename, name: "rename", description: "rename the run", group: group).writing,
            Binding("D", .delete, name: "delete", description: "delete the run (u restores it)", group: group)
                .writing,
            Binding(
                "u", .undo, name: "undo", description: "undo the last delete or rename on this page", group: group
            ).writing,
        ]
    }

    package func disabledReason(_ action: TraceAction) -> String? {
        switch action {
        case .next(.error) where runToJumpInto != nil:
            return runs.selected?.errors == 0 ? "no step of this run failed" : nil
        case .next where runToJumpInto != nil: return nil
        case .mark where isInList, .togglePlay where isInList:
            return runs.selected == nil ? "select a run first" : nil
        case .exportRun where !marked.isEmpty: return nil
        case .stepForward, .stepBack, .togglePlay, .next, .previous, .mark, .copy, .copyStep, .exportStep, .exportRun,
            .nextView, .allMessages, .toggleWrap, .zoomIn, .zoomOut, .zoomFit, .expandAll:
            return run == nil ? "open a run first" : nil
        case .nextPane, .previousPane:
            return run == nil && pane == .runs ? "Press Enter to open the run first." : nil
        case .nextMark:
            if run == nil { return "open a run first" }
            return run?.marked.isEmpty == true ? "No step is marked. Press m to mark one." : nil
        case .left, .right:
            switch pane {
            case .run: return nil
            case .detail: return text.wraps ? "Wrapped lines do not scroll sideways. Press w to unwrap them." : nil
            case .runs, .overview: return "The list has no branches. Press Enter to open the run."
            case .context: return "Nothing to open here. Press Tab for the next pane."
            }
        case .open:
            switch pane {
            case .runs, .overview: return runs.selectedID == nil ? "No run is selected. Press i to import runs." : nil
            case .run: return nil
            case .context, .detail: return "The step is already open. Press Esc to go back to the run."
            }
        case .nextMatch, .previousMatch:
            if pane == .detail, text.search != nil { return nil }
            return run?.matches == nil ? "search first: press /" : nil
        case .onlyMatches: return run?.matches == nil ? "search first: press /" : nil
        case .makeCase: return calledModel == nil ? "select a model call first" : nil
        case .rename, .delete: return runs.selected == nil && run == nil ? "select a run first" : nil
        case .undo: return ownChanges.isEmpty ? OwnChange.none : nil
        case .scope:
            if runs.filter.namesOrigins { return "The filter already names origins. Press Esc to clear it." }
            return runs.hasOtherScopes ? nil : "no chats, evals, or retrievals in this workspace"
        case .sort, .reverse: return runs.count < 2 ? "nothing to sort" : nil
        default: return nil
        }
    }

    /// The run under the list's cursor, unless it is open already: the run that `]e` opens.
    var runToJumpInto: Int64? {
        guard pane == .runs || pane == .overview, let id = runs.selectedID else { return nil }
        return id == run?.trace.summary.id ? nil : id
    }

    package func wording(_ action: TraceAction) -> ActionWording? {
        switch action {
        case .next(.error) where runToJumpInto != nil:
            ActionWording(hint: "first failed step", description: "open the run at its first failed step")
        case .mark where isInList:
            ActionWording(
                hint: marked.isEmpty ? nil : "mark", description: "mark or unmark the run")
        case .togglePlay where isInList:
            ActionWording(hint: nil, description: "mark or unmark the run")
        case .delete where !marked.isEmpty:
            ActionWording(hint: "delete \(marked.count) marked", description: "delete the marked runs", isFirst: true)
        case .exportRun where !marked.isEmpty:
            ActionWording(hint: "export \(marked.count) marked", description: "export the marked runs", isFirst: true)
        case .undo: ownChanges.last?.wording
        default: nil
        }
    }
}

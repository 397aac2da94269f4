package import Console
internal import Traces

/// What the trace panel can be made to do.
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

/// What `]` and `[` jump between.
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
            Binding("h", "left", .left, name: "left", description: "close the branch, or to its parent", group: group),
            Binding("l", "right", .right, name: "right", description: "open the branch, or go into it", group: group),
            Binding(
                "enter", .open, name: "open", description: "open the run, or read the step", group: group, hint: "open"),
        ] + Binding.panes
    }

    private static var replaying: [Binding<TraceAction>] {
        let group = "Replay"
        return [
            Binding(".", .stepForward, name: "step", description: "one step forward", group: group, hint: "step"),
            Binding(",", .stepBack, name: "step-back", description: "one step back", group: group, hint: "back"),
            Binding("space", .togglePlay, name: "play", description: "play or pause", group: group, hint: "play"),
            Binding(
                ">", .faster, name: "faster", description: "play at real, 2x, 10x or fixed pace, waits cut to 10 s",
                group: group),
            Binding("<", .slower, name: "slower", description: "play slower", group: group),
            Binding(
                "]e", .next(.error), name: "next-error", description: "to the next failed step", group: group,
                hint: "next error"),
            Binding(
                "[e", .previous(.error), name: "previous-error", description: "to the failed step before", group: group),
            Binding("]t", .next(.tool), name: "next-tool", description: "to the next tool call", group: group),
            Binding(
                "[t", .previous(.tool), name: "previous-tool", description: "to the tool call before", group: group),
            Binding("]m", .next(.model), name: "next-model", description: "to the next model call", group: group),
            Binding(
                "[m", .previous(.model), name: "previous-model", description: "to the model call before", group: group),
            Binding(
                "]c", .next(.compaction), name: "next-compaction",
                description: "to where the context was compacted next", group: group),
            Binding(
                "[c", .previous(.compaction), name: "previous-compaction",
                description: "to where it was compacted before", group: group),
        ]
    }

    private static var searching: [Binding<TraceAction>] {
        let group = "Finding"
        return [
            Binding(
                "/", .search, name: "filter", description: "filter runs; in a run, find steps and text", group: group,
                hint: "search"),
            Binding("n", .nextMatch, name: "next-match", description: "to the next match", group: group),
            Binding("N", .previousMatch, name: "previous-match", description: "to the match before", group: group),
            Binding(
                "f", .onlyMatches, name: "only-matches", description: "show matching steps only, or all", group: group),
            Binding("m", .mark, name: "mark", description: "mark this step, or take the mark away", group: group)
                .writing,
            Binding("'", .nextMark, name: "next-mark", description: "to the next marked step", group: group),
        ]
    }

    private static var viewing: [Binding<TraceAction>] {
        let group = "Reading"
        return [
            Binding(
                "v", .nextView, name: "view", description: "read as conversation, JSON or raw record", group: group,
                hint: "view"),
            Binding(
                "a", .allMessages, name: "all-messages", description: "everything the model saw, or only what is new",
                group: group),
            Binding("w", .toggleWrap, name: "wrap", description: "wrap long lines, or cut them", group: group),
            Binding(
                "+", "=", .zoomIn, name: "timeline-in", description: "look closer at the time of this step",
                group: group),
            Binding("-", .zoomOut, name: "timeline-out", description: "show more of the time around it", group: group),
            Binding(
                "0", .zoomFit, name: "timeline-all",
                description: "show the time of the whole run, or around this step again", group: group),
            Binding("*", .expandAll, name: "expand-all", description: "open every branch, or close them", group: group),
            Binding(
                "O", .scope, name: "origin", description: "list chats, evals, retrievals, all runs, or agents again",
                group: group, hint: "agents, chats, …"),
            Binding("s", .sort, name: "sort", description: "sort runs by the next column", group: group),
            Binding("S", .reverse, name: "reverse", description: "turn the order of the runs round", group: group),
        ]
    }

    private static var keeping: [Binding<TraceAction>] {
        let group = "Keeping"
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
                "T", .makeCase, name: "test-case", description: "make this model call a case of an eval task",
                group: group),
            Binding("i", .importPath, name: "import", description: "import a file or folder", group: group).writing,
            Binding(
                "I", .importDiscovered, name: "import-found",
                description: "import the sessions that were found on this machine", group: group
            ).writing,
            Binding("R", .rename, name: "rename", description: "give the run another name", group: group).writing,
            Binding("D", .delete, name: "delete", description: "delete the run (u brings it back)", group: group)
                .writing,
            Binding(
                "u", .undo, name: "undo", description: "undo the last deletion or renaming of this page", group: group
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
            return run == nil && pane == .runs ? "Enter opens the run: only the list has a cursor so far" : nil
        case .nextMark:
            if run == nil { return "open a run first" }
            return run?.marked.isEmpty == true ? "nothing is marked: m marks a step" : nil
        case .left, .right:
            switch pane {
            case .run: return nil
            case .detail: return text.wraps ? "wrapped lines do not scroll sideways: w unwraps them" : nil
            case .runs, .overview: return "the list has no branches: Enter opens the run"
            case .context: return "nothing opens here: Tab goes to the next pane"
            }
        case .open:
            switch pane {
            case .runs, .overview: return runs.selectedID == nil ? "no run is selected: i imports some" : nil
            case .run: return nil
            case .context, .detail: return "the step is open: Esc goes back to the run"
            }
        case .nextMatch, .previousMatch:
            if pane == .detail, text.search != nil { return nil }
            return run?.matches == nil ? "search first: press /" : nil
        case .onlyMatches: return run?.matches == nil ? "search first: press /" : nil
        case .makeCase: return calledModel == nil ? "select a model call first" : nil
        case .rename, .delete: return runs.selected == nil && run == nil ? "select a run first" : nil
        case .undo: return ownChanges.isEmpty ? OwnChange.none : nil
        case .scope:
            if runs.filter.namesOrigins { return "the filter names origins itself: Esc takes it away" }
            return runs.hasOtherScopes ? nil : "there are no chats, evals, or retrievals here"
        case .sort, .reverse: return runs.count < 2 ? "there is nothing to sort" : nil
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
                hint: marked.isEmpty ? nil : "mark", description: "mark a run, or remove its mark")
        case .togglePlay where isInList:
            ActionWording(hint: nil, description: "mark a run, or remove its mark")
        case .delete where !marked.isEmpty:
            ActionWording(hint: "delete \(marked.count) marked", description: "delete the marked runs", isFirst: true)
        case .exportRun where !marked.isEmpty:
            ActionWording(hint: "export \(marked.count) marked", description: "export the marked runs", isFirst: true)
        case .undo: ownChanges.last?.wording
        default: nil
        }
    }
}

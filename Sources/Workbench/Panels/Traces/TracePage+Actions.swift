internal import Console
internal import Traces

extension TracePage {
    package static func actions(_ actions: inout Actions<Self>) {
        actions.add("h", "left", name: "left", "close the branch, or go to its parent", unless: \.whyNoBranch) {
            $0.move(.columns(-1))
        }
        actions.add("l", "right", name: "right", "open the branch, or go into it", unless: \.whyNoBranch) {
            $0.move(.columns(1))
        }
        actions.add("enter", name: "open", "open the run, or read the step", hint: "open", unless: \.whyNotOpened) {
            $0.openSelection()
        }
        addReplaying(to: &actions)
        addFinding(to: &actions)
        addReading(to: &actions)
        addManaging(to: &actions)
    }

    private static func addReplaying(to actions: inout Actions<Self>) {
        actions.group("Replaying")
        actions.add(".", name: "step", "go one step forward", hint: "step", unless: \.whyNoRun) { $0.goStep(by: 1) }
        actions.add(",", name: "step-back", "go one step back", hint: "back", unless: \.whyNoRun) {
            $0.goStep(by: -1)
        }
        actions.add(
            "space", name: "play", "play or pause", hint: "play",
            wording: { $0.isInList ? ActionWording(hint: nil, description: "mark or unmark the run") : nil },
            unless: { $0.isInList ? $0.whyNoSelection : $0.whyNoRun }
        ) { $0.isInList ? $0.toggleRunMark() : $0.togglePlay() }
        actions.add(
            ">", name: "faster", "play faster: 1 step/s, 1x, 2x, 10x (pauses of at most 10 s)"
        ) { $0.changePace(by: 1) }
        actions.add("<", name: "slower", "play slower") { $0.changePace(by: -1) }
        let first = ActionWording(hint: "first failed step", description: "open the run at its first failed step")
        actions.add(
            "]e", name: "next-error", "go to the next failed step", hint: "next error",
            wording: { $0.runToJumpInto == nil ? nil : first },
            unless: { page in
                guard page.runToJumpInto != nil else { return page.whyNoRun }
                return page.runs.selected?.errors == 0 ? "no step of this run failed" : nil
            }
        ) { $0.jump(.error, forward: true) }
        addJump("[e", "previous-error", "failed step", .error, to: &actions)
        addJump("]t", "next-tool", "tool call", .tool, to: &actions)
        addJump("[t", "previous-tool", "tool call", .tool, to: &actions)
        addJump("]m", "next-model", "model call", .model, to: &actions)
        addJump("[m", "previous-model", "model call", .model, to: &actions)
        addJump("]c", "next-compaction", "compaction of the context", .compaction, to: &actions)
        addJump("[c", "previous-compaction", "compaction of the context", .compaction, to: &actions)
    }

    private static func addJump(
        _ keys: String, _ name: String, _ what: String, _ landmark: Replay.Landmark, to actions: inout Actions<Self>
    ) {
        let forward = name.hasPrefix("next")
        actions.add(
            keys, name: name, "go to the \(forward ? "next" : "previous") \(what)",
            unless: { forward && $0.runToJumpInto != nil ? nil : $0.whyNoRun }
        ) { $0.jump(landmark, forward: forward) }
    }

    private static func addFinding(to actions: inout Actions<Self>) {
        actions.group("Finding")
        actions.add("/", name: "filter", "filter runs; in a run, find steps and text", hint: "search") {
            $0.askSearch()
        }
        actions.add("n", name: "next-match", "go to the next match", unless: \.whyNoNextMatch) { $0.goToMatch(by: 1) }
        actions.add("N", name: "previous-match", "go to the previous match", unless: \.whyNoNextMatch) {
            $0.goToMatch(by: -1)
        }
        actions.add(
            "f", name: "only-matches", "show only matching steps, or all",
            unless: { $0.run?.matches == nil ? noSearch : nil }
        ) { page in
            let isFilter = page.run?.matches?.isFilter == true
            page.run?.showOnlyMatches(!isFilter)
            return []
        }
        actions.add(
            "m", name: "mark", "mark or unmark this step", writes: true,
            wording: {
                guard $0.isInList else { return nil }
                return ActionWording(hint: $0.marked.isEmpty ? nil : "mark", description: "mark or unmark the run")
            }, unless: { $0.isInList ? $0.whyNoSelection : $0.whyNoRun }
        ) { $0.isInList ? $0.toggleRunMark() : $0.toggleMark() }
        actions.add(
            "'", name: "next-mark", "go to the next marked step",
            unless: { $0.whyNoRun ?? ($0.run?.marked.isEmpty == true ? noMark : nil) }
        ) { $0.goToNextMark() }
    }

    private static func addReading(to actions: inout Actions<Self>) {
        actions.group("Reading")
        actions.add(
            "v", name: "view", "show the conversation, JSON, or raw record", hint: "view", unless: \.whyNoRun
        ) { $0.view = $0.view.next }
        actions.add("a", name: "all-messages", "show all messages, or only new ones", unless: \.whyNoRun) {
            $0.showsAllMessages.toggle()
        }
        actions.add("w", name: "wrap", "wrap or truncate long lines", unless: \.whyNoRun) {
            $0.text.setWraps(!$0.text.wraps)
        }
        actions.add(
            "+", "=", name: "timeline-in", "zoom in on the timeline around this step", unless: \.whyNoRun
        ) { $0.run?.zoomTime(by: 2) }
        actions.add("-", name: "timeline-out", "zoom out on the timeline", unless: \.whyNoRun) {
            $0.run?.zoomTime(by: 0.5)
        }
        actions.add(
            "0", name: "timeline-all", "show the whole timeline, or the part around this step", unless: \.whyNoRun
        ) { $0.run?.toggleWholeTime() }
        actions.add("*", name: "expand-all", "open or close all branches", unless: \.whyNoRun) {
            $0.run?.toggleAllBranches()
        }
        actions.add(
            "O", name: "origin", "list agents, chats, evals, retrievals, or all runs", hint: "agents, chats, …",
            unless: \.whyNoScope
        ) { $0.runs.scope = $0.runs.scope.next(in: $0.runs.census ?? TraceCensus()) }
        actions.add("s", name: "sort", "sort runs by the next column", unless: \.whyNoSorting) { $0.sortByNext() }
        actions.add("S", name: "reverse", "reverse the sort order", unless: \.whyNoSorting) {
            $0.runs.order.isDescending.toggle()
        }
    }

    private static func addManaging(to actions: inout Actions<Self>) {
        actions.group("Managing")
        actions.add("y", name: "copy", "copy the message or command", unless: \.whyNoRun) { $0.copyText() }
        actions.add("Y", name: "copy-step", "copy the whole step as Markdown", unless: \.whyNoRun) { $0.copyStep() }
        actions.add(
            "e", name: "export", "write this step to a file (.md or .json)", hint: "export", unless: \.whyNoRun
        ) { $0.askExport(wholeRun: false) }
        actions.add(
            "E", name: "export-run", "write the whole run to a file (.md or .json)",
            wording: { $0.wording("export", ofMarked: "export the marked runs") },
            unless: { $0.marked.isEmpty ? $0.whyNoRun : nil }
        ) { $0.marked.isEmpty ? $0.askExport(wholeRun: true) : $0.askExportMarked() }
        actions.add(
            "T", name: "test-case", "save this model call as an eval case",
            unless: { $0.calledModel == nil ? "select a model call first" : nil }
        ) { $0.askCase() }
        actions.add("i", name: "import", "import runs from a file or folder", writes: true) { $0.askImport() }
        actions.add("I", name: "import-found", "import the sessions found on this machine", writes: true) {
            $0.importNewSessions()
        }
        let whyNoTarget = { (page: Self) in page.subject == nil ? page.whyNoSelection : nil }
        actions.add("R", name: "rename", "rename the run", writes: true, unless: whyNoTarget) { $0.askRename() }
        actions.add(
            "D", name: "delete", "delete the run (u restores it)", writes: true,
            wording: { $0.wording("delete", ofMarked: "delete the marked runs") }, unless: whyNoTarget
        ) { page in page.marked.isEmpty ? page.delete(page.subject.map { [$0] } ?? []) : page.askDeleteMarked() }
        actions.addUndo(\.ownChanges) { try $0.store.undo(only: $1) }
    }

    private func wording(_ verb: String, ofMarked description: String) -> ActionWording? {
        marked.isEmpty
            ? nil : ActionWording(hint: "\(verb) \(marked.count) marked", description: description, isFirst: true)
    }

    // MARK: Why an action is unavailable

    private static let noMark = "No step is marked. Press m to mark one."
    private static let noSearch = "search first: press /"

    private var whyNoRun: String? { run == nil ? "open a run first" : nil }
    private var whyNoSelection: String? { runs.selected == nil ? "select a run first" : nil }
    private var whyNoNextMatch: String? {
        screen.focus == .detail && text.search != nil || run?.matches != nil ? nil : Self.noSearch
    }
    private var whyNoSorting: String? { runs.count < 2 ? "nothing to sort" : nil }
    private var whyNoScope: String? {
        if runs.filter.namesOrigins { return "The filter already names origins. Press Esc to clear it." }
        return runs.hasOtherScopes ? nil : "no chats, evals, or retrievals in this workspace"
    }
    private var whyNoBranch: String? {
        switch screen.focus {
        case .run: nil
        case .detail: text.wraps ? "Wrapped lines do not scroll sideways. Press w to unwrap them." : nil
        case .runs, .overview: "The list has no branches. Press Enter to open the run."
        case .context: "Nothing to open here. Press Tab for the next pane."
        }
    }
    private var whyNotOpened: String? {
        switch screen.focus {
        case .runs, .overview: runs.selectedID == nil ? "No run is selected. Press i to import runs." : nil
        case .run: nil
        case .context, .detail: "The step is already open. Press Esc to go back to the run."
        }
    }
}

package import Console
internal import LanguageModels
internal import ModelLab

/// Actions of the tokens panel.
package enum TokenAction: MovingAction {
    case moveDown, moveUp, pageDown, pageUp, toTop, toEnd, left, right, open, back, nextPane, previousPane, zoom
    case say, run, repeatRun, cancel, branch, model, settings, editPrompt, toggleMode, compare
    case nextSurprise, previousSurprise, search, nextMatch, previousMatch, color
    case newSession, rename, addModel, copy, export, delete, undo
}

extension TokenPanel {
    package static var bindings: [Binding<TokenAction>] { moving + asking + reading + keeping }

    private static var moving: [Binding<TokenAction>] {
        let group = Binding<TokenAction>.movingGroup
        return Binding.rows + [
            Binding("h", "left", .left, name: "left", description: "go to the previous token", group: group),
            Binding("l", "right", .right, name: "right", description: "go to the next token", group: group),
            Binding(
                "enter", .open, name: "open", description: "open the selection; continue from an alternative",
                group: group,
                hint: "open"),
        ] + Binding.panes
    }

    private static var asking: [Binding<TokenAction>] {
        let group = "Generating"
        return [
            Binding(
                "i", .say, name: "say", description: "send a message to the model", group: group, hint: "say"
            ).writing,
            Binding(
                "r", .run, name: "run", description: "run the prompt again", group: group, hint: "run"
            ).writing,
            Binding("R", .repeatRun, name: "repeat", description: "run the prompt several times", group: group).writing,
            Binding(
                "x", .cancel, name: "cancel", description: "cancel running generations", group: group,
                hint: "cancel"),
            Binding(
                "b", .branch, name: "branch", description: "continue from the chosen alternative", group: group,
                hint: "branch"
            ).writing,
            Binding("M", .model, name: "model", description: "choose the model", group: group, hint: "model").writing,
            Binding(
                "s", .settings, name: "settings",
                description: "change settings: temperature, top-k, seed, and others", group: group, hint: "settings"
            ).writing,
            Binding(
                "E", .editPrompt, name: "edit", description: "edit messages, tools, and settings in your editor",
                group: group, hint: "edit"
            ).writing,
            Binding("t", .toggleMode, name: "mode", description: "switch between chat and plain text", group: group)
                .writing,
            Binding(
                "d", .compare, name: "compare", description: "compare with the answer selected in the list",
                group: group),
        ]
    }

    private static var reading: [Binding<TokenAction>] {
        let group = "Reading"
        return [
            Binding(
                "c", .color, name: "color", description: "color by probability, entropy, time, or origin", group: group,
                hint: "color"),
            Binding(
                "]", .nextSurprise, name: "next-surprise",
                description: "go to the next token that was not the most likely", group: group, hint: "surprise"),
            Binding(
                "[", .previousSurprise, name: "previous-surprise",
                description: "go to the previous token that was not the most likely", group: group),
            Binding("/", .search, name: "find", description: "find text", group: group),
            Binding("n", .nextMatch, name: "next-match", description: "go to the next match", group: group),
            Binding("N", .previousMatch, name: "previous-match", description: "go to the previous match", group: group),
        ]
    }

    private static var keeping: [Binding<TokenAction>] {
        let group = "Managing"
        return [
            Binding("a", .newSession, name: "new", description: "start a new session", group: group, hint: "new")
                .writing,
            Binding("T", .rename, name: "title", description: "rename the session", group: group).writing,
            Binding(
                "A", .addModel, name: "add-model", description: "add a model: a file or a provider", group: group
            ).writing,
            Binding("y", .copy, name: "copy", description: "copy the answer", group: group),
            Binding(
                "e", .export, name: "export", description: "write the session to a file (.md or .json)", group: group),
            Binding(
                "D", .delete, name: "delete", description: "delete the selected session or answer, or the open one",
                group: group
            ).writing,
            Binding(
                "u", .undo, name: "undo", description: "undo the last deletion on this page", group: group
            ).writing,
        ]
    }

    package func disabledReason(_ action: TokenAction) -> String? {
        if needsOpening(action) { return nil }
        return switch action {
        case .run, .repeatRun:
            session == nil
                ? "start a session first: press a"
                : session?.draft.isEmpty == true ? "The prompt is empty. Press i to send a message." : nil
        case .cancel: running.isEmpty && queue.isEmpty ? "no generation is running" : nil
        case .branch: branchProblem
        case .compare: answer == nil ? "open an answer first" : nil
        case .nextSurprise, .previousSurprise:
            answer?.steps.contains { $0.logProbability != nil } == true
                ? nil : "probabilities are not reported for this answer"
        case .nextMatch, .previousMatch: search.isEmpty ? "search first: press /" : nil
        case .copy, .color: answer == nil ? "open an answer first" : nil
        case .left, .right, .search: text.items.isEmpty ? "no text is open: press a or Enter" : nil
        case .export, .settings, .editPrompt, .toggleMode, .rename:
            session == nil ? "start a session first: press a" : nil
        case .delete: target == nil ? "there is nothing to delete" : nil
        case .undo: deleted.isEmpty ? "nothing left to restore: u undoes deletions made on this page" : nil
        default: nil
        }
    }

    /// Reason why a branch cannot start here, or `nil`.
    private var branchProblem: String? {
        guard let answer else { return "open an answer first" }
        guard let step else { return "move to a token in the answer first" }
        guard AlternativesTable.rows(of: step.step).indices.contains(alternatives.selection) else {
            return "alternatives are not reported for this token"
        }
        if !answer.prompt.isEmpty, answer.steps.allSatisfy({ $0.id != nil }) { return nil }
        if case .text = answer.document.input { return nil }
        return "\(answer.model) cannot continue from a token. To branch, use a model in this process, or plain text."
    }
}

package import Console
internal import Retrieval

/// What the retrieval panel can be made to do.
package enum RetrievalAction: MovingAction {
    case moveDown, moveUp, pageDown, pageUp, toTop, toEnd, left, right, open, back, nextPane, previousPane, zoom
    case ask, run, corpus, pipeline, setting, savePipeline
    case explain, explainOther, nextRemedy, previousRemedy, apply, truth
    case view, search, nextMatch, previousMatch, toggleWrap, answer
    case compare, keepCase, questions, health, stages
    case add, undo, copy, export, elsewhere
}

extension RetrievalPanel {
    package static var bindings: [Binding<RetrievalAction>] { moving + asking + finding + reading + judging + keeping }

    private static var moving: [Binding<RetrievalAction>] {
        let group = Binding<RetrievalAction>.movingGroup
        return Binding.rows + [
            Binding("h", "left", .left, name: "left", description: "go to the previous stage", group: group),
            Binding("l", "right", .right, name: "right", description: "go to the next stage", group: group),
            Binding(
                "enter", .open, name: "open", description: "explain the chunk, apply the change, or ask the question",
                group: group, hint: "why"),
        ] + Binding.panes
    }

    private static var asking: [Binding<RetrievalAction>] {
        let group = "Asking"
        return [
            Binding(
                "/", .ask, name: "ask", description: "ask a question; results update as you type", group: group,
                hint: "ask"),
            Binding("r", .run, name: "run", description: "run the pipeline again", group: group),
            Binding("a", .answer, name: "answer", description: "ask the pipeline's model for an answer", group: group),
            Binding("c", .corpus, name: "corpus", description: "choose the corpus", group: group),
            Binding(
                "p", .pipeline, name: "pipeline", description: "choose the pipeline", group: group, hint: "pipeline"),
            Binding(
                "s", .setting, name: "setting", description: "change a setting, such as dense.k = 24", group: group),
            Binding("S", .savePipeline, name: "save", description: "save the pipeline as a new version", group: group),
        ]
    }

    private static var finding: [Binding<RetrievalAction>] {
        let group = "Explaining"
        return [
            Binding(
                "w", .explainOther, name: "why-not", description: "explain why a document was not found", group: group,
                hint: "why not"),
            Binding(
                "W", .explain, name: "why", description: "explain why the chunk under the cursor was found",
                group: group),
            Binding(
                ".", .nextRemedy, name: "next-change", description: "go to the next suggested change", group: group),
            Binding(
                ",", .previousRemedy, name: "previous-change", description: "go to the previous suggested change",
                group: group),
            Binding("X", .apply, name: "apply", description: "apply the change and run again", group: group),
            Binding(
                "t", .truth, name: "truth", description: "measure recall of the dense search against exact search",
                group: group, hint: "truth"),
        ]
    }

    private static var reading: [Binding<RetrievalAction>] {
        let group = "Reading"
        return [
            Binding(
                "v", .view, name: "view", description: "show the chunk, its source, the answer, or details",
                group: group, hint: "view"),
            Binding("f", .search, name: "find", description: "find text in the passage", group: group),
            Binding("n", .nextMatch, name: "next-match", description: "go to the next match", group: group),
            Binding("N", .previousMatch, name: "previous-match", description: "go to the previous match", group: group),
            Binding("\\", .toggleWrap, name: "wrap", description: "wrap or truncate long lines", group: group),
        ]
    }

    private static var judging: [Binding<RetrievalAction>] {
        let group = "Judging"
        return [
            Binding(
                "Q", .questions, name: "questions", description: "choose a question set, or read one from a file",
                group: group),
            Binding(
                "K", .keepCase, name: "keep-case",
                description: "save the question as a case with the chunk as its answer",
                group: group),
            Binding(
                "b", .compare, name: "compare",
                description: "compare with another pipeline or setting on the question set", group: group, hint: "A/B"
            ),
            Binding(
                "H", .health, name: "health", description: "show chunk lengths, near-duplicates, and indexes",
                group: group),
            Binding("V", .stages, name: "stages", description: "return to the stages", group: group),
        ]
    }

    private static var keeping: [Binding<RetrievalAction>] {
        let group = "Managing"
        return [
            Binding(
                "i", .add, name: "add", description: "add files or a folder to a corpus", group: group, hint: "add"),
            Binding("u", .undo, name: "undo", description: "undo the last addition on this page", group: group),
            Binding(
                "o", .elsewhere, name: "elsewhere",
                description: "open the recorded search, or the cited passage, in another panel", group: group),
            Binding("y", .copy, name: "copy", description: "copy the ranking as Markdown", group: group),
            Binding(
                "e", .export, name: "export", description: "write the ranking to a file (.md or .json)", group: group),
        ]
    }
}

extension RetrievalPanel {
    package func disabledReason(_ action: RetrievalAction) -> String? {
        switch action {
        case .open: whyNotOpened
        case .ask, .pipeline, .setting, .health: corpus == nil ? Self.noCorpus : nil
        case .run, .answer: corpus == nil ? Self.noCorpus : query.isEmpty ? "ask something first: press /" : nil
        case .left, .right:
            pane == .questions || pane == .stages && mode == .health ? "nothing here scrolls sideways" : nil
        case .corpus: corpora.isEmpty ? Self.noCorpus : nil
        case .savePipeline: whyNotWritten ?? (pipeline.isChanged ? nil : "no setting was changed")
        case .add: whyNotWritten
        case .undo: whyNotWritten ?? whyNotUndone
        case .explain: whyNotExplained(columns.selected == nil ? "there is no chunk under the cursor" : nil)
        case .explainOther: whyNotExplained(nil)
        case .nextRemedy, .previousRemedy, .apply:
            explanation?.remedies.isEmpty ?? true ? noRemedy : nil
        case .truth: whyNotMeasured
        case .view, .search, .copy, .export: record == nil ? "ask something first: press /" : nil
        case .nextMatch, .previousMatch: reading.search == nil ? "search first: press f" : nil
        case .keepCase:
            isForeign
                ? "another system recorded this question"
                : whyNotWritten ?? (corpus == nil || columns.selected == nil ? "select the chunk with the answer" : nil)
        case .compare:
            corpus == nil ? Self.noCorpus : questions.name == nil ? needsQuestions : nil
        case .questions: corpus == nil ? Self.noCorpus : nil
        case .stages: mode == .stages ? "the stages are already shown" : nil
        case .elsewhere:
            elsewhere == nil
                ? record == nil
                    ? "ask something first: press /"
                    : "no other panel shows this: "
                        + (engine.canWrite ? "r records the search" : "a read-only workspace records no searches")
                : nil
        default: nil
        }
    }

    static let noCorpus = "no corpus yet: press i to create one from files"

    /// Whether what is shown was recorded by another system.
    var isForeign: Bool {
        if case .trace = record?.origin { return true }
        return false
    }

    private var noRemedy: String {
        isThorough || explanation == nil
            ? "no change is proposed: w explains a missing document" : "press W to look for a change first"
    }

    private var needsQuestions: String {
        sets.isEmpty
            ? "no questions yet: K saves one as a case, Q reads a file"
            : "choose a question set first: press Q"
    }

    private var whyNotUndone: String? {
        guard let lastChange else { return "no corpus change can be undone" }
        return ownsLastChange
            ? nil : "the last change, \(lastChange.phrase), was not made on this page: orrery corpus undo reverts it"
    }

    private var whyNotWritten: String? { engine.canWrite ? nil : Self.readOnlyReason }

    private func whyNotExplained(_ otherwise: String?) -> String? {
        if record == nil { return "ask something first: press /" }
        if mode == .comparison { return "go back to the stages of one pipeline first: press Esc" }
        if isForeign, own == nil { return "another system ran this search: only its trace is available" }
        return otherwise
    }

    private var whyNotOpened: String? {
        switch pane {
        case .stages where mode == .health: "there is nothing to open here"
        case .stages: columns.selected == nil ? "there is no chunk under the cursor" : nil
        case .passage: "there is nothing to open here"
        case .why: explanation?.remedies.isEmpty ?? true ? whyNotSearched : nil
        case .questions: questions.selected == nil ? needsQuestions : nil
        }
    }

    /// In the Why pane, Enter applies a change, or looks for one if none was looked for.
    private var whyNotSearched: String? {
        if isThorough || explanation?.droppedBy == nil { return noRemedy }
        return whyNotExplained(columns.selected == nil ? "there is no chunk under the cursor" : nil)
    }

    /// The action of Enter in the focused pane.
    package func wording(_ action: RetrievalAction) -> ActionWording? {
        guard action == .open else { return nil }
        return switch pane {
        case .why where !(explanation?.remedies.isEmpty ?? true): ActionWording(hint: "apply", isFirst: true)
        case .why: ActionWording(hint: "why")
        case .questions: ActionWording(hint: mode == .comparison ? "compare" : "ask")
        case .stages where mode == .comparison: ActionWording(hint: "source")
        default: nil
        }
    }

    private var whyNotMeasured: String? {
        if let reason = whyNotExplained(nil) { return reason }
        if isForeign { return "recorded results cannot be measured: w runs the search again" }
        return columns.stages.contains { $0.kind == .dense } ? nil : "the pipeline has no dense stage"
    }
}

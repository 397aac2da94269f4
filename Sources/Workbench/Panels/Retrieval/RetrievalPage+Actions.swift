internal import Console
internal import Retrieval

extension RetrievalPage {
    package static func actions(_ actions: inout Actions<Self>) {
        actions.add("h", "left", name: "left", "go to the previous stage", unless: \.whyNotSideways) {
            $0.sideways(by: -1)
        }
        actions.add("l", "right", name: "right", "go to the next stage", unless: \.whyNotSideways) {
            $0.sideways(by: 1)
        }
        actions.add(
            "enter", name: "open", "explain the chunk, apply the change, or ask the question", hint: "why",
            wording: \.openWording, unless: \.whyNotOpened
        ) { $0.openSelected() }
        addAsking(to: &actions)
        addExplaining(to: &actions)
        addReading(to: &actions)
        addJudging(to: &actions)
        addManaging(to: &actions)
    }

    private static func addAsking(to actions: inout Actions<Self>) {
        actions.group("Asking")
        actions.add(
            "/", name: "ask", "ask a question; results update as you type", hint: "ask", unless: \.whyNoCorpus
        ) { $0.prompt() }
        actions.add("r", name: "run", "run the pipeline again", unless: \.whyNoQuery) { $0.search() }
        actions.add("a", name: "answer", "ask the pipeline's model for an answer", unless: \.whyNoQuery) {
            $0.chooseModel()
        }
        actions.add(
            "c", name: "corpus", "choose the corpus", unless: { $0.catalog.corpora.isEmpty ? noCorpus : nil }
        ) { $0.chooseCorpus() }
        actions.add("p", name: "pipeline", "choose the pipeline", hint: "pipeline", unless: \.whyNoCorpus) {
            $0.choosePipeline()
        }
        actions.add("s", name: "setting", "change a setting, such as dense.k = 24", unless: \.whyNoCorpus) {
            $0.chooseSetting()
        }
        actions.add(
            "S", name: "save", "save the pipeline as a new version", writes: true,
            unless: { $0.pipeline.isChanged ? nil : "no setting was changed" }
        ) { $0.chooseName() }
    }

    private static func addExplaining(to actions: inout Actions<Self>) {
        actions.group("Explaining")
        actions.add(
            "w", name: "why-not", "explain why a document was not found", hint: "why not", unless: \.whyNotExplained
        ) { $0.chooseDocument() }
        actions.add(
            "W", name: "why", "explain why the chunk under the cursor was found", unless: \.whyNotSelected
        ) { $0.explainSelected() }
        actions.add(".", name: "next-change", "go to the next suggested change", unless: \.whyNoRemedy) {
            $0.changeRemedy(by: 1)
        }
        actions.add(",", name: "previous-change", "go to the previous suggested change", unless: \.whyNoRemedy) {
            $0.changeRemedy(by: -1)
        }
        actions.add("X", name: "apply", "apply the change and run again", unless: \.whyNoRemedy) {
            $0.applyRemedy()
        }
        actions.add(
            "t", name: "truth", "measure recall of the dense search against exact search", hint: "truth",
            unless: \.whyNotMeasured
        ) { $0.measure() }
    }

    private static func addReading(to actions: inout Actions<Self>) {
        actions.group("Reading")
        actions.add(
            "v", name: "view", "show the chunk, its source, the answer, or details", hint: "view", unless: \.whyNoRecord
        ) { $0.nextView() }
        actions.addText("f", wrap: nil, find: "find text in the passage", missing: askFirst)
        actions.add("\\", name: "wrap", "wrap or truncate long lines") { page in
            page.changeText { $0.setWraps(!$0.wraps) }
        }
    }

    private static func addJudging(to actions: inout Actions<Self>) {
        actions.group("Judging")
        actions.add(
            "Q", name: "questions", "choose a question set, or read one from a file", unless: \.whyNoCorpus
        ) { $0.askQuestions() }
        actions.add(
            "K", name: "keep-case", "save the question as a case with the chunk as its answer", writes: true,
            unless: { page in
                if page.isForeign { return "another system recorded this question" }
                return page.corpus == nil || page.columns.selected == nil ? "select the chunk with the answer" : nil
            }
        ) { $0.keepCase() }
        actions.add(
            "b", name: "compare", "compare with another pipeline or setting on the question set", hint: "A/B",
            unless: { $0.whyNoCorpus ?? ($0.questions.name == nil ? $0.needsQuestions : nil) }
        ) { $0.chooseComparison() }
        actions.add(
            "H", name: "health", "show chunk lengths, near-duplicates, and indexes", unless: \.whyNoCorpus
        ) { $0.showHealth() }
        actions.add(
            "V", name: "stages", "return to the stages",
            unless: { $0.mode == .stages ? "the stages are already shown" : nil }
        ) { $0.showStages() }
    }

    private static func addManaging(to actions: inout Actions<Self>) {
        actions.group("Managing")
        actions.add("i", name: "add", "add files or a folder to a corpus", hint: "add", writes: true) {
            $0.chooseFiles()
        }
        actions.add(
            "u", name: "undo", "undo the last addition on this page", writes: true, unless: \.whyNotUndone
        ) { $0.confirmUndo() }
        actions.add(
            "o", name: "elsewhere", "open the recorded search, or the cited passage, in another panel",
            unless: \.whyNotElsewhere
        ) { page in page.elsewhere.map { .offer($0) } ?? [] }
        actions.add("y", name: "copy", "copy the ranking as Markdown", unless: \.whyNoRecord) { page in
            page.record.map { .copy($0.markdown, what: "the ranking") } ?? []
        }
        actions.add(
            "e", name: "export", "write the ranking to a file (.md or .json)", unless: \.whyNoRecord
        ) { _ in
            .export("Export the ranking", name: "retrieval.json", endings: [".json", ".md"]) { page, path in
                guard let record = page.record else { return [] }
                return page.write({ try $0.export(record, to: path) }) { _, _ in
                    .notify("written to \(path)", .success)
                }
            }
        }
    }

    // MARK: Moving and opening

    private mutating func sideways(by step: Int) {
        if screen.focus == .why { changeRemedy(by: step) } else { move(.columns(step)) }
    }

    private mutating func openSelected() -> Work<Self> {
        switch screen.focus {
        case .stages where opensSource:
            return showPlace()
        case .stages: return explainSelected()
        case .why: return explanation?.remedies.isEmpty == false ? applyRemedy() : explainSelected()
        case .questions where mode == .comparison: return .again("contrast")
        case .questions: return questions.rows.selected.map { ask($0.question) } ?? []
        case .passage, .query: break
        }
        return []
    }

    /// Whether Enter shows the source of the passage under the cursor, because it has no explanation.
    private var opensSource: Bool { isForeign && recorded?.own == nil || mode == .comparison }

    private var openWording: ActionWording? {
        switch screen.focus {
        case .why where explanation?.remedies.isEmpty == false: ActionWording(hint: "apply", isFirst: true)
        case .why: ActionWording(hint: "why")
        case .questions: ActionWording(hint: mode == .comparison ? "compare" : "ask")
        case .stages where mode == .comparison: ActionWording(hint: "source")
        default: nil
        }
    }

    // MARK: Why an action is unavailable

    private static let noCorpus = "no corpus yet: press i to create one from files"
    private static let askFirst = "ask something first: press /"

    var whyNoCorpus: String? { corpus == nil ? Self.noCorpus : nil }
    private var whyNoQuery: String? { whyNoCorpus ?? (query.isEmpty ? Self.askFirst : nil) }
    private var whyNoRecord: String? { record == nil ? Self.askFirst : nil }
    private var whyNoChunk: String? { columns.selected == nil ? "there is no chunk under the cursor" : nil }
    private var whyNotSelected: String? {
        if let reason = whyNotExplained ?? whyNoChunk { return reason }
        return columns.selected.flatMap { record?[$0].chunk } == nil ? "no corpus contains this passage" : nil
    }
    private var needsQuestions: String {
        contents.sets.isEmpty
            ? "no questions yet: K saves one as a case, Q reads a file" : "choose a question set first: press Q"
    }
    private var whyNoRemedy: String? {
        guard explanation?.remedies.isEmpty ?? true else { return nil }
        return isThorough || explanation == nil
            ? "no change is proposed: w explains a missing document" : "press W to look for a change first"
    }
    private var whyNotSideways: String? {
        switch screen.focus {
        case .why: whyNoRemedy
        case .stages where mode != .health, .passage: nil
        default: "nothing here scrolls sideways"
        }
    }
    private var whyNotExplained: String? {
        if record == nil { return Self.askFirst }
        if mode == .comparison { return "go back to the stages of one pipeline first: press Esc" }
        return isForeign && recorded?.own == nil
            ? "another system ran this search: only its trace is available" : nil
    }
    private var whyNotMeasured: String? {
        if let whyNotExplained { return whyNotExplained }
        if isForeign { return "recorded results cannot be measured: w runs the search again" }
        return columns.stages.contains { $0.kind == .dense } ? nil : "the pipeline has no dense stage"
    }
    private var whyNotOpened: String? {
        switch screen.focus {
        case .stages where mode != .health: whyNoChunk ?? (opensSource ? nil : whyNotSelected)
        // In Why, Enter applies a change, or looks for one.
        case .why where whyNoRemedy != nil: isThorough || explanation?.droppedBy == nil ? whyNoRemedy : whyNotSelected
        case .why: nil
        case .questions: questions.rows.selected == nil ? needsQuestions : nil
        default: "there is nothing to open here"
        }
    }
    private var whyNotUndone: String? {
        guard let last = catalog.lastChange else { return "no corpus change can be undone" }
        return ownChange == nil
            ? "the last change, \(last.phrase), was not made on this page: orrery corpus undo reverts it" : nil
    }
    private var whyNotElsewhere: String? {
        if elsewhere != nil { return nil }
        return whyNoRecord ?? "no other panel shows this: "
            + (engine.canWrite ? "r records the search" : "a read-only workspace records no searches")
    }
}

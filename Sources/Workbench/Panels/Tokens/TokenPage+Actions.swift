internal import Console
internal import LanguageModels
internal import ModelLab
internal import Workspace

extension TokenPage {
    package static func actions(_ actions: inout Actions<Self>) {
        actions.add("h", "left", name: "left", "go to the previous token", unless: \.whyNoText) {
            $0.moveText(.columns(-1))
        }
        actions.add("l", "right", name: "right", "go to the next token", unless: \.whyNoText) {
            $0.moveText(.columns(1))
        }
        actions.add("enter", name: "open", "open the selection; continue from an alternative", hint: "open") {
            $0.openSelected()
        }
        addGenerating(to: &actions)
        addReading(to: &actions)
        addManaging(to: &actions)
    }

    private static func addGenerating(to actions: inout Actions<Self>) {
        actions.group("Generating")
        actions.add(onRow: "i", name: "say", "send a message to the model", hint: "say", writes: true) { _ in
            .prompt("say ", history: "say") { $0.say($1) }
        }
        actions.add(
            onRow: "r", name: "run", "run the prompt again", hint: "run", writes: true,
            wording: { $0.wording(session: "run session", answer: "run again") }, unless: \.whyNoRun
        ) { $0.run(times: 1) }
        actions.add(
            onRow: "R", name: "repeat", "run the prompt several times", writes: true, unless: \.whyNoRun
        ) { _ in
            let times = Form.Field("times", value: "3", allowed: "1 to 100", check: Self.countProblem)
            return .value("Generate again", verb: "run", times) { page, typed in
                Int(typed).map { page.run(times: $0) } ?? []
            }
        }
        actions.add(
            "x", name: "cancel", "cancel running generations", hint: "cancel",
            unless: { $0.running.isEmpty && $0.queue.isEmpty ? "no generation is running" : nil }
        ) { page in
            page.queue = []
            return Work(page.running.keys.sorted().map { .cancel($0) })
        }
        actions.add(
            "b", name: "branch", "continue from the chosen alternative", hint: "branch", writes: true,
            unless: \.whyNoBranch
        ) { $0.branch() }
        actions.add(onRow: "M", name: "model", "choose the model", hint: "model", writes: true) { $0.askModel() }
        actions.add(
            onRow: "s", name: "settings", "change settings: temperature, top-k, seed, and others", hint: "settings",
            writes: true, unless: \.whyNoSession
        ) { $0.askSettings() }
        actions.add(
            onRow: "E", name: "edit", "edit messages, tools, and settings in your editor", hint: "edit", writes: true,
            unless: \.whyNoSession
        ) { $0.editDraft() }
        actions.add(
            onRow: "t", name: "mode", "switch between chat and plain text", writes: true, unless: \.whyNoSession
        ) { $0.toggleMode() }
        actions.add(
            "d", name: "compare", "compare with the answer selected in the list", unless: \.whyNoAnswer
        ) { $0.compare() }
    }

    private static func addReading(to actions: inout Actions<Self>) {
        actions.group("Reading")
        actions.add(
            "c", name: "color", "color by probability, entropy, time, or origin", hint: "color", unless: \.whyNoAnswer
        ) { $0.recolor() }
        actions.add(
            "]", name: "next-surprise", "go to the next token that was not the most likely", hint: "surprise",
            unless: \.whyNoProbabilities
        ) { $0.findSurprise(forward: true) }
        actions.add(
            "[", name: "previous-surprise", "go to the previous token that was not the most likely",
            unless: \.whyNoProbabilities
        ) { $0.findSurprise(forward: false) }
        actions.add("/", name: "find", "find text", unless: \.whyNoText) { _ in
            .prompt("/", history: "search", cancelled: { $0.find("") }, then: { $0.find($1) })
        }
        actions.add("n", name: "next-match", "go to the next match", unless: \.whyNoSearch) {
            $0.findText(forward: true)
        }
        actions.add("N", name: "previous-match", "go to the previous match", unless: \.whyNoSearch) {
            $0.findText(forward: false)
        }
    }

    private static func addManaging(to actions: inout Actions<Self>) {
        actions.group("Managing")
        actions.add("a", name: "new", "start a new session", hint: "new", writes: true) { $0.newSession() }
        actions.add(
            onRow: "T", name: "title", "rename the session", writes: true, unless: \.whyNoSession
        ) { page in
            let title = Form.Field("title", value: page.session?.session.title ?? "")
            return .value("Rename the session", verb: "rename", title) { $0.rename(to: $1) }
        }
        actions.add("A", name: "add-model", "add a model: a file or a provider", writes: true) { $0.addModel() }
        actions.add(onRow: "y", name: "copy", "copy the answer", unless: \.whyNoAnswer) { page in
            page.answer.map { .copy($0.text, what: "the answer") } ?? []
        }
        actions.add(
            onRow: "e", name: "export", "write the session to a file (.md or .json)", unless: \.whyNoSession
        ) { _ in
            .export("Export the session", name: "answer.md", endings: [".md", ".json"]) { $0.export(to: $1) }
        }
        actions.add(
            "D", name: "delete", "delete the selected session or answer, or the open one", writes: true,
            wording: { $0.wording(session: "delete session", answer: "delete answer") },
            unless: { $0.target == nil ? "there is nothing to delete" : nil }
        ) { $0.askDelete() }
        actions.add(
            "u", name: "undo", "undo the last deletion on this page", writes: true,
            wording: { $0.deleted.last.map { ActionWording(hint: nil, description: "restore \($0.name)") } },
            unless: {
                $0.deleted.isEmpty ? "nothing left to restore: u undoes deletions made on this page" : nil
            }
        ) { $0.undo() }
    }

    /// Returns the problem with a number of generations, or `nil`.
    @Sendable private static func countProblem(_ typed: String) -> String? {
        Int(typed).map { (1...100).contains($0) } == true ? nil : "a number from 1 to 100"
    }

    /// Names the row under the cursor in the footer.
    private func wording(session: String, answer: String) -> ActionWording? {
        guard screen.focus == .sessions, let row = tree.rows.selected else { return nil }
        return ActionWording(hint: row.id.isSession ? session : answer, isFirst: true)
    }

    // MARK: Targets

    /// Target of actions: the selected row in the Sessions pane; elsewhere, the open answer or session.
    var target: SessionTree.Row.ID? {
        if screen.focus == .sessions { return tree.rows.selected?.id }
        if let answer, answer.id != 0 { return .answer(answer.id) }
        return session.map { .session($0.session.id) }
    }

    /// The row under the cursor if it is not open.
    fileprivate var closedRow: SessionTree.Row.ID? {
        guard screen.focus == .sessions, let target else { return nil }
        let isOpen =
            switch target {
            case .session(let id): id == session?.session.id
            case .answer(let id): id == answer?.id
            }
        return isOpen ? nil : target
    }

    // MARK: Why an action is unavailable

    private var whyNoSession: String? { session == nil ? "start a session first: press a" : nil }
    private var whyNoRun: String? {
        whyNoSession ?? (session?.draft.isEmpty == true ? "The prompt is empty. Press i to send a message." : nil)
    }
    private var whyNoAnswer: String? { answer == nil ? "open an answer first" : nil }
    private var whyNoText: String? { text.items.isEmpty ? "no text is open: press a or Enter" : nil }
    private var whyNoSearch: String? { search.isEmpty ? "search first: press /" : nil }
    private var whyNoProbabilities: String? {
        answer?.steps.contains { $0.logProbability != nil } == true
            ? nil : "probabilities are not reported for this answer"
    }

    /// Reason why a branch cannot start here, or `nil`.
    var whyNoBranch: String? {
        guard let answer else { return whyNoAnswer }
        guard let step else { return "move to a token in the answer first" }
        guard AlternativesTable.rows(of: step.step).indices.contains(alternatives.selection) else {
            return "alternatives are not reported for this token"
        }
        if !answer.prompt.isEmpty, answer.steps.allSatisfy({ $0.id != nil }) { return nil }
        if case .text = answer.document.input { return nil }
        return "\(answer.model) cannot continue from a token. To branch, use a model in this process, or plain text."
    }
}

extension Actions<TokenPage> {
    /// Adds an action on the open session or answer. In the Sessions pane, it opens the row under the cursor first.
    fileprivate mutating func add(
        onRow key: String, name: String, _ description: String, hint: String? = nil, writes: Bool = false,
        wording: @escaping (TokenPage) -> ActionWording? = { _ in nil },
        unless: @escaping (TokenPage) -> String? = { _ in nil },
        perform: @escaping (inout TokenPage) -> Work<TokenPage>
    ) {
        add(
            key, name: name, description, hint: hint, writes: writes, wording: wording,
            unless: { $0.closedRow == nil ? unless($0) : nil }
        ) { page in
            guard let row = page.closedRow else { return perform(&page) }
            page.opening = nil
            return page.read("row") {
                try $0.open(.row(row))
            } then: { page, open in
                [page.show(open), unless(page).map { .notify($0, .warning) } ?? perform(&page)]
            }
        }
    }
}

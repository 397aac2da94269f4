internal import Console
internal import LanguageModels
internal import ModelLab

/// The tokens panel: prompts and answers token by token, with probabilities, alternatives, and branches. Any provider
/// works; values that it does not return are shown as "not reported".
package struct TokenPanel: Panel {
    package static let identifier = "tokens"
    package static let title = "Tokens"
    package static let opens: Set<Reference.Kind> = [.session, .generation, .token, .span]

    /// The panes, in the order of Tab.
    package enum Pane: String, CaseIterable, Sendable {
        case sessions, text, alternatives, live
    }

    let engine: TokenEngine
    var area = Rect(Size(0, 0))
    var pane = Pane.sessions
    /// Lower pane that a narrow screen shows.
    var lowerPane = Pane.alternatives
    var isZoomed = false
    var tree = SessionTree()
    /// Open session.
    var session: OpenSession?
    var coloring = TokenColoring.probability
    var text = TokenText()
    /// Second answer of a comparison.
    var compared: ComparedAnswer?
    var alternatives = ListView()
    var operations = ListView()
    var live: LiveView?
    var search = ""
    /// Whether the panel shows a session for the first time, and so opens the newest.
    var opensNewest = false
    /// Whether the opened session starts at its most surprising token.
    var standsOnSurprise = false
    /// Row to select once the list contains it.
    var wanted: SessionTree.Row.Kind?
    /// Running streams by key, with the row of their answer.
    var running: [String: Int64] = [:]
    /// Growing answers by row.
    var growing: [Int64: Generation] = [:]
    /// Answers waiting to run, in order.
    var queue: [PendingAnswer] = []
    /// Rows that this panel deleted since the start, most recent last.
    var deleted: [SessionRowBox] = []
    /// File of the last edit if it was invalid.
    var draft: (session: Int64, path: String)?
    /// Models of the workspace; `nil` until loaded.
    var knownModels: [ModelEntry]?

    package init(_ context: PanelContext) {
        engine = TokenEngine(context.workspace, settings: context.settings, now: context.now)
    }

    /// Visible answer.
    var answer: Generation? { session?.answer }

    /// Step under the cursor, with its index in the answer.
    var step: (index: Int, step: TokenStep)? {
        guard case .step(let index)? = text.cursorPiece, let answer, answer.steps.indices.contains(index) else {
            return nil
        }
        return (index, answer.steps[index])
    }

    package var selection: Reference? {
        if pane == .live, let reference = live?.reference(at: operations.selection) { return reference }
        if let answer, answer.id != 0 {
            if let step {
                return Reference(.token, [answer.id, Int64(step.index)], title: "token \(step.index + 1) of an answer")
            }
            return Reference(.generation, [answer.id], title: "answer by \(answer.model)")
        }
        return session.map { Reference(.session, [$0.session.id], title: $0.session.title) }
    }

    package mutating func open(_ reference: Reference) -> [Effect<TokenAnswer>]? {
        guard let number = reference.path.first else { return nil }
        let engine = engine
        opensNewest = false
        switch reference.kind {
        case .session: return open(session: number)
        case .generation, .token:
            let step = reference.kind == .token && reference.path.count > 1 ? Int(clamping: reference.path[1]) : nil
            return [
                .ask(key: "open") { _ in .opened(OpenSessionBox(open: try engine.open(answer: number)), step: step) }
            ]
        case .span:
            guard reference.path.count > 1 else { return nil }
            standOnText()
            let span = Int(clamping: reference.path[1])
            let step = reference.path.count > 2 ? Int(clamping: reference.path[2]) : nil
            return [
                .ask(key: "open") { _ in
                    .opened(OpenSessionBox(open: try engine.open(trace: number, span: span)), step: step)
                }
            ]
        default: return nil
        }
    }

    /// Focuses the text: users who come from a call want its tokens.
    private mutating func standOnText() {
        pane = .text
        layoutPanes()
    }

    package func save() -> String { TokenScreen(self).text }

    package mutating func update(_ event: Event<TokenAction, TokenAnswer>) -> [Effect<TokenAnswer>] {
        switch event {
        case .start(let saved): start(saved)
        case .action(let action): perform(action)
        case .mouse(let mouse): click(mouse)
        case .resize(let area): place(area)
        case .answer(let answer): receive(answer)
        case .failed(let key, let sentence): fail(key, sentence)
        case .changed: reload()
        }
    }
}

extension Reference.Kind {
    /// A session of the tokens panel: `[row]`.
    public static let session = Reference.Kind(rawValue: "session")
    /// An answer: `[row]`.
    public static let generation = Reference.Kind(rawValue: "generation")
    /// A token of an answer: `[row, step]`.
    public static let token = Reference.Kind(rawValue: "token")
}

internal import Console
internal import LanguageModels
internal import ModelLab

/// The tokens page: prompts and answers token by token, with probabilities, alternatives, and branches. Any provider
/// works; values that it does not return are shown as "not reported".
package struct TokenPage: Page {
    package static let about = PageInfo("tokens", "Tokens", opens: [.session, .generation, .token, .span])

    package enum PaneName: String, Sendable {
        case sessions, text, alternatives, live
    }

    package let engine: TokenEngine
    package var screen = Screen(PaneName.sessions) {
        didSet { if screen.focus == .alternatives || screen.focus == .live { lowerPane = screen.focus } }
    }
    /// Lower pane that a narrow screen shows.
    var lowerPane = PaneName.alternatives
    var tree = SessionTree()
    /// Object that is being opened.
    var opening: Opening?
    /// Open session.
    var session: OpenSession?
    var coloring = TokenColoring.probability
    var text = TokenText()
    /// Second answer of a comparison.
    var compared: (generation: Generation, text: TokenText)?
    var alternatives = ListView()
    var operations = ListView()
    var live: LiveView? { didSet { operations.count = live?.operations.count ?? 0 } }
    var search = ""
    /// Whether the sessions are read for the first time.
    var isNew = true
    /// Whether to open the newest session, because no session was saved or opened.
    var opensNewest = true
    /// Whether the opened session starts at its most surprising token.
    var standsOnSurprise = false
    /// Row to select once the list contains it.
    var wanted: SessionTree.Row.ID?
    /// Running streams by key, with the row of their answer.
    var running: [String: Int64] = [:]
    /// Growing answers by row.
    var growing: [Int64: Generation] = [:]
    /// Drafts that are being saved, by session. A session opened meanwhile would still have its old draft.
    var unsaved: [Int64: PromptDocument] = [:]
    /// Answers waiting to run, in order.
    var queue: [Generation] = []
    /// Rows that this page deleted since the start, most recent last.
    var deleted: [DeletedRow] = []
    /// File of the last edit if it was invalid.
    var draft: (session: Int64, path: String)?
    /// Models of the workspace; `nil` until loaded.
    var knownModels: [ModelEntry]?

    package init(_ context: PanelContext) { engine = TokenEngine(context.workspace, now: context.now) }

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
        if screen.focus == .live, let reference = live?.reference(at: operations.selection) { return reference }
        if let answer, answer.id != 0 {
            if let step {
                return Reference(.token, [answer.id, Int64(step.index)], title: "token \(step.index + 1) of an answer")
            }
            return Reference(.generation, [answer.id], title: "answer by \(answer.model)")
        }
        return session.map { Reference(.session, [$0.session.id], title: $0.session.title) }
    }

    package mutating func open(_ reference: Reference) -> Work<Self>? {
        guard let number = reference.path.first else { return nil }
        let rest = reference.path.dropFirst().map { Int(clamping: $0) }
        switch reference.kind {
        case .session: opening = .row(.session(number))
        case .generation: opening = .row(.answer(number))
        case .token: opening = .row(.answer(number), step: rest.first)
        case .span:
            guard let span = rest.first else { return nil }
            // Users who come from a call want its tokens.
            screen.focus = .text
            opening = .call(trace: number, span: span, step: rest.dropFirst().first)
        default: return nil
        }
        opensNewest = false
        return .cancel("row")
    }

    package func preview(of reference: Reference) -> Preview.Work {
        { [engine = engine] _ in try engine.preview(of: reference) }
    }

    package static func reads(_ reads: inout Reads<Self>) {
        reads.add(
            "sessions", for: { $0.isNew }, in: .sessions, read: { try $0.sessions(closingInterrupted: $1) },
            show: { $0.list($1) })
        reads.add(
            "models", for: { _ in true }, read: { engine, _ in try engine.models() }, show: { $0.knownModels = $1 })
        reads.add(
            "answers", for: { $0.session?.session.id }, read: { try $0.store.generations(of: $1) },
            show: { $0.list($1) }, clear: { $0.tree.open(nil, answers: []) })
        reads.add(
            "open", for: \.opening, in: .text, read: { try $0.open($1) }, then: { $0.opened($1) },
            failed: { page, _ in
                page.opening = nil
                return []
            })
    }

    package mutating func archive(_ archive: inout Archive) {
        var (shown, row, index) = (session?.session.id, answer.flatMap { $0.id == 0 ? nil : $0.id }, step?.index)
        archive("coloring", &coloring)
        archive("session", &shown)
        archive("answer", &row)
        archive("step", &index)
        guard archive.isReading else { return }
        opensNewest = false
        opening = row.map { .row(.answer($0), step: index) } ?? shown.map { .row(.session($0)) }
    }
}

/// An object to open, and the step that gets the cursor.
enum Opening: Hashable, Sendable {
    case row(SessionTree.Row.ID, step: Int? = nil)
    case call(trace: Int64, span: Int, step: Int?)

    var step: Int? {
        switch self {
        case .row(_, let step), .call(_, _, let step): step
        }
    }
}

extension Reference.Kind {
    /// A session of the tokens page: `[row]`.
    public static let session = Reference.Kind(rawValue: "session")
    /// An answer: `[row]`.
    public static let generation = Reference.Kind(rawValue: "generation")
    /// A token of an answer: `[row, step]`.
    public static let token = Reference.Kind(rawValue: "token")
}

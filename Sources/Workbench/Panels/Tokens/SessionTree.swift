internal import Console
internal import Formatting
internal import LanguageModels
internal import ModelLab

/// The list of sessions, with the answers of the open session; branches are below their answer.
struct SessionTree: Sendable {
    struct Row: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case session(Int64)
            case answer(Int64)
        }

        var kind: Kind
        var depth: Int
        var title: String
        var detail: String
        var state: Generation.Outcome.State?
    }

    private(set) var rows: [Row] = []
    var list = ListView()

    private var sessions: [Session] = []
    private var openSession: Int64?
    private var answers: [GenerationSummary] = []

    var selected: Row? { rows.indices.contains(list.selection) ? rows[list.selection] : nil }
    var sessionCount: Int { sessions.count }

    /// Returns the title of a session or answer; empty if the list does not have it.
    func title(of kind: Row.Kind) -> String { rows.first { $0.kind == kind }?.title ?? "" }

    mutating func show(_ sessions: [Session]) {
        self.sessions = sessions
        rebuild()
    }

    mutating func open(_ session: Int64?, answers: [GenerationSummary]) {
        openSession = session
        self.answers = answers
        rebuild()
    }

    /// Moves the cursor to a row; `false` if the list does not have it.
    @discardableResult
    mutating func select(_ kind: Row.Kind) -> Bool {
        guard let index = rows.firstIndex(where: { $0.kind == kind }) else { return false }
        list.select(index)
        return true
    }

    private mutating func rebuild() {
        let before = selected?.kind
        rows = []
        for session in sessions {
            rows.append(
                Row(
                    kind: .session(session.id), depth: 0, title: session.title,
                    detail: Self.detail(of: session), state: nil))
            if session.id == openSession { addAnswers(under: nil, depth: 1) }
        }
        list.count = rows.count
        if let before { select(before) }
    }

    private mutating func addAnswers(under parent: Int64?, depth: Int) {
        let known = Set(answers.map(\.id))
        for answer in answers {
            // Branches of a deleted answer move to the root.
            let itsParent = answer.parent.flatMap { known.contains($0.generation) ? $0.generation : nil }
            guard itsParent == parent else { continue }
            rows.append(
                Row(
                    kind: .answer(answer.id), depth: depth, title: title(of: answer), detail: detail(of: answer),
                    state: answer.outcome.state))
            if depth < 40 { addAnswers(under: answer.id, depth: depth + 1) }
        }
    }

    private func title(of answer: GenerationSummary) -> String {
        let text = answer.caption.split(whereSeparator: \.isNewline).joined(separator: " ")
        if let problem = answer.outcome.problem, text.isEmpty { return problem }
        let lead = answer.parent.map { "└\($0.step + 1) " } ?? ""
        guard text.isEmpty else { return lead + text }
        let stopped = answer.outcome.finish == ModelResponse.FinishReason.stop.name
        return lead + (stopped ? "no text" : answer.outcome.finish)
    }

    private static func detail(of session: Session) -> String {
        switch session.generationCount {
        case 0: ""
        case 1: "1 answer"
        default: "\(Format.compact(session.generationCount)) answers"
        }
    }

    private func detail(of answer: GenerationSummary) -> String {
        switch answer.outcome.state {
        case .running: "…"
        case .failed: "failed"
        case .recorded: "recorded"
        case .done: "\(Format.compact(answer.stepCount)) tok"
        }
    }

    /// Width of titles and details, with a frame.
    var columnsNeeded: Int {
        rows.reduce(0) { max($0, DisplayWidth.of($1.title) + 2 * $1.depth) } + 2 + Self.detailColumns + 7
    }

    private static let detailColumns = 9

    static let table = Table([
        .init("session", minimum: 16, weight: 1), .init("", alignment: .right, minimum: detailColumns, priority: 1),
    ])

    func draw(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool, shown: Int64?) {
        Self.table.draw(list, into: &surface, in: area, theme: theme, isFocused: isFocused) { index, column in
            let row = rows[index]
            guard column == 0 else {
                return .init(row.detail, row.state == .failed ? .failure : row.state == .running ? .accent : .dim)
            }
            switch row.kind {
            case .session(let id):
                return .init((id == openSession ? "▾ " : "▸ ") + row.title, id == openSession ? .strong : .text)
            case .answer(let id):
                let indent = String(repeating: "  ", count: min(row.depth, 8))
                return .init(
                    indent + row.title, id == shown ? .accent : row.state == .failed ? .failure : .text)
            }
        }
    }
}

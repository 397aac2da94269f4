internal import Console
internal import Formatting
internal import LanguageModels
internal import ModelLab
internal import Tables

/// The list of sessions, with the answers of the open session; branches are below their answer.
struct SessionTree: Sendable {
    struct Row: Identifiable, Sendable {
        enum ID: Hashable, Sendable {
            case session(Int64)
            case answer(Int64)

            var isSession: Bool { if case .session = self { true } else { false } }
        }

        var id: ID
        var depth: Int
        var title: String
        var detail: String
        var state: Generation.Outcome.State?
    }

    var rows = RowList<Row>()
    private var sessions: [Session] = []
    private var openSession: Int64?
    private var answers: [GenerationSummary] = []

    var sessionCount: Int { sessions.count }

    /// Returns the title of a session or answer; empty if the list does not have it.
    func title(of id: Row.ID) -> String { rows.rows.first { $0.id == id }?.title ?? "" }

    mutating func show(_ sessions: [Session]) {
        self.sessions = sessions
        rebuild()
    }

    mutating func open(_ session: Int64?, answers: [GenerationSummary]) {
        openSession = session
        self.answers = answers
        rebuild()
    }

    private mutating func rebuild() {
        var built: [Row] = []
        for session in sessions {
            built.append(
                Row(id: .session(session.id), depth: 0, title: session.title, detail: Self.detail(of: session)))
            if session.id == openSession { addAnswers(under: nil, depth: 1, to: &built) }
        }
        rows.show(built)
    }

    private func addAnswers(under parent: Int64?, depth: Int, to built: inout [Row]) {
        let known = Set(answers.map(\.id))
        for answer in answers {
            // Branches of a deleted answer move to the root.
            let itsParent = answer.parent.flatMap { known.contains($0.generation) ? $0.generation : nil }
            guard itsParent == parent else { continue }
            built.append(
                Row(
                    id: .answer(answer.id), depth: depth, title: title(of: answer), detail: detail(of: answer),
                    state: answer.outcome.state))
            if depth < 40 { addAnswers(under: answer.id, depth: depth + 1, to: &built) }
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
        rows.rows.reduce(0) { max($0, DisplayWidth.of($1.title) + 2 * $1.depth) } + 2 + Self.detailColumns + 7
    }

    private static let detailColumns = 9

    /// Adds the columns.
    ///
    /// - Parameter shown: The visible answer.
    func addColumns(to columns: inout Columns<Row>, shown: Int64?) {
        columns.add("session", minimum: 16, weight: 1) { row in
            switch row.id {
            case .session(let id):
                .init((id == openSession ? "▾ " : "▸ ") + row.title, id == openSession ? .strong : .text)
            case .answer(let id):
                .init(
                    String(repeating: "  ", count: min(row.depth, 8)) + row.title,
                    id == shown ? .accent : row.state == .failed ? .failure : .text)
            }
        }
        columns.add("", align: .right, minimum: Self.detailColumns, priority: 1) { row in
            .init(row.detail, row.state == .failed ? .failure : row.state == .running ? .accent : .dim)
        }
    }
}

internal import JSON
package import LanguageModels
internal import Traces
internal import Workspace

/// Model calls of a workspace as rows of a data set: what a person noted at a call is its right answer.
package struct AnnotatedSpans {
    private let store: TraceStore

    init(_ workspace: Workspace) { store = TraceStore(workspace) }

    /// - Parameter filter: of runs, as the trace list takes it; `*` is every run.
    func rows(matching filter: String) throws -> [DataRow] {
        let filter = filter == "*" ? Filter.everything : try Filter(parsing: filter)
        var rows: [DataRow] = []
        for run in try store.identifiers(matching: filter) {
            for note in try notes(of: run) {
                if let row = try row(of: run, span: note.span, note: note.note) {
                    rows.append(DataRow(fields: row, line: nil))
                }
            }
        }
        return rows
    }

    /// The notes at spans of a run.
    func notes(of run: Int64) throws -> [SpanMark] {
        try store.marks(of: run).filter { $0.letter == nil && !$0.note.isEmpty }
    }

    /// A call as a row: `id`, `prompt` (what the user said last), `messages`, `answer`, `target`, `trace`, `span`.
    ///
    /// - Returns: nil where the span is no model call, or nothing of what it read was recorded.
    func row(of run: Int64, span ordinal: Int, note: String) throws -> JSONValue? {
        guard let summary = try store.summary(run),
            let span = try store.spans(of: run).first(where: { $0.ordinal == ordinal }), span.kind == .model
        else { return nil }
        let entries = try store.messages(of: run)
        var chain: [MessageEntry] = []
        var next = span.inputHead
        while let place = next, entries.indices.contains(place), chain.count < entries.count {
            chain.append(entries[place])
            next = entries[place].previous
        }
        guard !chain.isEmpty else { return nil }
        let read = try store.messages(chain.reversed()).compactMap { $0 }
        let answers = try store.messages(entries.filter { $0.span == ordinal && $0.role == .assistant }).compactMap {
            $0
        }
        let asked = read.last { $0.role == .user }.map(Self.text) ?? read.last.map(Self.text) ?? ""
        let messages = read.map { message in
            JSONValue.object([
                .init(key: "role", value: .string(message.role.name)),
                .init(key: "content", value: .string(Self.text(message))),
            ])
        }
        return .object([
            .init(key: "id", value: .string("\(summary.externalID)/\(ordinal)")),
            .init(key: "prompt", value: .string(asked)), .init(key: "messages", value: .array(messages)),
            .init(key: "answer", value: .string(answers.map(Self.text).joined(separator: "\n"))),
            .init(key: "target", value: .string(note)), .init(key: "trace", value: .string(summary.externalID)),
            .init(key: "span", value: .integer(ordinal)),
        ])
    }

    /// The words of a message; calls and results of tools as they were written.
    package static func text(_ message: Message) -> String {
        message.parts.compactMap { part in
            switch part {
            case .text(let text): text
            case .toolCall(let call): "\(call.name) \(call.arguments)"
            case .toolResult(let result): result.content
            default: nil
            }
        }.joined(separator: "\n")
    }
}

internal import JSON
package import LanguageModels
internal import Traces
internal import Workspace

/// Calls in a workspace as rows of a dataset: the note at a model call, a tool call, or a search is its target.
package struct AnnotatedSpans {
    private let store: TraceStore

    init(_ workspace: Workspace) { store = TraceStore(workspace) }

    /// - Parameter filter: Filter of runs, as in the trace list; `*` matches every run.
    /// - Returns: The rows, and the number of notes at spans that cannot become rows.
    func rows(matching filter: String) throws -> (rows: [DataRow], leftOut: Int) {
        let filter = filter == "*" ? Filter.everything : try Filter(parsing: filter)
        var rows: [DataRow] = []
        var leftOut = 0
        for run in try store.identifiers(matching: filter) {
            for note in try notes(of: run) {
                if let row = try row(of: run, span: note.span, note: note.note) {
                    rows.append(DataRow(fields: row, line: nil))
                } else {
                    leftOut += 1
                }
            }
        }
        return (rows, leftOut)
    }

    /// Returns the notes at spans of a run.
    func notes(of run: Int64) throws -> [SpanMark] {
        try store.marks(of: run).filter { $0.letter == nil && !$0.note.isEmpty }
    }

    /// Returns a call as a row: `id`, `kind`, `prompt`, `messages`, `answer`, `target`, `trace`, `span`.
    ///
    /// The prompt of a model call is the last user message; of a tool call its arguments, with its name in `tool`; of a
    /// search the question, with the texts found in `documents`.
    ///
    /// - Returns: `nil` if the span is not such a call, or its input was not recorded.
    func row(of run: Int64, span ordinal: Int, note: String) throws -> JSONValue? {
        guard let summary = try store.summary(run),
            let span = try store.spans(of: run).first(where: { $0.ordinal == ordinal })
        else { return nil }
        let read: Read?
        switch span.kind {
        case .model: read = try model(run, ordinal, span)
        case .tool: read = try tool(span)
        case .retrieval, .reranker: read = try search(span)
        default: read = nil
        }
        guard let read else { return nil }
        let members: [JSONValue.Member] = [
            .init(key: "id", value: .string("\(summary.externalID)/\(ordinal)")),
            .init(key: "kind", value: .string(span.kind.name)),
            .init(key: "prompt", value: .string(read.prompt)), .init(key: "messages", value: .array(read.messages)),
            .init(key: "answer", value: .string(read.answer)),
            .init(key: "target", value: .string(note)), .init(key: "trace", value: .string(summary.externalID)),
            .init(key: "span", value: .integer(ordinal)),
        ]
        return .object(members + read.more)
    }

    /// The input and output of a call.
    private struct Read {
        var prompt: String
        var messages: [JSONValue]
        var answer: String
        /// Members that only calls of this kind have.
        var more: [JSONValue.Member] = []
    }

    private func tool(_ span: Span) throws -> Read? {
        let details = try store.details(of: span)
        guard let input = details.input else { return nil }
        return Read(
            prompt: input, messages: [Self.message("user", "\(span.name) \(input)")], answer: details.output ?? "",
            more: [.init(key: "tool", value: .string(span.name))])
    }

    private func search(_ span: Span) throws -> Read? {
        let (details, found) = (try store.details(of: span), try store.retrieval(of: span))
        guard let query = found?.query ?? details.input else { return nil }
        let documents = (found?.documents ?? []).compactMap { $0.text ?? $0.id }
        return Read(
            prompt: query, messages: [Self.message("user", query)],
            answer: documents.isEmpty ? details.output ?? "" : documents.joined(separator: "\n\n"),
            more: [.init(key: "documents", value: .array(documents.map { .string($0) }))])
    }

    private static func message(_ role: String, _ text: String) -> JSONValue {
        .object([.init(key: "role", value: .string(role)), .init(key: "content", value: .string(text))])
    }

    private func model(_ run: Int64, _ ordinal: Int, _ span: Span) throws -> Read? {
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
        return Read(
            prompt: asked, messages: read.map { Self.message($0.role.name, Self.text($0)) },
            answer: answers.map(Self.text).joined(separator: "\n"))
    }

    /// Returns the text of a message, with tool calls and results as they were written.
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

import GRDB
import LanguageModels
import Workspace

/// Reads traces row by row.
struct TraceRowReader {
    let database: Database
    var words: WordReader

    init(_ database: Database, words: [String?] = []) throws {
        self.database = database
        self.words = try WordReader(database, known: words)
    }

    /// The columns of `trace` named `t`, in the order in which `summary(_:)` reads them.
    static let summaryColumns = """
        t.id, t.external_id, t.format, t.name, t.start, t.end, t.spans, t.model_calls, t.tool_calls, t.messages, \
        t.events, t.errors, t.input, t.cache_read, t.cache_write, t.output, t.reasoning, t.cost, t.unpriced, t.model, \
        t.project, t.origin, t.note
        """

    mutating func summary(_ row: Workspace.Statement) throws -> TraceSummary {
        var summary = TraceSummary(
            id: row.int64(0), externalID: row.text(1), format: try words.text(row.int64(2)))
        summary.name = row.text(3)
        summary.start = row.int64(4)
        summary.end = row.int64(5)
        summary.spans = row.int(6)
        summary.modelCalls = row.int(7)
        summary.toolCalls = row.int(8)
        summary.messages = row.int(9)
        summary.events = row.int(10)
        summary.errors = row.int(11)
        summary.usage = Usage(
            input: row.int(12), cacheRead: row.int(13), cacheWrite: row.int(14), output: row.int(15),
            reasoning: row.int(16))
        summary.cost = row.optionalDouble(17)
        summary.unpriced = row.int(18)
        summary.model = try words.optionalText(row, 19)
        summary.project = try words.optionalText(row, 20)
        summary.origin = TraceOrigin(rawValue: UInt8(truncatingIfNeeded: row.int(21))) ?? .agent
        summary.note = row.optionalText(22)
        return summary
    }

    /// The trace of a row, deleted or not.
    mutating func summary(id: Int64) throws -> TraceSummary? {
        let statement = try Workspace.Statement(database, "SELECT \(Self.summaryColumns) FROM trace t WHERE id = ?")
        statement.bind(1, id)
        defer { statement.reset() }
        return try statement.step() ? try summary(statement) : nil
    }

    mutating func trace(id: Int64) throws -> Trace? {
        guard let summary = try summary(id: id) else { return nil }
        return Trace(
            summary: summary, spans: try spans(of: id, count: summary.spans),
            messages: try messages(of: id, count: summary.messages),
            events: try events(of: id, count: summary.events))
    }

    mutating func spans(
        of trace: Int64, from first: Int = 0, below end: Int = .max, count: Int = 0
    ) throws -> [Span] {
        let row = try Workspace.Statement(
            database,
            """
            SELECT ordinal, parent, kind, status, name, start, end, model, input, cache_read, cache_write, output,
                reasoning, cost, error, external_id, input_head, records, missing_parent, caption
            FROM span WHERE trace = ? AND ordinal >= ? AND ordinal < ? ORDER BY ordinal
            """)
        row.bind(1, trace)
        row.bind(2, first)
        row.bind(3, end)
        defer { row.reset() }
        var spans: [Span] = []
        spans.reserveCapacity(count)
        while try row.step() {
            let usage =
                row.isNull(8)
                ? nil
                : Usage(
                    input: row.int(8), cacheRead: row.int(9), cacheWrite: row.int(10), output: row.int(11),
                    reasoning: row.int(12))
            spans.append(
                Span(
                    ordinal: row.int(0), parent: row.optionalInt(1),
                    kind: SpanKind(rawValue: UInt8(truncatingIfNeeded: row.int(2))) ?? .other,
                    status: SpanStatus(rawValue: UInt8(truncatingIfNeeded: row.int(3))) ?? .unset,
                    name: try words.text(row.int64(4)), caption: row.optionalText(19), start: row.int64(5),
                    end: row.optionalInt(6).map(Int64.init), model: try words.optionalText(row, 7), usage: usage,
                    cost: row.optionalDouble(13), error: row.optionalText(14), externalID: row.text(15),
                    inputHead: row.optionalInt(16), records: RecordCoding.records(in: row.blob(17)),
                    missingParent: row.optionalText(18)))
        }
        return spans
    }

    func messages(
        of trace: Int64, from first: Int = 0, below end: Int = .max, count: Int = 0
    ) throws -> [MessageEntry] {
        let row = try Workspace.Statement(
            database,
            """
            SELECT ordinal, previous, span, role, time, marks, extent, source, offset, length, part, key
            FROM message WHERE trace = ? AND ordinal >= ? AND ordinal < ? ORDER BY ordinal
            """)
        row.bind(1, trace)
        row.bind(2, first)
        row.bind(3, end)
        defer { row.reset() }
        var messages: [MessageEntry] = []
        messages.reserveCapacity(count)
        while try row.step() {
            messages.append(
                MessageEntry(
                    ordinal: row.int(0), previous: row.optionalInt(1), span: row.optionalInt(2),
                    role: Role(rawValue: UInt8(truncatingIfNeeded: row.int(3))) ?? .user, time: row.int64(4),
                    extent: RecordCoding.extent(in: row.blob(6)),
                    marks: MessageEntry.Marks(rawValue: UInt8(truncatingIfNeeded: row.int(5))),
                    record: RecordReference(source: row.int64(7), offset: row.int(8), length: row.int(9)),
                    index: row.int(10), key: UInt64(bitPattern: row.int64(11))))
        }
        return messages
    }

    mutating func events(of trace: Int64, count: Int = 0) throws -> [TraceEvent] {
        let row = try Workspace.Statement(
            database,
            """
            SELECT ordinal, span, time, kind, name, source, offset, length
            FROM event WHERE trace = ? ORDER BY ordinal
            """)
        row.bind(1, trace)
        defer { row.reset() }
        var events: [TraceEvent] = []
        events.reserveCapacity(count)
        while try row.step() {
            events.append(
                TraceEvent(
                    ordinal: row.int(0), span: row.optionalInt(1), time: row.int64(2),
                    kind: TraceEvent.Kind(rawValue: UInt8(truncatingIfNeeded: row.int(3))) ?? .other,
                    name: try words.text(row.int64(4)),
                    record: RecordReference(source: row.int64(5), offset: row.int(6), length: row.int(7))))
        }
        return events
    }
}

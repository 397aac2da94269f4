internal import Configuration
import GRDB
import LanguageModels
import Workspace

/// Writes traces row by row; made once for a bulk transaction.
final class TraceRows {
    private let database: Database
    /// Custom project of every written run; `nil` leaves the recorded project.
    private let project: String?
    private(set) var words: WordWriter
    private let insertTrace: Workspace.Statement
    private let updateTrace: Workspace.Statement
    private let insertSpan: Workspace.Statement
    private let insertMessage: Workspace.Statement
    private let insertEvent: Workspace.Statement
    // An insertion that may replace looks for the row first: rows that are known to be new go without.
    private lazy var replaceSpan = Result { try Workspace.Statement(database, Self.spanRow("INSERT OR REPLACE")) }
    private lazy var replaceMessage = Result { try Workspace.Statement(database, Self.messageRow("INSERT OR REPLACE")) }
    private lazy var replaceEvent = Result { try Workspace.Statement(database, Self.eventRow("INSERT OR REPLACE")) }
    private let source: Workspace.Statement
    private var scratch: [UInt8] = []

    init(_ database: Database, project: String? = nil) throws {
        self.database = database
        self.project = project
        try Self.prepareForMany(database)
        words = try WordWriter(database)
        let columns = [
            "external_id", "format", "recorded_name", "start", "end", "spans", "model_calls", "tool_calls",
            "messages", "events", "errors", "input", "cache_read", "cache_write", "output", "reasoning", "cost",
            "unpriced", "model", "recorded_project", "message_rows", "origin", "custom_project",
        ]
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        insertTrace = try Workspace.Statement(
            database, "INSERT INTO trace (\(columns.joined(separator: ", "))) VALUES (\(places)) RETURNING id")
        // Importing more of a run keeps the custom name of its project.
        let settings = columns.map { $0 == "custom_project" ? "\($0) = coalesce(?, \($0))" : "\($0) = ?" }
            .joined(separator: ", ")
        updateTrace = try Workspace.Statement(
            database,
            """
            UPDATE trace SET \(settings), deleted_at = NULL, generation = generation + 1
            WHERE id = ?
            """)
        insertSpan = try Workspace.Statement(database, Self.spanRow("INSERT"))
        insertMessage = try Workspace.Statement(database, Self.messageRow("INSERT"))
        insertEvent = try Workspace.Statement(database, Self.eventRow("INSERT"))
        source = try Workspace.Statement(database, "INSERT OR IGNORE INTO trace_source VALUES (?, ?)")
    }

    /// Lists of very many runs have indexes of many pages, which a new run touches anywhere: more of them must fit into
    /// memory then. `Workspace.bulkWrite` takes the memory back when the transaction ends.
    private static func prepareForMany(_ database: Database) throws {
        let runs = try database.number("SELECT max(id) FROM trace") ?? 0
        if runs > 50_000 { try database.execute(sql: "PRAGMA cache_size = -131072") }
    }

    private static func spanRow(_ verb: String) -> String {
        "\(verb) INTO span VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
    }

    private static func messageRow(_ verb: String) -> String {
        "\(verb) INTO message VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)"
    }

    private static func eventRow(_ verb: String) -> String { "\(verb) INTO event VALUES (?,?,?,?,?,?,?,?,?)" }

    /// Forgets what a rollback made void.
    func forget() { words.forget() }

    func wordID(_ text: String) throws -> Int64 { try words.id(text) }

    /// Stores a trace, writing only the rows that differ from what is stored already.
    ///
    /// - Parameters:
    ///   - stored: The trace as the tables hold it; its id is kept.
    ///   - sources: The sources that it was read from just now.
    /// - Returns: The row of the trace.
    func write(_ trace: Trace, replacing stored: Trace?, sources: [Int64]) throws -> Int64 {
        let id: Int64
        if let stored {
            id = stored.summary.id
            try bind(trace, to: updateTrace)
            updateTrace.bind(24, id)
            try updateTrace.run()
            try forgetTexts(of: id, from: stored, to: trace)
            for (table, old, new) in [
                ("span", stored.spans.count, trace.spans.count),
                ("message", stored.messages.count, trace.messages.count),
                ("event", stored.events.count, trace.events.count),
            ] where old > new {
                try database.run(
                    "DELETE FROM \(table) WHERE trace = ? AND ordinal >= ?", .integer(id), .integer(Int64(new)))
            }
        } else {
            try bind(trace, to: insertTrace)
            id = try insertTrace.first { $0.int64(0) } ?? 0
        }
        if let stored {
            for (old, new) in zip(stored.spans, trace.spans) where old != new {
                try write(new, of: id, replaceSpan.get())
            }
            for (old, new) in zip(stored.messages, trace.messages) where old != new {
                try write(new, of: id, replaceMessage.get())
            }
            for (old, new) in zip(stored.events, trace.events) where old != new {
                try write(new, of: id, replaceEvent.get())
            }
        }
        for span in trace.spans.dropFirst(stored?.spans.count ?? 0) { try write(span, of: id, insertSpan) }
        for message in trace.messages.dropFirst(stored?.messages.count ?? 0) {
            try write(message, of: id, insertMessage)
        }
        for event in trace.events.dropFirst(stored?.events.count ?? 0) { try write(event, of: id, insertEvent) }
        for one in sources {
            source.bind(1, id)
            source.bind(2, one)
            try source.run()
        }
        return id
    }

    /// Removes outdated entries from the full-text index; new entries are recognized by their absence.
    private func forgetTexts(of id: Int64, from old: Trace, to new: Trace) throws {
        func firstChange<Row>(_ old: [Row], _ new: [Row], _ same: (Row, Row) -> Bool) -> Int {
            zip(old, new).enumerated().first { !same($1.0, $1.1) }?.offset ?? min(old.count, new.count)
        }
        let messages = firstChange(old.messages, new.messages) { $0.record == $1.record && $0.index == $1.index }
        // A span is indexed if no message has its texts; with fewer messages, the set may differ.
        let spans =
            messages < old.messages.count ? 0 : firstChange(old.spans, new.spans) { $0.records == $1.records }
        for (column, holds, first) in [("indexed_messages", Int64(0), messages), ("indexed_spans", 1, spans)]
        where first < (holds == 0 ? old.messages.count : old.spans.count) {
            try database.run(
                "DELETE FROM text_document WHERE trace = ? AND holds = ? AND end > ?", .integer(id), .integer(holds),
                .integer(Int64(first)))
            let left = "(SELECT ifnull(max(end), 0) FROM text_document WHERE trace = ?1 AND holds = \(holds))"
            try database.run("UPDATE trace SET \(column) = \(left) WHERE id = ?1", .integer(id))
        }
    }

    private func bind(_ trace: Trace, to statement: Workspace.Statement) throws {
        let summary = trace.summary
        statement.bind(1, summary.externalID)
        statement.bind(2, try words.id(summary.format))
        statement.bind(3, summary.name)
        statement.bind(4, summary.start)
        statement.bind(5, summary.end)
        statement.bind(6, summary.spans)
        statement.bind(7, summary.modelCalls)
        statement.bind(8, summary.toolCalls)
        statement.bind(9, summary.messages)
        statement.bind(10, summary.events)
        statement.bind(11, summary.errors)
        statement.bind(12, summary.usage.input)
        statement.bind(13, summary.usage.cacheRead)
        statement.bind(14, summary.usage.cacheWrite)
        statement.bind(15, summary.usage.output)
        statement.bind(16, summary.usage.reasoning)
        statement.bind(17, summary.cost)
        statement.bind(18, summary.unpriced)
        statement.bind(19, try words.id(summary.model))
        statement.bind(20, try words.id(summary.project))
        statement.bind(21, trace.messages.count)
        statement.bind(22, Int(summary.origin.rawValue))
        statement.bind(23, try words.id(project))
    }

    private func write(_ one: Span, of trace: Int64, _ row: Workspace.Statement) throws {
        row.bind(1, trace)
        row.bind(2, one.ordinal)
        row.bind(3, one.parent)
        row.bind(4, Int(one.kind.rawValue))
        row.bind(5, Int(one.status.rawValue))
        row.bind(6, try words.id(one.name))
        row.bind(7, one.start)
        row.bind(8, one.end)
        row.bind(9, try words.id(one.model))
        let usage = one.usage
        row.bind(10, usage?.input)
        row.bind(11, usage?.cacheRead)
        row.bind(12, usage?.cacheWrite)
        row.bind(13, usage?.output)
        row.bind(14, usage?.reasoning)
        row.bind(15, one.cost)
        row.bind(16, one.error)
        row.bind(17, one.externalID)
        row.bind(18, one.inputHead)
        scratch.removeAll(keepingCapacity: true)
        RecordCoding.encode(one.records, into: &scratch)
        scratch.withUnsafeBytes { row.bind(19, copying: $0) }
        row.bind(20, one.missingParent)
        row.bind(21, one.caption)
        try row.run()
    }

    private func write(_ one: MessageEntry, of trace: Int64, _ row: Workspace.Statement) throws {
        row.bind(1, trace)
        row.bind(2, one.ordinal)
        row.bind(3, one.previous)
        row.bind(4, one.span)
        row.bind(5, Int(one.role.rawValue))
        row.bind(6, one.time)
        row.bind(7, Int(one.marks.rawValue))
        scratch.removeAll(keepingCapacity: true)
        RecordCoding.encode(one.extent, into: &scratch)
        scratch.withUnsafeBytes { row.bind(8, copying: $0) }
        row.bind(9, one.record.source)
        row.bind(10, one.record.offset)
        row.bind(11, one.record.length)
        row.bind(12, one.index)
        row.bind(13, Int64(bitPattern: one.key))
        try row.run()
    }

    private func write(_ one: TraceEvent, of trace: Int64, _ row: Workspace.Statement) throws {
        row.bind(1, trace)
        row.bind(2, one.ordinal)
        row.bind(3, one.span)
        row.bind(4, one.time)
        row.bind(5, Int(one.kind.rawValue))
        row.bind(6, try words.id(one.name))
        row.bind(7, one.record.source)
        row.bind(8, one.record.offset)
        row.bind(9, one.record.length)
        try row.run()
    }
}

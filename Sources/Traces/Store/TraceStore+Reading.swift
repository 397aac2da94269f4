import JSON
public import LanguageModels
import Workspace

extension TraceStore {
    /// Returns a whole run without its texts; `nil` if it no longer exists.
    ///
    /// Takes about 1 µs per span: for very large runs, load spans first and the rest later.
    public func trace(_ id: Int64) throws -> Trace? {
        try reading { reader in try reader.trace(id: id) }
    }

    /// The spans of a run, by ordinal.
    public func spans(of trace: Int64) throws -> [Span] {
        try reading { reader in try reader.spans(of: trace) }
    }

    /// The messages of a run, by ordinal.
    public func messages(of trace: Int64) throws -> [MessageEntry] {
        try reading { reader in try reader.messages(of: trace) }
    }

    /// The events of a run, by ordinal.
    public func events(of trace: Int64) throws -> [TraceEvent] {
        try reading { reader in try reader.events(of: trace) }
    }

    /// Returns the text of a message; `nil` if its record cannot be read.
    public func message(_ entry: MessageEntry) throws -> Message? {
        try messages([entry])[0]
    }

    /// The texts of messages, in their order; each block is decompressed and each record parsed once where entries of
    /// the same record follow each other.
    public func messages(_ entries: some Collection<MessageEntry>) throws -> [Message?] {
        try workspace.read { db in
            let reader = try RecordReader(db, cache: blocks)
            return try entries.map { entry in try reader.message(entry) }
        }
    }

    /// What a span's records say beyond its columns.
    public func details(of span: Span) throws -> SpanDetails {
        try workspace.read { db in
            let reader = try RecordReader(db, cache: blocks)
            return try reader.details(of: span)
        }
    }

    /// Returns the documents that a search or reranker recorded; `nil` if it recorded none.
    public func retrieval(of span: Span) throws -> RecordedRetrieval? {
        try workspace.read { db in
            let reader = try RecordReader(db, cache: blocks)
            return try reader.retrieval(of: span)
        }
    }

    /// One line that says what an event was.
    public func sentence(of event: TraceEvent) throws -> String {
        try workspace.read { db in
            let reader = try RecordReader(db, cache: blocks)
            return try reader.sentence(of: event)
        }
    }

    /// The bytes of a record as they were imported.
    public func raw(_ record: RecordReference) throws -> [UInt8] {
        try workspace.read { db in try SourceReader(db, cache: blocks).bytes(record) }
    }

    /// Returns the path of a source's file at import; `nil` if the source no longer exists.
    public func path(ofSource source: Int64) throws -> String? {
        try workspace.read { db in
            let row = try Workspace.Statement(db, "SELECT path FROM source WHERE id = ?")
            row.bind(1, source)
            return try row.first { $0.text(0) }
        }
    }

    private func reading<Result>(_ body: (inout TraceRowReader) throws -> Result) throws -> Result {
        try workspace.read { db in
            var reader = try TraceRowReader(db, words: words.all)
            let result = try body(&reader)
            words.keep(reader.words)
            return result
        }
    }
}

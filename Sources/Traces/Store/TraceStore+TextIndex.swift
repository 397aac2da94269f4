internal import Configuration
import GRDB
public import JSON
import LanguageModels
internal import System
public import Workspace

/// What building the full-text index came to.
public struct TextIndexReport: Hashable, Sendable {
    /// Messages and spans that were looked at.
    public var items = 0
    public var documents = 0
    /// Bytes of text that were indexed, after unescaping.
    public var textBytes = 0
    /// Bytes of the records they were read from.
    public var recordBytes = 0
    public var seconds = 0.0

    public init() {}

    /// Megabytes of text a second.
    public var rate: Double { seconds > 0 ? Double(textBytes) / 1e6 / seconds : 0 }
}

extension TextIndexReport: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("items", items)
            json.member("documents", documents)
            json.member("text_bytes", textBytes)
            json.member("record_bytes", recordBytes)
            json.member("seconds", seconds)
            json.member("index_mb_per_s", rate)
            json.member("source_mb_per_s", seconds > 0 ? Double(recordBytes) / 1e6 / seconds : 0)
        }
    }
}

extension TraceStore {
    /// The kind of the job that builds the full-text index.
    public static let textIndexJob = "traces.index"

    /// How many messages and spans the full-text index does not have yet; searches read those.
    public func textsWithoutIndex() throws -> Int {
        try workspace.read { db in
            let sum = "ifnull(sum(message_rows - indexed_messages + spans - indexed_spans), 0)"
            return Int(try db.number("SELECT \(sum) FROM trace WHERE \(Self.isBehind)") ?? 0)
        }
    }

    /// What makes a run one that the index does not have as a whole: the condition of a partial index, word for word.
    static let isBehind = "(indexed_messages < message_rows OR indexed_spans < spans)"

    /// Brings the full-text index up to date, newest runs first.
    ///
    /// Each step takes about a second and is kept with the place it came to: after an end of any kind the next call
    /// goes on there.
    ///
    /// - Parameter job: Gets the messages and spans that are done, and ends the work when it is canceled.
    /// - Throws: `CancellationError`, `WorkspaceError`.
    @discardableResult
    public func indexText(job: JobHandle? = nil) throws -> TextIndexReport {
        var report = TextIndexReport()
        let begun = Clock.now(.monotonic)
        try dropDeadDocuments()
        let total = try textsWithoutIndex()
        try job?.advance(by: 0, of: Int64(total), unit: "texts")
        let indexer = TextIndexer()
        while true {
            let before = report.items
            let more = try workspace.bulkWrite { db in
                try indexer.step(db, &report, isCancelled: { job?.isCancelled ?? false })
            }
            report.seconds = Clock.now(.monotonic) - begun
            try job?.advance(by: Int64(report.items - before))
            if !more { return report }
        }
    }

    /// Rebuilds the index if most of it covers deleted messages.
    private func dropDeadDocuments() throws {
        let isMostlyDead = try workspace.read { db in
            let given = try db.number("SELECT seq FROM sqlite_sequence WHERE name = 'text_document'") ?? 0
            let alive = try db.number("SELECT count(*) FROM text_document") ?? 0
            return given > 2 * alive + 1_000
        }
        guard isMostlyDead else { return }
        try workspace.bulkWrite { db in
            try db.run("INSERT INTO text_index (text_index) VALUES ('delete-all')")
            try db.run("DELETE FROM text_document")
            try db.run("DELETE FROM sqlite_sequence WHERE name = 'text_document'")
            try db.run(
                """
                UPDATE trace SET indexed_messages = 0, indexed_spans = 0
                WHERE indexed_messages > 0 OR indexed_spans > 0
                """)
        }
    }
}

/// Indexes texts, a second's worth to a transaction.
private final class TextIndexer {
    private var trigrams = Trigrams()
    private var words: [UInt8] = []
    private var text: [UInt8] = []
    /// Bytes of text in the document so far, and up to the last piece that was closed.
    private var bytes = 0
    private var closedBytes = 0
    private var pieces: [TextPiece] = []
    private let cache = BlockCache(limit: 4 << 20)

    /// Text of one document, in bytes: neighboring messages and small runs share one, since they share words and blocks.
    private static let documentBytes = 64 << 10
    private static let stepSeconds = 1.0

    /// - Returns: Whether there is more to do.
    func step(_ db: Database, _ report: inout TextIndexReport, isCancelled: () -> Bool) throws -> Bool {
        let end = Clock.now(.monotonic) + Self.stepSeconds
        // Words wait in memory until a segment is worth writing.
        try db.run("INSERT INTO text_index (text_index, rank) VALUES ('hashsize', 33554432)")
        try db.run("INSERT INTO text_index (text_index, rank) VALUES ('automerge', 8)")
        let next = try Workspace.Statement(
            db,
            """
            SELECT id, indexed_messages, message_rows, indexed_spans, spans FROM trace
            WHERE \(TraceStore.isBehind) AND deleted_at IS NULL ORDER BY id DESC LIMIT 1
            """)
        let writer = try DocumentWriter(db)
        let walker = try TextWalker(db, cache: cache)
        var isOver = false
        while !isOver {
            let found = try next.first { row in
                row.int(1) < row.int(2)
                    ? TextPiece(trace: row.int64(0), start: 0, holding: .messages, first: row.int(1), end: row.int(2))
                    : TextPiece(trace: row.int64(0), start: 0, holding: .spans, first: row.int(3), end: row.int(4))
            }
            guard let piece = found else {
                try finish(writer, &report)
                return false
            }
            var part = piece
            try walker.walk(piece) { ordinal, item in
                if let item { add(item, &report) }
                if bytes < Self.documentBytes { return true }
                part.end = ordinal + 1
                try close(part, writer, &report)
                try finish(writer, &report)
                part.first = ordinal + 1
                isOver = Clock.now(.monotonic) > end || isCancelled()
                return !isOver
            }
            if !isOver {
                // The part also passes counted but missing rows, so that they are not requested again.
                part.end = piece.end
                try close(part, writer, &report)
                isOver = Clock.now(.monotonic) > end || isCancelled()
            }
        }
        try finish(writer, &report)
        return true
    }

    private func add(_ item: TextItem, _ report: inout TextIndexReport) {
        report.recordBytes += item.recordBytes
        for piece in item.texts {
            text.removeAll(keepingCapacity: true)
            text.append(contentsOf: piece.utf8)
            bytes += text.count
            report.textBytes += text.count
            text.withUnsafeMutableBufferPointer { trigrams.add($0) }
        }
    }

    /// Ends what a piece adds to the document.
    private func close(_ piece: TextPiece, _ writer: DocumentWriter, _ report: inout TextIndexReport) throws {
        if bytes > closedBytes { pieces.append(piece) }
        closedBytes = bytes
        report.items += piece.end - piece.first
        try writer.note(piece)
    }

    /// Writes the document, if there is anything in it.
    private func finish(_ writer: DocumentWriter, _ report: inout TextIndexReport) throws {
        if !pieces.isEmpty {
            trigrams.takeWords(into: &words)
            try writer.write(pieces, words)
            report.documents += 1
        }
        pieces.removeAll(keepingCapacity: true)
        bytes = 0
        closedBytes = 0
    }
}

/// Writes rows of the index, and how far it is.
private final class DocumentWriter {
    private let database: Database
    private let document: Workspace.Statement
    private let posting: Workspace.Statement
    private let messagesDone: Workspace.Statement
    private let spansDone: Workspace.Statement

    init(_ database: Database) throws {
        self.database = database
        document = try Workspace.Statement(
            database,
            "INSERT INTO text_document (posting, trace, holds, first, end) VALUES (?, ?, ?, ?, ?) RETURNING id")
        posting = try Workspace.Statement(database, "INSERT INTO text_index (rowid, trigrams) VALUES (?, ?)")
        messagesDone = try Workspace.Statement(database, "UPDATE trace SET indexed_messages = ? WHERE id = ?")
        spansDone = try Workspace.Statement(database, "UPDATE trace SET indexed_spans = ? WHERE id = ?")
    }

    /// A document has the number of its first piece.
    func write(_ pieces: [TextPiece], _ words: [UInt8]) throws {
        var number: Int64 = 0
        for piece in pieces {
            document.bind(1, number)
            document.bind(2, piece.trace)
            document.bind(3, piece.holding.rawValue)
            document.bind(4, piece.first)
            document.bind(5, piece.end)
            let id = try document.first { $0.int64(0) } ?? 0
            if number == 0 {
                number = id
                try database.run("UPDATE text_document SET posting = id WHERE id = ?", .integer(id))
            }
        }
        posting.bind(1, number)
        posting.bind(2, utf8: words)
        try posting.run()
    }

    /// Notes that a run is indexed up to the end of a piece.
    func note(_ piece: TextPiece) throws {
        let done = piece.holding == .messages ? messagesDone : spansDone
        done.bind(1, piece.end)
        done.bind(2, piece.trace)
        try done.run()
    }
}

import GRDB
public import JSON
import LanguageModels
public import Workspace

/// What building the full-text index came to.
public struct TextIndexReport: Hashable, Sendable {
    public var messages = 0
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
            json.member("messages", messages)
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

    /// How many messages the full-text index does not have yet; searches read those.
    public func messagesWithoutIndex() throws -> Int {
        try workspace.read { db in
            Int(try db.number("SELECT ifnull(sum(message_rows - indexed), 0) FROM trace WHERE indexed < message_rows") ?? 0)
        }
    }

    /// Brings the full-text index up to date, newest runs first.
    ///
    /// Each step takes about a second and is kept with the place it came to: after an end of any kind the next call goes
    /// on there.
    ///
    /// - Parameter job: gets the messages that are done, and ends the work when it is cancelled.
    /// - Throws: `CancellationError`, `WorkspaceError`.
    @discardableResult
    public func indexText(job: JobHandle? = nil) throws -> TextIndexReport {
        var report = TextIndexReport()
        let begun = monotonicSeconds()
        try dropDeadDocuments()
        let total = try messagesWithoutIndex()
        try job?.advance(by: 0, of: Int64(total), unit: "messages")
        let indexer = TextIndexer()
        while true {
            let before = report.messages
            let more = try workspace.bulkWrite { db in try indexer.step(db, &report, isCancelled: { job?.isCancelled ?? false }) }
            report.seconds = monotonicSeconds() - begun
            try job?.advance(by: Int64(report.messages - before))
            if !more { return report }
        }
    }

    /// Starts the index anew where most of it stands for messages that are gone.
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
            try db.run("UPDATE trace SET indexed = 0 WHERE indexed > 0")
        }
    }
}

/// Indexes messages, a second's worth to a transaction.
private final class TextIndexer {
    private var trigrams = Trigrams()
    private var words: [UInt8] = []
    private var text: [UInt8] = []
    private let cache = BlockCache(limit: 4 << 20)

    /// Text of one document, in bytes: neighboring messages share one, since they share words and blocks.
    private static let documentBytes = 64 << 10
    private static let stepSeconds = 1.0

    /// - Returns: whether there is more to do.
    func step(_ db: Database, _ report: inout TextIndexReport, isCancelled: () -> Bool) throws -> Bool {
        let end = monotonicSeconds() + Self.stepSeconds
        // Words wait in memory until a segment is worth writing.
        try db.run("INSERT INTO text_index (text_index, rank) VALUES ('hashsize', 33554432)")
        try db.run("INSERT INTO text_index (text_index, rank) VALUES ('automerge', 8)")
        let next = try Statement(
            db,
            "SELECT id, indexed FROM trace WHERE indexed < message_rows AND deleted_at IS NULL ORDER BY id DESC LIMIT 1")
        let progress = try Statement(db, "UPDATE trace SET indexed = ? WHERE id = ?")
        let document = try Statement(
            db, "INSERT INTO text_document (trace, first, count) VALUES (?, ?, ?) RETURNING id")
        let posting = try Statement(db, "INSERT INTO text_index (rowid, trigrams) VALUES (?, ?)")
        let rows = try TraceRowReader(db)
        let records = try RecordReader(db, cache: cache)
        while let (trace, indexed) = try next.first({ ($0.int64(0), $0.int(1)) }) {
            let messages = try rows.messages(of: trace, from: indexed)
            var first = 0
            while first < messages.count {
                var last = first
                var bytes = 0
                while last < messages.count, last == first || bytes + messages[last].extent.total <= Self.documentBytes {
                    bytes += messages[last].extent.total
                    try add(messages[last], records, &report)
                    last += 1
                }
                trigrams.takeWords(into: &words)
                document.bind(1, trace)
                document.bind(2, messages[first].ordinal)
                document.bind(3, last - first)
                let id = try document.first { $0.int64(0) } ?? 0
                posting.bind(1, id)
                posting.bind(2, utf8: words)
                try posting.run()
                report.documents += 1
                first = last
                if first < messages.count, monotonicSeconds() > end || isCancelled() { break }
            }
            progress.bind(1, first < messages.count ? messages[first].ordinal : indexed + messages.count)
            progress.bind(2, trace)
            try progress.run()
            if messages.isEmpty {
                // Rows that are counted and not there: nothing to index, and no reason to ask again.
                try db.run("UPDATE trace SET indexed = message_rows WHERE id = ?", .integer(trace))
            }
            if monotonicSeconds() > end || isCancelled() { return true }
        }
        return false
    }

    private func add(_ entry: MessageEntry, _ records: RecordReader, _ report: inout TextIndexReport) throws {
        report.messages += 1
        report.recordBytes += entry.record.length
        guard let message = try records.message(entry) else { return }
        for piece in message.searchableTexts {
            text.removeAll(keepingCapacity: true)
            text.append(contentsOf: piece.utf8)
            report.textBytes += text.count
            text.withUnsafeMutableBufferPointer { trigrams.add($0) }
        }
    }
}

extension MessageEntry.Extent {
    /// Bytes of text of every kind.
    var total: Int { text + reasoning + toolCalls + toolResults + toolDefinitions }
}

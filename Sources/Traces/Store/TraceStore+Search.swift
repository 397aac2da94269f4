import GRDB
import LanguageModels
public import Workspace

/// A message that holds a text.
public struct SearchHit: Hashable, Sendable {
    public var trace: Int64
    /// The message's ordinal.
    public var message: Int
    /// The span that the message belongs to.
    public var span: Int?
    /// The line around the first place in the message, white space made single.
    public var snippet: String
    /// The characters of the snippet that are the text.
    public var match: Range<Int>
}

/// What a search found.
public struct SearchResult: Hashable, Sendable {
    /// The last started run first, its messages in order.
    public var hits: [SearchHit] = []
    /// Whether messages that the index does not have were read one by one: because it is not up to date, or the text
    /// has fewer than three bytes.
    public var scanned = false
    /// Whether there are more hits than were asked for.
    public var partial = false
}

extension TraceStore {
    /// Finds a text in messages: what was said and thought, arguments and results of tools.
    ///
    /// The text is looked for as it stands, spaces included, anywhere in a part of a message; case does not matter
    /// (see `Folding`). The index and reading everything give the same hits: the index only names candidates, which are
    /// read and compared.
    ///
    /// - Parameter trace: the run to look in; nil for all that are not deleted.
    public func search(
        _ text: String, in trace: Int64? = nil, limit: Int = 100, until cancellation: Cancellation? = nil
    ) throws -> SearchResult {
        var result = SearchResult()
        result.scanned = try eachHit(text, in: trace, until: cancellation) { entry, trace, found in
            if result.hits.count >= limit {
                result.partial = true
                return false
            }
            let (snippet, match) = Snippet.around(found.place, length: found.length, of: found.text)
            result.hits.append(
                SearchHit(trace: trace, message: entry.ordinal, span: entry.span, snippet: snippet, match: match))
            return true
        }
        return result
    }

    /// The ordinals of the spans of a run one of whose messages holds a text: what `Filter.matching` asks for.
    public func spans(with text: String, in trace: Int64, until cancellation: Cancellation? = nil) throws -> Set<Int> {
        var spans: Set<Int> = []
        _ = try eachHit(text, in: trace, until: cancellation) { entry, _, _ in
            if let span = entry.span { spans.insert(span) }
            return true
        }
        return spans
    }

    /// Where the texts of a filter stand, for its SQL.
    func places(of filter: Filter, until cancellation: Cancellation?) throws -> [String: FilterTextPlaces] {
        var places: [String: FilterTextPlaces] = [:]
        for text in filter.texts {
            var traces: [Int64] = []
            var spans: Set<[Int64]> = []
            _ = try eachHit(text, in: nil, until: cancellation) { entry, trace, _ in
                if traces.last != trace { traces.append(trace) }
                if let span = entry.span { spans.insert([trace, Int64(span)]) }
                return true
            }
            let pairs = spans.map { "[\($0[0]),\($0[1])]" }.joined(separator: ",")
            places[text] = FilterTextPlaces(
                traces: "[" + traces.map(String.init).joined(separator: ",") + "]", spans: "[\(pairs)]")
        }
        return places
    }

    private struct Found {
        var text: String
        /// Bytes before the match.
        var place: Int
        var length: Int
    }

    /// Calls `body` with each message that holds a text, once, in order, until it says no.
    ///
    /// - Returns: whether messages outside the index were read.
    private func eachHit(
        _ text: String, in trace: Int64?, until cancellation: Cancellation?,
        _ body: (MessageEntry, Int64, Found) throws -> Bool
    ) throws -> Bool {
        let needle = Folding.folded(text)
        if needle.isEmpty { return false }
        return try read(until: cancellation) { db in
            let work = try SearchWork(db, needle: needle, in: trace)
            let rows = try TraceRowReader(db)
            let records = try RecordReader(db, cache: blocks)
            for piece in work.pieces {
                for entry in try rows.messages(of: piece.trace, from: piece.first, below: piece.end) {
                    try cancellation?.check()
                    guard let message = try records.message(entry) else { continue }
                    for text in message.searchableTexts {
                        guard let place = Folding.place(of: needle, in: text) else { continue }
                        let found = Found(text: text, place: place, length: needle.count)
                        guard try body(entry, piece.trace, found) else { return work.scans }
                        break
                    }
                }
            }
            return work.scans
        }
    }
}

/// Which messages a search has to read: candidates of the index, and what the index does not have.
private struct SearchWork {
    struct Piece {
        var trace: Int64
        var start: Int64
        var first: Int
        var end: Int
    }

    private(set) var pieces: [Piece] = []
    private(set) var scans = false

    init(_ db: Database, needle: [UInt8], in trace: Int64?) throws {
        let only = trace.map { "t.id = \($0)" } ?? "t.deleted_at IS NULL"
        let query = Trigrams.query(needle)
        if let query {
            let candidates = try Statement(
                db,
                """
                SELECT t.id, t.start, d.first, d.first + d.count
                FROM text_index i CROSS JOIN text_document d ON d.id = i.rowid CROSS JOIN trace t ON t.id = d.trace
                WHERE text_index MATCH ? AND \(only)
                """)
            candidates.bind(1, query)
            try candidates.forEach { add($0) }
        }
        let scan = try Statement(
            db,
            query == nil
                ? "SELECT t.id, t.start, 0, t.message_rows FROM trace t WHERE t.message_rows > 0 AND \(only)"
                : """
                SELECT t.id, t.start, t.indexed, t.message_rows FROM trace t
                WHERE t.indexed < t.message_rows AND \(only)
                """)
        try scan.forEach {
            scans = true
            add($0)
        }
        pieces.sort { ($1.start, $1.trace, $0.first) < ($0.start, $0.trace, $1.first) }
    }

    private mutating func add(_ row: Statement) {
        pieces.append(Piece(trace: row.int64(0), start: row.int64(1), first: row.int(2), end: row.int(3)))
    }
}

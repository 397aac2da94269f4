import GRDB
import LanguageModels
public import Workspace

/// A message, or a span that no message belongs to, that holds a text.
public struct SearchHit: Hashable, Sendable {
    public var trace: Int64
    /// Ordinal of the message; `nil` if the text is in the span itself.
    public var message: Int?
    /// The span, or the span that the message belongs to.
    public var span: Int?
    /// The line around the first place in the message, white space made single.
    public var snippet: String
    /// The characters of the snippet that are the text.
    public var match: Range<Int>
}

/// What a search found.
public struct SearchResult: Hashable, Sendable {
    /// The last started run first, its messages in order, then its spans.
    public var hits: [SearchHit] = []
    /// Whether texts that the index does not have were read one by one: because it is not up to date, or the text
    /// has fewer than three bytes.
    public var scanned = false
    /// Whether there are more hits than were asked for.
    public var partial = false
}

extension TraceStore {
    /// Finds a text in what was said and thought, in arguments and results of tools.
    ///
    /// The text is looked for as it stands, spaces included, anywhere in a part of a message; case does not matter
    /// (see `Folding`). The index and reading everything give the same hits: the index only names candidates, which are
    /// read and compared.
    ///
    /// - Parameter trace: The run to look in; `nil` for all that are not deleted.
    public func search(
        _ text: String, in trace: Int64? = nil, limit: Int = 100, until cancellation: Cancellation? = nil
    ) throws -> SearchResult {
        var result = SearchResult()
        result.scanned = try eachHit(text, in: trace, until: cancellation) { item, trace, found in
            if result.hits.count >= limit {
                result.partial = true
                return false
            }
            let (snippet, match) = Snippet.around(found.place, length: found.length, of: found.text)
            result.hits.append(
                SearchHit(trace: trace, message: item.message, span: item.span, snippet: snippet, match: match))
            return true
        }
        return result
    }

    /// The ordinals of the spans of a run that hold a text, in one of their messages or themselves: what
    /// `Filter.matching` asks for.
    public func spans(with text: String, in trace: Int64, until cancellation: Cancellation? = nil) throws -> Set<Int> {
        var spans: Set<Int> = []
        _ = try eachHit(text, in: trace, until: cancellation) { item, _, _ in
            if let span = item.span { spans.insert(span) }
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
            _ = try eachHit(text, in: nil, until: cancellation) { item, trace, _ in
                if traces.last != trace { traces.append(trace) }
                if let span = item.span { spans.insert([trace, Int64(span)]) }
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

    /// Calls `body` with each item that holds a text, once, in order, until it says no.
    ///
    /// - Returns: Whether texts outside the index were read.
    private func eachHit(
        _ text: String, in trace: Int64?, until cancellation: Cancellation?,
        _ body: (TextItem, Int64, Found) throws -> Bool
    ) throws -> Bool {
        let needle = Folding.folded(text)
        if needle.isEmpty { return false }
        return try read(until: cancellation) { db in
            let work = try SearchWork(db, needle: needle, in: trace)
            let walker = try TextWalker(db, cache: blocks)
            var goesOn = true
            for piece in work.pieces where goesOn {
                try walker.walk(piece) { _, item in
                    try cancellation?.check()
                    guard let item else { return true }
                    for text in item.texts {
                        guard let place = Folding.place(of: needle, in: text) else { continue }
                        let found = Found(text: text, place: place, length: needle.count)
                        goesOn = try body(item, piece.trace, found)
                        break
                    }
                    return goesOn
                }
            }
            return work.scans
        }
    }
}

extension TraceStore {
    /// The spans of a run that match a filter, in order of appearance.
    public func spans(matching filter: Filter, in trace: Trace, until cancellation: Cancellation? = nil) throws -> [Int]
    {
        var failure: (any Error)?
        let isMatch = filter.matching(trace.spans, of: trace.summary) { text in
            do {
                return try spans(with: text, in: trace.summary.id, until: cancellation)
            } catch {
                failure = error
                return []
            }
        }
        if let failure { throw failure }
        return isMatch.indices.filter { isMatch[$0] }
    }
}

/// What a search has to read: candidates of the index, and what the index does not have.
private struct SearchWork {
    private(set) var pieces: [TextPiece] = []
    private(set) var scans = false

    init(_ db: Database, needle: [UInt8], in trace: Int64?) throws {
        let only = trace.map { "t.id = \($0)" } ?? "t.deleted_at IS NULL"
        let query = Trigrams.query(needle)
        if let query {
            let candidates = try Workspace.Statement(
                db,
                """
                SELECT t.id, t.start, d.holds, d.first, d.end
                FROM text_index i CROSS JOIN text_document d ON d.posting = i.rowid CROSS JOIN trace t ON t.id = d.trace
                WHERE text_index MATCH ? AND \(only)
                """)
            candidates.bind(1, query)
            try candidates.forEach { add($0) }
        }
        let behind = query == nil ? "" : " AND \(TraceStore.isBehind)"
        let (messages, spans) = query == nil ? ("0", "0") : ("t.indexed_messages", "t.indexed_spans")
        let scan = try Workspace.Statement(
            db,
            """
            SELECT t.id, t.start, 0, \(messages), t.message_rows FROM trace t WHERE \(only)\(behind)
            UNION ALL SELECT t.id, t.start, 1, \(spans), t.spans FROM trace t WHERE \(only)\(behind)
            """)
        try scan.forEach { row in
            guard row.int(3) < row.int(4) else { return }
            scans = true
            add(row)
        }
        pieces.sort {
            ($1.start, $1.trace, $0.holding.rawValue, $0.first) < ($0.start, $0.trace, $1.holding.rawValue, $1.first)
        }
    }

    private mutating func add(_ row: Workspace.Statement) {
        pieces.append(
            TextPiece(
                trace: row.int64(0), start: row.int64(1), holding: row.int(2) == 0 ? .messages : .spans,
                first: row.int(3), end: row.int(4)))
    }
}

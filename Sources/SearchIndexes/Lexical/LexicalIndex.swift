internal import Synchronization

/// An inverted index over texts, ranked by BM25.
///
/// Documents have labels of the owner, such as row numbers, and one text per field. What is added becomes a segment
/// that never changes; removed documents are marked; segments of about the same size are merged when they are many.
/// Searching works on the segments of the last ``commit()``, concurrently with adding and on any thread.
///
/// ```swift
/// let index = try LexicalIndex()
/// try index.add(1, "The orrery turns slowly")
/// try index.add(2, "Planets of the orrery")
/// try index.commit()
/// let best = try index.search("orrery planets", k: 10)        // 2, then 1
/// ```
public final class LexicalIndex: Sendable {
    public let settings: LexicalSettings
    let writing: Mutex<LexicalWriting>
    private let current: Mutex<LexicalSnapshot>
    private let sessions = Mutex<[IdleSession]>([])

    /// An unused session: it moves from one thread to another and is never shared.
    private struct IdleSession: @unchecked Sendable {
        let session: SearchSession
    }

    /// An empty index.
    public init(_ settings: LexicalSettings = LexicalSettings()) throws(SegmentError) {
        try settings.check()
        self.settings = settings
        writing = Mutex(LexicalWriting(settings))
        current = Mutex(LexicalSnapshot(number: 0, settings: settings, segments: []))
    }

    init(_ settings: LexicalSettings, _ live: [LiveSegment], nextNumber: Int) {
        self.settings = settings
        writing = Mutex(LexicalWriting(settings, live, nextNumber: nextNumber))
        current = Mutex(LexicalSnapshot(number: 0, settings: settings, segments: live))
    }

    var snapshot: LexicalSnapshot { current.withLock { $0 } }

    /// Documents that searches can find.
    public var documentCount: Int { snapshot.documents }
    /// Mean number of terms by field.
    public var averageLengths: [Double] { snapshot.averageLengths }
    /// Segments that searches look into.
    public var segmentCount: Int { snapshot.segments.count }

    /// Memory of what was added and is not saved yet. Save when it is more than the settings' budget.
    public var pendingBytes: Int { writing.withLock { $0.pendingBytes } }

    /// Whether there is such a document, committed or not.
    public func contains(_ label: Int64) -> Bool { writing.withLock { $0.contains(label) } }

    /// Adds a document, or replaces the document with that label.
    ///
    /// - Parameters:
    ///   - label: Label of the document, 0 or more.
    ///   - texts: One text per field, in the order of the settings.
    public func add(_ label: Int64, texts: [String]) throws(SegmentError) {
        guard label >= 0, texts.count == settings.fields.count else {
            throw SegmentError(
                "lexical index",
                problem: "document \(label) has \(texts.count) texts for \(settings.fields.count) fields",
                remedy: label < 0 ? "Labels must not be negative." : "Pass one text per field.")
        }
        try writing.withLock { (state) throws(SegmentError) in try state.add(label, texts) }
    }

    public func add(_ label: Int64, _ texts: String...) throws(SegmentError) { try add(label, texts: texts) }

    /// Takes a document away; one that is not there is no error.
    public func remove(_ label: Int64) throws(SegmentError) {
        writing.withLock { $0.remove(label) }
    }

    /// Makes what was added and removed visible to searches.
    public func commit() throws(SegmentError) {
        try writing.withLock { (state) throws(SegmentError) in try state.commit() }
        publish()
    }

    /// Lets searches see the segments as they are.
    func publish() {
        let (live, number) = writing.withLock { ($0.live, $0.snapshotNumber) }
        // Statistics are made outside of the lock that adding needs.
        guard snapshot.number < number else { return }
        let next = LexicalSnapshot(number: number, settings: settings, segments: live)
        current.withLock { if $0.number < next.number { $0 = next } }
    }

    /// Returns the best documents, best first; documents with equal scores are in the order of their labels.
    public func search(
        _ query: LexicalQuery, k: Int, allowed: LabelFilter? = nil
    ) throws(SegmentError) -> [LexicalHit] {
        try withSession { (session) throws(SegmentError) in
            var top = TopHits(k)
            try session.search(try session.compile(query), allowed: allowed, into: &top)
            return top.sorted()
        }
    }

    /// Returns the best documents for what a user typed.
    ///
    /// - Parameter typing: Whether the last word may be unfinished.
    public func search(
        _ line: String, k: Int, typing: Bool = false, allowed: LabelFilter? = nil
    ) throws(SegmentError) -> [LexicalHit] {
        try search(
            LexicalQuery(parsing: line, fields: settings.fields.map(\.name), typing: typing), k: k, allowed: allowed)
    }

    /// Returns the best documents of each query.
    public func search(
        _ queries: [LexicalQuery], k: Int, allowed: LabelFilter? = nil
    ) throws(SegmentError) -> [[LexicalHit]] {
        try withSession { (session) throws(SegmentError) in
            var results: [[LexicalHit]] = []
            results.reserveCapacity(queries.count)
            for query in queries {
                var top = TopHits(k)
                try session.search(try session.compile(query), allowed: allowed, into: &top)
                results.append(top.sorted())
            }
            return results
        }
    }

    /// Lends a session over the current snapshot.
    func withSession<Result>(_ body: (SearchSession) throws(SegmentError) -> Result) throws(SegmentError) -> Result {
        let snapshot = snapshot
        let idle = sessions.withLock { $0.popLast() }
        var session = idle?.session
        if session?.snapshot !== snapshot || session?.isFull == true { session = SearchSession(snapshot) }
        let used = session!
        // A session that failed may have sums left: it does not come back.
        let result = try body(used)
        sessions.withLock { if $0.count < 8 { $0.append(IdleSession(session: used)) } }
        return result
    }
}

internal import GRDB
internal import SearchIndexes
internal import Workspace

/// Reads the segments of an index whenever they are needed, for as long as the index stays as it was.
///
/// An index that reads its segments lazily keeps one of these. What another process replaces meanwhile is an error that
/// says so; the search then opens the index again.
struct LiveSegments: SegmentStore, Sendable {
    let workspace: Workspace
    let index: Int64
    /// Seal of the state that was opened.
    let seal: UInt64
    fileprivate let rows: [SegmentKey: Int64]
    private let parts: [String: [SegmentKey]]

    init(_ workspace: Workspace, index: Int64) throws {
        self = try workspace.read { db in try LiveSegments(workspace, index: index, db) }
    }

    init(_ workspace: Workspace, index: Int64, _ db: Database) throws {
        let store = try WorkspaceSegments(db, index: index)
        self.workspace = workspace
        self.index = index
        seal = store.seal
        var rows: [SegmentKey: Int64] = [:]
        let row = try Workspace.Statement(db, "SELECT id, part, number FROM index_segment WHERE index_id = ?")
        row.bind(1, index)
        while try row.step() { rows[SegmentKey(row.text(1), row.int(2))] = row.int64(0) }
        self.rows = rows
        parts = Dictionary(grouping: rows.keys.sorted(), by: \.part)
    }

    var isEmpty: Bool { rows.isEmpty }

    func keys(of part: String) throws(SegmentError) -> [SegmentKey] {
        guard part == VamanaIndex.nodePart else { return parts[part] ?? [] }
        return try whole { store throws(SegmentError) in try store.keys(of: part) }
    }

    func withSegment<Result>(
        _ key: SegmentKey, _ body: (UnsafeRawBufferPointer) throws(SegmentError) -> Result
    ) throws(SegmentError) -> Result {
        try reading(key) { db in try lend(key, statement(for: key, db)) { try body($0) } }
    }

    mutating func put(_ key: SegmentKey, _ bytes: UnsafeRawBufferPointer) throws(SegmentError) {
        throw damage(key, "the segment is read-only")
    }

    mutating func remove(_ key: SegmentKey) throws(SegmentError) { throw damage(key, "the segment is read-only") }

    private func whole<Result>(
        _ body: (WorkspaceSegments) throws(SegmentError) -> Result
    ) throws(SegmentError) -> Result {
        try reading(nil) { db in try body(try WorkspaceSegments(db, index: index)) }
    }

    private func reading<Result>(
        _ key: SegmentKey?, _ body: (Database) throws -> Result
    ) throws(SegmentError) -> Result {
        do {
            return try workspace.read(body)
        } catch let error as WorkspaceError {
            throw SegmentError("index \(index)", problem: error.sentence, remedy: "")
        } catch {
            throw WorkspaceSegments.failure(error, index, key)
        }
    }
}

extension LiveSegments {
    /// The same within one transaction: for searches that read many segments one after the other.
    func bound(to db: Database) -> BoundSegments { BoundSegments(live: self, db: db) }

    func row(of key: SegmentKey) -> Int64? {
        key.part == VamanaIndex.nodePart ? index << 32 | Int64(key.number) : rows[key]
    }

    /// Lends the bytes of a row, after they were found to be those that were put.
    func lend<Result>(
        _ key: SegmentKey, _ statement: Workspace.Statement, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        guard let id = row(of: key) else { throw damage(key, "the segment is missing") }
        statement.bind(1, id)
        guard try statement.step() else { throw damage(key, "another process replaced the segment") }
        defer { statement.reset() }
        let bytes = statement.blob(1)
        var seed = WorkspaceSegments.seed(index, key.part, key.number)
        if key.part == VamanaIndex.nodePart {
            seed = WorkspaceSegments.seed(WorkspaceSegments.seed(index, key.part, 0), key.number)
        }
        guard XXH64.hash(bytes, seed: seed) == UInt64(bitPattern: statement.int64(0)) else {
            throw damage(key, "the segment is corrupt")
        }
        return try body(bytes)
    }

    func statement(for key: SegmentKey, _ db: Database) throws -> Workspace.Statement {
        let table = key.part == VamanaIndex.nodePart ? "index_node" : "index_segment"
        return try Workspace.Statement(db, "SELECT checksum, bytes FROM \(table) WHERE id = ?")
    }

    fileprivate func damage(_ key: SegmentKey, _ problem: String) -> SegmentError {
        SegmentError("index \(index), segment \(key)", problem: problem, remedy: "Open the corpus again.")
    }
}

/// Segments read within one transaction, with one statement for each table.
struct BoundSegments: SegmentStore {
    fileprivate let live: LiveSegments
    fileprivate let db: Database
    private let kept = Kept()

    fileprivate init(live: LiveSegments, db: Database) {
        self.live = live
        self.db = db
    }

    private final class Kept {
        var node: Workspace.Statement?
    }

    func keys(of part: String) throws(SegmentError) -> [SegmentKey] { try live.keys(of: part) }

    func withSegment<Result>(
        _ key: SegmentKey, _ body: (UnsafeRawBufferPointer) throws(SegmentError) -> Result
    ) throws(SegmentError) -> Result {
        do {
            if key.part == VamanaIndex.nodePart {
                let statement = try kept.node ?? live.statement(for: key, db)
                kept.node = nil
                defer { kept.node = statement }
                return try live.lend(key, statement) { try body($0) }
            }
            return try live.lend(key, try live.statement(for: key, db)) { try body($0) }
        } catch {
            throw WorkspaceSegments.failure(error, live.index, key)
        }
    }

    mutating func put(_ key: SegmentKey, _ bytes: UnsafeRawBufferPointer) throws(SegmentError) {
        throw live.damage(key, "the segment is read-only")
    }

    mutating func remove(_ key: SegmentKey) throws(SegmentError) { throw live.damage(key, "the segment is read-only") }
}

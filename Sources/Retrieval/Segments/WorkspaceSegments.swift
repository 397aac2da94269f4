public import GRDB
public import SearchIndexes
internal import Workspace

/// The segments of one index in a workspace file, for the time of one transaction.
///
/// ```swift
/// try workspace.write { db in
///     var store = try WorkspaceSegments(db, index: 3)
///     try index.save(to: &store)
/// }
/// let index = try workspace.read { db in try HNSWIndex(from: WorkspaceSegments(db, index: 3)) }
/// ```
///
/// Whatever is read was found to be what was put: each row has a checksum over its key and bytes, and what rows there
/// must be stands in a manifest, which is compared when a value of this type is made. Changes are there for others, all
/// at once, when the transaction ends.
///
/// Segments of the part ``VamanaIndex/nodePart`` are kept in a table of their own for reading one by one. They are not
/// compared with the manifest at the beginning, which would mean to read them all; ``IndexIntegrity`` does that.
public struct WorkspaceSegments: SegmentStore {
    /// The number of the index in the workspace: 1 to 2³⁰.
    public let index: Int64
    let db: Database
    private(set) var manifest: IndexManifest
    private var directory: [SegmentKey: Entry]
    private let statements: Statements
    private let nodeName: UInt64

    struct Entry {
        var row: Int64
        var checksum: UInt64
        var length: Int
    }

    /// Looks up the segments of an index; one that was never written has none.
    ///
    /// - Parameter seal: The ``seal`` that the index must have, where its owner kept it.
    /// - Throws: ``SegmentError`` where rows are missing, doubled, damaged or of another state.
    public init(_ db: Database, index: Int64, seal: UInt64? = nil) throws(SegmentError) {
        guard (1...1 << 30).contains(index) else {
            throw SegmentError("index \(index)", problem: "the index number is out of range", remedy: "Use 1 to 2^30.")
        }
        self.db = db
        self.index = index
        do {
            let found = try IndexManifest.read(index, db)
            manifest = found ?? IndexManifest()
            directory = try Self.directory(index, db)
            statements = Statements(db)
        } catch {
            throw Self.failure(error, index)
        }
        nodeName = Self.seed(index, VamanaIndex.nodePart, 0)
        let sum = directory.values.reduce(0) { $0 &+ $1.checksum }
        guard directory.count == manifest.segments, sum == manifest.segmentSum else {
            throw SegmentError(
                "index \(index)",
                problem: directory.count == manifest.segments
                    ? "a segment differs from the last version written"
                    : "found \(directory.count) segments, expected \(manifest.segments)")
        }
        if let seal, seal != self.seal {
            throw SegmentError("index \(index)", problem: "the segments do not match the segment list")
        }
    }

    /// Value that identifies this state of the index; a description of the index can store it.
    public var seal: UInt64 { manifest.seal(of: index) }
    /// No segment was ever written, or all were removed.
    public var isEmpty: Bool { manifest.isEmpty }
    /// Number of segments, including nodes.
    public var count: Int { manifest.segments + manifest.nodes }
    /// Bytes of all segments but nodes.
    public var byteCount: Int { directory.values.reduce(0) { $0 + $1.length } }
    /// All keys but those of nodes, by part and number.
    public var keys: [SegmentKey] { directory.keys.sorted() }

    public func keys(of part: String) throws(SegmentError) -> [SegmentKey] {
        guard part == VamanaIndex.nodePart else { return directory.keys.filter { $0.part == part }.sorted() }
        do {
            let row = try Workspace.Statement(db, "SELECT id FROM index_node WHERE id >= ? AND id < ? ORDER BY id")
            row.bind(1, index << 32)
            row.bind(2, (index + 1) << 32)
            var keys: [SegmentKey] = []
            keys.reserveCapacity(manifest.nodes)
            while try row.step() { keys.append(SegmentKey(part, Int(row.int64(0) & 0xFFFF_FFFF))) }
            return keys
        } catch {
            throw Self.failure(error, index)
        }
    }

    public func withSegment<Result>(
        _ key: SegmentKey, _ body: (UnsafeRawBufferPointer) throws(SegmentError) -> Result
    ) throws(SegmentError) -> Result {
        if key.part == VamanaIndex.nodePart { return try withNode(key, body) }
        guard let entry = directory[key] else { throw damage(key, "the segment is missing") }
        let seed = Self.seed(index, key.part, key.number)
        return try read(key, entry.row, seed, statements.segment, { try self.statements.newSegment() }) {
            (checksum, bytes) throws(SegmentError) in
            guard checksum == entry.checksum, bytes.count == entry.length else {
                throw damage(key, "the segment differs from the last version written")
            }
            return try body(bytes)
        }
    }

    private func withNode<Result>(
        _ key: SegmentKey, _ body: (UnsafeRawBufferPointer) throws(SegmentError) -> Result
    ) throws(SegmentError) -> Result {
        guard let row = nodeRow(key) else { throw damage(key, "the segment number is out of range") }
        let seed = Self.seed(nodeName, key.number)
        return try read(key, row, seed, statements.node, { try self.statements.newNode() }) {
            (_, bytes) throws(SegmentError) in try body(bytes)
        }
    }

    // Reads "checksum, bytes" of a row; a statement whose row is still looked at is left alone.
    private func read<Result>(
        _ key: SegmentKey, _ row: Int64, _ seed: UInt64, _ ready: Workspace.Statement?,
        _ make: () throws -> Workspace.Statement,
        _ body: (UInt64, UnsafeRawBufferPointer) throws(SegmentError) -> Result
    ) throws(SegmentError) -> Result {
        let statement: Workspace.Statement
        do {
            if let ready, !ready.isLent { statement = ready } else { statement = try make() }
            statement.bind(1, row)
            guard try statement.step() else { throw damage(key, "the segment is missing") }
        } catch {
            throw Self.failure(error, index, key)
        }
        statement.lend()
        defer { statement.reset() }
        let bytes = statement.blob(1)
        let checksum = UInt64(bitPattern: statement.int64(0))
        guard XXH64.hash(bytes, seed: seed) == checksum else { throw damage(key, "the segment is corrupt") }
        return try body(checksum, bytes)
    }

    public mutating func put(_ key: SegmentKey, _ bytes: UnsafeRawBufferPointer) throws(SegmentError) {
        guard bytes.count <= SegmentLimits.maximumBytes else {
            throw SegmentError(
                "index \(index), segment \(key)", problem: "\(bytes.count) bytes exceed the size limit of a segment",
                remedy: "")
        }
        do {
            if key.part == VamanaIndex.nodePart {
                try putNode(key, bytes)
            } else {
                try putSegment(key, bytes)
            }
            try writeManifest()
        } catch {
            throw Self.failure(error, index, key)
        }
    }

    private mutating func putSegment(_ key: SegmentKey, _ bytes: UnsafeRawBufferPointer) throws {
        let checksum = XXH64.hash(bytes, seed: Self.seed(index, key.part, key.number))
        let old = directory[key]
        let put = try statements.putSegment()
        if let old { put.bind(1, old.row) } else { put.bind(1, nil as Double?) }
        put.bind(2, index)
        put.bind(3, key.part)
        put.bind(4, key.number)
        put.bind(5, Int64(bitPattern: checksum))
        put.bind(lent: bytes, 6)
        try put.run()
        manifest.segments += old == nil ? 1 : 0
        manifest.segmentSum = manifest.segmentSum &- (old?.checksum ?? 0) &+ checksum
        directory[key] = Entry(row: old?.row ?? db.lastInsertedRowID, checksum: checksum, length: bytes.count)
    }

    private mutating func putNode(_ key: SegmentKey, _ bytes: UnsafeRawBufferPointer) throws {
        guard let row = nodeRow(key) else { throw damage(key, "the segment number is out of range") }
        let old = try nodeChecksum(row)
        let checksum = XXH64.hash(bytes, seed: Self.seed(nodeName, key.number))
        if old == checksum { return }
        let put = try statements.putNode()
        put.bind(1, row)
        put.bind(2, Int64(bitPattern: checksum))
        put.bind(lent: bytes, 3)
        try put.run()
        manifest.nodes += old == nil ? 1 : 0
        manifest.nodeSum = manifest.nodeSum &- (old ?? 0) &+ checksum
    }

    public mutating func remove(_ key: SegmentKey) throws(SegmentError) {
        do {
            if key.part == VamanaIndex.nodePart {
                guard let row = nodeRow(key), let old = try nodeChecksum(row) else { return }
                let statement = try Workspace.Statement(db, "DELETE FROM index_node WHERE id = ?")
                statement.bind(1, row)
                try statement.run()
                manifest.nodes -= 1
                manifest.nodeSum &-= old
            } else {
                guard let old = directory[key] else { return }
                let statement = try Workspace.Statement(db, "DELETE FROM index_segment WHERE id = ?")
                statement.bind(1, old.row)
                try statement.run()
                directory[key] = nil
                manifest.segments -= 1
                manifest.segmentSum &-= old.checksum
            }
            try writeManifest()
        } catch {
            throw Self.failure(error, index, key)
        }
    }

    private func nodeRow(_ key: SegmentKey) -> Int64? {
        (0..<1 << 32).contains(key.number) ? index << 32 | Int64(key.number) : nil
    }

    private func nodeChecksum(_ row: Int64) throws -> UInt64? {
        let statement = try statements.nodeSum()
        statement.bind(1, row)
        defer { statement.reset() }
        return try statement.step() ? UInt64(bitPattern: statement.int64(0)) : nil
    }

    private mutating func writeManifest() throws {
        manifest.version += 1
        let put = try statements.putManifest()
        put.bind(1, index)
        put.bind(2, manifest.segments)
        put.bind(3, Int64(bitPattern: manifest.segmentSum))
        put.bind(4, manifest.nodes)
        put.bind(5, Int64(bitPattern: manifest.nodeSum))
        put.bind(6, manifest.version)
        put.bind(7, Int64(bitPattern: seal))
        try put.run()
    }

    /// Takes an index away with all its rows.
    public static func removeIndex(_ index: Int64, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM index_segment WHERE index_id = ?", arguments: [index])
        try db.execute(
            sql: "DELETE FROM index_node WHERE id >= ? AND id < ?", arguments: [index << 32, (index + 1) << 32])
        try db.execute(sql: "DELETE FROM index_manifest WHERE index_id = ?", arguments: [index])
    }

    private static func directory(_ index: Int64, _ db: Database) throws -> [SegmentKey: Entry] {
        let row = try Workspace.Statement(
            db, "SELECT id, part, number, checksum, length(bytes) FROM index_segment WHERE index_id = ?")
        row.bind(1, index)
        var entries: [SegmentKey: Entry] = [:]
        while try row.step() {
            let key = SegmentKey(row.text(1), row.int(2))
            let entry = Entry(row: row.int64(0), checksum: UInt64(bitPattern: row.int64(3)), length: row.int(4))
            guard entries.updateValue(entry, forKey: key) == nil else {
                throw SegmentError("index \(index), segment \(key)", problem: "duplicate segment")
            }
        }
        return entries
    }
}

internal import GRDB
internal import SearchIndexes
internal import Workspace

/// An index in memory that is being built or changed. Searches use a ``SpaceReader`` instead.
struct OpenedIndex {
    let index: any VectorIndexKind
    /// Seal of the segments from which the index was read; 0 for a new index.
    let seal: UInt64

    var kind: String { type(of: index).kind }
    var rows: VectorRows { index.rows }

    func add(slots: Range<Int>, threads: Int, progress: (Int) -> Bool) throws(SegmentError) {
        try index.add(slots: slots, threads: threads, progress: progress)
    }

    func repair(removed slots: [Int]) throws(SegmentError) { try index.repair(removed: slots) }

    /// Writes the index and its vectors. The caller provides the transaction.
    func save(_ space: Int64, _ db: Database) throws {
        var segments = try WorkspaceSegments(db, index: space)
        if !type(of: index).savesRows { try rows.save(to: &segments) }
        try index.save(to: &segments)
    }
}

extension OpenedIndex {
    /// Opens the index of a space with its vectors.
    ///
    /// - Throws: `Problem` if the table does not contain the kind of index, `SegmentError` if a segment is corrupt.
    init(_ workspace: Workspace, _ space: VectorSpace, _ table: VectorIndexTable) throws {
        let kind = try table.kind(space.index)
        let segments = try LiveSegments(workspace, index: space.id)
        self.init(index: try kind.open(from: segments), seal: segments.seal)
    }
}

/// The index of a space, open for searches.
enum SpaceReader: Sendable {
    /// An index in memory.
    case memory(SearchableIndex)
    /// An index that reads nodes from the workspace as a search visits them.
    case file(any StoredIndex, LiveSegments, kind: any VectorIndexKind.Type)

    /// Opens the index of a space, in the workspace if the kind of index supports it.
    init(_ workspace: Workspace, _ space: VectorSpace, _ table: VectorIndexTable) throws {
        let kind = try table.kind(space.index)
        let segments = try LiveSegments(workspace, index: space.id)
        if let stored = try kind.openStored(from: segments) {
            self = .file(stored, segments, kind: kind)
        } else {
            self = .memory(try SearchableIndex(kind, from: segments))
        }
    }

    var kind: any VectorIndexKind.Type {
        switch self {
        case .memory(let index): index.kind
        case .file(_, _, let kind): kind
        }
    }

    var dimension: Int {
        switch self {
        case .memory(let index): index.rows.dimension
        case .file(let file, _, _): file.dimension
        }
    }

    var metric: Metric {
        switch self {
        case .memory(let index): index.rows.metric
        case .file(let file, _, _): file.metric
        }
    }

    /// Number of vectors, excluding removed ones.
    var count: Int {
        switch self {
        case .memory(let index): index.rows.liveCount
        case .file(let file, _, _): file.liveCount
        }
    }

    /// Number of slots in use, including those of removed vectors.
    var slotCount: Int {
        switch self {
        case .memory(let index): index.rows.count
        case .file(let file, _, _): file.count
        }
    }
}

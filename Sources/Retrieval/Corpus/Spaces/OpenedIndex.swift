internal import GRDB
internal import SearchIndexes
internal import Workspace

/// An index in memory together with its vectors, while it is built or changed. Searches use a ``SpaceReader``.
struct OpenedIndex {
    let index: any VectorIndexKind
    /// Seal of the segments that the index was read from.
    let seal: UInt64

    var kind: String { type(of: index).kind }
    var rows: VectorRows { index.rows }

    func add(slots: Range<Int>, threads: Int, progress: (Int) -> Bool) throws(SegmentError) {
        try index.add(slots: slots, threads: threads, progress: progress)
    }

    func repair(removed slots: [Int]) throws(SegmentError) { try index.repair(removed: slots) }

    /// Writes vectors and index within a transaction.
    func save(_ space: Int64, _ db: Database) throws {
        var segments = try WorkspaceSegments(db, index: space)
        if !type(of: index).savesRows { try rows.save(to: &segments) }
        try index.save(to: &segments)
    }
}

extension OpenedIndex {
    /// Reads the index of a space with its vectors, to change it.
    init(_ workspace: Workspace, _ space: VectorSpace, _ table: VectorIndexTable) throws {
        let kind = try table.kind(space.index)
        let segments = try LiveSegments(workspace, index: space.id)
        self.init(index: try kind.open(from: segments), seal: segments.seal)
    }
}

/// The vectors of a space as a session searches them: in memory, or node by node in the file.
enum SpaceReader: Sendable {
    case memory(SearchableIndex)
    case file(any StoredIndex, LiveSegments, kind: any VectorIndexKind.Type)

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

    var count: Int {
        switch self {
        case .memory(let index): index.rows.liveCount
        case .file(let file, _, _): file.liveCount
        }
    }

    /// Slots in use, including those of removed vectors.
    var slotCount: Int {
        switch self {
        case .memory(let index): index.rows.count
        case .file(let file, _, _): file.count
        }
    }
}

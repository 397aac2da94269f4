internal import GRDB
internal import SearchIndexes
internal import Workspace

/// An index in memory together with its vectors.
struct OpenedIndex: Sendable {
    let kind: String
    let index: any VectorIndex
    /// Seal of the segments that the index was read from.
    let seal: UInt64

    var rows: VectorRows { index.rows }

    func add(slots: Range<Int>, threads: Int, progress: (Int) -> Bool) throws(SegmentError) {
        try index.add(slots: slots, threads: threads, progress: progress)
    }

    func repair(removed slots: [Int]) throws(SegmentError) { try index.repair(removed: slots) }

    /// Writes vectors and index within a transaction. A Vamana index has the vectors in its nodes.
    func save(_ space: Int64, _ db: Database) throws {
        var segments = try WorkspaceSegments(db, index: space)
        if kind != "vamana" { try rows.save(to: &segments) }
        try index.save(to: &segments)
    }
}

/// The vectors of a space as a session searches them: in memory, or node by node in the file.
enum SpaceReader: Sendable {
    case memory(OpenedIndex)
    case file(VamanaFile, LiveSegments)

    init(_ workspace: Workspace, _ space: VectorSpace) throws {
        guard space.index == "vamana" else {
            self = .memory(try IndexRecipe(space.index, space.parameters).open(workspace, space: space.id))
            return
        }
        let segments = try LiveSegments(workspace, index: space.id)
        self = .file(try VamanaFile(from: segments), segments)
    }

    var kind: String {
        switch self {
        case .memory(let index): index.kind
        case .file: "vamana"
        }
    }

    var dimension: Int {
        switch self {
        case .memory(let index): index.rows.dimension
        case .file(let file, _): file.dimension
        }
    }

    var metric: Metric {
        switch self {
        case .memory(let index): index.rows.metric
        case .file(let file, _): file.metric
        }
    }

    var count: Int {
        switch self {
        case .memory(let index): index.rows.liveCount
        case .file(let file, _): file.liveCount
        }
    }

    /// Slots in use, those of removed vectors included.
    var slotCount: Int {
        switch self {
        case .memory(let index): index.rows.count
        case .file(let file, _): file.count
        }
    }
}

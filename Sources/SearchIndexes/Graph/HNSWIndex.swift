internal import Glibc
internal import Kernels
internal import Synchronization

/// A hierarchy of navigable small worlds: a graph whose walk leads to the neighborhood of a query in logarithmic time.
///
/// Every node has links to near nodes in different directions; some nodes are on higher levels, with links that reach
/// farther. A search goes down the levels and then widens on the lowest: `effort` is how many candidates it keeps.
/// - Source: Malkov & Yashunin, "Efficient and robust approximate nearest neighbor search using hierarchical navigable
///   small world graphs", 2016 (algorithms 1 to 5).
///
/// ```swift
/// let index = try HNSWIndex(rows)
/// try index.add(slots: 0..<rows.count, threads: 2) { _ in true }
/// let nearest = try index.search(query, VectorRequest(k: 10, effort: 64))
/// ```
///
/// Searching from several threads is safe while nothing is added, repaired or saved.
public final class HNSWIndex: VectorIndex, @unchecked Sendable {  // graph memory is never written during searches
    public static let kind = "hnsw"

    public let rows: VectorRows
    public let parameters: HNSWParameters
    /// Slots that the graph knows, those of removed vectors included.
    public internal(set) var count = 0
    /// Entry point of walks; `nil` for an empty graph.
    package internal(set) var entry: UInt32?
    /// The level of the entry.
    package internal(set) var maximumLevel = 0

    let guide: GraphGuide
    /// The lists of the lowest level: 2 m links a slot.
    let lowest: MappedMemory<UInt32>
    /// The lists of the upper levels: m links each, those of a slot one after the other, from its level 1 on.
    let upper: MappedMemory<UInt32>
    var upperLists = 0
    /// For each slot the number of its first list in ``upper``.
    let upperStarts: MappedMemory<UInt32>
    let levels: MappedMemory<UInt8>
    /// For each slot whether its lists changed since they were saved: a byte, since threads that link set them at once.
    let changed: MappedMemory<UInt8>
    var saved = SavedGraph()
    private let scratches = Mutex<[WalkScratch]>([])

    /// - Throws: `SegmentError` if a parameter is out of range.
    public convenience init(_ rows: VectorRows, parameters: HNSWParameters = HNSWParameters()) throws(SegmentError) {
        try self.init(rows, parameters: parameters, calibration: nil)
    }

    init(
        _ rows: VectorRows, parameters: HNSWParameters, calibration: GraphGuide.Calibration?
    ) throws(SegmentError) {
        if let problem = parameters.problem { throw problem }
        self.rows = rows
        self.parameters = parameters
        guide = try GraphGuide(
            rows, keepsCodes: parameters.keepsCodes(dimension: rows.dimension), calibration: calibration)
        lowest = try MappedMemory(capacity: VectorRows.maximumCount * parameters.m * 2, of: "links")
        let most = VectorRows.maximumCount
        upperStarts = try MappedMemory(capacity: most, of: "levels", inLargePages: false)
        levels = try MappedMemory(capacity: most, of: "levels", inLargePages: false)
        changed = try MappedMemory(capacity: most, of: "levels", inLargePages: false)
        upper = try MappedMemory(capacity: most * parameters.m, of: "links", inLargePages: false)
    }

    /// Returns the maximum number of links in a list at a level.
    @inline(__always)
    package func linkWidth(_ level: Int) -> Int { level == 0 ? 2 * parameters.m : parameters.m }

    /// Returns the level up to which a slot has lists.
    package func level(of slot: UInt32) -> Int { Int(levels.start[Int(slot)]) }

    /// Returns the links of a slot on a level that it has; `GraphWalk.none` or the width ends them.
    @inline(__always)
    package func links(of slot: UInt32, level: Int) -> UnsafePointer<UInt32> { UnsafePointer(list(slot, level)) }

    @inline(__always)
    func list(_ slot: UInt32, _ level: Int) -> UnsafeMutablePointer<UInt32> {
        if level == 0 { return lowest.start + Int(slot) * 2 * parameters.m }
        return upper.start + (Int(upperStarts.start[Int(slot)]) + level - 1) * parameters.m
    }

    /// Lends memory for a walk with a beam of `effort`, emptied.
    package func withScratch<Result>(
        effort: Int, _ body: (WalkScratch) throws(SegmentError) -> Result
    ) throws(SegmentError) -> Result {
        let scratch =
            scratches.withLock { $0.popLast() } ?? WalkScratch(dimension: rows.dimension, stride: guide.stride)
        scratch.begin(slots: count, effort: effort)
        defer { scratches.withLock { $0.append(scratch) } }
        return try body(scratch)
    }
}

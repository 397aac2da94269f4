internal import Kernels
internal import Synchronization

/// A graph whose every walk is short, made to be read node by node from a file.
///
/// One flat graph; each node keeps links to near ones and, where no nearer one makes it needless, to far ones. While it
/// is built and changed the vectors are in memory, in ``rows``; ``save(to:)`` writes a segment for each node, and
/// ``VamanaFile`` searches those without reading them all.
///
/// ```swift
/// let index = VamanaIndex(rows)
/// try index.add(slots: 0..<rows.count, threads: 2) { _ in true }
/// try index.save(to: &store)
/// let file = try VamanaFile(from: store)
/// let nearest = try file.search(query, VectorRequest(k: 10, effort: 20), in: store)
/// ```
/// Source: Subramanya et al., "DiskANN", NeurIPS 2019; deletion: Singh et al., "FreshDiskANN", 2021, algorithm 4.
public final class VamanaIndex: VectorIndex, @unchecked Sendable {  // never changes during searches
    public static let kind = "vamana"
    /// The part of a store that holds the nodes, a segment each under the number of its slot.
    public static let nodePart = "nodes"

    public let rows: VectorRows
    public let settings: VamanaSettings
    let graph: VamanaGraph
    /// Slots whose node is not in the store as it is here.
    var unsaved = SlotSet()
    /// Slots below it have been linked.
    var linked = 0
    /// Removed slots that no list points to any more.
    var released = SlotSet()
    var coding: VamanaCoding?
    /// Slots that there were when ``coding`` was measured.
    var measured = 0
    /// Slots below it are in the store, with their labels and codes.
    var savedCount = 0
    private let scratches = Mutex<[VamanaScratch]>([])

    public init(_ rows: VectorRows, _ settings: VamanaSettings = VamanaSettings()) {
        self.rows = rows
        self.settings = settings
        graph = VamanaGraph(width: settings.width)
    }

    /// The slot that every walk begins at.
    public var entry: Int? { graph.entry.map(Int.init) }

    /// Returns the slots that a node links to.
    public func neighbors(of slot: Int) -> [UInt32] {
        guard slot >= 0, slot < graph.count else { return [] }
        return Array(UnsafeBufferPointer(start: graph.list(slot), count: graph.degree(slot)))
    }

    func withScratch<Result>(_ body: (VamanaScratch) -> Result) -> Result {
        let scratch = scratches.withLock { $0.popLast() } ?? VamanaScratch(width: settings.width)
        defer { scratches.withLock { $0.append(scratch) } }
        return body(scratch)
    }

    public func search(
        _ query: UnsafePointer<Float>, _ request: VectorRequest
    ) throws(SegmentError) -> [Neighbor] {
        let prepared = try VamanaQuery(query, rows.dimension, rows.metric)
        guard let entry = graph.entry, request.k > 0 else { return [] }
        let wanted = min(request.k, graph.count)
        let capacity = min(max(request.effort ?? 2 * wanted, wanted), graph.count)
        return withScratch { scratch in
            var nearest = TopNeighbors(k: wanted)
            prepared.numbers.withUnsafeBufferPointer { query in
                scratch.begin(slots: graph.count, capacity: capacity)
                scratch.found[0] = entry
                scratch.visited[Int(entry) >> 6] |= 1 << (UInt64(entry) & 63)
                var (place, unseen) = (0, 1)
                while true {
                    if unseen > 0 {
                        rows.distances(
                            to: query.baseAddress!, slots: scratch.found, count: unseen, into: scratch.distances)
                        for index in 0..<unseen where scratch.distances[index] <= nearest.bound {
                            let slot = Int(scratch.found[index])
                            if rows.removed.contains(slot) || request.allowed?.contains(slot) == false { continue }
                            nearest.insert(rows.labels[slot], scratch.distances[index])
                        }
                        GraphWalk.order(floats: scratch.distances, count: unseen)
                        let changed = scratch.distances.withMemoryRebound(to: Int32.self, capacity: unseen) {
                            GraphWalk.insert(
                                scratch.found, orders: $0, count: unseen, into: scratch.beam,
                                size: &scratch.beamSize, capacity: capacity, links: graph.links,
                                linksBytes: graph.width * 4)
                        }
                        place = min(place, changed)
                    }
                    guard let next = scratch.unexpanded(from: place) else { break }
                    scratch.beam[next] |= 1
                    place = next + 1
                    unseen = GraphWalk.unvisited(
                        graph.list(Int(GraphWalk.slot(scratch.beam[next]))), width: graph.width,
                        visited: scratch.visited, rows: rows.base, stride: rows.stride * 4,
                        lines: min(8, rows.stride / 16 + 1), into: scratch.found)
                }
            }
            return nearest.sorted
        }
    }
}

internal import Kernels

/// The memory of one search in a file, used by one thread at a time.
final class VamanaFileScratch: @unchecked Sendable {  // lent to one thread at a time
    let walk: VamanaScratch
    /// The vector of the node at hand, its links, how many those are.
    let node: UnsafeMutablePointer<UInt32>
    let query: UnsafeMutablePointer<Int8>
    let wide: UnsafeMutablePointer<Int8>
    let orders: UnsafeMutablePointer<Int32>
    var round = [UInt32](repeating: 0, count: 64)
    private let dimension: Int
    private let width: Int
    private var numbers: [Float] = []

    init(_ coding: VamanaCoding, _ settings: VamanaSettings, _ dimension: Int) {
        walk = VamanaScratch(width: settings.width)
        self.dimension = dimension
        width = settings.width
        node = .allocate(capacity: dimension + width + 1)
        query = .allocate(capacity: coding.stride)
        wide = .allocate(capacity: coding.bits == 8 ? 1 : (width + 1) * coding.stride)
        orders = .allocate(capacity: width + 16)
    }

    deinit {
        node.deallocate()
        query.deallocate()
        wide.deallocate()
        orders.deallocate()
    }

    /// Takes a query whose exact distances are asked for.
    func begin(_ query: [Float]) { numbers = query }

    /// Takes at most `most` of the nearest that were not expanded into ``round``, marks them, and returns how many.
    func takeRound(from first: Int, most: Int) -> Int {
        var expanded = 0
        var next: Int? = first
        while let found = next, expanded < min(most, round.count) {
            walk.beam[found] |= 1
            round[expanded] = GraphWalk.slot(walk.beam[found])
            expanded += 1
            next = walk.unexpanded(from: found + 1)
        }
        return expanded
    }

    func begin(_ query: [Float], slots: Int, capacity: Int, entry: UInt32) {
        numbers = query
        walk.begin(slots: slots, capacity: capacity)
        walk.found[0] = entry
        walk.visited[Int(entry) >> 6] |= 1 << (UInt64(entry) & 63)
    }

    /// Stores the links of the current node that no earlier node had in `walk.found`, and returns their number.
    func unseen(_ codes: VamanaCodes) -> Int {
        GraphWalk.unvisited(
            node + dimension, width: width, visited: walk.visited, rows: codes.base, stride: codes.coding.byteCount,
            lines: min(4, codes.coding.byteCount / 64 + 1), into: walk.found)
    }

    /// Returns the distance from the query to the vector of the node at hand.
    func exactDistance(_ metric: Metric) -> Float {
        var distance: Float = 0
        let kernel = DistanceKernels(metric == .l2 ? .l2 : .dot).rows
        node.withMemoryRebound(to: Float.self, capacity: dimension) {
            kernel(numbers, $0, dimension, dimension, metric == .cosine ? 1 : 0, nil, 1, &distance)
        }
        return distance
    }
}

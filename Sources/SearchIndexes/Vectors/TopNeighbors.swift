/// The nearest so far, at most a number of them; of equally near ones those with the smaller labels.
///
/// ```swift
/// var top = TopNeighbors(k: 10)
/// for (label, distance) in found where distance <= top.bound { top.insert(label, distance) }
/// return top.sorted
/// ```
public struct TopNeighbors: Sendable {
    public let k: Int
    /// A heap with the farthest first.
    private var heap: [Neighbor] = []

    public init(k: Int) {
        self.k = max(k, 0)
        heap.reserveCapacity(min(self.k, 4096))
    }

    public var count: Int { heap.count }

    /// A distance above it cannot come in; one that is equal can, by its label. Infinite until there are `k`.
    public var bound: Float { heap.count < k ? .infinity : heap.first?.distance ?? -.infinity }

    /// Takes a vector in if it is among the nearest.
    public mutating func insert(_ label: Int64, _ distance: Float) {
        let new = Neighbor(label: label, distance: distance)
        if heap.count < k {
            heap.append(new)
            var child = heap.count - 1
            while child > 0, heap[(child - 1) / 2] < heap[child] {
                heap.swapAt(child, (child - 1) / 2)
                child = (child - 1) / 2
            }
        } else if let farthest = heap.first, new < farthest {
            heap[0] = new
            var parent = 0
            while true {
                var child = 2 * parent + 1
                guard child < heap.count else { break }
                if child + 1 < heap.count, heap[child] < heap[child + 1] { child += 1 }
                guard heap[parent] < heap[child] else { break }
                heap.swapAt(parent, child)
                parent = child
            }
        }
    }

    /// Nearest first.
    public var sorted: [Neighbor] { heap.sorted() }
}

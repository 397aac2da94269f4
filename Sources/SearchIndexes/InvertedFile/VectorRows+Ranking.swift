internal import Kernels

extension VectorRows {
    func withLabels<Result>(_ body: (UnsafePointer<Int64>) -> Result) -> Result? {
        labels.withUnsafeBufferPointer { labels in labels.baseAddress.map { body($0) } }
    }

    /// Replaces distances by those of the vectors and keeps the `k` nearest.
    ///
    /// - Parameter x: A prepared query.
    func rank(
        _ nearest: SlotHeap, again x: UnsafePointer<Float>, k: Int, _ scratch: SearchScratch,
        _ labels: UnsafePointer<Int64>
    ) {
        let count = nearest.count
        scratch.withSlots(count) { slots in
            for index in 0..<count { slots[index] = nearest.entries[index].slot }
            nearest.reset(capacity: min(k, count))
            for first in Swift.stride(from: 0, to: count, by: SearchScratch.block) {
                let here = min(SearchScratch.block, count - first)
                distances(to: x, slots: slots + first, count: here, into: scratch.distances)
                for index in 0..<here { nearest.offer(scratch.distances[index], slots[first + index], labels) }
            }
        }
    }

    /// Returns the results of a search.
    func neighbors(_ nearest: SlotHeap) -> [Neighbor] {
        (0..<nearest.count).map { index in
            let entry = nearest.entries[index]
            return Neighbor(label: labels[Int(entry.slot)], distance: entry.distance)
        }
    }
}

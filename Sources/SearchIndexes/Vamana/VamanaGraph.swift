internal import Kernels

/// The links of a Vamana graph in memory: a list of fixed width for each slot, ended by `GraphWalk.none`.
final class VamanaGraph: @unchecked Sendable {  // each list is read and written under its lock while threads build
    let width: Int
    private(set) var count = 0
    private(set) var links: UnsafeMutablePointer<UInt32>
    private(set) var locks: UnsafeMutablePointer<UInt8>
    private var capacity = 0
    /// The slot that every walk begins at; `nil` in an empty graph.
    var entry: UInt32?

    init(width: Int) {
        self.width = width
        links = .allocate(capacity: 1)
        locks = .allocate(capacity: 1)
    }

    deinit {
        links.deallocate()
        locks.deallocate()
    }

    /// Makes room for slots below `wanted`; new ones have no links.
    func grow(to wanted: Int) {
        guard wanted > count else { return }
        if wanted > capacity {
            let larger = max(wanted, capacity + capacity / 2)
            let newLinks = UnsafeMutablePointer<UInt32>.allocate(capacity: larger * width)
            let newLocks = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
            newLinks.update(from: links, count: count * width)
            newLocks.update(repeating: 0, count: larger)
            links.deallocate()
            locks.deallocate()
            (links, locks, capacity) = (newLinks, newLocks, larger)
        }
        for slot in count..<wanted { links[slot * width] = GraphWalk.none }
        count = wanted
    }

    /// Returns the links of a slot.
    func list(_ slot: Int) -> UnsafeMutablePointer<UInt32> { links + slot * width }

    /// How many links a slot has.
    func degree(_ slot: Int) -> Int {
        let list = list(slot)
        var degree = 0
        while degree < width, list[degree] != GraphWalk.none { degree += 1 }
        return degree
    }

    /// Copies the links of a slot while no other thread changes them; `copy` has room for the width.
    func copy(_ slot: Int, into copy: UnsafeMutablePointer<UInt32>) {
        GraphWalk.lock(locks + slot)
        copy.update(from: list(slot), count: width)
        GraphWalk.unlock(locks + slot)
    }

    /// Replaces the links of a slot; the caller holds its lock or is alone.
    func set(_ slot: Int, to neighbors: UnsafeBufferPointer<UInt32>) {
        let list = list(slot)
        let kept = min(neighbors.count, width)
        for place in 0..<kept { list[place] = neighbors[place] }
        if kept < width { list[kept] = GraphWalk.none }
    }
}

/// Nodes that were read lately, vector and links, within a bound of bytes.
///
/// A node is evicted when the hand reaches it and no search has used it since the previous round (the second chance
/// of the clock algorithm).
struct VamanaNodeCache {
    /// Numbers of a node: the vector, its links, how many those are.
    let width: Int
    let dimension: Int
    private let capacity: Int
    private var numbers: [UInt32] = []
    private var slots: [UInt32] = []
    private var used: [Bool] = []
    private var places: [UInt32: Int] = [:]
    private var hand = 0
    private(set) var hits = 0
    private(set) var misses = 0

    init(dimension: Int, links: Int, bytes: Int) {
        self.dimension = dimension
        width = dimension + links + 1
        capacity = max(0, bytes) / (width * 4 + 48)
    }

    /// Copies a node into `node`, which has room for ``width`` numbers; returns `false` if the node is not cached.
    mutating func read(_ slot: UInt32, into node: UnsafeMutablePointer<UInt32>) -> Bool {
        guard let place = places[slot] else {
            misses += 1
            return false
        }
        hits += 1
        used[place] = true
        numbers.withUnsafeBufferPointer { node.update(from: $0.baseAddress! + place * width, count: width) }
        return true
    }

    mutating func write(_ slot: UInt32, _ node: UnsafePointer<UInt32>) {
        guard capacity > 0, places[slot] == nil else { return }
        var place = slots.count
        if place < capacity {
            slots.append(slot)
            used.append(false)
            numbers.append(contentsOf: UnsafeBufferPointer(start: node, count: width))
        } else {
            while used[hand] {
                used[hand] = false
                hand = hand + 1 == capacity ? 0 : hand + 1
            }
            place = hand
            hand = hand + 1 == capacity ? 0 : hand + 1
            places[slots[place]] = nil
            slots[place] = slot
            numbers.withUnsafeMutableBufferPointer {
                ($0.baseAddress! + place * width).update(from: node, count: width)
            }
        }
        places[slot] = place
    }
}

internal import Kernels

/// The memory that one walk needs: made once, used by many searches.
package final class WalkScratch: @unchecked Sendable {  // one walk at a time has it
    /// A bit for each slot that the walk has seen.
    package private(set) var visited: UnsafeMutablePointer<UInt64>
    private var visitedWords = 0
    /// What was found, nearest first, as `GraphWalk` packs it; room for ``capacity`` entries and one more.
    package private(set) var beam: UnsafeMutablePointer<UInt64>
    package internal(set) var capacity = 0
    /// Entries in the beam.
    package var size = 0
    /// The slots that the walk has seen, in its order, and the orders of their distances.
    package private(set) var seen: UnsafeMutablePointer<UInt32>
    package private(set) var orders: UnsafeMutablePointer<Int32>
    package var seenCount = 0
    private var seenCapacity = 0
    /// The query as floats, prepared, and as the guide keeps rows.
    package let query: UnsafeMutablePointer<Float>
    package let code: UnsafeMutablePointer<Int8>
    /// Room for lists of links and what comes of them.
    let list: UnsafeMutablePointer<UInt32>
    let chosen: UnsafeMutablePointer<UInt32>
    let listOrders: UnsafeMutablePointer<Int32>
    let listBeam: UnsafeMutablePointer<UInt64>
    let distances: UnsafeMutablePointer<Float>
    static let listCapacity = 4096

    init(dimension: Int, stride: Int) {
        visited = .allocate(capacity: 1)
        beam = .allocate(capacity: 1)
        seen = .allocate(capacity: 1)
        orders = .allocate(capacity: 1)
        query = .allocate(capacity: dimension)
        code = .allocate(capacity: stride)
        list = .allocate(capacity: Self.listCapacity)
        chosen = .allocate(capacity: Self.listCapacity)
        listOrders = .allocate(capacity: Self.listCapacity)
        listBeam = .allocate(capacity: Self.listCapacity + 1)
        distances = .allocate(capacity: Self.listCapacity)
    }

    deinit {
        visited.deallocate()
        beam.deallocate()
        seen.deallocate()
        orders.deallocate()
        query.deallocate()
        code.deallocate()
        list.deallocate()
        chosen.deallocate()
        listOrders.deallocate()
        listBeam.deallocate()
        distances.deallocate()
    }

    /// Empties everything, with room for `slots` slots and a beam of `effort`.
    package func begin(slots: Int, effort: Int) {
        forget()
        let words = (slots + 63) / 64
        if words > visitedWords {
            visited.deallocate()
            visitedWords = words + words / 4
            visited = .allocate(capacity: visitedWords)
            visited.initialize(repeating: 0, count: visitedWords)
        }
        if effort > capacity || beamRoom < effort + 1 {
            beam.deallocate()
            beamRoom = effort + 1
            beam = .allocate(capacity: beamRoom)
        }
        capacity = effort
        size = 0
    }
    private var beamRoom = 1

    /// Takes back the marks of what was seen.
    package func forget() {
        if seenCount * 4 > visitedWords {
            visited.update(repeating: 0, count: visitedWords)
        } else {
            for at in 0..<seenCount { visited[Int(seen[at] >> 6)] = 0 }
        }
        seenCount = 0
    }

    /// Makes room for `more` slots in ``seen``.
    @inline(__always)
    package func reserveSeen(_ more: Int) {
        if seenCount + more > seenCapacity { growSeen(more) }
    }

    @inline(never)
    private func growSeen(_ more: Int) {
        seenCapacity = 2 * (seenCount + more) + 2048
        let newSeen = UnsafeMutablePointer<UInt32>.allocate(capacity: seenCapacity)
        newSeen.update(from: seen, count: seenCount)
        seen.deallocate()
        seen = newSeen
        let newOrders = UnsafeMutablePointer<Int32>.allocate(capacity: seenCapacity)
        newOrders.update(from: orders, count: seenCount)
        orders.deallocate()
        orders = newOrders
    }

    /// Forgets what was seen but for the beam, whose entries wait to be expanded: a walk on the next level starts there.
    package func startFromBeam() {
        forget()
        reserveSeen(size)
        for place in 0..<size {
            beam[place] &= ~1
            let slot = GraphWalk.slot(beam[place])
            visited[Int(slot >> 6)] |= 1 << UInt64(slot & 63)
            seen[place] = slot
            orders[place] = GraphWalk.order(beam[place])
        }
        seenCount = size
    }

    /// Marks a slot as seen, with its order, and puts it into the beam, which has room.
    package func seed(_ slot: UInt32, order: Int32) {
        let bit: UInt64 = 1 << UInt64(slot & 63)
        guard visited[Int(slot >> 6)] & bit == 0 else { return }
        visited[Int(slot >> 6)] |= bit
        reserveSeen(1)
        seen[seenCount] = slot
        orders[seenCount] = order
        _ = GraphWalk.insert(
            seen + seenCount, orders: orders + seenCount, count: 1, into: beam, size: &size, capacity: capacity,
            links: visited, linksBytes: 0)
        seenCount += 1
    }
}

internal import Kernels

/// The memory of one walk or one pruning, used again and again by one thread at a time.
final class VamanaScratch: @unchecked Sendable {  // lent to one thread at a time
    private(set) var visited: UnsafeMutablePointer<UInt64>
    private var visitedWords: Int
    /// What a walk has found, nearest first.
    private(set) var beam: UnsafeMutablePointer<UInt64>
    private var beamCapacity: Int
    var beamSize = 0
    /// Slots of one list, and their distances as floats or orders of floats.
    let found: UnsafeMutablePointer<UInt32>
    let list: UnsafeMutablePointer<UInt32>
    let distances: UnsafeMutablePointer<Float>
    let width: Int
    /// Candidates for the links of a node.
    var pool: [VamanaCandidate] = []
    var kept: [UInt32] = []
    var poolSlots: [UInt32] = []
    var poolDistances: [Float] = []
    var occlusion: [Float] = []
    /// Places in the pool that may still be kept.
    var open: [UInt32] = []

    init(width: Int) {
        self.width = width
        (visitedWords, beamCapacity) = (1, 1)
        visited = .allocate(capacity: 1)
        visited.initialize(to: 0)
        beam = .allocate(capacity: 1)
        found = .allocate(capacity: width + 16)
        list = .allocate(capacity: width + 16)
        distances = .allocate(capacity: width + 16)
    }

    deinit {
        visited.deallocate()
        beam.deallocate()
        found.deallocate()
        list.deallocate()
        distances.deallocate()
    }

    /// Forgets what was visited and found.
    func begin(slots: Int, capacity: Int) {
        let words = (slots + 63) / 64 + 1
        if words > visitedWords {
            visited.deallocate()
            visited = .allocate(capacity: words)
            visitedWords = words
        }
        visited.update(repeating: 0, count: words)
        if capacity + 1 > beamCapacity {
            beam.deallocate()
            beam = .allocate(capacity: capacity + 1)
            beamCapacity = capacity + 1
        }
        beamSize = 0
        pool.removeAll(keepingCapacity: true)
    }

    /// Returns the place of the nearest slot that was not expanded, from `place` on.
    @inline(__always)
    func unexpanded(from place: Int) -> Int? {
        var place = place
        while place < beamSize {
            if beam[place] & 1 == 0 { return place }
            place += 1
        }
        return nil
    }

    /// Gives an expanded slot another distance, and returns the first place at which the beam changed.
    func replace(_ slot: UInt32, by order: Int32) -> Int {
        guard let old = (0..<beamSize).first(where: { GraphWalk.slot(beam[$0]) == slot }) else { return beamSize }
        let entry = GraphWalk.entry(order: order, slot: slot) | 1
        var place = old
        while place + 1 < beamSize, beam[place + 1] < entry {
            beam[place] = beam[place + 1]
            place += 1
        }
        while place > 0, beam[place - 1] > entry {
            beam[place] = beam[place - 1]
            place -= 1
        }
        beam[place] = entry
        return min(old, place)
    }
}

/// A slot that may become a link, and how far away it is.
struct VamanaCandidate: Comparable {
    var distance: Float
    var slot: UInt32

    static func < (one: Self, other: Self) -> Bool {
        one.distance != other.distance ? one.distance < other.distance : one.slot < other.slot
    }
}

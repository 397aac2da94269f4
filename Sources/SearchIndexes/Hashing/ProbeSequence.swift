/// The sets of steps from a bucket in the order of their squared distances: which buckets to look into next.
///
/// - Source: Lv, Josephson, Wang, Charikar and Li, "Multi-probe LSH", 2007, section 4.4.
struct ProbeSequence {
    private struct Candidate {
        var distance: Float
        /// Bits of sorted steps.
        var steps: UInt64
    }
    private var heap: [Candidate] = []

    /// Calls `body` with what the keys of the next buckets add, at most `count` of them; a direction is stepped along
    /// once.
    mutating func forEach(_ count: Int, of steps: [HashStep], _ body: (UInt32) -> Void) {
        heap.removeAll(keepingCapacity: true)
        guard let first = steps.first, count > 0 else { return }
        push(Candidate(distance: first.distance, steps: 1))
        var left = count
        let width = min(steps.count, 64)
        while left > 0, let next = pop() {
            let last = 63 - next.steps.leadingZeroBitCount
            if last + 1 < width {
                let (here, ahead) = (steps[last].distance, steps[last + 1].distance)
                push(Candidate(distance: next.distance + ahead, steps: next.steps | 1 << UInt64(last + 1)))
                push(
                    Candidate(
                        distance: next.distance + ahead - here,
                        steps: next.steps & ~(1 << UInt64(last)) | 1 << UInt64(last + 1)))
            }
            guard let added = Self.added(next.steps, steps) else { continue }
            body(added)
            left -= 1
        }
    }

    /// `nil` for a set that steps along a direction both ways.
    private static func added(_ set: UInt64, _ steps: [HashStep]) -> UInt32? {
        var (sum, rest): (UInt32, UInt64) = (0, set)
        while rest != 0 {
            let step = rest.trailingZeroBitCount
            rest &= rest - 1
            var others = rest
            while others != 0 {
                if steps[others.trailingZeroBitCount].place == steps[step].place { return nil }
                others &= others - 1
            }
            sum &+= steps[step].added
        }
        return sum
    }

    private mutating func push(_ candidate: Candidate) {
        heap.append(candidate)
        var hole = heap.count - 1
        while hole > 0, heap[(hole - 1) / 2].distance > candidate.distance {
            heap[hole] = heap[(hole - 1) / 2]
            hole = (hole - 1) / 2
        }
        heap[hole] = candidate
    }

    private mutating func pop() -> Candidate? {
        guard let top = heap.first, let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return top }
        var hole = 0
        while true {
            var child = 2 * hole + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].distance < heap[child].distance { child += 1 }
            guard heap[child].distance < last.distance else { break }
            heap[hole] = heap[child]
            hole = child
        }
        heap[hole] = last
        return top
    }
}

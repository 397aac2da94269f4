/// Operators within operators: what was running on a thread at a time.
struct OperatorTree {
    private(set) var operators: [KinetoEvents.Operator]
    /// Where the operators of each thread lie, by start.
    private var threads: [Int32: Range<Int>] = [:]

    /// Sorts operators by thread and start, and finds the parent of each. O(n log n).
    init(_ unsorted: [KinetoEvents.Operator]) {
        operators = unsorted
        operators.sort { a, b in
            if a.thread != b.thread { return a.thread < b.thread }
            return a.start != b.start ? a.start < b.start : a.duration > b.duration
        }
        var first = 0
        var open: [Int] = []
        for place in operators.indices {
            let thread = operators[place].thread
            if thread != operators[first].thread {
                threads[operators[first].thread] = first..<place
                first = place
                open.removeAll(keepingCapacity: true)
            }
            while let outer = open.last, operators[outer].end <= operators[place].start { open.removeLast() }
            operators[place].parent = Int32(open.last ?? -1)
            open.append(place)
        }
        if let last = operators.last { threads[last.thread] = first..<operators.count }
    }

    /// The innermost operator that was running on a thread; nil if there was none. O(log n + depth).
    func innermost(at time: Double, on thread: Int32) -> Int? {
        guard let range = threads[thread] else { return nil }
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = (low + high) / 2
            if operators[middle].start <= time { low = middle + 1 } else { high = middle }
        }
        var place = low - 1
        while place >= range.lowerBound {
            if operators[place].end >= time { return place }
            place = Int(operators[place].parent)
        }
        return nil
    }

    /// The operators that stand for the work of a trace without devices, each moment counted at most once: the
    /// innermost ones, and those with a formula that hold no other such.
    func leaves(knows: (Int32) -> Bool) -> [Int] {
        var hasChild = [Bool](repeating: false, count: operators.count)
        var hidden = [Bool](repeating: false, count: operators.count)
        var holdsKnown = [Bool](repeating: false, count: operators.count)
        // Children come after their parents, so that this goes from the inside out.
        for place in operators.indices.reversed() {
            guard operators[place].parent >= 0 else { continue }
            let parent = Int(operators[place].parent)
            hasChild[parent] = true
            if holdsKnown[place] || knows(operators[place].name) { holdsKnown[parent] = true }
        }
        return operators.indices.filter { place in
            let parent = Int(operators[place].parent)
            if parent >= 0, hidden[parent] {
                hidden[place] = true
                return false
            }
            let isKnown = knows(operators[place].name) && !holdsKnown[place]
            if isKnown { hidden[place] = true }
            return isKnown || !hasChild[place]
        }
    }
}

/// What two neighbors merge into.
protocol MergeRule {
    /// `rank << 32 | id`, the lowest rank first, or `PairTable.none`.
    func value(_ left: MergeSymbol, _ right: MergeSymbol) -> UInt64
    /// Told of each merge that is done.
    func record(_ left: MergeSymbol, into id: UInt32, _ workspace: inout MergeWorkspace)
}

/// Merges are listed, as byte-pair encoding learned them.
struct ListedMerges: MergeRule {
    let pairs: PairTable

    @inline(__always)
    func value(_ left: MergeSymbol, _ right: MergeSymbol) -> UInt64 { pairs.value(left.id, right.id) }

    @inline(__always)
    func record(_ left: MergeSymbol, into id: UInt32, _ workspace: inout MergeWorkspace) {}
}

/// Two symbols merge if their text is in the vocabulary, the highest score first (SentencePiece).
struct ScoredMerges: MergeRule {
    let vocabulary: PieceTable
    /// The place of each token's score among all scores, 0 the highest; equal scores share it.
    let ranks: UnsafePointer<UInt32>
    /// Tokens that may be created but not used; empty if there are none.
    let unused: Set<UInt32>
    let piece: UTF8Pointer

    @inline(__always)
    func value(_ left: MergeSymbol, _ right: MergeSymbol) -> UInt64 {
        let id = vocabulary.find(piece + Int(left.start), Int(left.length &+ right.length))
        return id < 0 ? PairTable.none : UInt64(ranks[Int(id)]) << 32 | UInt64(UInt32(bitPattern: id))
    }

    @inline(__always)
    func record(_ left: MergeSymbol, into id: UInt32, _ workspace: inout MergeWorkspace) {
        if !unused.isEmpty, unused.contains(id) { workspace.splits[id] = left.length }
    }
}

extension MergeWorkspace {
    /// Pieces with more symbols are merged with a heap.
    private static var mostScanned: Int { 48 }

    /// Merges neighbors, the lowest rank first and the leftmost of equals, until none merge.
    ///
    /// O(n²) for short pieces, where that is fastest, and O(n log n) for others.
    mutating func merge<Rule: MergeRule>(_ rule: Rule) {
        if count <= Self.mostScanned { mergeByScanning(rule) } else { mergeWithHeap(rule) }
    }

    @inline(__always)
    private mutating func mergeByScanning<Rule: MergeRule>(_ rule: Rule) {
        let symbols = symbols
        let values = values
        var count = count
        guard count > 1 else { return }
        for index in 0..<count &- 1 { values[index] = rule.value(symbols[index], symbols[index &+ 1]) }
        while count > 1 {
            var best = values[0]
            var place = 0
            for index in 1..<max(count &- 1, 1) where values[index] >> 32 < best >> 32 {
                best = values[index]
                place = index
            }
            if best == PairTable.none { break }
            let id = UInt32(truncatingIfNeeded: best)
            rule.record(symbols[place], into: id, &self)
            symbols[place].id = id
            symbols[place].length &+= symbols[place &+ 1].length
            count &-= 1
            var index = place &+ 1
            while index < count {
                symbols[index] = symbols[index &+ 1]
                values[index &- 1] = values[index]
                index &+= 1
            }
            // The pair that began at the symbol now gone was moved to `place` by the loop; both neighbors are new.
            if place &+ 1 < count { values[place] = rule.value(symbols[place], symbols[place &+ 1]) }
            if place > 0 { values[place &- 1] = rule.value(symbols[place &- 1], symbols[place]) }
        }
        self.count = count
    }

    private mutating func mergeWithHeap<Rule: MergeRule>(_ rule: Rule) {
        reserveLinks()
        let symbols = symbols
        let values = values
        let links = links
        heap.removeAll(keepingCapacity: true)
        for index in 0..<count {
            (links + index).initialize(to: (Int32(index - 1), index + 1 < count ? Int32(index + 1) : -1))
            values[index] = index + 1 < count ? rule.value(symbols[index], symbols[index + 1]) : PairTable.none
            if values[index] != PairTable.none { heap.append((values[index] >> 32) << 32 | UInt64(index)) }
        }
        heap.makeHeap()
        while let top = heap.popLeast() {
            let place = Int(truncatingIfNeeded: top & 0xFFFF_FFFF)
            // An entry is stale unless its pair still has the rank it had.
            guard symbols[place].length > 0, values[place] != PairTable.none, values[place] >> 32 == top >> 32 else {
                continue
            }
            let id = UInt32(truncatingIfNeeded: values[place])
            let gone = Int(links[place].next)
            rule.record(symbols[place], into: id, &self)
            symbols[place].id = id
            symbols[place].length &+= symbols[gone].length
            symbols[gone].length = 0
            values[gone] = PairTable.none
            let next = Int(links[gone].next)
            links[place].next = Int32(next)
            if next >= 0 {
                links[next].previous = Int32(place)
                values[place] = rule.value(symbols[place], symbols[next])
                if values[place] != PairTable.none { heap.insert((values[place] >> 32) << 32 | UInt64(place)) }
            } else {
                values[place] = PairTable.none
            }
            let previous = Int(links[place].previous)
            if previous >= 0 {
                values[previous] = rule.value(symbols[previous], symbols[place])
                if values[previous] != PairTable.none { heap.insert((values[previous] >> 32) << 32 | UInt64(previous)) }
            }
        }
        var kept = 0
        for index in 0..<count where symbols[index].length > 0 {
            symbols[kept] = symbols[index]
            kept += 1
        }
        count = kept
    }
}

/// A binary heap in an array, the least element first.
extension [UInt64] {
    mutating func makeHeap() {
        for index in stride(from: count / 2 - 1, through: 0, by: -1) { sink(index) }
    }

    mutating func insert(_ element: UInt64) {
        append(element)
        var index = count - 1
        while index > 0, element < self[(index - 1) / 2] {
            self[index] = self[(index - 1) / 2]
            index = (index - 1) / 2
        }
        self[index] = element
    }

    mutating func popLeast() -> UInt64? {
        guard let last = popLast() else { return nil }
        guard let least = first else { return last }
        self[0] = last
        sink(0)
        return least
    }

    private mutating func sink(_ start: Int) {
        let element = self[start]
        var index = start
        while true {
            var child = 2 * index + 1
            guard child < count else { break }
            if child + 1 < count, self[child + 1] < self[child] { child += 1 }
            guard self[child] < element else { break }
            self[index] = self[child]
            index = child
        }
        self[index] = element
    }
}

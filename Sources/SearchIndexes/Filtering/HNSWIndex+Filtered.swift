internal import Kernels

extension HNSWIndex {
    /// Returns the nearest of the allowed vectors, by a walk over allowed nodes alone.
    ///
    /// Where a link leads to a node that is excluded, the walk looks through it at the node's own links (the two hops
    /// of ACORN-1), so that the allowed nodes stay connected although most of the graph is missing. It begins where a
    /// walk without filter would arrive, and at the nearest of a sample of the allowed ones: with a filter that
    /// excludes just the neighborhood of the query the first of these is a desert.
    ///
    /// - Parameters:
    ///   - effort: Candidates kept on the way, at least `k`.
    ///   - isDesert: Whether the filter is known to exclude the neighborhood of the query: more places to begin are
    ///     looked for.
    ///   - budget: Distances after which the walk is given up.
    /// - Returns: `nil` if the walk was abandoned or found fewer results than exist.
    /// - Source: Patel et al., "ACORN: Performant and Predicate-Agnostic Search Over Vector Embeddings and Structured
    ///   Data", SIGMOD 2024, section 5.
    package func searchAllowed(
        _ query: UnsafePointer<Float>, k: Int, effort: Int, allowed: SlotSet, isDesert: Bool = false,
        budget: Int = .max
    ) throws(SegmentError) -> [Neighbor]? {
        guard k > 0, let entry else { return [] }
        let most = min(max(effort, k), count)
        return try withScratch(effort: beam(most)) { scratch throws(SegmentError) in
            try prepare(query, scratch)
            var walk = AllowedWalk(self, scratch, allowed, isDesert: isDesert, budget: budget)
            guard walk.run(from: entry) else { return nil }
            let found = ranked(scratch, k: k, filters: true, allowed: allowed)
            return found.count >= min(k, walk.usableCount) ? found : nil
        }
    }
}

/// One walk over allowed nodes.
struct AllowedWalk {
    private let index: HNSWIndex
    private let scratch: WalkScratch
    private let usable: [UInt64]
    private let view: GraphGuide.View
    private let query: UnsafeRawPointer
    private let width: Int
    private let budget: Int
    private var distances = 0
    /// Allowed slots that were not removed.
    let usableCount: Int

    /// Allowed nodes of a sample that are looked at for a place to begin, and how many of them are one.
    private let sampled: Int
    private let begun: Int

    init(_ index: HNSWIndex, _ scratch: WalkScratch, _ allowed: SlotSet, isDesert: Bool, budget: Int) {
        (self.index, self.scratch, self.budget) = (index, scratch, budget)
        (sampled, begun) = isDesert ? (1024, 16) : (128, 4)
        width = index.linkWidth(0)
        view = index.guide.view
        query = index.guided(scratch)
        let words = (index.count + 63) / 64
        let removed = index.rows.removed.words
        var usable = [UInt64](repeating: 0, count: words)
        for word in 0..<min(words, allowed.words.count) {
            usable[word] = allowed.words[word] & ~(word < removed.count ? removed[word] : 0)
        }
        if !index.count.isMultiple(of: 64), words > 0 { usable[words - 1] &= (1 << (UInt64(index.count) & 63)) &- 1 }
        usableCount = usable.reduce(0) { $0 + $1.nonzeroBitCount }
        self.usable = usable
    }

    /// Fills the beam of the scratch memory; returns `false` if the budget is exhausted.
    mutating func run(from entry: UInt32) -> Bool {
        guard usableCount > 0 else { return true }
        let starts = index.arrive(scratch, from: entry, most: 4)
        let scratch = scratch
        return usable.withUnsafeBufferPointer { usable in
            guard let usable = usable.baseAddress else { return true }
            var found = 0
            for slot in starts {
                guard mark(slot) else { continue }
                if Self.contains(usable, slot) {
                    scratch.chosen[found] = slot
                    found += 1
                } else {
                    found = look(around: slot, usable, found)
                }
            }
            insert(found)
            insert(sample(usable))
            var cursor = 0
            while cursor < scratch.size {
                let item = scratch.beam[cursor]
                guard item & 1 == 0 else {
                    cursor += 1
                    continue
                }
                scratch.beam[cursor] = item | 1
                cursor += 1
                let new = look(around: GraphWalk.slot(item), usable, 0)
                if new > 0 { cursor = min(cursor, insert(new)) }
                if distances > budget { return false }
            }
            return true
        }
    }

    // Marks a slot as seen; returns false if it already was.
    @inline(__always)
    private func mark(_ slot: UInt32) -> Bool {
        let bit: UInt64 = 1 << UInt64(slot & 63)
        guard scratch.visited[Int(slot >> 6)] & bit == 0 else { return false }
        scratch.visited[Int(slot >> 6)] |= bit
        scratch.reserveSeen(1)
        scratch.seen[scratch.seenCount] = slot
        scratch.seenCount += 1
        return true
    }

    @inline(__always)
    private static func contains(_ words: UnsafePointer<UInt64>, _ slot: UInt32) -> Bool {
        words[Int(slot >> 6)] >> UInt64(slot & 63) & 1 == 1
    }

    // Appends allowed slots one and two links away to `chosen`, where there are `before` already; returns how many
    // then.
    private func look(around slot: UInt32, _ usable: UnsafePointer<UInt64>, _ before: Int) -> Int {
        let (scratch, width) = (scratch, width)
        let most = min(before + width, WalkScratch.listCapacity)
        scratch.reserveSeen(2 * width)
        let near = scratch.seen + scratch.seenCount
        // The lists of the neighbors are asked for, not their rows: most are only looked through.
        let new = GraphWalk.unvisited(
            index.links(of: slot, level: 0), width: width, visited: scratch.visited, rows: index.lowest.start,
            stride: width * 4, lines: (width * 4 + 63) / 64, into: near)
        scratch.seenCount += new
        let chosen = scratch.chosen
        var count = before
        for place in 0..<new where Self.contains(usable, near[place]) && count < WalkScratch.listCapacity {
            chosen[count] = near[place]
            count += 1
        }
        var place = 0
        let visited = scratch.visited
        while place < new, count < most {
            let through = near[place]
            place += 1
            if Self.contains(usable, through) { continue }
            let links = index.links(of: through, level: 0)
            var link = 0
            while link < width, links[link] != GraphWalk.none, count < most {
                let far = links[link]
                link += 1
                guard Self.contains(usable, far) else { continue }
                let bit: UInt64 = 1 << UInt64(far & 63)
                guard visited[Int(far >> 6)] & bit == 0 else { continue }
                visited[Int(far >> 6)] |= bit
                scratch.seen[scratch.seenCount] = far
                scratch.seenCount += 1
                chosen[count] = far
                count += 1
            }
        }
        return count
    }

    // Puts the first `count` of `chosen` into the beam; returns the lowest place that changed.
    @discardableResult
    private mutating func insert(_ count: Int) -> Int {
        guard count > 0 else { return scratch.capacity }
        distances += count
        view.orders(query, scratch.chosen, count, scratch.listOrders)
        var size = scratch.size
        let changed = GraphWalk.insert(
            scratch.chosen, orders: scratch.listOrders, count: count, into: scratch.beam, size: &size,
            capacity: scratch.capacity, links: index.lowest.start, linksBytes: width * 4)
        scratch.size = size
        return changed
    }

    // Leaves the nearest of a spread sample of the allowed slots in `chosen`.
    private mutating func sample(_ usable: UnsafePointer<UInt64>) -> Int {
        let words = self.usable.count
        var count = 0
        let wanted = min(sampled, words)
        for part in 0..<wanted {
            var word = part * words / wanted
            let end = (part + 1) * words / wanted
            while word < end, usable[word] == 0 { word += 1 }
            guard word < end else { continue }
            scratch.chosen[count] = UInt32(word << 6 | usable[word].trailingZeroBitCount)
            count += 1
        }
        guard count > 0 else { return 0 }
        distances += count
        view.orders(query, scratch.chosen, count, scratch.listOrders)
        var best: [(order: Int32, slot: UInt32)] = []
        for place in 0..<count {
            let order = scratch.listOrders[place]
            if best.count == begun, order >= best[best.count - 1].order { continue }
            let at = best.firstIndex { $0.order > order } ?? best.count
            best.insert((order, scratch.chosen[place]), at: at)
            if best.count > begun { best.removeLast() }
        }
        var kept = 0
        for (_, slot) in best where mark(slot) {
            scratch.chosen[kept] = slot
            kept += 1
        }
        return kept
    }
}

internal import Kernels

extension HNSWIndex {
    /// Removes nodes from the graph: nodes that were linked to them are linked to their neighbors instead.
    ///
    /// No node that is left has a link to a removed one afterwards. O(nodes) to find the links, and for each list that
    /// had one the work of selecting its links again.
    public func repair(removed slots: [Int]) throws(SegmentError) {
        let gone = slots.filter { $0 < count && rows.removed.contains($0) }
        guard !gone.isEmpty else { return }
        var marks = SlotSet(capacity: count)
        for slot in gone { marks.insert(slot) }
        try guide.encode(upTo: count, forNow: gone.count * 8 >= count)
        defer { guide.settle() }
        let view = guide.view
        try withScratch(effort: 1) { scratch throws(SegmentError) in
            for slot in 0..<count where !rows.removed.contains(slot) {
                for level in 0...level(of: UInt32(slot)) {
                    relink(UInt32(slot), level, marks, view, scratch)
                }
            }
        }
        for slot in gone {
            for level in 0...level(of: UInt32(slot)) {
                list(UInt32(slot), level).update(repeating: GraphWalk.none, count: linkWidth(level))
            }
            mark(UInt32(slot))
        }
        if let entry, marks.contains(Int(entry)) { chooseEntry() }
    }

    /// Takes the highest of the nodes that are left, the first of them, as the entry.
    private func chooseEntry() {
        entry = nil
        maximumLevel = 0
        for slot in 0..<count where !rows.removed.contains(slot) {
            let level = level(of: UInt32(slot))
            if entry == nil || level > maximumLevel {
                entry = UInt32(slot)
                maximumLevel = level
            }
        }
    }

    /// Selects the links of a list again, from its remaining links and the neighbors of the removed nodes.
    private func relink(
        _ slot: UInt32, _ level: Int, _ gone: SlotSet, _ view: GraphGuide.View, _ scratch: WalkScratch
    ) {
        let width = linkWidth(level)
        let list = list(slot, level)
        var damaged = false
        for link in 0..<width {
            if list[link] == GraphWalk.none { break }
            damaged = damaged || gone.contains(Int(list[link]))
        }
        guard damaged else { return }
        let most = min(WalkScratch.listCapacity - 1, 8 * width)
        let candidates = scratch.list
        var count = 0
        /// A small set of what is among the candidates, by the bits of visited slots.
        func add(_ link: UInt32) {
            let bit: UInt64 = 1 << UInt64(link & 63)
            guard link != slot, count < most, scratch.visited[Int(link >> 6)] & bit == 0 else { return }
            scratch.visited[Int(link >> 6)] |= bit
            candidates[count] = link
            count += 1
        }
        // Gone neighbors stand at the end of `chosen`, to be gone through in turn: theirs may be gone as well.
        let waiting = scratch.chosen
        var waitingCount = 0
        func take(_ links: UnsafePointer<UInt32>) {
            for link in 0..<width {
                let next = links[link]
                if next == GraphWalk.none { break }
                if gone.contains(Int(next)) {
                    let bit: UInt64 = 1 << UInt64(next & 63)
                    guard waitingCount < most, scratch.visited[Int(next >> 6)] & bit == 0 else { continue }
                    scratch.visited[Int(next >> 6)] |= bit
                    waiting[waitingCount] = next
                    waitingCount += 1
                } else if !rows.removed.contains(Int(next)) {
                    add(next)
                }
            }
        }
        take(UnsafePointer(list))
        var at = 0
        while at < waitingCount, count < most, at < 4 * width {
            take(links(of: waiting[at], level: level))
            at += 1
        }
        for place in 0..<count { scratch.visited[Int(candidates[place] >> 6)] = 0 }
        for place in 0..<waitingCount { scratch.visited[Int(waiting[place] >> 6)] = 0 }
        view.orders(view.row(slot), candidates, count, scratch.listOrders)
        var size = 0
        _ = GraphWalk.insert(
            candidates, orders: scratch.listOrders, count: count, into: scratch.listBeam, size: &size,
            capacity: most, links: view.base, linksBytes: 0)
        let kept = select(scratch.listBeam, size, width, view, scratch.chosen, skipping: slot, scratch.distances)
        set(slot, level, scratch.chosen, kept, nil)
        // Nodes that were reached through a removed node must stay reachable.
        for link in 0..<kept { linkBack(scratch.chosen[link], to: slot, level, view, nil, scratch) }
    }
}

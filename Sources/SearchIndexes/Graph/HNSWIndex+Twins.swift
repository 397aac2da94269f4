internal import Hashing
internal import Kernels

/// Vectors that are there many times.
///
/// Many equal vectors would fill each other's lists, and none would lead to another place. So the first of them is
/// linked as any vector is; each that follows takes over the links of one that is there, which are as good for itself,
/// and hangs in a tree of twins: a list leads to a few of them, and whichever comes when these are full is handed on to
/// one of them.
extension HNSWIndex {
    /// Returns the order of a vector's distance to itself.
    @inline(__always)
    func twinOrder(_ slot: UInt32, _ view: GraphGuide.View) -> Int32 {
        if rows.metric == .l2 { return 0 }
        var own = slot
        var order: Int32 = 0
        view.orders(view.row(slot), &own, 1, &order)
        return order
    }

    /// Returns a node in the beam that is equal to a new one.
    func twin(of slot: UInt32, _ view: GraphGuide.View, _ scratch: WalkScratch) -> UInt32? {
        guard scratch.size > 0 else { return nil }
        let order = twinOrder(slot, view)
        var at = 0
        while at < scratch.size, GraphWalk.order(scratch.beam[at]) <= order {
            let other = GraphWalk.slot(scratch.beam[at])
            if GraphWalk.order(scratch.beam[at]) == order, other != slot, view.isEqual(other, slot),
                !rows.removed.contains(Int(other))
            {
                return other
            }
            at += 1
        }
        return nil
    }

    /// Links of a list that may lead to twins while others come.
    private func twinLinks(_ level: Int) -> Int { min(max(linkWidth(level) / 4, 3), linkWidth(level)) }

    /// Links a node that is equal to one in the graph.
    func link(
        _ slot: UInt32, beside twin: UInt32, _ level: Int, _ view: GraphGuide.View,
        _ locks: UnsafeMutablePointer<UInt8>?, _ scratch: WalkScratch
    ) {
        let width = linkWidth(level)
        let links = scratch.list
        GraphWalk.copy(self.links(of: twin, level: level), width: width, into: links)
        let chosen = scratch.chosen
        chosen[0] = twin
        var count = 1
        var link = 0
        while link < width, links[link] != GraphWalk.none, count < width {
            let other = links[link]
            link += 1
            if view.isEqual(other, slot) { continue }
            chosen[count] = other
            count += 1
        }
        set(slot, level, chosen, count, locks)
        let parent = place(slot, beside: twin, level, view, locks, scratch)
        guard parent != twin else { return }
        if let locks { GraphWalk.lock(locks + Int(slot)) }
        let list = list(slot, level)
        // Unless another thread has written the list meanwhile, the way up the tree goes to the parent alone.
        var up = parent
        let isFirst = list[0] == twin
        if isFirst { GraphWalk.store(&up, count: 1, in: list, width: 1) }
        if let locks { GraphWalk.unlock(locks + Int(slot)) }
        if !isFirst { linkBack(slot, to: parent, level, view, locks, scratch) }
    }

    /// Goes down the tree of twins to one that has room for another, and links that to it.
    private func place(
        _ slot: UInt32, beside twin: UInt32, _ level: Int, _ view: GraphGuide.View,
        _ locks: UnsafeMutablePointer<UInt8>?, _ scratch: WalkScratch
    ) -> UInt32 {
        let width = linkWidth(level)
        let most = twinLinks(level)
        var at = twin
        var before = slot
        var draw = UInt64(slot) &* SplitMix64.gamma
        // A path that long has met only full lists, which concurrent threads can cause; the last list then makes room.
        for step in 0..<256 {
            GraphWalk.copy(links(of: at, level: level), width: width, into: scratch.list)
            var twins = 0
            var link = 0
            var next = at
            while link < width, scratch.list[link] != GraphWalk.none {
                let other = scratch.list[link]
                link += 1
                guard view.isEqual(other, slot) else { continue }
                twins += 1
                guard other != before, other != slot, self.level(of: other) >= level else { continue }
                draw = draw &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                // Each of those that were met so far is the choice with the same chance.
                if next == at || (draw >> 33) % UInt64(twins) == 0 { next = other }
            }
            if twins < most || next == at || step == 255 { break }
            (before, at) = (at, next)
        }
        linkBack(at, to: slot, level, view, locks, scratch)
        return at
    }

    /// As ``explore(_:from:)``; where a few vectors fill the beam with their twins, again with a wider one.
    func exploreWide(_ scratch: WalkScratch, from entry: UInt32) {
        explore(scratch, from: entry)
        let size = scratch.size
        guard size > 3, size < count else { return }
        var different = 1
        for at in 1..<size where GraphWalk.order(scratch.beam[at]) != GraphWalk.order(scratch.beam[at - 1]) {
            different += 1
        }
        guard different * 4 < size else { return }
        // As if each of a quarter of the beam were another vector, and at most what sixteen searches cost.
        let wider = min(size * min(16, size / (2 * different) + 1), count)
        scratch.begin(slots: count, effort: wider)
        explore(scratch, from: entry)
    }
}

internal import Glibc
internal import Hashing
internal import Kernels
internal import Synchronization

extension HNSWIndex {
    /// Adds slots to the graph.
    ///
    /// With one thread the graph depends on the vectors, their order and the seed alone; with several also on time.
    public func add(
        slots: Range<Int>, threads: Int = 1, progress: (Int) -> Bool = { _ in true }
    ) throws(SegmentError) {
        let first = max(slots.lowerBound, count)
        let end = min(slots.upperBound, rows.count)
        guard first < end else { return }
        guard first == count else {
            throw SegmentError(
                "hnsw", problem: "slots \(count) to \(first - 1) are not in the graph yet",
                remedy: "Add them first.")
        }
        try requireMemory((end - first) * 9 * parameters.m, for: "links")
        // Encoding everything again pays off where much is added.
        try guide.encode(upTo: end, forNow: (end - first) * 8 >= end)
        defer { guide.settle() }
        makeRoom(upTo: end)
        let threads = max(1, min(threads, ThreadPool.usableProcessors, (end - first) / 32))
        let pool = threads > 1 ? ThreadPool(threads: threads) : .single
        let scratches = (0..<pool.threads).map { _ in WalkScratch(dimension: 1, stride: 1) }
        let locks = pool.threads > 1 ? UnsafeMutablePointer<UInt8>.allocate(capacity: end + 1) : nil
        locks?.initialize(repeating: 0, count: end + 1)
        defer { locks?.deallocate() }
        defer { if end - first >= 1000 { trim() } }
        let build = Build(view: guide.view, locks: locks, slots: end)
        while count < end {
            // Others see a slot only through links, but the first must be whole before there are others.
            let batch = count..<min(end, count == 0 ? 1 : count + 1024)
            pool.run(chunks: (batch.count + 3) / 4) { chunk, worker in
                let from = batch.lowerBound + chunk * 4
                for slot in from..<min(from + 4, batch.upperBound) {
                    self.insert(UInt32(slot), build, scratches[worker])
                }
            }
            count = batch.upperBound
            if !progress(count - first), count < end {
                upperLists = Int(upperStarts.start[count])
                return
            }
        }
    }

    /// Gives back memory that was taken ahead.
    func trim() {
        lowest.trim(used: count * 2 * parameters.m)
        guide.trim()
        rows.trim()
    }

    struct Build {
        let view: GraphGuide.View
        let locks: UnsafeMutablePointer<UInt8>?
        let slots: Int
    }

    /// Returns the level of a slot: geometric, with mean 1 / ln m, drawn from the slot's number.
    private func drawnLevel(_ slot: Int) -> Int {
        let bits = SplitMix64.mix(parameters.seed &+ UInt64(slot &+ 1) &* SplitMix64.gamma)
        let uniform = (Double(bits >> 11) + 0.5) * 0x1p-53
        return min(Int(-log(uniform) / log(Double(parameters.m))), HNSWParameters.highestLevel)
    }

    private func makeRoom(upTo end: Int) {
        for slot in count..<end {
            let level = drawnLevel(slot)
            levels.start[slot] = UInt8(level)
            upperStarts.start[slot] = UInt32(upperLists)
            changed.start[slot] = 1
            (lowest.start + slot * 2 * parameters.m).update(repeating: GraphWalk.none, count: 2 * parameters.m)
            (upper.start + upperLists * parameters.m).update(repeating: GraphWalk.none, count: level * parameters.m)
            upperLists += level
        }
    }

    /// Algorithm 1: finds the neighborhood of a slot on each of its levels and links it there, both ways.
    private func insert(_ slot: UInt32, _ build: Build, _ scratch: WalkScratch) {
        if rows.removed.contains(Int(slot)) { return }
        let (view, locks) = (build.view, build.locks)
        let level = Int(levels.start[Int(slot)])
        let gate = locks.map { $0 + build.slots }
        if let gate { GraphWalk.lock(gate) }
        let (start, top) = (entry, maximumLevel)
        // A thread that opens a new level blocks the others from doing so until the node is linked.
        let opens = start == nil || level > top
        if let gate, !opens { GraphWalk.unlock(gate) }
        defer { if let gate, opens { GraphWalk.unlock(gate) } }
        guard let start else {
            entry = slot
            maximumLevel = level
            return
        }
        let query = view.row(slot)
        scratch.begin(slots: build.slots, effort: parameters.efConstruction)
        descend(scratch, query: query, view: view, from: start, top: top, to: min(level, top))
        var at = min(level, top)
        while at >= 0 {
            walk(scratch, query: query, view: view, level: at)
            if let twin = twin(of: slot, view, scratch) {
                link(slot, beside: twin, at, view, locks, scratch)
            } else {
                let chosen = select(
                    scratch.beam, scratch.size, parameters.m, view, scratch.chosen, skipping: slot, scratch.distances)
                set(slot, at, scratch.chosen, chosen, locks)
                for link in 0..<chosen { linkBack(scratch.chosen[link], to: slot, at, view, locks, scratch) }
            }
            guard at > 0 else { break }
            // All that was found starts the walk of the next level.
            scratch.startFromBeam()
            at -= 1
        }
        if opens {
            entry = slot
            maximumLevel = level
        }
    }

    /// Algorithm 4: takes the nearest candidates that are nearer to the new node than to any taken one.
    ///
    /// Of several that are equal to each other one is taken, but those that are equal to `own` go before all others,
    /// up to half of the list: they are the only way to each other.
    ///
    /// - Parameter candidates: Nearest first. Removed ones, and `own`, are left out.
    func select(
        _ candidates: UnsafePointer<UInt64>, _ count: Int, _ most: Int, _ view: GraphGuide.View,
        _ chosen: UnsafeMutablePointer<UInt32>, skipping own: UInt32, _ room: UnsafeMutablePointer<Float>
    ) -> Int {
        let orders = UnsafeMutableRawPointer(room).assumingMemoryBound(to: Int32.self)
        let anyRemoved = rows.removed.count > 0
        let twinOrder = count > most ? twinOrder(own, view) : .min
        var taken = 0
        var at = 0
        while at < count, GraphWalk.order(candidates[at]) <= twinOrder, taken < max(most / 2, 1) {
            let slot = GraphWalk.slot(candidates[at])
            let isTwin = GraphWalk.order(candidates[at]) == twinOrder && slot != own && view.isEqual(slot, own)
            at += 1
            guard isTwin, !anyRemoved || !rows.removed.contains(Int(slot)) else { continue }
            chosen[taken] = slot
            taken += 1
        }
        at = 0
        var lastOrder: Int32?
        candidates: while at < count, taken < most {
            let item = candidates[at]
            at += 1
            let slot = GraphWalk.slot(item)
            if slot == own || (anyRemoved && rows.removed.contains(Int(slot))) { continue }
            if count > most {
                let order = GraphWalk.order(item)
                if order == twinOrder, view.isEqual(slot, own) { continue }
                if order == lastOrder, view.isEqual(slot, chosen[taken - 1]) { continue }
                let row = view.row(slot)
                var from = 0
                while from < taken {
                    let some = min(taken - from, 8)
                    view.orders(row, chosen + from, some, orders)
                    for other in 0..<some where orders[other] < order { continue candidates }
                    from += some
                }
                lastOrder = order
            }
            chosen[taken] = slot
            taken += 1
        }
        return taken
    }

    /// Writes a list.
    func set(
        _ slot: UInt32, _ level: Int, _ links: UnsafePointer<UInt32>, _ count: Int,
        _ locks: UnsafeMutablePointer<UInt8>?
    ) {
        if let locks { GraphWalk.lock(locks + Int(slot)) }
        GraphWalk.store(links, count: count, in: list(slot, level), width: linkWidth(level))
        mark(slot)
        if let locks { GraphWalk.unlock(locks + Int(slot)) }
    }

    /// Links a node to a node that has chosen it; if the list is full, its links are selected again.
    func linkBack(
        _ slot: UInt32, to new: UInt32, _ level: Int, _ view: GraphGuide.View, _ locks: UnsafeMutablePointer<UInt8>?,
        _ scratch: WalkScratch
    ) {
        if let locks { GraphWalk.lock(locks + Int(slot)) }
        defer { if let locks { GraphWalk.unlock(locks + Int(slot)) } }
        let width = linkWidth(level)
        let list = list(slot, level)
        var count = 0
        while count < width, list[count] != GraphWalk.none {
            if list[count] == new { return }
            count += 1
        }
        mark(slot)
        guard count == width else {
            var link = new
            GraphWalk.store(&link, count: 1, in: list + count, width: 1)
            return
        }
        let slots = scratch.list
        slots.update(from: list, count: width)
        slots[width] = new
        view.orders(view.row(slot), slots, width + 1, scratch.listOrders)
        var size = 0
        _ = GraphWalk.insert(
            slots, orders: scratch.listOrders, count: width + 1, into: scratch.listBeam, size: &size,
            capacity: width + 1, links: view.base, linksBytes: 0)
        let kept = select(scratch.listBeam, size, width, view, scratch.list, skipping: slot, scratch.distances)
        GraphWalk.store(scratch.list, count: kept, in: list, width: width)
    }

    /// Notes that the lists of a slot are not in the store as they are.
    @inline(__always)
    func mark(_ slot: UInt32) {
        // Writing what is there already would take the line from the other threads.
        if changed.start[Int(slot)] == 0 { changed.start[Int(slot)] = 1 }
    }
}

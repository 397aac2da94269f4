internal import Kernels

extension HNSWIndex {
    /// Returns the `k` nearest vectors that a walk finds, nearest first, by their exact distances.
    ///
    /// `effort` below `k` is taken as `k`. Where slots are excluded, the walk is widened until enough remain, or every
    /// vector was looked at.
    public func search(_ query: UnsafePointer<Float>, _ request: VectorRequest) throws(SegmentError) -> [Neighbor] {
        guard request.k > 0, let entry else { return [] }
        let filters = request.allowed != nil || rows.removed.count > 0
        var effort = max(request.effort ?? parameters.effort, request.k)
        while true {
            let most = min(effort, count)
            let found = try withScratch(effort: beam(most)) { scratch throws(SegmentError) in
                try prepare(query, scratch)
                exploreWide(scratch, from: entry)
                return ranked(scratch, k: request.k, filters: filters, allowed: request.allowed)
            }
            if found.count >= request.k || !filters || most == count { return found }
            let wanted = min(request.k, request.allowed?.count ?? request.k)
            if found.count >= wanted { return found }
            effort *= 4
        }
    }

    /// Entries of the beam: codes mistake near neighbors for each other, some more make up for it.
    package func beam(_ effort: Int) -> Int {
        guide.calibration.isUsed ? min(effort + effort / 16 + 4, max(count, effort)) : effort
    }

    /// The whole walk with the prepared query of a scratch: down to level 1, there with a narrow beam, which keeps a
    /// search out of dead ends better than the single nearest node would, and then on the lowest level.
    package func explore(_ scratch: WalkScratch, from entry: UInt32) {
        let capacity = scratch.capacity
        descend(scratch, from: entry, to: min(maximumLevel, 1))
        if maximumLevel > 0 {
            scratch.capacity = upperBeam(capacity)
            walk(scratch, level: 1)
            scratch.capacity = capacity
            scratch.startFromBeam()
        }
        walk(scratch, level: 0)
    }

    /// Entries of the beam on level 1.
    func upperBeam(_ capacity: Int) -> Int { min(max(capacity / 4, 2), 8, capacity) }

    /// Brings a query into a scratch, as the guide keeps rows.
    package func prepare(_ query: UnsafePointer<Float>, _ scratch: WalkScratch) throws(SegmentError) {
        try rows.prepare(query, into: scratch.query)
        guard guide.calibration.isUsed else { return }
        guide.calibration.center.withUnsafeBufferPointer { center in
            guard let center = center.baseAddress else { return }
            VectorCodes.encode(
                scratch.query, center: center, scale: guide.calibration.scale, dimension: rows.dimension,
                stride: guide.stride, into: scratch.code)
        }
    }

    /// Returns the query of a scratch as the guide compares it.
    @inline(__always)
    func guided(_ scratch: WalkScratch) -> UnsafeRawPointer {
        guide.calibration.isUsed ? UnsafeRawPointer(scratch.code) : UnsafeRawPointer(scratch.query)
    }

    /// Goes down from the entry to the nearest node of level `level + 1`, and puts that into the beam.
    package func descend(_ scratch: WalkScratch, from entry: UInt32, to level: Int = 0) {
        descend(
            scratch, query: guided(scratch), view: guide.view, from: entry, top: maximumLevel, to: level)
    }

    func descend(
        _ scratch: WalkScratch, query: UnsafeRawPointer, view: GraphGuide.View, from entry: UInt32, top: Int,
        to level: Int
    ) {
        var nearest = entry
        var order: Int32 = 0
        view.orders(query, &nearest, 1, &order)
        let width = parameters.m
        var at = top
        while at > level {
            var moved = true
            while moved {
                moved = false
                // Others may write the list meanwhile, so that it is read once.
                let from = scratch.list
                GraphWalk.copy(links(of: nearest, level: at), width: width, into: from)
                var count = 0
                while count < width, from[count] != GraphWalk.none { count += 1 }
                view.orders(query, from, count, scratch.listOrders)
                for link in 0..<count where scratch.listOrders[link] < order {
                    order = scratch.listOrders[link]
                    nearest = from[link]
                    moved = true
                }
            }
            at -= 1
        }
        scratch.seed(nearest, order: order)
    }

    /// Widens from what is in the beam until nothing in it is left to expand.
    package func walk(_ scratch: WalkScratch, level: Int) {
        walk(scratch, query: guided(scratch), view: guide.view, level: level)
    }

    func walk(
        _ scratch: WalkScratch, query: UnsafeRawPointer, view: GraphGuide.View, level: Int
    ) {
        let width = linkWidth(level)
        let capacity = scratch.capacity
        let beam = scratch.beam
        let visited = scratch.visited
        let links = UnsafeRawPointer(lowest.start)
        let linksBytes = 8 * parameters.m
        var size = scratch.size
        var cursor = 0
        while cursor < size {
            let item = beam[cursor]
            guard item & 1 == 0 else {
                cursor += 1
                continue
            }
            beam[cursor] = item | 1
            scratch.reserveSeen(width)
            let found = scratch.seen + scratch.seenCount
            let orders = scratch.orders + scratch.seenCount
            let new = GraphWalk.unvisited(
                self.links(of: GraphWalk.slot(item), level: level), width: width, visited: visited,
                rows: view.base, stride: view.stride, lines: view.lines, into: found)
            cursor += 1
            guard new > 0 else { continue }
            view.orders(query, found, new, orders)
            scratch.seenCount += new
            let changed = GraphWalk.insert(
                found, orders: orders, count: new, into: beam, size: &size, capacity: capacity, links: links,
                linksBytes: linksBytes)
            cursor = min(cursor, changed)
        }
        scratch.size = size
    }

    /// Returns the nearest in the beam by their vectors.
    func ranked(_ scratch: WalkScratch, k: Int, filters: Bool, allowed: SlotSet?) -> [Neighbor] {
        let size = scratch.size
        // Codes mistake neighbors of nearly the same distance for each other: twice as many as wanted are compared.
        let most = guide.calibration.isUsed ? 2 * min(k, size) + 8 : k
        // What was seen is not needed any more: its memory takes the slots.
        scratch.forget()
        scratch.reserveSeen(size)
        let slots = scratch.seen
        var kept = 0
        let removed = rows.removed
        for at in 0..<size {
            let slot = GraphWalk.slot(scratch.beam[at])
            if filters, removed.contains(Int(slot)) || allowed?.contains(Int(slot)) == false { continue }
            slots[kept] = slot
            kept += 1
            if kept == most { break }
        }
        let distances = UnsafeMutableRawPointer(scratch.orders).assumingMemoryBound(to: Float.self)
        rows.distances(to: scratch.query, slots: slots, count: kept, into: distances)
        var top: [Neighbor] = []
        top.reserveCapacity(kept)
        rows.labels.withUnsafeBufferPointer { labels in
            for at in 0..<kept { top.append(Neighbor(label: labels[Int(slots[at])], distance: distances[at])) }
        }
        top.sort()
        if top.count > k { top.removeLast(top.count - k) }
        return top
    }
}

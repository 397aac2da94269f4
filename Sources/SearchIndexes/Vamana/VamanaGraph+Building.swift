internal import Kernels

extension VamanaGraph {
    /// Walks from the entry towards a row, and leaves every slot that it expanded in `scratch.pool`.
    func walk(to slot: Int, _ space: VamanaSpace, complexity: Int, _ scratch: VamanaScratch) {
        scratch.begin(slots: count, capacity: complexity)
        guard let entry else { return }
        scratch.found[0] = entry
        scratch.visited[Int(entry) >> 6] |= 1 << (UInt64(entry) & 63)
        insert(1, from: slot, space, complexity, scratch)
        var place = 0
        while let next = scratch.unexpanded(from: place) {
            let entry = scratch.beam[next]
            scratch.beam[next] = entry | 1
            let node = GraphWalk.slot(entry)
            if Int(node) != slot {
                let distance = GraphWalk.float(order: GraphWalk.order(entry))
                scratch.pool.append(VamanaCandidate(distance: distance, slot: node))
            }
            copy(Int(node), into: scratch.list)
            let unseen = GraphWalk.unvisited(
                scratch.list, width: width, visited: scratch.visited, rows: space.rows.base,
                stride: space.rows.stride * 4, lines: min(8, space.rows.stride / 16 + 1), into: scratch.found)
            place = unseen == 0 ? next + 1 : min(insert(unseen, from: slot, space, complexity, scratch), next + 1)
        }
    }

    @discardableResult
    private func insert(
        _ number: Int, from slot: Int, _ space: VamanaSpace, _ capacity: Int, _ scratch: VamanaScratch
    ) -> Int {
        space.distances(from: slot, to: scratch.found, count: number, into: scratch.distances)
        GraphWalk.order(floats: scratch.distances, count: number)
        return scratch.distances.withMemoryRebound(to: Int32.self, capacity: number) { orders in
            GraphWalk.insert(
                scratch.found, orders: orders, count: number, into: scratch.beam, size: &scratch.beamSize,
                capacity: capacity, links: links, linksBytes: width * 4)
        }
    }

    /// Chooses at most `degree` of `scratch.pool` as links of a slot, into `scratch.kept`.
    ///
    /// The nearest is kept; it makes needless every other that lies alpha times nearer to it than to the slot. This is
    /// done first with alpha 1, then with the larger one for what room is left.
    /// Source: Subramanya et al., "DiskANN", NeurIPS 2019, algorithm 2.
    func prune(_ slot: Int, _ space: VamanaSpace, degree: Int, alpha: Float, _ scratch: VamanaScratch) {
        scratch.kept.removeAll(keepingCapacity: true)
        scratch.pool.sort()
        var count = 0
        scratch.pool.withUnsafeMutableBufferPointer { pool in
            for index in pool.indices where Int(pool[index].slot) != slot {
                if count > 0, pool[count - 1].slot == pool[index].slot { continue }
                pool[count] = pool[index]
                count += 1
            }
        }
        count = min(count, Self.mostCandidates)
        scratch.occlusion.removeAll(keepingCapacity: true)
        scratch.occlusion.append(contentsOf: repeatElement(0, count: count))
        if scratch.poolDistances.count < count {
            scratch.poolDistances = [Float](repeating: 0, count: count + 256)
        }
        var bound: Float = 1
        while scratch.kept.count < degree {
            keep(count, space, degree: degree, alpha: bound, last: alpha, scratch)
            if bound >= alpha { break }
            bound = min(alpha, bound * 1.2)
        }
        fill(count, degree / 2, scratch)
    }

    // A short list is filled up with the nearest that were found needless: a walk that keeps few candidates would
    // otherwise end too early in a dense place.
    private func fill(_ count: Int, _ least: Int, _ scratch: VamanaScratch) {
        var index = 0
        while scratch.kept.count < least, index < count {
            if scratch.occlusion[index] < .infinity { scratch.kept.append(scratch.pool[index].slot) }
            index += 1
        }
    }

    // Only candidates that may still be kept are compared: what lies alpha times nearer to a kept one than to the slot
    // never comes back.
    private func keep(
        _ count: Int, _ space: VamanaSpace, degree: Int, alpha: Float, last: Float, _ scratch: VamanaScratch
    ) {
        scratch.open.removeAll(keepingCapacity: true)
        scratch.poolSlots.removeAll(keepingCapacity: true)
        for index in 0..<count where scratch.occlusion[index] <= last {
            scratch.open.append(UInt32(index))
            scratch.poolSlots.append(scratch.pool[index].slot)
        }
        scratch.pool.withUnsafeBufferPointer { pool in
            scratch.occlusion.withUnsafeMutableBufferPointer { occlusion in
                scratch.poolDistances.withUnsafeMutableBufferPointer { between in
                    scratch.poolSlots.withUnsafeMutableBufferPointer { slots in
                        scratch.open.withUnsafeMutableBufferPointer { open in
                            guard let slots = slots.baseAddress, let between = between.baseAddress else { return }
                            var (at, end) = (0, open.count)
                            while at < end, scratch.kept.count < degree {
                                let one = Int(open[at])
                                at += 1
                                guard occlusion[one] <= alpha else { continue }
                                occlusion[one] = .infinity
                                scratch.kept.append(pool[one].slot)
                                space.distances(
                                    from: Int(pool[one].slot), to: slots + at, count: end - at, into: between)
                                var left = at
                                for place in at..<end {
                                    let other = Int(open[place])
                                    let distance = between[place - at]
                                    let factor = distance > 0 ? pool[other].distance / distance : .infinity
                                    // A twin of a kept one is as needless as can be, but not kept itself.
                                    if factor > occlusion[other] {
                                        occlusion[other] = min(factor, .greatestFiniteMagnitude)
                                    }
                                    guard occlusion[other] <= last else { continue }
                                    open[left] = open[place]
                                    slots[left] = slots[place]
                                    left += 1
                                }
                                end = left
                            }
                        }
                    }
                }
            }
        }
    }

    /// Links a slot into the graph: walks to it, chooses its links, and links back.
    ///
    func link(_ slot: Int, _ space: VamanaSpace, _ settings: VamanaSettings, alpha: Float, _ scratch: VamanaScratch) {
        walk(to: slot, space, complexity: settings.complexity, scratch)
        // What a pass before found is still a candidate.
        copy(slot, into: scratch.list)
        append(scratch.list, to: slot, space, scratch)
        prune(slot, space, degree: settings.degree, alpha: alpha, scratch)
        GraphWalk.lock(locks + slot)
        scratch.kept.withUnsafeBufferPointer { set(slot, to: $0) }
        GraphWalk.unlock(locks + slot)
        let kept = scratch.kept
        for neighbor in kept { linkBack(Int(neighbor), to: slot, space, settings, alpha: alpha, scratch) }
    }

    private func linkBack(
        _ node: Int, to slot: Int, _ space: VamanaSpace, _ settings: VamanaSettings, alpha: Float,
        _ scratch: VamanaScratch
    ) {
        GraphWalk.lock(locks + node)
        let list = list(node)
        var degree = 0
        while degree < width, list[degree] != GraphWalk.none {
            if list[degree] == UInt32(slot) {
                GraphWalk.unlock(locks + node)
                return
            }
            degree += 1
        }
        if degree < width {
            list[degree] = UInt32(slot)
            if degree + 1 < width { list[degree + 1] = GraphWalk.none }
            GraphWalk.unlock(locks + node)
            return
        }
        scratch.list.update(from: list, count: width)
        GraphWalk.unlock(locks + node)
        // Chosen without the lock: what another thread adds meanwhile may be lost, as one link of many.
        scratch.pool.removeAll(keepingCapacity: true)
        append(scratch.list, to: node, space, scratch)
        scratch.found[0] = UInt32(slot)
        space.distances(from: node, to: scratch.found, count: 1, into: scratch.distances)
        scratch.pool.append(VamanaCandidate(distance: scratch.distances[0], slot: UInt32(slot)))
        prune(node, space, degree: settings.degree, alpha: alpha, scratch)
        GraphWalk.lock(locks + node)
        scratch.kept.withUnsafeBufferPointer { set(node, to: $0) }
        GraphWalk.unlock(locks + node)
    }

    /// Appends the slots of a list to the pool, with their distances from a slot.
    func append(_ list: UnsafePointer<UInt32>, to slot: Int, _ space: VamanaSpace, _ scratch: VamanaScratch) {
        var degree = 0
        while degree < width, list[degree] != GraphWalk.none { degree += 1 }
        guard degree > 0 else { return }
        space.distances(from: slot, to: list, count: degree, into: scratch.distances)
        for place in 0..<degree {
            scratch.pool.append(VamanaCandidate(distance: scratch.distances[place], slot: list[place]))
        }
    }

    /// Candidates that are looked at when links are chosen.
    private static let mostCandidates = 750
}

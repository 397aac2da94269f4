internal import Kernels

extension FilterPlanner {
    /// Plans and searches. A request without a filter is handed to the index as it is.
    ///
    /// What the chosen way does not find, or only at more than it was worth, is looked for exactly: with a filter the
    /// answer never has fewer than `k` vectors where the filter keeps as many.
    ///
    /// - Parameter lists: of an inverted file: how many it has.
    public func search(
        _ index: any VectorIndex, _ query: UnsafePointer<Float>, _ request: VectorRequest, lists: Int? = nil
    ) throws(SegmentError) -> FilteredResult {
        let rows = index.rows
        let effort = max(request.effort ?? (index as? HNSWIndex)?.parameters.effort ?? 4 * request.k, request.k)
        guard let allowed = request.allowed else {
            let plan = FilterPlan(
                strategy: .postFilter, kept: rows.liveCount, count: rows.liveCount, localShare: nil, effort: effort,
                estimatedCosts: [:], reason: "There is no filter.")
            return FilteredResult(neighbors: try index.search(query, request), plan: plan)
        }
        let target = Self.target(index, lists: lists)
        func plan(_ localShare: Double?) -> FilterPlan {
            self.plan(
                target, kept: allowed.count, count: rows.liveCount, k: request.k, effort: effort,
                dimension: rows.dimension, localShare: localShare)
        }
        var chosen = plan(nil)
        // To look around costs a part of a walk: where comparing all costs no more, nobody looks.
        if let graph = index as? HNSWIndex, costs.exact(allowed.count, rows.dimension) > 2 * costs.walk,
            allowed.count > request.k
        {
            chosen = plan(try graph.localShare(query, allowed: allowed))
        }
        return try carryOut(chosen, index, query, request, allowed)
    }

    private func carryOut(
        _ plan: FilterPlan, _ index: any VectorIndex, _ query: UnsafePointer<Float>, _ request: VectorRequest,
        _ allowed: SlotSet
    ) throws(SegmentError) -> FilteredResult {
        var plan = plan
        switch plan.strategy {
        case .filteredGraph:
            if let graph = index as? HNSWIndex {
                let isDesert = (plan.localShare ?? 1) < plan.share * Self.desert
                let found = try graph.searchAllowed(
                    query, k: request.k, effort: plan.effort, allowed: allowed, isDesert: isDesert,
                    budget: plan.kept)
                if let found { return FilteredResult(neighbors: found, plan: plan) }
            }
        case .postFilter:
            var wide = request
            wide.effort = plan.effort
            let found: [Neighbor]
            if let graph = index as? HNSWIndex {
                found = try graph.searchOnce(query, wide)
            } else {
                found = try index.search(query, wide)
            }
            if found.count >= min(request.k, plan.kept) { return FilteredResult(neighbors: found, plan: plan) }
        case .exact:
            return FilteredResult(neighbors: try exact(index, query, request), plan: plan)
        }
        plan.reason += " It found too few, so all that are kept were compared."
        plan.strategy = .exact
        return FilteredResult(neighbors: try exact(index, query, request), plan: plan)
    }

    private func exact(
        _ index: any VectorIndex, _ query: UnsafePointer<Float>, _ request: VectorRequest
    ) throws(SegmentError) -> [Neighbor] {
        try FlatIndex(index.rows).search(query, request)
    }

    private static func target(_ index: any VectorIndex, lists: Int?) -> Target {
        if let graph = index as? HNSWIndex { return .graph(links: graph.linkWidth(0), looksThrough: true) }
        if let graph = index as? VamanaIndex { return .graph(links: graph.settings.degree, looksThrough: false) }
        return lists.map(Target.lists) ?? .scan
    }
}

extension HNSWIndex {
    /// The share of allowed slots among the nodes around the place where a walk arrives; 1 in an empty graph.
    package func localShare(
        _ query: UnsafePointer<Float>, allowed: SlotSet
    ) throws(SegmentError) -> Double {
        guard let entry else { return 1 }
        return try withScratch(effort: 4) { scratch throws(SegmentError) in
            try prepare(query, scratch)
            let starts = arrive(scratch, from: entry, most: 4)
            var (kept, seen) = (0, 0)
            for slot in starts {
                let links = links(of: slot, level: 0)
                var place = 0
                while place < linkWidth(0), links[place] != .max {
                    if allowed.contains(Int(links[place])) { kept += 1 }
                    seen += 1
                    place += 1
                }
            }
            return seen > 0 ? Double(kept) / Double(seen) : 1
        }
    }

    /// Where a walk without filter comes out above the lowest level: at most `most` slots. Empties the scratch.
    func arrive(_ scratch: WalkScratch, from entry: UInt32, most: Int) -> [UInt32] {
        let capacity = scratch.capacity
        descend(scratch, from: entry, to: min(maximumLevel, 1))
        if maximumLevel > 0 {
            scratch.capacity = min(most, capacity)
            walk(scratch, level: 1)
            scratch.capacity = capacity
        }
        let starts = (0..<scratch.size).map { GraphWalk.slot(scratch.beam[$0]) }
        scratch.forget()
        scratch.size = 0
        return starts
    }

    /// As `search`, with the effort of the request alone: fewer than `k` may be found.
    package func searchOnce(
        _ query: UnsafePointer<Float>, _ request: VectorRequest
    ) throws(SegmentError) -> [Neighbor] {
        guard request.k > 0, let entry else { return [] }
        let most = min(max(request.effort ?? parameters.effort, request.k), count)
        return try withScratch(effort: beam(most)) { scratch throws(SegmentError) in
            try prepare(query, scratch)
            explore(scratch, from: entry)
            return ranked(scratch, k: request.k, filters: true, allowed: request.allowed)
        }
    }
}

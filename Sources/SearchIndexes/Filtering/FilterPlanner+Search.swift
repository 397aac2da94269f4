internal import Kernels

extension FilterPlanner {
    /// Plans and searches. A request without a filter is handed to the index as it is.
    ///
    /// What the chosen way does not find, or only at more than it was worth, is looked for exactly: with a filter the
    /// answer never has fewer than `k` vectors where the filter keeps as many.
    ///
    /// - Parameter lists: How many lists an index has that the planner does not know as an inverted file.
    public func search(
        _ index: any VectorIndex, _ query: UnsafePointer<Float>, _ request: VectorRequest, lists: Int? = nil
    ) throws(SegmentError) -> FilteredResult {
        let rows = index.rows
        let effort = Self.effort(index, request)
        guard let allowed = request.allowed else {
            var plan = FilterPlan(
                strategy: .postFilter, kept: rows.liveCount, count: rows.liveCount, effort: effort)
            plan.hasFilter = false
            return FilteredResult(neighbors: try index.search(query, request), plan: plan)
        }
        let target = Self.target(index, lists: lists)
        func plan(_ localShare: Double?) -> FilterPlan {
            self.plan(
                target, kept: allowed.count, count: rows.liveCount, k: request.k, effort: effort,
                dimension: rows.dimension, localShare: localShare)
        }
        var chosen = plan(nil)
        // Sampling costs part of a walk, so skip it if comparing all vectors costs little more than a walk.
        if let graph = index as? any FilteredGraph, let exact = chosen.exactCost, allowed.count > request.k {
            let walks = min(chosen.postFilterCost ?? .infinity, chosen.filteredGraphCost ?? .infinity)
            if exact > max(1.4 * walks, 2 * costs.start(rows.dimension)) {
                chosen = plan(try graph.localShare(query, allowed: allowed))
            } else {
                chosen.strategy = .exact
            }
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
            if let graph = index as? any FilteredGraph {
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
            if let graph = index as? any FilteredGraph {
                found = try graph.searchOnce(query, wide)
            } else {
                found = try index.search(query, wide)
            }
            if found.count >= min(request.k, plan.kept) { return FilteredResult(neighbors: found, plan: plan) }
            if let graph = index as? any FilteredGraph, plan.filteredGraphCost != nil || plan.share >= 0.3,
                let walked = try graph.searchAllowed(
                    query, k: request.k, effort: plan.effort, allowed: allowed, isDesert: true, budget: plan.kept)
            {
                plan.strategy = .filteredGraph
                return FilteredResult(neighbors: walked, plan: plan)
            }
        case .exact:
            return FilteredResult(neighbors: try exact(index, query, request), plan: plan)
        }
        plan.fellBack = true
        return FilteredResult(neighbors: try exact(index, query, request), plan: plan)
    }

    private func exact(
        _ index: any VectorIndex, _ query: UnsafePointer<Float>, _ request: VectorRequest
    ) throws(SegmentError) -> [Neighbor] {
        try FlatIndex(index.rows).search(query, request)
    }

    /// Returns the effort of the same search without a filter.
    private static func effort(_ index: any VectorIndex, _ request: VectorRequest) -> Int {
        let effort = request.effort ?? index.defaultEffort(k: request.k) ?? 4 * request.k
        if case .lists = index.costModel { return max(effort, 1) }
        return max(effort, request.k)
    }

    private static func target(_ index: any VectorIndex, lists: Int?) -> Target {
        if case .graph = index.costModel { return index.costModel }
        return lists.map(Target.lists) ?? index.costModel
    }
}

/// A graph index whose walk can be restricted to the slots that pass a filter.
package protocol FilteredGraph: VectorIndex {
    /// Returns the fraction of allowed slots among the nodes nearest to the query; 1 in an empty graph.
    func localShare(_ query: UnsafePointer<Float>, allowed: SlotSet) throws(SegmentError) -> Double

    /// Returns the nearest allowed vectors by a walk over allowed slots only.
    ///
    /// - Parameters:
    ///   - isDesert: Whether few nodes near the query are allowed, so that the walk needs more starting points.
    ///   - budget: Number of distance computations after which the walk gives up.
    /// - Returns: Neighbors, nearest first; `nil` if the walk gave up or found fewer than `k` although more exist.
    func searchAllowed(
        _ query: UnsafePointer<Float>, k: Int, effort: Int, allowed: SlotSet, isDesert: Bool, budget: Int
    ) throws(SegmentError) -> [Neighbor]?

    /// Returns the nearest vectors that one walk with the effort of the request finds, which may be fewer than `k`.
    func searchOnce(_ query: UnsafePointer<Float>, _ request: VectorRequest) throws(SegmentError) -> [Neighbor]
}

extension HNSWIndex: FilteredGraph {
    /// Returns the fraction of allowed slots among the links of the four nodes nearest to the query on level 1; 1 in an
    /// empty graph.
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

    /// Returns the slots nearest to the query on level 1, at most `most`, and empties the scratch.
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

    /// Returns the nearest vectors that one walk with the effort of the request finds, which may be fewer than `k`.
    package func searchOnce(
        _ query: UnsafePointer<Float>, _ request: VectorRequest
    ) throws(SegmentError) -> [Neighbor] {
        guard request.k > 0, let entry else { return [] }
        let most = min(max(request.effort ?? parameters.effort, request.k), count)
        return try withScratch(effort: beam(most)) { scratch throws(SegmentError) in
            try prepare(query, scratch)
            exploreWide(scratch, from: entry)
            return ranked(scratch, k: request.k, filters: true, allowed: request.allowed)
        }
    }
}

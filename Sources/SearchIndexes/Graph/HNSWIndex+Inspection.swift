internal import Kernels

/// The path of one search through a graph.
public struct GraphPath: Sendable, Hashable {
    public struct Step: Sendable, Hashable {
        public var label: Int64
        /// Exact, as ``Metric`` says.
        public var distance: Float
    }

    /// The nodes visited on one level, in order.
    public struct Level: Sendable, Hashable {
        public var level: Int
        public var seen: [Step]
    }

    /// Highest level first.
    public var levels: [Level]
    /// Results of a search with this effort.
    public var found: [Neighbor]
}

/// Outcomes of a search for a vector.
public enum GraphVerdict: Sendable, Hashable {
    /// The walk never came to it.
    case notSeen
    /// The walk saw it; at least `effort` others were nearer.
    case seen
    /// It was among the candidates in the end, at this rank from 1 by exact distance.
    case kept(rank: Int)
}

extension HNSWIndex {
    /// Searches, and says which vectors the walk saw.
    public func path(_ query: UnsafePointer<Float>, _ request: VectorRequest) throws(SegmentError) -> GraphPath {
        let found = try search(query, request)
        guard let entry else { return GraphPath(levels: [], found: found) }
        let effort = min(max(request.effort ?? parameters.effort, request.k), count)
        return try withScratch(effort: beam(effort)) { scratch throws(SegmentError) in
            try prepare(query, scratch)
            let capacity = scratch.capacity
            var levels: [GraphPath.Level] = []
            var start = entry
            for level in stride(from: maximumLevel, through: 0, by: -1) {
                if level > 0 || maximumLevel == 0 {
                    scratch.begin(slots: count, effort: capacity)
                    descend(scratch, from: start, to: maximumLevel)
                } else {
                    scratch.startFromBeam()
                }
                scratch.capacity = level > 1 ? 1 : level == 1 ? upperBeam(capacity) : capacity
                walk(scratch, level: level)
                start = GraphWalk.slot(scratch.beam[0])
                levels.append(GraphPath.Level(level: level, seen: steps(scratch)))
            }
            return GraphPath(levels: levels, found: found)
        }
    }

    private func steps(_ scratch: WalkScratch) -> [GraphPath.Step] {
        (0..<scratch.seenCount).map { at in
            let slot = Int(scratch.seen[at])
            var distance: Float = 0
            rows.distances(to: scratch.query, from: slot, count: 1, into: &distance)
            return GraphPath.Step(label: rows.labels[slot], distance: distance)
        }
    }

    /// Returns what a search with an effort does with the vector in a slot.
    public func verdict(
        on slot: Int, query: UnsafePointer<Float>, effort: Int
    ) throws(SegmentError) -> GraphVerdict {
        guard let entry, slot < count else { return .notSeen }
        return try withScratch(effort: beam(min(max(effort, 1), count))) { scratch throws(SegmentError) in
            try prepare(query, scratch)
            explore(scratch, from: entry)
            let seen = (0..<scratch.seenCount).contains { Int(scratch.seen[$0]) == slot }
            guard (0..<scratch.size).contains(where: { Int(GraphWalk.slot(scratch.beam[$0])) == slot }) else {
                return seen ? .seen : .notSeen
            }
            let label = rows.labels[slot]
            let ranked = ranked(scratch, k: scratch.size, filters: rows.removed.count > 0, allowed: nil)
            guard let rank = ranked.firstIndex(where: { $0.label == label }) else { return .seen }
            return .kept(rank: rank + 1)
        }
    }

    /// Returns the smallest effort with which a search for `k` finds the vector in a slot; `nil` if none does.
    ///
    /// - Parameter most: Maximum effort to try (default: number of vectors).
    /// - Complexity: O(log) searches of that effort. More effort finds it as well but for rare exceptions; the answer
    ///   is one that was tried.
    public func smallestEffort(
        finding slot: Int, query: UnsafePointer<Float>, k: Int, most: Int? = nil, allowed: SlotSet? = nil
    ) throws(SegmentError) -> Int? {
        guard slot < count, k > 0 else { return nil }
        let label = rows.labels[slot]
        func finds(_ effort: Int) throws(SegmentError) -> Bool {
            try search(query, VectorRequest(k: k, effort: effort, allowed: allowed)).contains { $0.label == label }
        }
        let limit = max(min(most ?? count, count), 1)
        var works = min(k, limit)
        var fails = 0
        while try !finds(works) {
            guard works < limit else { return nil }
            fails = works
            works = min(works * 2, limit)
        }
        while works - fails > 1, fails > 0 {
            let middle = (works + fails) / 2
            if try finds(middle) { works = middle } else { fails = middle }
        }
        return works
    }
}

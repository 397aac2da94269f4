extension HNSWIndex {
    /// An index over a graph that another program built.
    ///
    /// - Parameters:
    ///   - rows: The vectors of the graph, in its order.
    ///   - effort: Candidates that a search keeps where it does not say.
    /// - Throws: `SegmentError` for a graph that is not one of these vectors, and for more links than nodes can have
    ///   here.
    public convenience init(_ rows: VectorRows, graph: ImportedGraph, effort: Int = 64) throws(SegmentError) {
        if let problem = graph.problem(rows: rows.count) {
            throw SegmentError("imported graph", problem: problem, remedy: "Write the file again.")
        }
        let highest = Int(graph.levels.max() ?? 0)
        guard highest <= HNSWParameters.highestLevel else {
            throw SegmentError(
                "imported graph", problem: "\(highest) levels exceed the limit", remedy: "Build the index with Orrery.")
        }
        try self.init(
            rows,
            parameters: HNSWParameters(
                m: rows.count > 0 ? graph.m : HNSWParameters().m, efConstruction: max(graph.efConstruction, 1),
                effort: effort))
        guard rows.count > 0 else { return }
        try requireMemory(graph.links.count * 4, for: "links")
        try guide.encode(upTo: rows.count, forNow: false)
        graph.links.withUnsafeBufferPointer { links in
            var next = links.baseAddress!
            for slot in 0..<rows.count {
                let height = Int(graph.levels[slot])
                levels.start[slot] = graph.levels[slot]
                upperStarts.start[slot] = UInt32(upperLists)
                changed.start[slot] = 1
                copy(next, 2 * graph.m, slot, to: lowest.start + slot * 2 * graph.m)
                next += 2 * graph.m
                for level in 0..<height {
                    copy(next, graph.m, slot, to: upper.start + (upperLists + level) * graph.m)
                    next += graph.m
                }
                upperLists += height
            }
        }
        count = rows.count
        entry = graph.entry
        maximumLevel = highest
    }

    /// Copies a list: links to itself are left out, those that remain come first.
    private func copy(_ list: UnsafePointer<UInt32>, _ width: Int, _ slot: Int, to target: UnsafeMutablePointer<UInt32>)
    {
        var kept = 0
        for place in 0..<width where list[place] != ImportedGraph.none && list[place] != slot {
            target[kept] = list[place]
            kept += 1
        }
        (target + kept).update(repeating: ImportedGraph.none, count: width - kept)
    }
}

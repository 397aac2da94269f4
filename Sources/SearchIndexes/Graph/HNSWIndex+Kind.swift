extension HNSWIndex: VectorIndexKind {
    package static var parameters: [IndexParameter] {
        let standard = HNSWParameters()
        return [
            IndexParameter("m", 2...128, default: standard.m, help: "links per node"),
            IndexParameter(
                "efConstruction", 1...100_000, default: standard.efConstruction, help: "candidates during the build"),
            IndexParameter("ef", default: standard.effort, help: "candidates during a search"),
        ]
    }
    package static var effort: SearchEffort { .candidates }
    /// Costs of a filtered search: those of its graph or lists.
    public var costs: FilterPlanner.Target { .graph(links: linkWidth(0), looksThrough: true) }
    /// Returns the effort of the parameters, at least `k`.
    public func defaultEffort(k: Int) -> Int? { max(parameters.effort, k) }

    package static func build(_ rows: VectorRows, _ values: IndexValues) throws(SegmentError) -> HNSWIndex {
        let standard = HNSWParameters()
        return try HNSWIndex(
            rows,
            parameters: HNSWParameters(
                m: values[integer: "m"] ?? standard.m,
                efConstruction: values[integer: "efConstruction"] ?? standard.efConstruction,
                effort: values[integer: "ef"] ?? standard.effort))
    }

    package static func open(from store: some SegmentStore) throws(SegmentError) -> HNSWIndex {
        try HNSWIndex(from: store)
    }
}

extension HNSWIndex: GraphImporting {
    package static func build(
        _ rows: VectorRows, adopting graph: ImportedGraph, _ values: IndexValues
    ) throws(SegmentError) -> HNSWIndex {
        try HNSWIndex(rows, graph: graph, effort: values[integer: "ef"] ?? HNSWParameters().effort)
    }
}

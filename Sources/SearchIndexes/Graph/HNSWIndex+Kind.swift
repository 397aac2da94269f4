extension HNSWIndex: VectorIndexKind {
    package static var parameters: [IndexParameter] {
        let defaults = HNSWParameters()
        return [
            IndexParameter("m", 2...128, default: defaults.m, help: "links per node"),
            IndexParameter(
                "efConstruction", 1...1_000_000, default: defaults.efConstruction, help: "candidates during the build"),
            IndexParameter("ef", default: defaults.effort, help: "candidates during a search"),
        ]
    }
    package static var effort: SearchEffort { .candidates }
    /// A graph whose walk can be restricted to allowed slots.
    public var costModel: FilterPlanner.Target { .graph(links: linkWidth(0), looksThrough: true) }
    /// Returns the `ef` of the index's parameters, but at least `k`.
    public func defaultEffort(k: Int) -> Int? { max(parameters.effort, k) }

    package static func build(_ rows: VectorRows, _ values: IndexValues) throws(SegmentError) -> HNSWIndex {
        let defaults = HNSWParameters()
        return try HNSWIndex(
            rows,
            parameters: HNSWParameters(
                m: values[integer: "m"] ?? defaults.m,
                efConstruction: values[integer: "efConstruction"] ?? defaults.efConstruction,
                effort: values[integer: "ef"] ?? defaults.effort))
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

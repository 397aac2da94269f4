extension HNSWIndex: VectorIndexKind {
    public static var parameters: [IndexParameter] {
        let standard = HNSWParameters()
        return [
            IndexParameter("m", 2...128, default: standard.m, help: "links per node"),
            IndexParameter(
                "efConstruction", 1...100_000, default: standard.efConstruction, help: "candidates during the build"),
            IndexParameter("ef", default: standard.effort, help: "candidates during a search"),
        ]
    }
    public static var effort: SearchEffort { .candidates }
    public var costs: FilterPlanner.Target { .graph(links: linkWidth(0), looksThrough: true) }
    public func defaultEffort(k: Int) -> Int? { max(parameters.effort, k) }

    public static func build(_ rows: VectorRows, _ values: IndexValues) throws(SegmentError) -> HNSWIndex {
        let standard = HNSWParameters()
        return try HNSWIndex(
            rows,
            parameters: HNSWParameters(
                m: values[integer: "m"] ?? standard.m,
                efConstruction: values[integer: "efConstruction"] ?? standard.efConstruction,
                effort: values[integer: "ef"] ?? standard.effort))
    }

    public static func open(from store: some SegmentStore) throws(SegmentError) -> HNSWIndex {
        try HNSWIndex(from: store)
    }
}

extension HNSWIndex: GraphImporting {
    public static func build(
        _ rows: VectorRows, adopting graph: ImportedGraph, _ values: IndexValues
    ) throws(SegmentError) -> HNSWIndex {
        try HNSWIndex(rows, graph: graph, effort: values[integer: "ef"] ?? HNSWParameters().effort)
    }
}

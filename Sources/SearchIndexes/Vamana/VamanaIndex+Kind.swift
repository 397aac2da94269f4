extension VamanaIndex: VectorIndexKind {
    package static var parameters: [IndexParameter] {
        let standard = VamanaSettings()
        return [
            IndexParameter("degree", default: standard.degree, help: "links per node; clamped to 4...512"),
            IndexParameter(
                "complexity", default: standard.complexity, help: "candidates during the build; clamped to 4...10,000"),
            IndexParameter(
                "alpha", in: 1...4, default: standard.alpha, help: "factor that makes a longer link redundant"),
            IndexParameter("passes", 1...4, default: standard.passes, help: "passes that link every node again"),
        ]
    }
    package static var effort: SearchEffort { .candidates }
    package static var savesRows: Bool { true }
    /// Costs of a filtered search: those of its graph or lists.
    public var costs: FilterPlanner.Target { .graph(links: settings.degree, looksThrough: false) }

    package static func build(_ rows: VectorRows, _ values: IndexValues) throws(SegmentError) -> VamanaIndex {
        let standard = VamanaSettings()
        return VamanaIndex(
            rows,
            VamanaSettings(
                degree: values[integer: "degree"] ?? standard.degree,
                complexity: values[integer: "complexity"] ?? standard.complexity,
                alpha: values[number: "alpha"] ?? standard.alpha, passes: values[integer: "passes"] ?? standard.passes))
    }

    package static func open(from store: some SegmentStore) throws(SegmentError) -> VamanaIndex {
        try VamanaIndex(from: store)
    }

    package static func openStored(from store: some SegmentStore) throws(SegmentError) -> (any StoredIndex)? {
        try VamanaFile(from: store)
    }
}

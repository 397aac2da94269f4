extension VamanaIndex: VectorIndexKind {
    package static var parameters: [IndexParameter] {
        let defaults = VamanaSettings()
        return [
            IndexParameter("degree", default: defaults.degree, help: "links per node; clamped to 4...512"),
            IndexParameter(
                "complexity", default: defaults.complexity, help: "candidates during the build; clamped to 4...10,000"),
            IndexParameter(
                "alpha", in: 1...4, default: defaults.alpha, help: "factor that makes a longer link redundant"),
            IndexParameter("passes", 1...4, default: defaults.passes, help: "passes that link every node again"),
        ]
    }
    package static var effort: SearchEffort { .candidates }
    package static var savesRows: Bool { true }
    /// A graph whose walk visits all slots, including those that a filter excludes.
    public var costModel: FilterPlanner.Target { .graph(links: settings.degree, looksThrough: false) }

    package static func build(_ rows: VectorRows, _ values: IndexValues) throws(SegmentError) -> VamanaIndex {
        let defaults = VamanaSettings()
        return VamanaIndex(
            rows,
            VamanaSettings(
                degree: values[integer: "degree"] ?? defaults.degree,
                complexity: values[integer: "complexity"] ?? defaults.complexity,
                alpha: values[number: "alpha"] ?? defaults.alpha, passes: values[integer: "passes"] ?? defaults.passes))
    }

    package static func open(from store: some SegmentStore) throws(SegmentError) -> VamanaIndex {
        try VamanaIndex(from: store)
    }

    package static func openStored(from store: some SegmentStore) throws(SegmentError) -> (any StoredIndex)? {
        try VamanaFile(from: store)
    }
}

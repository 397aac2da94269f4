import Retrieval
import SearchIndexes
import System
import Testing

@Suite("Kinds of vector index in a table")
struct VectorIndexTableTests {
    private static let table = VectorIndexTable.standard.adding(ProjectedIndex.self)

    @Test("a corpus space can be built, saved, extended, and searched with an index declared outside the module")
    func outside() throws {
        let fixture = try CorpusFixture(indexes: Self.table)
        let words = ["comet", "orrery", "moon", "telescope", "dome", "quartz", "zenith", "azimuth"]
        try fixture.add(words)
        let embedder = LetterEmbedder()
        let settings = VectorSpaceSettings(index: "projected", parameters: "width=16")
        try settings.validate(Self.table)
        let space = try fixture.store.embed(fixture.corpus.id, with: embedder, settings: settings)
        #expect(space.index == "projected" && space.parameters == "width=16" && space.isReady)

        // A session opens the saved index.
        let source = try fixture.session(embedder: embedder).source()
        #expect(source.spaces.first?.effortKey == "ef")
        #expect(source.spaces.first?.isCompressed == true)
        let vector = try source.embed(["quartz"], as: .query, space: nil) { false }[0]
        let hits = try source.searchDensely(DenseRequest(vector: vector, k: 2)) { false }
        #expect(try fixture.names(hits, source).first == "f")
        #expect(hits.parameters.contains { $0.name == "index" && $0.value == "projected" })
        #expect(hits.parameters.contains { $0.name == "ef" && $0.value == "8" })

        try fixture.store.add(documents: [SourceDocument(id: "late", text: "xylophone")], to: fixture.corpus.id)
        let again = try fixture.store.embed(fixture.corpus.id, with: embedder, settings: settings)
        #expect(again.id == space.id && again.vectorCount == 9)
        let newer = try fixture.session(embedder: embedder).source()
        let late = try newer.embed(["xylophone"], as: .query, space: nil) { false }[0]
        let found = try newer.searchDensely(DenseRequest(vector: late, k: 3)) { false }
        #expect(try fixture.names(found, newer).first == "late")
    }

    @Test("searching a space whose index the program does not offer is an error, with no fallback to another index")
    func missing() throws {
        let fixture = try CorpusFixture(indexes: Self.table)
        try fixture.add(["comet", "orrery"])
        let embedder = LetterEmbedder()
        try fixture.store.embed(
            fixture.corpus.id, with: embedder, settings: VectorSpaceSettings(index: "projected"))
        let source = try CorpusSession(
            CorpusStore(fixture.workspace), corpus: "manuals", namespaces: nil, embedder: embedder
        ).source()
        #expect {
            try source.searchDensely(DenseRequest(vector: [Float](repeating: 1, count: 26), k: 1)) { false }
        } throws: { ($0 as? Problem)?.sentence.contains("unknown index \"projected\"") == true }
    }

    @Test(
        "errors suggest the nearest kind of index, and state the range of a parameter",
        arguments: [
            ("hsnw", "", "Did you mean \"hnsw\"?"), ("ivf-qp", "", "Did you mean \"ivf-pq\"?"),
            ("projectd", "", "Did you mean \"projected\"?"), ("windmill", "", "Available indexes: automatic, flat,"),
            ("hnsw", "m=1", "m must be 2 to 128"), ("projected", "width=65", "width must be 1 to 64"),
            ("projected", "m=16", "Parameters: width=N."), ("vamana", "alpha=5", "alpha must be 1.0 to 4.0"),
            ("flat", "m=16", "The index has no parameters."),
        ])
    func errors(index: String, parameters: String, part: String) {
        #expect {
            try VectorSpaceSettings(index: index, parameters: parameters).validate(Self.table)
        } throws: { ($0 as? Problem)?.sentence.contains(part) == true }
    }

    @Test("every parameter has help and a default in its range")
    func parameters() {
        #expect(
            VectorIndexTable.standard.names == [
                "flat", "hnsw", "ivf", "ivf-pq", "pq", "int8", "binary", "lsh", "vamana",
            ])
        for kind in Self.table.kinds {
            for parameter in kind.parameters {
                #expect(!parameter.help.isEmpty)
                guard let value = parameter.defaultValue else { continue }
                var values = IndexValues()
                let text = if case .integer = parameter.range { "\(Int(value))" } else { "\(value)" }
                #expect(values.set(parameter, to: text) == .set, "\(kind.kind) \(parameter.name)")
            }
        }
    }
}

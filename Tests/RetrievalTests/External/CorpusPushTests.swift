import Retrieval
import SearchIndexes
import System
import Testing
import Workspace

@Suite("Pushing a corpus", .enabled(if: PostgreSQLFixture.isThere, "pgserver or libpq5 is not installed"))
struct CorpusPushTests {
    let server: PGVectorServer
    let fixture = try? CorpusFixture()
    static let texts = ["dome bolts", "mirror cell", "guide camera", "dome motor", "zenith seal"]

    init() throws { server = PGVectorServer(try #require(PostgreSQLFixture.shared).address) }

    private func embedded() throws -> CorpusFixture {
        let fixture = try #require(fixture)
        try fixture.add(Self.texts)
        _ = try fixture.store.embed(fixture.corpus.id, with: LetterEmbedder())
        return fixture
    }

    private func push(
        _ fixture: CorpusFixture, _ name: String, until cancellation: Cancellation? = nil
    ) throws -> PushReport {
        let corpus = try fixture.store.corpus(fixture.corpus.id)
        return try CorpusPush(fixture.store, to: server)(corpus, settings: .init(name: name), until: cancellation)
    }

    @Test("a pipeline finds the same chunks on the server") func sameResults() throws {
        let fixture = try embedded()
        let report = try push(fixture, "end_to_end")
        #expect(report.pushed == 5)
        #expect(report.notes == [])
        let there = try ExternalSource(server, collection: "end_to_end", embedder: LetterEmbedder())
        let here = try fixture.session(embedder: LetterEmbedder()).source()
        let definition = try PipelineDefinition("[dense]\nk = 3\n", path: "dense.toml")
        let one = try PipelineRun(definition, over: there)("dome bolt")
        let other = try PipelineRun(definition, over: here)("dome bolt")
        let (found, known) = try (
            #require(one.stages.first { $0.name == "dense" }), #require(other.stages.first { $0.name == "dense" })
        )
        #expect(
            found.entries.prefix(3).map { one[$0.passage].text }
                == known.entries.prefix(3).map { other[$0.passage].text })
        #expect(one[found.entries[0].passage].text == "dome bolts")
        #expect(one[found.entries[0].passage].document == "a")
        #expect(one.stages.contains { $0.kind == .context })
        #expect(try there.chunks(ofDocument: "b").count == 1)
        let exact = try there.searchExactly(DenseRequest(vector: LetterEmbedder().row("dome bolt"), k: 5)) { false }
        #expect(exact.hits.count == 5)
        #expect(throws: Problem.self) { try there.resolve(filter: "a = 1") }
        // Vectors of another embedder answer no questions.
        #expect(throws: Problem.self) {
            try ExternalSource(server, collection: "end_to_end", embedder: LetterEmbedder(salt: 1))
        }
        #expect(throws: Problem.self) {
            try ExternalSource(server, collection: "no_such", embedder: LetterEmbedder())
        }
    }

    @Test("only changed rows are pushed") func changedRows() throws {
        let fixture = try embedded()
        _ = try push(fixture, "again")
        #expect(try push(fixture, "again").unchanged == 5)
        var changed = Self.texts
        changed[1] = "mirror cell pads"
        try fixture.add(changed)
        let gone = try fixture.store.documents(of: fixture.corpus.id).filter { $0.name == "e" }.map(\.id)
        try fixture.store.remove(documents: gone, from: fixture.corpus.id)
        _ = try fixture.store.embed(fixture.corpus.id, with: LetterEmbedder())
        let report = try push(fixture, "again")
        #expect((report.pushed, report.unchanged, report.removed) == (1, 3, 2))
        let collection = try #require(try server.described("again"))
        #expect(try server.count(collection) == 4)
        #expect(try server.labels(ofDocument: "e", in: collection) == [])
    }

    @Test("a collection of another corpus is left alone") func otherCorpus() throws {
        _ = try push(try embedded(), "taken")
        let other = try CorpusFixture()
        try other.add(["something else"])
        _ = try other.store.embed(other.corpus.id, with: LetterEmbedder())
        let refusal = #expect(throws: Problem.self) { try push(other, "taken") }
        #expect(refusal?.what == "taken contains vectors from the corpus manuals, embedded with letters-0")
        #expect(try server.count(try #require(try server.described("taken"))) == 5)
    }

    @Test("a canceled push can be resumed") func resumed() throws {
        let fixture = try embedded()
        let cancellation = Cancellation()
        cancellation.cancel()
        let first = try push(fixture, "cancelled", until: cancellation)
        #expect(first.isCancelled)
        let second = try push(fixture, "cancelled")
        #expect(second.pushed + second.unchanged == 5)
        #expect(!second.isCancelled)
    }

    @Test("a collection is named after its corpus") func collectionName() {
        for (corpus, name) in [("Manuals 2", "manuals_2"), ("42", "c_42"), ("Ünï", "c__n_"), ("", "c_")] {
            #expect(VectorCollection.name(for: corpus) == name)
        }
        for name in ["", "1a", "A", "a;b", "_a", String(repeating: "a", count: 51)] {
            #expect(throws: Problem.self) { try VectorCollection(name, dimension: 3, metric: .l2) }
        }
    }
}

extension LetterEmbedder {
    fileprivate func row(_ text: String) throws(Problem) -> [Float] {
        try embed([text], as: .query) { false }
    }
}

import Retrieval
import SearchIndexes
import System
import Testing
import Workspace

@Suite("Vector spaces of a corpus")
struct VectorSpaceTests {
    private static let words = ["comet", "orrery", "moon", "telescope", "dome", "quartz", "zenith", "azimuth"]

    private func fixture(_ count: Int = 8) throws -> CorpusFixture {
        let fixture = try CorpusFixture()
        let documents = (0..<count).map { number in
            SourceDocument(
                id: "d\(number)", text: Self.words[number % 8] + (number < 8 ? "" : " " + Self.letters(number)))
        }
        try fixture.store.add(documents: documents, to: fixture.corpus.id)
        return fixture
    }

    /// Returns a number in letters, so that no two texts have the same vector.
    private static func letters(_ number: Int) -> String {
        String(repeating: "b", count: number % 7 + 1) + String(repeating: "f", count: number / 7 % 7)
            + String(repeating: "g", count: number / 49)
    }

    private func nearest(_ text: String, _ fixture: CorpusFixture, _ embedder: any Embedder, space: String? = nil)
        throws
        -> [String]
    {
        let source = try fixture.session(embedder: embedder).source()
        let vector = try source.embed([text], as: .query, space: space) { false }[0]
        let hits = try source.searchDensely(DenseRequest(space: space, vector: vector, k: 3)) { false }
        return try fixture.names(hits, source)
    }

    @Test(
        "every index finds embedded chunks, stores them, and includes later additions",
        arguments: [
            "automatic", "flat", "hnsw", "ivf", "ivf-pq", "pq", "int8", "binary", "lsh", "vamana",
        ])
    func kinds(index: String) throws {
        let fixture = try fixture(300)
        let embedder = LetterEmbedder()
        let settings = VectorSpaceSettings(
            index: index, parameters: index.hasSuffix("pq") ? "parts=13" : "", threads: 1)
        let space = try fixture.store.embed(fixture.corpus.id, with: embedder, settings: settings)
        #expect(space.isReady && space.isActive)
        #expect(space.vectorCount == 300)
        #expect(space.index == (index == "automatic" ? "flat" : index))
        #expect(try nearest("quartz", fixture, embedder).first == "d5")

        try fixture.store.add(
            documents: [SourceDocument(id: "late", text: "xylophone xxxx")], to: fixture.corpus.id)
        let asked = embedder.texts.count
        let again = try fixture.store.embed(fixture.corpus.id, with: embedder, settings: settings)
        #expect(again.id == space.id)
        #expect(again.vectorCount == 301)
        #expect(embedder.texts.count == asked + 1)
        #expect(try nearest("xylophone xxxx", fixture, embedder).first == "late")
    }

    @Test(
        "a removed document is not found, before and after its vector is removed",
        arguments: [
            "flat", "hnsw", "vamana",
        ])
    func removal(index: String) throws {
        let fixture = try fixture(64)
        let embedder = LetterEmbedder()
        let settings = VectorSpaceSettings(index: index, threads: 1)
        try fixture.store.embed(fixture.corpus.id, with: embedder, settings: settings)
        let document = try #require(try fixture.store.documents(named: "d5", of: fixture.corpus.id).first)
        try fixture.store.remove(documents: [document.id], from: fixture.corpus.id)
        #expect(try !nearest("quartz", fixture, embedder).contains("d5"))
        #expect(try nearest("quartz", fixture, embedder).count == 3)
        let space = try fixture.store.embed(fixture.corpus.id, with: embedder, settings: settings)
        #expect(space.vectorCount == 63)
        #expect(try !nearest("quartz", fixture, embedder).contains("d5"))
        #expect(try nearest("quartz", fixture, embedder).count == 3)
    }

    @Test("a new embedder is built while the old one is searched until the new one is complete")
    func beside() throws {
        let fixture = try fixture(40)
        let old = LetterEmbedder()
        let first = try fixture.store.embed(fixture.corpus.id, with: old)
        let cut = LetterEmbedder(salt: 5, limit: 20)
        #expect(throws: CancellationError.self) { try fixture.store.embed(fixture.corpus.id, with: cut) }
        let half = try fixture.store.spaces(of: fixture.corpus.id)
        #expect(half.map(\.isActive) == [true, false])
        #expect(half.map(\.isReady) == [true, false])
        #expect(throws: Problem.self) { try fixture.store.activate(half[1].id) }
        #expect(try fixture.session(embedder: old).source().spaces.map(\.name) == ["letters-0"])

        let new = LetterEmbedder(salt: 5)
        let second = try fixture.store.embed(fixture.corpus.id, with: new)
        #expect(second.id == half[1].id)
        let source = try fixture.session(embedder: new).source()
        #expect(source.spaces.map(\.name) == ["letters-5", "letters-0"])
        try fixture.store.activate(first.id)
        #expect(try fixture.session(embedder: old).source().spaces.map(\.name) == ["letters-0", "letters-5"])
        try fixture.store.remove(space: second.id)
        #expect(try fixture.store.spaces(of: fixture.corpus.id).map(\.id) == [first.id])
    }

    @Test("equal texts are embedded once, even across corpora and after a text is restored")
    func once() throws {
        let fixture = try CorpusFixture()
        try fixture.add(["comet", "comet", "moon"])
        let embedder = LetterEmbedder()
        try fixture.store.embed(fixture.corpus.id, with: embedder)
        #expect(embedder.texts.sorted() == ["comet", "moon"])
        let other = try fixture.store.create("others")
        try fixture.store.add(
            documents: [SourceDocument(id: "x", text: "moon"), SourceDocument(id: "y", text: "dome")], to: other.id)
        try fixture.store.embed(other.id, with: embedder)
        #expect(embedder.texts.sorted() == ["comet", "dome", "moon"])
    }

    @Test("the default embedder learns from the corpus, is stored with it, and reopens by itself")
    func hashed() throws {
        let fixture = try fixture(200)
        let specification = try EmbedderSpecification("hashed-64")
        let space = try fixture.store.embed(fixture.corpus.id, specification: specification)
        #expect(space.embedder == "hashed-64")
        let source = try CorpusSession(fixture.store, corpus: "manuals").source()
        let vector = try source.embed(["quartz"], as: .query, space: nil) { false }[0]
        let hits = try source.searchDensely(DenseRequest(vector: vector, k: 1)) { false }
        #expect(try fixture.names(hits, source) == ["d5"])
        let again = try fixture.store.embed(fixture.corpus.id, specification: specification)
        #expect(again.id == space.id)
    }

    @Test("the place of a chunk equals its rank in exact search")
    func place() throws {
        let fixture = try fixture(50)
        let embedder = LetterEmbedder()
        try fixture.store.embed(fixture.corpus.id, with: embedder)
        let source = try fixture.session(embedder: embedder).source()
        let vector = try source.embed(["moon dome"], as: .query, space: nil) { false }[0]
        let request = DenseRequest(vector: vector, k: 50)
        let hits = try source.searchExactly(request) { false }.hits
        #expect(hits.count == 50)
        for (rank, hit) in hits.enumerated() {
            let place = try #require(try source.placeExactly(of: hit.chunk, request) { false })
            #expect(place.rank == rank + 1)
            #expect(abs(place.score - hit.score) < 1e-6)
        }
    }

    @Test(
        "an invalid query vector is an error",
        arguments: [
            [Float](repeating: 1, count: 3), [Float](repeating: .nan, count: 26),
        ])
    func wrong(vector: [Float]) throws {
        let fixture = try fixture()
        try fixture.store.embed(fixture.corpus.id, with: LetterEmbedder())
        let source = try fixture.session().source()
        #expect(throws: Problem.self) { try source.searchDensely(DenseRequest(vector: vector, k: 3)) { false } }
    }

    @Test(
        "an unknown index or parameter is an error",
        arguments: [
            ("windmill", ""), ("hnsw", "m=0"), ("hnsw", "m=x"), ("flat", "m=16"), ("hnsw", "m"),
        ])
    func refused(index: String, parameters: String) throws {
        let fixture = try fixture()
        let settings = VectorSpaceSettings(index: index, parameters: parameters)
        #expect(throws: Problem.self) {
            try fixture.store.embed(fixture.corpus.id, with: LetterEmbedder(), settings: settings)
        }
        #expect(try fixture.store.spaces(of: fixture.corpus.id).isEmpty)
    }
}

import Retrieval
import System
import Testing

@Suite("Namespaces")
struct NamespaceTests {
    /// Returns two namespaces whose documents have the same ids and nearly the same texts.
    private func fixture() throws -> CorpusFixture {
        let fixture = try CorpusFixture()
        let metadata: [[String: MetadataValue]] = [["kind": .text("manual")], ["kind": .text("ticket")]]
        try fixture.add(["comet of north", "moon of north"], namespace: "north", metadata: metadata)
        try fixture.add(["comet of south", "moon of south"], namespace: "south", metadata: metadata)
        try fixture.store.embed(fixture.corpus.id, with: LetterEmbedder())
        return fixture
    }

    @Test(
        "no search, text, filter, or vector reveals documents of another namespace", arguments: [["north"], ["south"]])
    func leaks(namespaces: [String]) throws {
        let fixture = try fixture()
        let other = namespaces == ["north"] ? "south" : "north"
        let source = try fixture.session(namespaces, embedder: LetterEmbedder()).source()
        let all = try fixture.store.documents(of: fixture.corpus.id).flatMap { document in
            try fixture.store.chunks(of: document.id).map { (chunk: $0.id, namespace: document.namespace) }
        }
        let own = Set(all.filter { namespaces.contains($0.namespace) }.map(\.chunk))
        let foreign = all.filter { !namespaces.contains($0.namespace) }.map(\.chunk)
        try #require(own.count == 2 && foreign.count == 2)

        let lexical = try source.searchLexically(LexicalRequest(query: "comet moon \(other)", k: 10)) { false }
        #expect(Set(lexical.hits.map(\.chunk)) == own)
        let typed = try source.searchLexically(LexicalRequest(query: "com*", k: 10)) { false }
        #expect(Set(typed.hits.map(\.chunk)).isSubset(of: own))

        let vector = try source.embed(["comet of \(other)"], as: .query, space: nil) { false }[0]
        let request = DenseRequest(vector: vector, k: 10)
        #expect(Set(try source.searchDensely(request) { false }.hits.map(\.chunk)) == own)
        #expect(Set(try source.searchExactly(request) { false }.hits.map(\.chunk)) == own)
        for chunk in foreign {
            #expect(try source.placeExactly(of: chunk, request) { false } == nil)
            #expect(try source.metadata(ofChunk: chunk).isEmpty)
            let exclusions = try source.exclusions(of: chunk, by: "kind = manual")
            #expect(exclusions.map(\.actual) == ["its namespace is \"\(other)\""])
            #expect(exclusions.allSatisfy { $0.without == nil })
            let finding = try source.explainLexically(chunk, LexicalRequest(query: other, k: 10))
            #expect(finding.score == 0)
        }
        #expect(try source.chunks(foreign).isEmpty)
        #expect(try source.vectors(of: foreign, space: nil).allSatisfy { $0 == nil })
        #expect(Set(try source.chunks(ofDocument: "a")).isSubset(of: own))

        let filter = try source.resolve(filter: "kind = manual or not kind = manual or doc.namespace = \(other)")
        #expect(filter.count == 2)
        #expect(foreign.allSatisfy { !filter.contains($0) })
        let forged = ChunkFilter(expression: "all") { _ in true }
        let filtered = try source.searchLexically(LexicalRequest(query: "comet", k: 10, filter: forged)) { false }
        #expect(Set(filtered.hits.map(\.chunk)).isSubset(of: own))
        #expect(source.chunkCount == 2)
    }

    @Test("a document of another namespace is explained as excluded, without its contents")
    func explained() throws {
        let fixture = try fixture()
        let source = try fixture.session(["north"], embedder: LetterEmbedder()).source()
        let run = PipelineRun(try PipelineDefinition("", path: "hybrid"), over: source)
        let record = try run("comet")
        let foreign = try #require(try fixture.store.documents(of: fixture.corpus.id).first { $0.namespace == "south" })
        let chunk = try #require(try fixture.store.chunks(of: foreign.id).first)
        let explanation = try Explainer(run).explain(chunk: chunk.id, in: record)
        #expect(explanation.droppedBy != nil && explanation.remedies.isEmpty)
        #expect(explanation.passage.text == nil)
        #expect(!explanation.stages.isEmpty)
        for stage in explanation.stages {
            #expect(stage.cause == .filter)
            #expect(stage.findings.joined().contains("its namespace is \"south\""))
            #expect(stage.terms.isEmpty)
        }
    }

    @Test("a filter resolved by another session reveals nothing that this session may not see")
    func foreignFilter() throws {
        let fixture = try fixture()
        let north = try fixture.session(["north"]).source()
        let south = try fixture.session(["south"]).source()
        let filter = try south.resolve(filter: "kind = manual")
        let hits = try north.searchLexically(LexicalRequest(query: "comet", k: 10, filter: filter)) { false }
        #expect(hits.hits.isEmpty)
    }

    @Test("a session without namespaces sees only the corpus's own; an empty list sees nothing")
    func own() throws {
        let fixture = try fixture()
        #expect(try fixture.lexical("comet") == [])
        #expect(try fixture.lexical("comet", in: []) == [])
        #expect(try fixture.lexical("comet", in: ["north", "south"]) == ["a", "a"])
    }

    @Test("a corpus with one namespace refuses others")
    func policy() throws {
        let fixture = try CorpusFixture(CorpusSettings(namespace: "north", allowsNamespaces: false))
        try fixture.add(["comet"])
        #expect(throws: Problem.self) { try fixture.add(["comet"], namespace: "south") }
    }
}

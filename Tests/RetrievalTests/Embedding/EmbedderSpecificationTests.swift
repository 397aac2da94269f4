import Retrieval
import System
import TestFixtures
import Testing

@Suite("Embedder specifications")
struct EmbedderSpecificationTests {
    @Test(
        "a specification is written in a form that means the same when read",
        arguments: [
            ("hashed", "hashed-256"), ("", "hashed-256"), ("hashed-64", "hashed-64"),
            ("openai:text-embedding-3-small", "openai:text-embedding-3-small"),
            ("http://127.0.0.1:8080/v1#bge-m3,key=NAME", "http://127.0.0.1:8080/v1#bge-m3,key=NAME"),
            ("model:/models/e5,query=query: ,passage=passage: ", "model:/models/e5,passage=passage: ,query=query: "),
            ("file:/a/b.npy,texts=/a/c.txt", "file:/a/b.npy,texts=/a/c.txt"),
        ])
    func words(word: String, text: String) throws {
        let specification = try EmbedderSpecification(word)
        #expect(specification.text == text)
        #expect(try EmbedderSpecification(text) == specification)
    }

    @Test(
        "an invalid specification is an error that lists the valid forms",
        arguments: [
            "hashed-5", "hashed-x", "model:", "file:a.npy", "anthropic:claude", "windmill", "http://h/v1?key=abcdefgh",
            "sk-0123456789012345678901234567890123456789",
        ])
    func wrong(word: String) {
        let error = #expect(throws: Problem.self) { try EmbedderSpecification(word) }
        #expect(error?.sentence.contains("sk-0123") == false)
    }

    @Test("vectors of a file belong to its texts; other texts are an error")
    func file() throws {
        let folder = TemporaryFolder()
        File.write(Self.fvecs([[1, 0], [0, 1]]), to: folder.file("v.fvecs"))
        File.write("comet\nmoon\n", to: folder.file("t.txt"))
        let word = "file:\(folder.file("v.fvecs")),texts=\(folder.file("t.txt"))"
        let embedder = try EmbedderSpecification(word).open()
        #expect(try embedder.embed(["moon", "comet"], as: .query) { false } == [0, 1, 1, 0])
        #expect(throws: Problem.self) { try embedder.embed(["dome"], as: .query) { false } }
        File.write("comet\n", to: folder.file("t.txt"))
        #expect(throws: Problem.self) { try EmbedderSpecification(word).open() }
    }

    @Test("a file of vectors becomes a space of a corpus, by the order of chunks or by ids")
    func imported() throws {
        let fixture = try CorpusFixture()
        try fixture.add(["comet", "moon"])
        let path = fixture.folder.file("v.fvecs")
        File.write(Self.fvecs([[1, 0], [0, 1]]), to: path)
        for (order, nearest) in [(CorpusStore.VectorOrder.chunks, "a"), (.documents(["b", "a"]), "b")] {
            let space = try fixture.store.importVectors(path, into: fixture.corpus.id, by: order)
            #expect((space.vectorCount, space.dimension) == (2, 2))
            let source = try fixture.session().source()
            let hits = try source.searchDensely(DenseRequest(vector: [1, 0.1], k: 1)) { false }
            #expect(try fixture.names(hits, source) == [nearest])
            #expect(throws: Problem.self) { try source.embed(["comet"], as: .query, space: nil) { false } }
            try fixture.store.remove(space: space.id)
        }
        #expect(throws: Problem.self) {
            try fixture.store.importVectors(path, into: fixture.corpus.id, by: .documents(["a"]))
        }
        #expect(try fixture.store.spaces(of: fixture.corpus.id).isEmpty)
    }

    private static func fvecs(_ rows: [[Float]]) -> [UInt8] {
        rows.flatMap { row in
            withUnsafeBytes(of: Int32(row.count).littleEndian) { Array($0) }
                + row.flatMap { number in withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) } }
        }
    }
}

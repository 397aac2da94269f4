import Glibc
import JSON
import Kernels
import Retrieval
import System
import TestFixtures
import Testing

@Suite("Embedding by an encoder of the runtime")
struct EncoderEmbedderTests {
    /// The folder of all-MiniLM-L6-v2, where the user has it.
    private static var folder: String? {
        getenv("ORRERY_MINILM").map { String(cString: $0) }
    }

    @Test("all-MiniLM-L6-v2 gives the tokens and the vectors of sentence-transformers")
    func reference() throws {
        guard let folder = Self.folder, let bytes = File.bytes("../shared/data/retrieval/minilm_reference.json") else {
            return print("ORRERY_MINILM names no model, or there is no reference: skipped")
        }
        let embedder = try EncoderEmbedder(folder)
        #expect(embedder.dimension == 384)
        #expect(embedder.mostTokens == 256)
        let document = try JSONDocument(parsing: bytes)
        try document.withRoot { root in
            let rows = try #require(root["rows"])
            #expect(rows.count == 13)
            for row in rows.elements {
                let text = try #require(row["text"]?.string)
                let ids = embedder.tokens(of: text).map { Int64($0) }
                #expect(ids.count == row["n_tokens"]?.int.map { Int($0) })
                #expect(Array(ids.prefix(32)) == row["token_ids_first_32"]?.elements.compactMap(\.int))
                #expect(Array(ids.suffix(4)) == row["token_ids_last_4"]?.elements.compactMap(\.int))
                let vector = try embedder.embed([text], as: .passage) { false }
                let expected = row["embedding"]?.elements.compactMap(\.double) ?? []
                try #require(expected.count == vector.count)
                #expect(Self.cosine(vector, expected) >= 0.99999)
            }
        }
        #expect(embedder.cutTexts == 2)
    }

    private static func cosine(_ one: [Float], _ other: [Double]) -> Double {
        var (product, a, b) = (0.0, 0.0, 0.0)
        for (x, y) in zip(one, other) {
            product += Double(x) * y
            a += Double(x) * Double(x)
            b += y * y
        }
        return product / (a * b).squareRoot()
    }

    @Test("a model that is not an encoder is an error")
    func refused() throws {
        let folder = TemporaryFolder()
        File.write("nothing", to: folder.file("model.safetensors"))
        #expect(throws: Problem.self) { try EncoderEmbedder(folder.path) }
        #expect(throws: Problem.self) { try EncoderEmbedder(folder.file("model.safetensors")) }
        #expect(throws: Problem.self) { try EncoderEmbedder("/nowhere") }
    }
}

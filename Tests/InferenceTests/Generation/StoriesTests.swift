import Inference
import Kernels
import LanguageModels
import Models
import TestFixtures
import Testing
import Tokenizers

/// stories260K, a small trained Llama: its greedy text by transformers, from the beginning-of-sequence token on.
@Suite("A trained model in pages")
struct StoriesTests {
    static let folder =
        #filePath.split(separator: "/").dropLast(5).map { "/" + $0 }.joined()
        + "/shared/data/inference/stories260K"

    /// Path of the data; `nil` if it is not on this machine.
    static let reference: [TokenID]? = {
        guard let text = File.text(folder + "/converted/greedy.json"),
            let list = text.split(separator: "[").dropFirst().first?.split(separator: "]").first
        else { return nil }
        return list.split(separator: ",").compactMap { TokenID($0.filter { $0 != " " && $0 != "\n" }) }
    }()

    @Test(
        "gives the 200 reference tokens straight, in chunks, branched and re-joined, with any number of threads",
        .enabled(if: reference != nil, "\(folder) is not on this machine"), arguments: [1, 2, 3])
    func greedy(threads: Int) throws {
        let reference = try #require(Self.reference)
        let transformer = try Transformer.load(Checkpoints.open(Self.folder + "/stories260K.bin"))
        let pool = KVPagePool(try KVLayout(transformer.configuration), budget: 16 << 20, name: "stories260K")
        let pass = ForwardPass(pool: ThreadPool(threads: threads))
        let generator = try Generator(
            TransformerDecoder(transformer, pass: pass), texts: FakeTexts(), pool: pool, prefillChunk: 16)
        let options = try GenerationOptions(.greedy).with(maximumTokens: 200)

        let trunk = try generator.begin([reference[0]])
        try generator.generate(trunk, options)
        #expect(trunk.tokens == Array(reference[...200]))

        // A third of the text is read as a prompt, in chunks.
        let chunked = try generator.begin(Array(reference[..<70]))
        try generator.generate(chunked, options.with(maximumTokens: 131))
        #expect(chunked.tokens == trunk.tokens)

        // Another word in the middle, both go on side by side; then the old word again, on the trunk's pages.
        let away = try generator.branch(trunk, at: 100, choosing: reference[50])
        let back = try generator.branch(trunk, at: 100, choosing: reference[101])
        _ = try generator.generate([away, back], options.with(maximumTokens: 99)) { _ in }
        #expect(back.tokens == trunk.tokens && away.tokens != trunk.tokens)
        let before = pool.counts.used
        back.rejoin(trunk)
        #expect(pool.counts.used < before)
        let rest = back.branch(at: 150)
        try generator.generate(rest, options.with(maximumTokens: 50))
        #expect(rest.tokens == trunk.tokens)
        #expect(pool.faults([trunk, chunked, away, back, rest].map(\.cache)) == [])

        let scores = try generator.score(reference)
        #expect(scores.allSatisfy { $0.rank == 1 })
    }
}

import Kernels
import Models
import TestFixtures
import Testing
import Tokenizers

@Suite(
    "stories260K, a model that was trained",
    .enabled(if: sharedData("inference/stories260K/converted/greedy.json") != nil, "the data folder is not here"))
struct StoriesTests {
    let transformer: Transformer
    /// The token that begins, and 200 that transformers chose greedily.
    let ids: [TokenID]

    init() throws {
        let folder = sharedData("inference/stories260K/converted")!
        transformer = try Transformer.load(Checkpoints.open(folder))
        let text = File.text("\(folder)/greedy.json") ?? ""
        let list = text.drop { $0 != "[" }.dropFirst().prefix { $0 != "]" }
        ids = list.split(separator: ",").compactMap { TokenID($0.filter(\.isNumber)) }
        #expect(ids.count == 201)
    }

    @Test("tells the story token by token", arguments: [1, 2])
    func greedy(threads: Int) throws {
        let pass = ForwardPass(pool: ThreadPool(threads: threads))
        let cache = ContiguousKeyValues(transformer.configuration)
        var told: [TokenID] = [ids[0]]
        while told.count < ids.count {
            let logits = try transformer.forward([Segment([told.last!], cache: cache)], in: pass)
            told.append(TokenID(Elementwise.argmax(logits[0].baseAddress!, count: logits.vocabulary)))
        }
        #expect(told == ids)
    }

    @Test("chooses the same when it reads the story in pieces", arguments: [200, 64, 33, 7], [1, 2])
    func prefill(pieces: Int, threads: Int) throws {
        let pass = ForwardPass(pool: ThreadPool(threads: threads))
        let all = try logits(transformer, Array(ids.dropLast()), pieces: pieces, in: pass)
        let vocabulary = transformer.configuration.vocabularySize
        let chosen = all.withUnsafeBufferPointer { all in
            (0..<200).map {
                TokenID(Elementwise.argmax(all.baseAddress! + $0 * vocabulary, count: vocabulary))
            }
        }
        #expect(chosen == Array(ids.dropFirst()))
    }

    @Test("GGUF, safetensors and llama2.c are the same model")
    func files() throws {
        let folder = sharedData("inference/stories260K")!
        let tokens = Array(ids.prefix(40))
        let expected = try logits(transformer, tokens)
        for file in ["converted/model-f32.gguf", "stories260K.bin"] {
            let other = try Transformer.load(Checkpoints.open("\(folder)/\(file)"))
            #expect(worst(try logits(other, tokens), expected) <= 3e-5)
        }
    }
}

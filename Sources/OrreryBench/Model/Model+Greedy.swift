import ArgumentParser
import CommandSupport
import Inference
import JSON
import Kernels
import LanguageModels
import Models
import Tokenizers

extension Bench.Model {
    /// Generates greedily with every layout of the KV cache; all generations must agree.
    struct Greedy: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "greedy")

        @OptionGroup var model: ModelFileArgument
        @Option(help: "Token ids, separated by spaces.") var ids: String
        @Option(help: "Number of tokens to generate.") var count: Int = 200
        @Option var threads: Int?
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let ids = ids.split(separator: " ").compactMap { TokenID($0) }
                let walk = try GreedyWalk(path: try model.path(), threads: threads, prompt: ids, count: count)
                var json = JSONWriter()
                try json.object { json in
                    json.member("plain", try walk.plain().map { Int($0) })
                    json.member("pages", try walk.paged().map { Int($0) })
                    json.member("chunks", try walk.chunked().map { Int($0) })
                    json.member("branched", try walk.branched().map { Int($0) })
                    json.member("rejoined", try walk.rejoined().map { Int($0) })
                }
                Output.result(json.text)
            }
        }
    }
}

/// One generation in several ways. Each method returns only the ids of the generation.
private struct GreedyWalk {
    let transformer: Transformer
    let generator: Generator
    let pass: ForwardPass
    let prompt: [TokenID]
    let count: Int

    init(path: String, threads: Int?, prompt: [TokenID], count: Int) throws {
        let checkpoint = try Checkpoints.open(path)
        guard let tokenizer = try checkpoint.tokenizer() else {
            throw Failure("\(path): no tokenizer in the model file or folder. Add a tokenizer.json.")
        }
        transformer = try Transformer.load(checkpoint)
        pass = ForwardPass(pool: threads.map { .init(threads: $0) } ?? .shared)
        let decoder = TransformerDecoder(transformer, pass: pass)
        let pages = KVPagePool(try KVLayout(checkpoint.configuration), budget: 1 << 30)
        generator = try Generator(decoder, texts: tokenizer, pool: pages)
        self.prompt = prompt
        self.count = count
    }

    private func options(_ count: Int) throws -> GenerationOptions {
        var options = try GenerationOptions(.greedy)
        options.maximumTokens = count
        options.endTokens = []
        return options
    }

    /// Returns a generation with a contiguous KV cache, without a generator.
    func plain() throws -> [TokenID] {
        let cache = ContiguousKeyValues(transformer.configuration)
        var answer: [TokenID] = []
        var next = prompt
        while answer.count < count {
            let logits = try transformer.forward([Segment(next, cache: cache)], in: pass)[0]
            let best = logits.indices.max { logits[$0] < logits[$1] } ?? 0
            answer.append(TokenID(best))
            next = [TokenID(best)]
        }
        return answer
    }

    /// Returns a generation with a paged KV cache.
    func paged() throws -> [TokenID] {
        let completion = try generator.begin(prompt)
        try generator.generate(completion, options(count))
        return Array(completion.answer)
    }

    /// Reads half of the generation again as a prompt, seven tokens at a time.
    func chunked() throws -> [TokenID] {
        let first = try generator.begin(prompt)
        try generator.generate(first, options(count / 2))
        let usual = generator.prefillChunk
        generator.prefillChunk = 7
        defer { generator.prefillChunk = usual }
        let second = try generator.begin(first.tokens)
        try generator.generate(second, options(count - count / 2))
        return Array(second.tokens[prompt.count...])
    }

    /// Returns a generation that continued after its branch in the middle of a page had generated other tokens; a
    /// second branch at the same position must generate the same tokens.
    func branched() throws -> [TokenID] {
        let place = count / 5 + 1
        let trunk = try generator.begin(prompt)
        try generator.generate(trunk, options(count / 2))
        let other = trunk.answer[trunk.promptCount + place] == 7 ? TokenID(8) : 7
        let astray = try generator.branch(trunk, at: place, choosing: other)
        try generator.generate(astray, options(count / 2))
        try generator.generate(trunk, options(count - count / 2))
        let again = trunk.branch(at: place)
        try generator.generate(again, options(count - place))
        return again.tokens == trunk.tokens ? Array(trunk.answer) : Array(again.answer)
    }

    /// Lets two completions with equal text share pages and continue in one batch.
    func rejoined() throws -> [TokenID] {
        let pair = [try generator.begin(prompt), try generator.begin(prompt)]
        for completion in pair { try generator.generate(completion, options(count / 2)) }
        pair[0].rejoin(pair[1])
        _ = try generator.generate(pair, options(count - count / 2)) { _ in }
        return pair[0].tokens == pair[1].tokens ? Array(pair[0].answer) : Array(pair[1].answer)
    }
}

import Interpretability
import Models
import System
import Tensors
import TestFixtures
import Testing
import Tokenizers

@Suite("Processed weights")
struct WeightProcessingTests {
    /// The largest change of log-probabilities over both sequences.
    private func change(
        _ golden: TransformerLensGolden, _ name: String, _ before: HookedTransformer<Double>,
        _ after: HookedTransformer<Double>
    ) throws -> Double {
        var worst = 0.0
        for tokens in try golden.tokens(name) {
            let a = try logSoftmax(before.run(tokens)[.logits])
            let b = try logSoftmax(after.run(tokens)[.logits])
            worst = max(worst, misfit(b, a, within: 1))
        }
        return worst
    }

    @Test("leave log-probabilities as they are, step by step", arguments: ["gpt", "llama"])
    func sameAnswers(_ name: String) throws {
        let golden = try TransformerLensGolden.small()
        let model: HookedTransformer<Double> = try golden.model(name)
        let processed = try model.processed()
        #expect(try change(golden, name, model, model.foldingNorms()) < 1e-9)
        #expect(try change(golden, name, model, model.centeringUnembedding()) < 1e-9)
        #expect(try change(golden, name, model, model.foldingValueBiases()) < 1e-9)
        #expect(try change(golden, name, model, processed) < 1e-9)
        #expect(processed.weights.blocks.allSatisfy { $0.attentionNorm.gain == nil && $0.valueBias == nil })
    }

    private func agrees(_ golden: TransformerLensGolden) throws {
        let model: HookedTransformer<Double> = try golden.model("gpt")
        let processed = try model.processed()
        #expect(try change(golden, "gpt", model, processed) < 1e-9)
        let found = Dictionary(processed.weights.named.map { ($0.name, $0.tensor) }) { first, _ in first }
        for (name, expected) in try golden.tensors("gpt.fw.") {
            if let tensor = found[name] {
                #expect(misfit(tensor, expected, within: 1e-5) <= 1, "\(name)")
            } else {
                // What is folded away: values' biases.
                #expect(name.hasSuffix("b_V") && expected.elements.allSatisfy { $0 == 0 }, "\(name)")
            }
        }
        let logits = try golden.tensor("gpt.folded_logits")
        for (row, tokens) in try golden.tokens("gpt").enumerated() {
            #expect(misfit(try processed.run(tokens)[.logits], try logits[row], within: 1e-5) <= 1)
        }
    }

    @Test("are those of TransformerLens, to 1e-5") func agreesWithSmallFile() throws { try agrees(.small()) }

    @Test(
        "are those of the large golden file",
        .enabled(if: TransformerLensGolden.shared != nil, "the golden file is not next to the package"))
    func agreesWithLargeFile() throws { try agrees(#require(TransformerLensGolden.shared)) }

    @Test("refuse to center what a model does not center")
    func refusal() throws {
        let model: HookedTransformer<Double> = try TransformerLensGolden.small().model("llama")
        #expect(throws: Problem.self) { _ = try model.centeringWrites() }
    }

    @Test("go to a file and come back", arguments: ["gpt", "llama"])
    func file(_ name: String) throws {
        let golden = try TransformerLensGolden.small()
        let model: HookedTransformer<Double> = try golden.model(name)
        let folder = TemporaryFolder()
        try model.write(to: folder.file("weights.safetensors"))
        let again = try HookedTransformer<Double>.open(folder.file("weights.safetensors"))
        #expect(again.configuration == model.configuration)
        #expect(try change(golden, name, model, again) == 0)
        let processed = try model.processed()
        try processed.write(to: folder.file("processed.safetensors"))
        let reread = try HookedTransformer<Double>.open(folder.file("processed.safetensors"))
        #expect(reread.configuration == model.configuration)
        #expect(try change(golden, name, processed, reread) == 0)
    }
}

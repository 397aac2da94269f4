internal import Models
public import System
public import Tensors
internal import Training

/// What a run of the induction experiment came to.
public struct InductionResult: Sendable {
    public let configuration: InductionExperiment.Configuration
    /// Attention alone.
    public let model: HookedTransformer<Float>
    /// Measurements on the way, the last after the last step.
    public let history: [InductionExperiment.Progress]
    /// Mean loss within the first copy, in nats: at best the logarithm of the vocabulary.
    public let firstCopyLoss: Double
    /// The same within the second copy, which a head that has learned induction foresees.
    public let secondCopyLoss: Double
    /// Share of right answers in the second copy.
    public let accuracy: Double
    /// `[layer][head]`, by every definition.
    public let headScores: [HeadScoreDefinition: [[Double]]]

    /// The first measured step at which the loss of the second copy is below a number of nats.
    public func firstStep(below loss: Double) -> Int? { history.first { $0.secondCopyLoss < loss }?.step }

    /// The best score of any head.
    public func best(_ definition: HeadScoreDefinition) -> Double {
        headScores[definition]?.joined().max() ?? 0
    }

    init(
        _ configuration: InductionExperiment.Configuration, _ trained: TrainableTransformer<Float>,
        _ history: [InductionExperiment.Progress]
    ) throws(Problem) {
        let hooked = try HookedTransformer(trained).withoutFeedForward()
        let (figures, scores) = try telling {
            let prompts = try InductionPrompts(configuration, count: 64, stream: 3)
            var sums: [HeadScoreDefinition: [[Double]]] = [:]
            let patterns = HookSelection.only(Set((0..<configuration.layers).map { Hook.pattern(layer: $0) }))
            for prompt in prompts.prompts {
                let scores = try hooked.run(prompt.tokens, keeping: patterns).headScores(
                    HeadScoreDefinition.allCases, layerCount: configuration.layers, prompt: prompt)
                sums.merge(scores) { sum, one in zip(sum, one).map { zip($0, $1).map(+) } }
            }
            let count = Double(prompts.prompts.count)
            return (try prompts.losses(of: trained), sums.mapValues { $0.map { $0.map { $0 / count } } })
        }
        self.configuration = configuration
        self.history = history
        model = hooked
        (firstCopyLoss, secondCopyLoss, accuracy) = (figures.firstCopy, figures.secondCopy, figures.accuracy)
        headScores = scores
    }

    /// Writes the model as a folder of Hugging Face's GPT-2, which the runtime opens: a feed-forward of zeros, and a
    /// tokenizer whose tokens are single characters, where 64 are enough.
    ///
    /// The folder appears whole or not at all; one that is there is replaced.
    public func export(to folder: String) throws(Problem) {
        try telling {
            let trainable = try model.asGPT2(configuration.model)
            let tokenizer = CharacterTokenizer(count: configuration.vocabulary).map { [("tokenizer.json", $0.json)] }
            try trainable.export(to: folder, cards: tokenizer ?? [])
        }
    }
}

extension HookedTransformer {
    /// Attention alone, of a model whose feed-forward adds nothing.
    fileprivate func withoutFeedForward() throws(Problem) -> HookedTransformer {
        var (configuration, weights) = (configuration, weights)
        configuration.feedForward = .none
        for layer in weights.blocks.indices {
            var block = weights.blocks[layer]
            (block.feedForward, block.feedForwardNorm) = (nil, .init())
            (block.queryBias, block.keyBias, block.valueBias, block.outputBias) = (nil, nil, nil, nil)
            weights.blocks[layer] = block
        }
        return try HookedTransformer(configuration, weights)
    }
}

extension HookedTransformer<Float> {
    /// The weights as GPT-2 lays them out; what attention alone lacks is zero.
    fileprivate func asGPT2(_ configuration: ModelConfiguration) throws -> TrainableTransformer<Float> {
        let model = try TrainableTransformer<Float>(configuration, seed: 0)
        var values: [String: Tensor<Float>] = [
            "token_embd.weight": weights.embedding, "output.weight": weights.unembedding.transposed(),
        ]
        values["position_embd.weight"] = weights.positions
        values["output_norm.weight"] = weights.finalNorm.gain
        values["output_norm.bias"] = weights.finalNorm.bias
        for (layer, block) in weights.blocks.enumerated() {
            let columns = configuration.width
            func rows(_ matrices: Tensor<Float>) throws -> Tensor<Float> {
                try matrices.permuted([0, 2, 1]).reshaped([columns, columns])
            }
            values["blk.\(layer).attn_norm.weight"] = block.attentionNorm.gain
            values["blk.\(layer).attn_norm.bias"] = block.attentionNorm.bias
            values["blk.\(layer).attn_qkv.weight"] = try concatenate([
                rows(block.query), rows(block.key), rows(block.value),
            ])
            values["blk.\(layer).attn_output.weight"] = try block.output.reshaped([columns, columns]).transposed()
        }
        for parameter in model.parameters {
            if let value = values[parameter.name] {
                parameter.value = try value.contiguous()
            } else if !parameter.name.hasSuffix("norm.weight") {
                parameter.value = try Tensor(repeating: 0, shape: parameter.shape)
            }
        }
        return model
    }
}

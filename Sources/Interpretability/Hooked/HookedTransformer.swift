public import Models
public import System
public import Tensors

/// A transformer that is written out hook by hook, in either precision and with gradients: what attribution, circuits
/// and exact checks are computed with.
///
/// ```swift
/// let model = try HookedTransformer<Double>(Checkpoints.open("sample-data/models/orrery-mini"))
/// let cache = try model.run(tokens)
/// let pattern = try cache[.pattern(layer: 3)]          // [H, T, T]
/// ```
///
/// - Source: Elhage et al., "A mathematical framework for transformer circuits", 2021; TransformerLens, whose hooks and
///   weights these are.
public struct HookedTransformer<Scalar: FloatingAccumulator>: HookedModel, Sendable {
    public let configuration: HookedConfiguration
    public let weights: HookedWeights<Scalar>
    /// Hooks that it has, in the order of the pass.
    public let hooks: [Hook]

    /// - Throws: An error if a weight has another shape than the configuration asks for; the sentence names the first.
    public init(
        _ configuration: HookedConfiguration, _ weights: HookedWeights<Scalar>
    ) throws(Problem) {
        self.configuration = configuration
        self.weights = weights
        hooks = configuration.hooks
        try weights.check(configuration)
    }

    public var name: String { configuration.name.isEmpty ? "model" : configuration.name }
    public var layerCount: Int { configuration.layerCount }
    public var headCount: Int { configuration.headCount }
    public var width: Int { configuration.width }
    public var vocabularySize: Int { configuration.vocabularySize }

    public func readout() throws(Problem) -> Readout<Scalar> {
        try telling {
            let (c, norm) = (configuration, weights.finalNorm)
            let gain = try norm.gain ?? .ones(c.width)
            let bias = try norm.bias ?? .zeros(c.width)
            let epsilon = Scalar(c.normEpsilon)
            let kind: Readout<Scalar>.Norm =
                switch c.norm {
                case .none: .none
                case .layer: .layer(gain: gain, bias: bias, epsilon: epsilon)
                case .rms: .rms(gain: gain, epsilon: epsilon)
                }
            return Readout(
                norm: kind, unembedding: weights.unembedding, bias: weights.unembeddingBias,
                softcap: c.finalSoftcap.map { Scalar($0) })
        }
    }
}

extension HookedWeights {
    /// - Throws: An error if a weight is missing or has another shape.
    func check(_ c: HookedConfiguration) throws(Problem) {
        let (queries, keys, values) = (
            [c.headCount, c.width, c.headWidth], [c.kvHeadCount, c.width, c.headWidth],
            [c.kvHeadCount, c.width, c.valueWidth]
        )
        func need(_ name: String, _ tensor: Tensor<Scalar>?, _ shape: [Int]) throws(Problem) {
            guard let tensor, tensor.shape != shape else { return }
            throw Problem(
                .invalid, name, "shape is \(tensor.shape), expected \(shape)",
                remedy: "Matrices multiply rows, x @ W. Transpose the weights of linear layers.")
        }
        guard c.headCount > 0, c.kvHeadCount > 0, c.headCount % c.kvHeadCount == 0 else {
            throw Problem(.invalid, "model", "\(c.headCount) heads are not divisible by \(c.kvHeadCount) key heads")
        }
        guard blocks.count == c.layerCount else {
            throw Problem(.invalid, "model", "weights of \(blocks.count) blocks found, expected \(c.layerCount)")
        }
        try need("embed.W_E", embedding, [c.vocabularySize, c.width])
        try need("unembed.W_U", unembedding, [c.width, c.vocabularySize])
        try need("unembed.b_U", unembeddingBias, [c.vocabularySize])
        try need("pos_embed.W_pos", positions, [c.contextLength, c.width])
        guard c.positions != .learned || positions != nil else {
            throw Problem(.missing, "pos_embed.W_pos", "missing, although positions are learned")
        }
        for (layer, block) in blocks.enumerated() {
            let prefix = "blocks.\(layer).attn"
            try need("\(prefix).W_Q", block.query, queries)
            try need("\(prefix).W_K", block.key, keys)
            try need("\(prefix).W_V", block.value, values)
            try need("\(prefix).W_O", block.output, [c.headCount, c.valueWidth, c.width])
            try need("\(prefix).b_Q", block.queryBias, [c.headCount, c.headWidth])
            try need("\(prefix).b_K", block.keyBias, [c.kvHeadCount, c.headWidth])
            try need("\(prefix).b_V", block.valueBias, [c.kvHeadCount, c.valueWidth])
            try need("\(prefix).b_O", block.outputBias, [c.width])
            try checkFeedForward(block, layer, c, need)
        }
    }

    private func checkFeedForward(
        _ block: Block, _ layer: Int, _ c: HookedConfiguration,
        _ need: (String, Tensor<Scalar>?, [Int]) throws(Problem) -> Void
    ) throws(Problem) {
        let prefix = "blocks.\(layer).mlp"
        func part(_ weights: FeedForward?, _ width: Int, isGated: Bool) throws(Problem) {
            guard let weights else { throw Problem(.missing, prefix, "missing weights") }
            guard (weights.gate != nil) == isGated else {
                throw Problem(
                    .missing, "\(prefix).W_gate", isGated ? "missing" : "unexpected, because the model has no gate")
            }
            try need("\(prefix).W_in", weights.input, [c.width, width])
            try need("\(prefix).b_in", weights.inputBias, [width])
            try need("\(prefix).b_in", weights.productBias, [width])
            try need("\(prefix).W_gate", weights.gate, [c.width, width])
            try need("\(prefix).W_out", weights.output, [width, c.width])
            try need("\(prefix).b_out", weights.outputBias, [c.width])
        }
        switch c.feedForward {
        case .none: return
        case .plain(let width): try part(block.feedForward, width, isGated: false)
        case .gated(let width): try part(block.feedForward, width, isGated: true)
        case .experts(let mixture):
            guard let experts = block.experts, experts.experts.count == mixture.count else {
                throw Problem(.invalid, prefix, "expected \(mixture.count) experts")
            }
            try need("\(prefix).W_gate", experts.router, [c.width, mixture.count])
            for expert in experts.experts { try part(expert, mixture.feedForwardWidth, isGated: true) }
        }
    }
}

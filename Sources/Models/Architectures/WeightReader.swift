internal import Kernels

/// Reads an architecture's parts from a checkpoint: names of GGUF, sizes of the configuration.
///
/// What a file may leave out (biases, an output matrix of its own, three matrices in one) is found by asking for it.
final class WeightReader {
    let checkpoint: any Checkpoint
    let configuration: ModelConfiguration
    /// Names of the linear layers, in the order of their numbers: what an adapter knows them by.
    private(set) var linears: [String] = []

    init(_ checkpoint: any Checkpoint) {
        self.checkpoint = checkpoint
        configuration = checkpoint.configuration
    }

    func has(_ name: String) -> Bool { checkpoint.shape(of: name) != nil }

    func vector(_ name: String, _ count: Int) throws(ModelError) -> AlignedBuffer<Float> {
        let values = try checkpoint.vector(name, count: count)
        do {
            let buffer = try AlignedBuffer<Float>(count: count)
            for (index, value) in values.prefix(count).enumerated() { buffer.pointer[index] = value }
            return buffer
        } catch {
            throw ModelError(checkpoint.path, error)
        }
    }

    /// `name.weight`, with `name.bias` where there is one.
    ///
    /// - Parameter role: the name by which adapters know it, where that is another: a tied output.
    func linear(_ name: String, _ outputs: Int, _ inputs: Int, as role: String? = nil) throws(ModelError) -> Linear {
        linears.append("\(role ?? name).weight")
        return Linear(
            weight: try checkpoint.matrix("\(name).weight", rows: outputs, columns: inputs),
            bias: has("\(name).bias") ? try vector("\(name).bias", outputs) : nil, number: linears.count - 1)
    }

    func norm(
        _ name: String, _ kind: Norm.Kind, width: Int? = nil, hooks: Norm.Hooks? = nil
    ) throws(ModelError) -> Norm {
        let width = width ?? configuration.width
        return Norm(
            kind: kind, gain: try vector("\(name).weight", width),
            bias: kind == .layer && has("\(name).bias") ? try vector("\(name).bias", width) : nil,
            epsilon: configuration.normEpsilon, hooks: hooks)
    }

    /// One value for each layer.
    func blocks<Block>(_ make: (LayerReader) throws(ModelError) -> Block) throws(ModelError) -> [Block] {
        var blocks: [Block] = []
        for layer in 0..<configuration.layerCount { blocks.append(try make(LayerReader(self, layer))) }
        return blocks
    }

    func embedding(norm: Norm? = nil) throws(ModelError) -> Embedding {
        let width = configuration.width
        let positions: Embedding.Positions =
            switch configuration.positions {
            case .learned:
                .learned(
                    try checkpoint.matrix("position_embd.weight", rows: configuration.contextLength, columns: width))
            case .sinusoidal: .sinusoidal
            case .rotary, .alibi, .none: .none
            }
        let types = configuration.tokenTypeCount
        return Embedding(
            tokens: try checkpoint.matrix("token_embd.weight", rows: configuration.vocabularySize, columns: width),
            scale: configuration.embeddingScale, positions: positions,
            types: types > 0 ? try checkpoint.matrix("token_types.weight", rows: types, columns: width) : nil,
            norm: norm)
    }

    func unembedding(_ kind: Norm.Kind) throws(ModelError) -> Unembedding {
        let name = has("output.weight") ? "output" : "token_embd"
        return Unembedding(
            norm: try norm("output_norm", kind, hooks: .final),
            output: Projection(
                [try linear(name, configuration.vocabularySize, configuration.width, as: "output")], .output),
            softcap: configuration.finalSoftcap)
    }
}

/// Reads the parts of one block.
struct LayerReader {
    let layer: Int
    private let reader: WeightReader

    init(_ reader: WeightReader, _ layer: Int) {
        self.reader = reader
        self.layer = layer
    }

    private var configuration: ModelConfiguration { reader.configuration }
    var family: ArchitectureDescriptor { reader.configuration.family }
    private func name(_ part: String) -> String { "blk.\(layer).\(part)" }

    func norm(
        _ part: String, _ kind: Norm.Kind, width: Int? = nil, hooks: Norm.Hooks? = nil
    ) throws(ModelError) -> Norm {
        try reader.norm(name(part), kind, width: width, hooks: hooks)
    }

    /// - Parameters:
    ///   - normsHeads: queries and keys have norms of their own.
    ///   - isCausal: false for encoders.
    func attention(normsHeads: Bool = false, isCausal: Bool = true) throws(ModelError) -> SelfAttention {
        let c = configuration
        let (queries, keys, values) = (
            c.headCount * c.headWidth, c.kvHeadCount * c.headWidth, c.kvHeadCount * c.valueWidth
        )
        var parts: (query: Projection, keyValue: Projection)?
        let input: Projection
        if reader.has(name("attn_qkv.weight")) {
            input = Projection([try reader.linear(name("attn_qkv"), queries + keys + values, c.width)], .attentionQKV)
        } else {
            let query = try reader.linear(name("attn_q"), queries, c.width)
            let key = try reader.linear(name("attn_k"), keys, c.width)
            let value = try reader.linear(name("attn_v"), values, c.width)
            input = Projection([query, key, value], .attentionQKV)
            parts = (Projection([query], .attentionQKV), Projection([key, value], .attentionQKV))
        }
        var rotations: Rotations?
        if case .rotary(let rotary) = c.positions { rotations = Rotations(rotary) }
        return SelfAttention(
            layer: layer, input: input, parts: parts,
            output: Projection(
                [try reader.linear(name("attn_output"), c.width, c.headCount * c.valueWidth)], .attentionOut),
            heads: c.headCount, kvHeads: c.kvHeadCount, keyWidth: c.headWidth, valueWidth: c.valueWidth,
            scale: c.attentionScale, softcap: c.attentionSoftcap, window: c.window(ofLayer: layer),
            isCausal: isCausal,
            queryNorm: normsHeads ? try norm("attn_q_norm", .rms, width: c.headWidth) : nil,
            keyNorm: normsHeads ? try norm("attn_k_norm", .rms, width: c.headWidth) : nil, rotations: rotations,
            slopes: c.positions == .alibi ? alibiSlopes(heads: c.headCount) : nil)
    }

    /// Reads the feed-forward of the layer, gated or plain as the architecture requires.
    func feedForward() throws(ModelError) -> FeedForward {
        family.isGated ? try gatedFeedForward() : try plainFeedForward()
    }

    /// up, f, down.
    private func plainFeedForward() throws(ModelError) -> FeedForward {
        let (width, inner) = (configuration.width, configuration.feedForwardWidth)
        return .dense(
            DenseFeedForward(
                layer: layer, up: Projection([try reader.linear(name("ffn_up"), inner, width)], .feedForwardUpGate),
                down: Projection([try reader.linear(name("ffn_down"), width, inner)], .feedForwardDown),
                curve: configuration.activation.curve, isGated: false, width: inner))
    }

    /// gate and up, f, down; the experts where the model has them.
    private func gatedFeedForward() throws(ModelError) -> FeedForward {
        if let experts = configuration.experts { return .experts(try self.experts(experts)) }
        let (width, inner) = (configuration.width, configuration.feedForwardWidth)
        let up =
            reader.has(name("ffn_gate.weight"))
            ? [try reader.linear(name("ffn_gate"), inner, width), try reader.linear(name("ffn_up"), inner, width)]
            : [try reader.linear(name("ffn_up"), 2 * inner, width)]
        return .dense(
            DenseFeedForward(
                layer: layer, up: Projection(up, .feedForwardUpGate),
                down: Projection([try reader.linear(name("ffn_down"), width, inner)], .feedForwardDown),
                curve: configuration.activation.curve, isGated: true, width: inner))
    }

    private func experts(_ experts: ExpertConfiguration) throws(ModelError) -> ExpertFeedForward {
        let (width, inner, count) = (configuration.width, experts.feedForwardWidth, experts.count)
        let checkpoint = reader.checkpoint
        let gate = try checkpoint.matrices(name("ffn_gate_exps.weight"), count: count, rows: inner, columns: width)
        let up = try checkpoint.matrices(name("ffn_up_exps.weight"), count: count, rows: inner, columns: width)
        let down = try checkpoint.matrices(name("ffn_down_exps.weight"), count: count, rows: width, columns: inner)
        let all = (0..<count).map { expert in
            DenseFeedForward(
                layer: layer,
                up: Projection([gate[expert], up[expert]].map(Self.unnumbered), .feedForwardUpGate),
                down: Projection([Self.unnumbered(down[expert])], .feedForwardDown),
                curve: configuration.activation.curve, isGated: true, width: inner)
        }
        return ExpertFeedForward(
            layer: layer, router: Projection([try reader.linear(name("ffn_gate_inp"), count, width)], .router),
            experts: all, configuration: experts)
    }

    private static func unnumbered(_ weight: WeightMatrix) -> Linear { Linear(weight: weight, bias: nil, number: nil) }
}

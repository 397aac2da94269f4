public import Models
public import System
internal import Tensors
public import Training

extension HookedTransformer {
    /// The model of a file: GGUF, safetensors or llama2.c, decoded.
    ///
    /// Heads lie as in the file, so that hooks show what the runtime's do: rotating pairs stay side by side where they
    /// are.
    ///
    /// - Throws: An error if a tensor is missing, has other sizes, or memory is short; for an encoder.
    public init(_ checkpoint: any Checkpoint) throws(Problem) {
        _ = try HookedConfiguration(checkpoint.configuration)
        let model = try telling { try TrainableTransformer<Scalar>(checkpoint) }
        try self.init(model, as: checkpoint.configuration)
    }

    /// A model as training has left it; an adapter that is not merged is left out.
    public init(_ model: TrainableTransformer<Scalar>) throws(Problem) {
        try self.init(model, as: model.configuration)
    }

    private init(
        _ model: TrainableTransformer<Scalar>, as configuration: ModelConfiguration
    ) throws(Problem) {
        let hooked = try HookedConfiguration(configuration)
        var parameters: [String: Tensor<Scalar>] = [:]
        for parameter in model.parameters { parameters[parameter.name] = parameter.value }
        let reader = ParameterReader(configuration: hooked, isTied: configuration.tiesEmbeddings, parameters)
        try self.init(hooked, telling { try reader.weights() })
    }
}

/// Weights as files lay them out, `[out, in]` and heads side by side, in the order of `HookedWeights`.
private struct ParameterReader<Scalar: FloatingAccumulator> {
    let configuration: HookedConfiguration
    let isTied: Bool
    let parameters: [String: Tensor<Scalar>]

    init(configuration: HookedConfiguration, isTied: Bool, _ parameters: [String: Tensor<Scalar>]) {
        self.configuration = configuration
        self.isTied = isTied
        self.parameters = parameters
    }

    func weights() throws -> HookedWeights<Scalar> {
        let embedding = try need("token_embd.weight")
        var result = HookedWeights(
            embedding: embedding, positions: parameters["position_embd.weight"],
            blocks: try (0..<configuration.layerCount).map(block),
            unembedding: try (isTied ? embedding : need("output.weight")).transposed())
        result.finalNorm = norm("output_norm")
        if !isTied { result.unembeddingBias = parameters["output.bias"] }
        return result
    }

    private func need(_ name: String) throws -> Tensor<Scalar> {
        guard let tensor = parameters[name] else { throw Problem(.missing, name, "missing") }
        return tensor
    }

    private func norm(_ name: String) -> HookedWeights<Scalar>.Norm {
        HookedWeights.Norm(gain: parameters["\(name).weight"], bias: parameters["\(name).bias"])
    }

    private func block(_ layer: Int) throws -> HookedWeights<Scalar>.Block {
        let c = configuration
        let name = "blk.\(layer)"
        let sizes = [c.headCount * c.headWidth, c.kvHeadCount * c.headWidth, c.kvHeadCount * c.valueWidth]
        var matrices: [Tensor<Scalar>]
        var biases: [Tensor<Scalar>?]
        if let joined = parameters["\(name).attn_qkv.weight"] {
            matrices = try joined.split(sizes, axis: 0)
            biases = try parameters["\(name).attn_qkv.bias"]?.split(sizes, axis: 0) ?? [nil, nil, nil]
        } else {
            matrices = try ["q", "k", "v"].map { try need("\(name).attn_\($0).weight") }
            biases = ["q", "k", "v"].map { parameters["\(name).attn_\($0).bias"] }
        }
        for (place, count) in [(0, c.headCount), (1, c.kvHeadCount)] {
            matrices[place] = try asInFile(matrices[place], heads: count)
            biases[place] = try biases[place].map { try asInFile($0, heads: count) }
        }
        let output = try need("\(name).attn_output.weight").transposed()
        var block = HookedWeights<Scalar>.Block(
            query: try heads(matrices[0], c.headCount, c.headWidth),
            key: try heads(matrices[1], c.kvHeadCount, c.headWidth),
            value: try heads(matrices[2], c.kvHeadCount, c.valueWidth),
            output: try output.reshaped([c.headCount, c.valueWidth, c.width]))
        block.queryBias = try biases[0]?.reshaped([c.headCount, c.headWidth])
        block.keyBias = try biases[1]?.reshaped([c.kvHeadCount, c.headWidth])
        block.valueBias = try biases[2]?.reshaped([c.kvHeadCount, c.valueWidth])
        block.outputBias = parameters["\(name).attn_output.bias"]
        (block.queryNorm, block.keyNorm) = (
            parameters["\(name).attn_q_norm.weight"], parameters["\(name).attn_k_norm.weight"]
        )
        block.attentionNorm = norm("\(name).attn_norm")
        block.attentionPostNorm = norm("\(name).post_attention_norm")
        block.feedForwardNorm = norm("\(name).ffn_norm")
        block.feedForwardPostNorm = norm("\(name).post_ffw_norm")
        if case .experts(let mixture) = c.feedForward {
            block.experts = HookedWeights.Experts(
                router: try need("\(name).ffn_gate_inp.weight").transposed(),
                experts: try (0..<mixture.count).map { try feedForward(name, suffix: ".\($0)") })
            block.experts?.routerBias = parameters["\(name).ffn_gate_inp.bias"]
        } else {
            block.feedForward = try feedForward(name, suffix: "")
        }
        return block
    }

    private func feedForward(_ name: String, suffix: String) throws -> HookedWeights<Scalar>.FeedForward {
        var up = try need("\(name).ffn_up\(suffix).weight").transposed()
        var gate = parameters["\(name).ffn_gate\(suffix).weight"]?.transposed()
        // Gate and up in one matrix, one above the other (Phi-3).
        if case .gated(let width) = configuration.feedForward, gate == nil {
            gate = try up[.all, 0..<width]
            up = try up[.all, width..<2 * width]
        }
        var part = HookedWeights<Scalar>.FeedForward(
            input: up, gate: gate, output: try need("\(name).ffn_down\(suffix).weight").transposed())
        part.inputBias = parameters["\(name).ffn_up\(suffix).bias"]
        part.gateBias = parameters["\(name).ffn_gate\(suffix).bias"]
        part.outputBias = parameters["\(name).ffn_down\(suffix).bias"]
        return part
    }

    /// `[heads · W, D]` as `[heads, D, W]`.
    private func heads(_ matrix: Tensor<Scalar>, _ count: Int, _ width: Int) throws -> Tensor<Scalar> {
        try matrix.reshaped([count, width, configuration.width]).permuted([0, 2, 1])
    }

    /// Rows whose rotating pairs training holds in halves, side by side again where the file has them so: row j of half
    /// i becomes 2j + i.
    private func asInFile(_ rows: Tensor<Scalar>, heads: Int) throws -> Tensor<Scalar> {
        guard case .rotary(let rotary) = configuration.positions, rotary.pairing == .adjacent else { return rows }
        let (width, pairs) = (configuration.headWidth, rotary.width / 2)
        var order: [Int] = []
        for head in 0..<heads {
            for row in 0..<width {
                order.append(head * width + (row < 2 * pairs ? row % 2 * pairs + row / 2 : row))
            }
        }
        return try rows.selecting(order)
    }
}

public import Models
public import Tensors

/// A transformer that learns: every family that the runtime loads, as parameters and a recorded forward pass.
///
/// ```swift
/// let model = try TrainableTransformer<Float>(configuration, seed: 1)            // fresh
/// let model = try TrainableTransformer<Float>(Checkpoints.open("llama.gguf"))    // or of a file
/// let loss = try model.loss(tokens, targets: targets, Pass(isTraining: true, seed: 1, step: 0))
/// try loss.backward()                                                            // gradients of `model.parameters`
/// ```
///
/// Parameters go by the names of GGUF files: `token_embd.weight`, `blk.0.attn_q.weight`. Rotating pairs are in halves
/// as in files of Hugging Face; files that hold them side by side are put in that order when they are read. Experts are
/// parameters of their own (`blk.0.ffn_up.3.weight`).
public final class TrainableTransformer<Scalar: FloatingAccumulator> {
    /// Rotary positions are in halves, whatever the file had.
    public let configuration: ModelConfiguration
    /// The model's own weights, in the order in which data flow; an adapter's are not among them.
    public let parameters: [Parameter<Scalar>]
    /// Formats other than float32 that the weights were decoded from, by name; empty for a fresh model.
    public internal(set) var decodedFormats: [String] = []
    /// Zeroes a share of the embedding and of what each part adds to the stream, while training.
    public var dropout: Double = 0
    /// Blocks keep their input alone and are computed again on the way back: less memory for a third more work.
    public var recomputesBlocks = false
    /// Low-rank changes; the model's own weights rest as long as there are any.
    public internal(set) var adapter: LowRankAdapter<Scalar>?

    let byName: [String: Parameter<Scalar>]
    let blocks: [TransformerBlock<Scalar>]
    /// Weights that rest, joined once.
    var joinedWeights: [String: JoinedWeights<Scalar>] = [:]
    private var tables: [RotaryKey: RotaryTable<Scalar>] = [:]

    private struct RotaryKey: Hashable {
        let isWindowed: Bool
        let positions: Int
    }

    init(
        _ configuration: ModelConfiguration, _ parameters: [Parameter<Scalar>]
    ) throws(TensorError) {
        var configuration = configuration
        if case .rotary(var rotary) = configuration.positions {
            rotary.pairing = .halves
            configuration.positions = .rotary(rotary)
        }
        self.configuration = configuration
        self.parameters = parameters
        byName = Dictionary(parameters.map { ($0.name, $0) }) { first, _ in first }
        let byName = byName
        blocks = (0..<configuration.layerCount).map { TransformerBlock(configuration, layer: $0, byName) }
    }

    /// What training changes: the adapter's matrices where there is one, else everything.
    public var trainableParameters: [Parameter<Scalar>] {
        (parameters + (adapter?.parameters ?? [])).filter { $0.isTrainable }
    }

    /// All numbers of the model's own weights.
    public var parameterCount: Int { parameters.reduce(0) { $0 + $1.count } }

    /// Arithmetic of a training step for one token, forward and backward: 6 N for matrices, 12 L D T for attention
    /// (half of it where nothing is seen ahead is not taken off, as is the custom).
    ///
    /// - Source: Kaplan et al., "Scaling laws for neural language models", 2020, table 1; Chowdhery et al., "PaLM",
    ///   2022, appendix B.
    public func flopsPerToken(positions: Int) -> Double {
        let c = configuration
        var matrices = c.isEncoder || !c.tiesEmbeddings ? 0 : c.vocabularySize * c.width
        for parameter in parameters where parameter.shape.count == 2 && !parameter.name.hasPrefix("token_") {
            guard !parameter.name.hasPrefix("position_embd") else { continue }
            let isExpert = parameter.name.split(separator: ".").count == 5
            matrices += isExpert ? parameter.count * (c.experts?.used ?? 1) / (c.experts?.count ?? 1) : parameter.count
        }
        return 6 * Double(matrices) + 12 * Double(c.layerCount * c.headCount * c.headWidth * positions)
    }

    /// Cosines and sines, kept for the last few lengths.
    func rotaryTable(isWindowed: Bool, positions: Int) throws(TensorError) -> RotaryTable<Scalar>? {
        guard case .rotary(let rotary) = configuration.positions else { return nil }
        let key = RotaryKey(isWindowed: isWindowed && rotary.windowedBase != nil, positions: positions)
        if let table = tables[key] { return table }
        if tables.count > 8 { tables.removeAll() }
        let table = try RotaryTable<Scalar>(rotary, isWindowed: key.isWindowed, positions: positions)
        tables[key] = table
        return table
    }
}

/// Weights of several layers as one, and the tensors that it was made of.
struct JoinedWeights<Scalar: FloatingAccumulator> {
    let parts: [Tensor<Scalar>]
    let whole: Tensor<Scalar>

    /// Whether it was made of exactly these.
    func isOf(_ others: [Tensor<Scalar>]) -> Bool {
        parts.count == others.count && zip(parts, others).allSatisfy { $0.storage === $1.storage && $0.base == $1.base }
    }
}

internal import Models
public import Tensors

/// A GPT of four blocks over characters: fused projections, learned positions, tied head, AdamW, clipping.
public struct CharacterModelJob: ComparisonJob {
    public static let name = "gpt"
    public static let contents = """
        the parameters by their GGUF names, `text` [n] and `starts` [steps · batch] (where each sequence begins)
        """

    private static let (vocabulary, width, layers, heads, context, batch) = (65, 128, 4, 4, 128, 16)

    private let model: TrainableTransformer<Float>
    private let text: [Int32]
    private let starts: [Int32]
    private var taken = 0
    private var optimizer: Optimizer<Float>

    public init(_ file: ComparisonFile) throws(TensorError) {
        let configuration = ModelConfiguration(
            family: .gpt2, vocabularySize: Self.vocabulary, width: Self.width, layerCount: Self.layers,
            headCount: Self.heads, feedForwardWidth: 4 * Self.width, contextLength: Self.context, normEpsilon: 1e-5,
            positions: .learned, tiesEmbeddings: true, activation: .geluTanh)
        model = try TrainableTransformer(configuration, seed: 0)
        for parameter in model.parameters { parameter.value = try file.floats(parameter.name, parameter.shape) }
        text = try file.integers("text").elements
        starts = try file.integers("starts").elements
        let last = text.count - Self.context - 1
        guard let end = starts.max(), let first = starts.min(), first >= 0, Int(end) <= last else {
            throw TensorError(
                "comparison",
                problem: "needs starts from 0 to \(last), so that every sequence fits in the text")
        }
        optimizer = try Optimizer(.adamW, ["beta2": 0.99, "weight_decay": 0.1], decaying: .matrices)
    }

    /// 6 N a token for matrices, the tied head once, and 12 L D T for attention.
    public var flopsPerStep: Double {
        let matrices = Self.layers * 12 * Self.width * Self.width + Self.vocabulary * Self.width
        return Double(Self.batch * Self.context) * Double(6 * matrices + 12 * Self.layers * Self.width * Self.context)
    }

    public var parameters: [Parameter<Float>] { model.parameters }

    public mutating func loss() throws(TensorError) -> Variable<Float> {
        guard taken + Self.batch <= starts.count else {
            throw TensorError("comparison", problem: "has no starts left. Add more to the file")
        }
        var (inputs, targets): ([Int32], [Int32]) = ([], [])
        for start in starts[taken..<taken + Self.batch] {
            inputs += text[Int(start)..<Int(start) + Self.context]
            targets += text[Int(start) + 1..<Int(start) + Self.context + 1]
        }
        taken += Self.batch
        let shape = [Self.batch, Self.context]
        return try model.loss(
            Tensor(inputs, shape: shape), targets: Tensor(targets, shape: shape), Pass(isTraining: true))
    }

    public mutating func learn() throws(TensorError) {
        _ = try clipGradients(of: model.parameters, toNorm: 1)
        try optimizer.step(model.parameters, rate: 1e-3)
    }
}

import Interpretability
import Models
import Tensors
import Testing
import Tokenizers

/// The small models that live runs are tested on, and a text that they know.
enum LiveModels {
    static let root = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()

    static func mini() throws -> InspectedModel { try InspectedModel(path: root + "/sample-data/models/orrery-mini") }

    /// A prompt of a few sentences, in which words come again.
    static let text = """
        Once upon a time there was a girl named Lily. Lily had a red ball. One day Tom took the red ball. \
        Lily was sad. Tom said sorry, and Lily had the red ball again.
        """

    /// Patterns of all heads, uncut: `[heads, T, T]` of each layer, from one pass without other observers.
    static func patterns(_ model: InspectedModel, _ tokens: [TokenID]) throws -> [HookActivation] {
        let capture = try HookCapture(["blocks.*.attn.hook_pattern"], for: model.configuration)
        let pass = ForwardPass()
        pass.visitor = capture
        _ = try model.transformer.forward(
            [Segment(tokens, cache: ContiguousKeyValues(model.configuration))], in: pass)
        let file = capture.activations()
        return (0..<model.configuration.layerCount).compactMap { file[.pattern(layer: $0)] }
    }

    /// Rows of a hook for all tokens, from one pass without other observers.
    static func rows(_ hook: Hook, _ model: InspectedModel, _ tokens: [TokenID]) throws -> HookActivation {
        let capture = try HookCapture([hook.name], for: model.configuration)
        let pass = ForwardPass()
        pass.visitor = capture
        _ = try model.transformer.forward(
            [Segment(tokens, cache: ContiguousKeyValues(model.configuration), outputs: .all)], in: pass)
        return try #require(capture.activations()[hook])
    }

    /// A dictionary of seeded directions on a hook of the model's width.
    static func dictionary(width: Int, features: Int, hook: Hook) throws -> SparseAutoencoder {
        var state: UInt64 = 7
        func number() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(Int32(truncatingIfNeeded: state >> 32)) / Float(Int32.max)
        }
        let decoder = (0..<features * width).map { _ in number() / Float(width).squareRoot() }
        let encoder = (0..<width * features).map { decoder[$0 % features * width + $0 / features] }
        return try SparseAutoencoder(
            encoder: Tensor(encoder, shape: [width, features]), encoderBias: Tensor(repeating: 0, shape: [features]),
            decoder: Tensor(decoder, shape: [features, width]), decoderBias: Tensor(repeating: 0, shape: [width]),
            activation: .relu, origin: SparseAutoencoder.Origin(hook: hook.name))
    }
}

/// Whether two rows of numbers are the same but for rounding; a failure names the worst place.
func expectSameNumbers(
    _ a: some Collection<Float>, _ b: some Collection<Float>, within tolerance: Float,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(a.count == b.count, sourceLocation: sourceLocation)
    var worst = (index: 0, a: Float(0), b: Float(0))
    for (index, (x, y)) in zip(a, b).enumerated() {
        if x.isNaN != y.isNaN || abs(x - y) > abs(worst.a - worst.b) { worst = (index, x, y) }
        if x.isNaN != y.isNaN { break }
    }
    #expect(
        worst.a.isNaN == worst.b.isNaN && !(abs(worst.a - worst.b) > tolerance),
        "at \(worst.index): \(worst.a) and \(worst.b)", sourceLocation: sourceLocation)
}

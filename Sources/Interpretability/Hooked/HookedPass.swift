internal import Models
internal import System
internal import Tensors
internal import Tokenizers
internal import Training

/// One run of a hooked transformer: what is computed, shown and changed on the way.
final class HookedPass<Scalar: FloatingAccumulator> {
    typealias Row = Variable<Scalar>

    let configuration: HookedConfiguration
    let weights: HookedWeights<Scalar>
    let tokens: [TokenID]
    private let changes: [Hook: [Intervention<Scalar>]]
    private let keeping: HookSelection
    /// Hooks whose gradients will be asked for: recording begins at the first of them.
    private let recorded: Set<Hook>
    private var rotations: [Bool: HookedRotation<Scalar>] = [:]

    private(set) var activations: [Hook: Tensor<Scalar>] = [:]
    private(set) var variables: [Hook: Row] = [:]

    init(
        _ model: HookedTransformer<Scalar>, _ tokens: [TokenID], _ interventions: [Intervention<Scalar>],
        keeping: HookSelection, recorded: Set<Hook> = []
    ) throws(Problem) {
        configuration = model.configuration
        weights = model.weights
        self.tokens = tokens
        self.keeping = keeping
        self.recorded = recorded
        changes = Dictionary(grouping: interventions) { $0.hook }
        try model.check(tokens)
        try keeping.check(model.hooks)
        try HookSelection.only(recorded).check(model.hooks)
        for intervention in interventions {
            let shape = model.configuration.shape(of: intervention.hook, tokens: tokens.count)
            try intervention.check(hooks: model.hooks, shape: shape)
        }
    }

    /// All of it, to the logits.
    func run() throws -> Row {
        var x = try embed()
        for layer in weights.blocks.indices { x = try block(layer, x) }
        let normed = try norm(x, weights.finalNorm, .finalNormScale, .finalNormalized)
        var logits = try matmul(normed, Row(weights.unembedding))
        if let bias = weights.unembeddingBias { logits = try logits + Row(bias) }
        if let cap = configuration.finalSoftcap { logits = try capped(logits, at: cap) }
        return try show(.logits, logits)
    }

    /// Changes what is at a hook, keeps it, and lets gradients begin there.
    func show(_ hook: Hook, _ x: Row) throws -> Row {
        var x = x
        for change in changes[hook] ?? [] { x = try x.changed(by: change) }
        if recorded.contains(hook) {
            if !x.isRecorded { x = .leaf(x.value) }
            variables[hook] = x
        }
        if keeping.contains(hook) { activations[hook] = x.value }
        return x
    }

    private func embed() throws -> Row {
        let c = configuration
        var x = Row(try weights.embedding.selecting(tokens.map(Int.init)))
        if c.embeddingScale != 1 { x = try x * Scalar(c.embeddingScale) }
        x = try show(.embedding, x)
        switch c.positions {
        case .learned:
            guard let table = weights.positions else { return x }
            return try x + show(.positionEmbedding, Row(table[0..<tokens.count]))
        case .sinusoidal:
            return try x + show(.positionEmbedding, Row(Self.sinusoids(positions: tokens.count, width: c.width)))
        case .rotary, .alibi, .none: return x
        }
    }

    private func block(_ layer: Int, _ x: Row) throws -> Row {
        let block = weights.blocks[layer]
        var x = try show(.residualPre(layer: layer), x)
        let read = try norm(
            x, block.attentionNorm, .attentionNormScale(layer: layer), .attentionNormalized(layer: layer))
        var attended = try attend(layer, block, read)
        if configuration.isSandwich { attended = try norm(attended, block.attentionPostNorm) }
        x = try x + show(.attentionOut(layer: layer), attended)
        if configuration.feedForward != .none {
            x = try show(.residualMid(layer: layer), x)
            let between = try norm(
                x, block.feedForwardNorm, .feedForwardNormScale(layer: layer), .feedForwardNormalized(layer: layer))
            var fed = try feedForward(layer, block, between)
            if configuration.isSandwich { fed = try norm(fed, block.feedForwardPostNorm) }
            x = try x + show(.feedForwardOut(layer: layer), fed)
        }
        return try show(.residualPost(layer: layer), x)
    }

    /// x / scale · gain + bias, with scale = √(mean of squares + ε), x centered first in layer norms.
    ///
    /// - Source: Ba, Kiros, Hinton 2016, equation 4; Zhang and Sennrich 2019, equation 4.
    func norm(_ x: Row, _ norm: HookedWeights<Scalar>.Norm, _ scaleHook: Hook? = nil, _ hook: Hook? = nil) throws -> Row
    {
        guard configuration.norm != .none else { return x }
        let centered = configuration.norm == .layer ? try x - x.mean(-1, keepingAxes: true) : x
        let square = try (centered * centered).mean(-1, keepingAxes: true)
        var scale = try sqrt(square + Scalar(configuration.normEpsilon))
        if let scaleHook { scale = try show(scaleHook, scale) }
        var y = try centered / scale
        if let hook { y = try show(hook, y) }
        if let gain = norm.gain { y = try y * Row(gain) }
        if let bias = norm.bias { y = try y + Row(bias) }
        return y
    }

    func capped(_ x: Row, at cap: Double) throws -> Row { try tanh(x / Scalar(cap)) * Scalar(cap) }

    /// Returns the rotation of a layer's heads; `nil` if positions are encoded differently.
    func rotation(layer: Int) throws -> HookedRotation<Scalar>? {
        guard case .rotary(let rotary) = configuration.positions else { return nil }
        let isWindowed = configuration.window(ofLayer: layer) != nil && rotary.windowedBase != nil
        if let rotation = rotations[isWindowed] { return rotation }
        let rotation = try HookedRotation<Scalar>(rotary, isWindowed: isWindowed, positions: tokens.count)
        rotations[isWindowed] = rotation
        return rotation
    }
}

extension HookedTransformer {
    /// - Throws: An error if there is nothing to run, a token is none of the vocabulary, or positions run out.
    func check(_ tokens: [TokenID]) throws(Problem) {
        guard !tokens.isEmpty else {
            throw Problem(.missing, name, "the text is empty", remedy: "Use text with at least one token.")
        }
        for token in tokens where token < 0 || Int(token) >= vocabularySize {
            throw Problem(
                .invalid, name, "token \(token) is not in the vocabulary of \(vocabularySize)",
                remedy: "Tokenize the text with the model's tokenizer.")
        }
        guard configuration.positions == .learned, tokens.count > configuration.contextLength else { return }
        throw Problem(
            .limit, name, "\(tokens.count) tokens exceed the context length of \(configuration.contextLength)",
            remedy: "Shorten the text.")
    }
}

extension Variable {
    /// What an intervention makes of it, with the way back.
    func changed(by intervention: Intervention<Scalar>) throws(TensorError) -> Variable {
        let value = try intervention.applied(to: value)
        return .made(by: "intervention", value, from: [self], isTwiceDifferentiable: false) {
            back throws(TensorError) in
            guard let part = intervention.linearPart else { return [back.gradient] }
            return [Variable(try part.applied(to: back.gradient.value))]
        }
    }
}

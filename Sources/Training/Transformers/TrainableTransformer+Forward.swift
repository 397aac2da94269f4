internal import Models
public import Tensors

extension TrainableTransformer {
    /// The rows of the residual stream after the last block and its norm: what the output matrix reads, or an encoder's
    /// rows.
    ///
    /// - Parameters:
    ///   - tokens: `[sequences, positions]`.
    ///   - tokenTypes: of an encoder's tokens; zeros where none are given.
    ///   - pass: one that does not train records nothing: its results are constants.
    /// - Returns: `[sequences · positions, D]`.
    /// - Throws: `TensorError` where a token is none of the vocabulary, the sequence is longer than the positions of
    ///   the model, or memory is short.
    public func hidden(
        _ tokens: Tensor<Int32>, tokenTypes: Tensor<Int32>? = nil, _ pass: Pass
    ) throws(TensorError) -> Variable<Scalar> {
        guard pass.isTraining else {
            return try quietly { () throws(TensorError) in try compute(tokens, tokenTypes, pass) }
        }
        return try compute(tokens, tokenTypes, pass)
    }

    private func compute(
        _ tokens: Tensor<Int32>, _ tokenTypes: Tensor<Int32>?, _ pass: Pass
    ) throws(TensorError) -> Variable<Scalar> {
        let c = configuration
        guard tokens.rank == 2, tokens.count > 0 else {
            throw TensorError(
                "transformer", tokens.shape,
                problem: "is not [sequences, positions] with at least one token")
        }
        let positions = tokens.shape[1]
        guard c.positions != .learned || positions <= c.contextLength else {
            throw TensorError(
                "transformer", tokens.shape,
                problem: "has more tokens per sequence than the model's \(c.contextLength) positions")
        }
        var x = try embed(tokens, types: tokenTypes)
        x = try Training.dropout(x, rate: dropout, pass)
        for block in blocks { x = try run(block, x, positions: positions, pass) }
        return c.isEncoder ? x : try norm(finalNorm, x)
    }

    /// Scores of every next token.
    ///
    /// - Returns: `[sequences · positions, V]`.
    public func logits(_ tokens: Tensor<Int32>, _ pass: Pass) throws(TensorError) -> Variable<Scalar> {
        guard !configuration.isEncoder else {
            throw TensorError(
                "transformer",
                problem: "is an encoder, which predicts no next token. Use its hidden states")
        }
        let rows = try hidden(tokens, pass)
        guard pass.isTraining else {
            return try quietly { () throws(TensorError) in try unembed(rows, pass) }
        }
        return try unembed(rows, pass)
    }

    private func unembed(_ rows: Variable<Scalar>, _ pass: Pass) throws(TensorError) -> Variable<Scalar> {
        let logits = try project([outputLayer()], rows, pass)
        guard let cap = configuration.finalSoftcap else { return logits }
        return try logits.softcapped(at: Scalar(cap))
    }

    // MARK: Parts

    /// Computes something with all parameters as constants.
    func quietly<R>(_ body: () throws(TensorError) -> R) throws(TensorError) -> R {
        let all = parameters + (adapter?.parameters ?? [])
        let before = all.map { $0.isSilent }
        for parameter in all { parameter.isSilent = true }
        defer { for (parameter, was) in zip(all, before) { parameter.isSilent = was } }
        return try body()
    }

    var finalNorm: TransformerBlock<Scalar>.Norm? { .init("output_norm", byName) }

    /// The output matrix: its own, or the token embedding.
    func outputLayer() throws(TensorError) -> TransformerBlock<Scalar>.Linear {
        if let own = TransformerBlock<Scalar>.Linear("output", byName) { return own }
        guard let tied = TransformerBlock<Scalar>.Linear("token_embd", byName, called: "output") else {
            throw missing("output.weight")
        }
        return tied
    }

    private func embed(_ tokens: Tensor<Int32>, types: Tensor<Int32>?) throws(TensorError) -> Variable<Scalar> {
        let c = configuration
        let count = tokens.count
        let flat = try tokens.reshaped([count])
        var x = try embedding(parameter("token_embd.weight").variable, flat)
        if c.embeddingScale != 1 { x = try x * Scalar(c.embeddingScale) }
        let positions = tokens.shape[1]
        switch c.positions {
        case .learned:
            let table = try parameter("position_embd.weight").variable
            let rows = try table.sliced(axis: 0, 0..<positions)
            let width = c.width
            x = try (x.reshaped([count / positions, positions, width]) + rows).reshaped([count, width])
        case .sinusoidal:
            throw TensorError("transformer", problem: "sinusoidal positions cannot be trained. Use rotary positions")
        case .alibi:
            throw TensorError("transformer", problem: "ALiBi cannot be trained. Use rotary positions")
        case .rotary, .none: break
        }
        if c.tokenTypeCount > 0 {
            let kinds: Tensor<Int32>
            if let types {
                guard types.count == count else {
                    throw TensorError("transformer", tokens.shape, types.shape, problem: "tokens and types differ")
                }
                kinds = try types.reshaped([count])
            } else {
                kinds = try Tensor(repeating: 0, shape: [count])
            }
            x = try x + embedding(parameter("token_types.weight").variable, kinds)
        }
        return c.isEncoder ? try norm(.init("token_embd_norm", byName), x) : x
    }

    func run(
        _ block: TransformerBlock<Scalar>, _ x: Variable<Scalar>, positions: Int, _ pass: Pass
    ) throws(TensorError) -> Variable<Scalar> {
        guard recomputesBlocks, pass.isTraining else { return try compute(block, x, positions: positions, pass) }
        let inside = block.parameters + (adapter?.parameters(ofBlock: block.layer) ?? [])
        return try checkpointed([x], parameters: inside, pass) { inputs throws(TensorError) in
            try self.compute(block, inputs[0], positions: positions, pass)
        }
    }

    /// One block; see the families' own files in Models for the formulas.
    private func compute(
        _ block: TransformerBlock<Scalar>, _ x: Variable<Scalar>, positions: Int, _ pass: Pass
    ) throws(TensorError) -> Variable<Scalar> {
        let c = configuration
        let before = c.isEncoder ? x : try norm(block.attentionNorm, x)
        var attended = try attend(block, before, positions: positions, pass)
        if c.isSandwich { attended = try norm(block.attentionPostNorm, attended) }
        var x = try x + Training.dropout(attended, rate: dropout, pass)
        if c.isEncoder { x = try norm(block.attentionPostNorm, x) }
        let between = c.isEncoder ? x : try norm(block.feedForwardNorm, x)
        var fed = try feedForward(block, between, pass)
        if c.isSandwich { fed = try norm(block.feedForwardPostNorm, fed) }
        x = try x + Training.dropout(fed, rate: dropout, pass)
        return c.isEncoder ? try norm(block.feedForwardPostNorm, x) : x
    }

    private func attend(
        _ block: TransformerBlock<Scalar>, _ x: Variable<Scalar>, positions: Int, _ pass: Pass
    ) throws(TensorError) -> Variable<Scalar> {
        let c = configuration
        guard let output = block.output else { throw missing("blk.\(block.layer).attn_output.weight") }
        let layout = HeadLayout(
            heads: c.headCount, kvHeads: c.kvHeadCount, keyWidth: c.headWidth, valueWidth: c.valueWidth)
        let window = c.window(ofLayer: block.layer)
        let preparation = HeadPreparation(
            layout: layout, positions: positions, epsilon: Scalar(c.normEpsilon),
            rotation: try rotaryTable(isWindowed: window != nil, positions: positions))
        var gains: (query: Variable<Scalar>, key: Variable<Scalar>)?
        if let query = block.queryNorm, let key = block.keyNorm { gains = (query.gain.variable, key.gain.variable) }
        let packed = try preparation(project(block.input, x, pass), gains: gains)
        let attention = PackedAttention<Scalar>(
            layout: layout, positions: positions, scale: Scalar(c.attentionScale),
            softcap: c.attentionSoftcap.map { Scalar($0) }, window: window, isCausal: !c.isEncoder)
        return try project([output], attention(packed), pass)
    }

    private func feedForward(
        _ block: TransformerBlock<Scalar>, _ x: Variable<Scalar>, _ pass: Pass
    ) throws(TensorError) -> Variable<Scalar> {
        if !block.experts.isEmpty { return try mixture(block, x, pass) }
        guard let up = block.up, let down = block.down else { throw missing("blk.\(block.layer).ffn_up.weight") }
        let curve = configuration.activation.curve
        guard configuration.isGated else {
            return try project([down], activated(project([up], x, pass), curve), pass)
        }
        if let gate = block.gate {
            return try project([down], gated(project([gate], x, pass), project([up], x, pass), curve), pass)
        }
        // Gate and up in one matrix, one above the other (Phi-3).
        let halves = try project([up], x, pass)
        let inner = configuration.feedForwardWidth
        return try project(
            [down],
            gated(
                halves.sliced(axis: 1, 0..<inner), halves.sliced(axis: 1, inner..<2 * inner), curve), pass)
    }

    func norm(
        _ norm: TransformerBlock<Scalar>.Norm?, _ x: Variable<Scalar>
    ) throws(TensorError) -> Variable<Scalar> {
        guard let norm else { throw missing("norm gain") }
        let epsilon = Double(configuration.normEpsilon)
        return configuration.hasLayerNorms
            ? try layerNorm(x, gain: norm.gain.variable, bias: norm.bias?.variable, epsilon: epsilon)
            : try rmsNorm(x, gain: norm.gain.variable, epsilon: epsilon)
    }

    /// Linear layers of one input as one product, their outputs side by side, with what an adapter adds.
    func project(
        _ layers: [TransformerBlock<Scalar>.Linear], _ x: Variable<Scalar>, _ pass: Pass
    ) throws(TensorError) -> Variable<Scalar> {
        guard let first = layers.first else { throw missing("linear layer weight") }
        var y = try linear(x, weight: joined(layers.map { $0.weight }, as: first.name), bias: joinedBias(layers))
        guard let adapter, !adapter.isMerged else { return y }
        var column = 0
        for layer in layers {
            if let change = adapter.changes[layer.name] {
                y = try y.adding(change(x, pass), atColumn: column)
            }
            column += layer.outputs
        }
        return y
    }

    /// Matrices on top of each other; those that rest are joined once and kept.
    private func joined(
        _ weights: [Parameter<Scalar>], as name: String
    ) throws(TensorError) -> Variable<Scalar> {
        if weights.count == 1 { return weights[0].variable }
        guard !weights.contains(where: { $0.isTrainable }) else { return try concatenate(weights.map { $0.variable }) }
        if let kept = joinedWeights[name], kept.isOf(weights.map { $0.value }) { return Variable(kept.whole) }
        let whole = try concatenate(weights.map { $0.value })
        joinedWeights[name] = JoinedWeights(parts: weights.map { $0.value }, whole: whole)
        return Variable(whole)
    }

    /// Zeros stand for the bias that some of the layers lack.
    private func joinedBias(_ layers: [TransformerBlock<Scalar>.Linear]) throws(TensorError) -> Variable<Scalar>? {
        guard layers.contains(where: { $0.bias != nil }) else { return nil }
        var parts: [Variable<Scalar>] = []
        for layer in layers {
            if let bias = layer.bias {
                parts.append(bias.variable)
            } else {
                parts.append(Variable(try Tensor(repeating: 0, shape: [layer.outputs])))
            }
        }
        return parts.count == 1 ? parts[0] : try concatenate(parts)
    }

    func parameter(_ name: String) throws(TensorError) -> Parameter<Scalar> {
        guard let parameter = byName[name] else { throw missing(name) }
        return parameter
    }

    func missing(_ name: String) -> TensorError {
        TensorError("transformer", problem: "has no parameter \(name)")
    }
}

extension Models.Activation {
    var curve: Activation {
        switch self {
        case .silu: .silu
        case .geluTanh: .geluTanh
        case .gelu: .gelu
        case .relu: .relu
        }
    }
}

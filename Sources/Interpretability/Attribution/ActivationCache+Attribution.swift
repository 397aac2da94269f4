internal import Glibc
internal import Models
public import System
internal import Tensors

extension ActivationCache {
    /// Direct logit attribution: what each part of the stream at a position adds to a logit or a difference of logits.
    ///
    /// part · W_U[:, t] behind the final norm, whose scale is frozen at that of the run; the norm's bias and b_U are
    /// terms of their own, and so is the sum of the blocks' output biases. Takes `hook_embed`, `hook_z`,
    /// `mlp.hook_post`, `hook_attn_out`, `hook_mlp_out` (what the grain needs of them) and the last `hook_resid_post`.
    ///
    /// - Parameters:
    ///   - position: Position; negative ones count from the end, so -1 is the last token.
    ///   - weights: Needed for grains finer than `.components`; layers without matrices stay whole.
    /// - Source: nostalgebraist, "interpreting GPT: the logit lens", 2020; Elhage et al., "A mathematical framework for
    ///   transformer circuits", 2021.
    public func attribution(
        of target: LogitTarget, at position: Int, by grain: AttributionGrain, readout: Readout<Scalar>,
        weights: WritingWeights<Scalar>
    ) throws(Problem) -> AttributionSum {
        let position = position < 0 ? tokens.count + position : position
        guard tokens.indices.contains(position) else {
            throw Problem(
                .invalid, "position \(position)", "outside the text",
                remedy: "Use a position from 0 to \(tokens.count - 1).")
        }
        let direction = try ReadoutDirection(readout, target)
        let layerCount = weights.layers.count
        let scales = try finalScale(readout, layerCount: layerCount, at: .only(position))
        let projection = PartProjection(
            cache: self, position: position, vector: direction.vector, scale: scales.elements[0].float64)
        var terms: [AttributionSum.Term]
        switch grain {
        case .components:
            let parts = try decomposedResidual(layerCount: layerCount, at: .only(position)).parts
            terms = try projection.wholes(parts, layerCount: layerCount)
        case .heads, .neurons:
            terms = try projection.wholes(embeddings, layerCount: layerCount)
            for (layer, written) in weights.layers.enumerated() {
                terms += try projection.terms(of: layer, written, withNeurons: grain == .neurons, of: layerCount)
            }
            let bias = try weights.bias(width: direction.vector.count, withNeurons: grain == .neurons)
            terms.append(AttributionSum.Term(.bias, try projection.value(of: bias)))
        }
        if let bias = direction.normBias { terms.append(AttributionSum.Term(.finalNormBias, bias.float64)) }
        if let bias = direction.unembeddingBias { terms.append(AttributionSum.Term(.unembeddingBias, bias.float64)) }
        let logit = try logit(of: target, at: position, direction, readout, layerCount: layerCount)
        return AttributionSum(target: target, position: position, terms: terms, logit: logit)
    }

    /// Returns the model's logit or logit difference, before its cap; computed from the final residual if logits were
    /// not captured.
    private func logit(
        of target: LogitTarget, at position: Int, _ direction: ReadoutDirection<Scalar>, _ readout: Readout<Scalar>,
        layerCount: Int
    ) throws(Problem) -> Double {
        guard let logits = activations[.logits], logits.shape.first == tokens.count else {
            let residual = try self[.residualPost(layer: layerCount - 1)]
            return try telling {
                let row = try residual[position]
                let scale = try readout.scale(of: row.expanded(at: 0)).elements[0]
                let value = try dot(row, direction.vector).elements[0] / scale
                return (value + (direction.normBias ?? 0) + (direction.unembeddingBias ?? 0)).float64
            }
        }
        func said(_ token: Int) throws -> Double {
            let value = try logits.element(at: [position, token]).float64
            guard let cap = readout.softcap?.float64 else { return value }
            return cap * atanh(value / cap)
        }
        return try telling {
            switch target {
            case .token(let token): try said(Int(token))
            case .difference(let token, let other): try said(Int(token)) - said(Int(other))
            }
        }
    }
}

/// Parts of one row of the stream, seen along one direction.
private struct PartProjection<Scalar: FloatingAccumulator> {
    let cache: ActivationCache<Scalar>
    let position: Int
    /// `[D]`.
    let vector: Tensor<Scalar>
    let scale: Double

    /// Of a vector `[D]`.
    func value(of row: Tensor<Scalar>) throws(Problem) -> Double {
        try telling { try dot(row, vector).elements[0].float64 / scale }
    }

    /// Of parts that a hook shows each.
    func wholes(
        _ parts: [ResidualPart], layerCount: Int
    ) throws(Problem) -> [AttributionSum.Term] {
        let stack = try cache.stacked(parts, layerCount: layerCount, at: .only(position))
        let values = try telling { try matmul(stack.rows, vector).flattened().elements }
        return zip(parts, values).map { AttributionSum.Term($0, $1.float64 / scale) }
    }

    /// Returns the parts of a block's heads, then of its neurons; the whole part if it has no matrix for them.
    func terms(
        of layer: Int, _ written: WritingWeights<Scalar>.Layer, withNeurons: Bool, of layerCount: Int
    ) throws(Problem) -> [AttributionSum.Term] {
        var terms: [AttributionSum.Term] = []
        if let output = written.attention {
            let z = try cache[.z(layer: layer)]
            // (z W_O) · v = z · (W_O v): [H, W] each, summed over W.
            let values = try telling { try (z[position] * matmul(output, vector)).sum(-1).elements }
            terms += values.enumerated().map { head, value in
                AttributionSum.Term(.head(layer: layer, head: head), value.float64 / scale)
            }
        } else {
            terms += try wholes([.attention(layer: layer)], layerCount: layerCount)
        }
        guard written.hasFeedForward else { return terms }
        if withNeurons, let output = written.feedForward {
            let post = try cache[.feedForwardPost(layer: layer)]
            let values = try telling { try (post[position] * matmul(output, vector)).elements }
            terms += values.enumerated().map { neuron, value in
                AttributionSum.Term(.neuron(layer: layer, neuron: neuron), value.float64 / scale)
            }
        } else {
            terms += try wholes([.feedForward(layer: layer)], layerCount: layerCount)
        }
        return terms
    }
}

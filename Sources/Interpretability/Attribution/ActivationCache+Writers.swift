internal import Models
public import System
internal import Tensors

extension ActivationCache {
    /// What each head wrote, z W_O without b_O: `L0H0`, `L0H1`, …
    ///
    /// - Throws: An error if `attn.hook_z` was not captured, or if no layer has a W_O.
    public func headResults(
        _ weights: WritingWeights<Scalar>, at positions: PositionSelection = .all
    ) throws(Problem) -> ResidualStack<Scalar> {
        let chosen = chosenPositions(positions)
        var (parts, blocks): ([ResidualPart], [Tensor<Scalar>]) = ([], [])
        for (layer, written) in weights.layers.enumerated() {
            guard let output = written.attention else { continue }
            let z = try self[.z(layer: layer)]
            // [H, P, W] times [H, W, D].
            blocks.append(
                try telling { try matmul(try z.selecting(chosen, axis: 0).transposed(0, 1), output) })
            parts += (0..<output.shape[0]).map { .head(layer: layer, head: $0) }
        }
        return try joined(parts, blocks, chosen, "heads", needing: "W_O")
    }

    /// What each neuron wrote, its activation times its row of W_out: `L0N0`, `L0N1`, …
    ///
    /// Takes P · D numbers for every neuron: for a few positions.
    public func neuronResults(
        _ weights: WritingWeights<Scalar>, at positions: PositionSelection = .all
    ) throws(Problem) -> ResidualStack<Scalar> {
        let chosen = chosenPositions(positions)
        var (parts, blocks): ([ResidualPart], [Tensor<Scalar>]) = ([], [])
        for (layer, written) in weights.layers.enumerated() {
            guard let output = written.feedForward else { continue }
            let post = try self[.feedForwardPost(layer: layer)]
            blocks.append(
                try telling {
                    try post.selecting(chosen, axis: 0).transposed().expanded(at: 2) * output.expanded(at: 1)
                })
            parts += (0..<output.shape[0]).map { .neuron(layer: layer, neuron: $0) }
        }
        return try joined(parts, blocks, chosen, "neurons", needing: "W_out")
    }

    /// Embeddings, heads, neurons and the biases of the blocks' outputs: all that the final residual is made of.
    ///
    /// - Throws: An error if one of their hooks was not captured.
    public func fullDecomposition(
        _ weights: WritingWeights<Scalar>, at positions: PositionSelection = .all
    ) throws(Problem) -> ResidualStack<Scalar> {
        let layerCount = weights.layers.count
        var stack = try stacked(embeddings, layerCount: layerCount, at: positions)
        if weights.layers.contains(where: { $0.attention != nil }) {
            stack = try stack.appending(headResults(weights, at: positions))
        }
        if weights.layers.contains(where: { $0.feedForward != nil }) {
            stack = try stack.appending(neuronResults(weights, at: positions))
        }
        let whole = weights.wholeParts(withNeurons: true)
        if !whole.isEmpty { stack = try stack.appending(stacked(whole, layerCount: layerCount, at: positions)) }
        let width = stack.rows.shape[2]
        let bias = try weights.bias(width: width, withNeurons: true)
        let rows = try telling { try bias.broadcast(to: [1, stack.positions.count, width]) }
        return try stack.appending(ResidualStack(parts: [.bias], positions: stack.positions, rows: rows))
    }

    private func joined(
        _ parts: [ResidualPart], _ blocks: [Tensor<Scalar>], _ positions: [Int], _ what: String, needing matrix: String
    ) throws(Problem) -> ResidualStack<Scalar> {
        guard !blocks.isEmpty else {
            throw Problem(
                .invalid, "\(what) of the model", "cannot be separated without \(matrix)",
                remedy: "Use whole layers instead.")
        }
        let rows = try telling { try concatenate(blocks, axis: 0) }
        return try ResidualStack(parts: parts, positions: positions, rows: rows)
    }
}

extension WritingWeights {
    /// Halves of blocks that have no matrix of their own here, or that are not to be taken apart.
    func wholeParts(withNeurons: Bool) -> [ResidualPart] {
        layers.enumerated().flatMap { layer, written in
            var parts: [ResidualPart] = []
            if written.attention == nil { parts.append(.attention(layer: layer)) }
            if written.hasFeedForward, written.feedForward == nil || !withNeurons {
                parts.append(.feedForward(layer: layer))
            }
            return parts
        }
    }

    /// Returns Σ of b_O and b_out of the separated outputs, `[D]`.
    func bias(width: Int, withNeurons: Bool) throws(Problem) -> Tensor<Scalar> {
        var sum = try telling { try Tensor<Scalar>.zeros(width) }
        for layer in layers {
            if layer.attention != nil, let bias = layer.attentionBias { try telling { try sum += bias } }
            if withNeurons, layer.feedForward != nil, let bias = layer.feedForwardBias {
                try telling { try sum += bias }
            }
        }
        return sum
    }
}

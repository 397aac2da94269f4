internal import Models
public import System
public import Tensors
public import Tokenizers

/// What is read from the logits: one of them, or how far one is above another.
public enum LogitTarget: Hashable, Sendable {
    case token(TokenID)
    /// The first minus the second.
    case difference(TokenID, TokenID)
}

/// A target as a vector: what a part of the stream adds to it is part · direction / scale, and a constant for all.
struct ReadoutDirection<Scalar: FloatingAccumulator> {
    /// `[D]`: W_U's column (or difference of columns) behind the norm's gain, and behind its centering.
    let vector: Tensor<Scalar>
    /// Contribution of the final norm's bias; `nil` if the norm has no bias.
    let normBias: Scalar?
    /// Contribution of b_U; `nil` if there is no such bias.
    let unembeddingBias: Scalar?

    init(_ readout: Readout<Scalar>, _ target: LogitTarget) throws(Problem) {
        let (columns, signs): ([TokenID], [Scalar]) =
            switch target {
            case .token(let token): ([token], [1])
            case .difference(let token, let other): ([token, other], [1, -1])
            }
        let size = readout.unembedding.shape[1]
        for token in columns where token < 0 || Int(token) >= size {
            throw Problem(
                .invalid, "token \(token)", "not in the model's vocabulary",
                remedy: "Use a token from 0 to \(size - 1).")
        }
        let chosen = columns.map { Int($0) }
        let weights = try telling { try Tensor(signs) }
        let column = try telling { try matmul(try readout.unembedding.selecting(chosen, axis: 1), weights) }
        unembeddingBias = try readout.bias.map { bias throws(Problem) in
            try telling { try dot(try bias.selecting(chosen), weights).scalar ?? 0 }
        }
        switch readout.norm {
        case .none:
            (vector, normBias) = (column, nil)
        case .rms(let gain, _):
            (vector, normBias) = (try telling { try column * gain }, nil)
        case .layer(let gain, let bias, _):
            // Centering is a projection: (x - mean) · u = x · (u - mean).
            vector = try telling { try column * gain - (column * gain).mean(0) }
            normBias = try telling { try dot(column, bias).scalar }
        }
    }
}

extension ActivationCache {
    /// Returns the divisor of the final norm at each chosen position, `[P]`; 1 if there is no norm.
    ///
    /// It is the scale of the run itself where `ln_final.hook_scale` was kept, else computed from the final residual.
    public func finalScale(
        _ readout: Readout<Scalar>, layerCount: Int, at positions: PositionSelection = .all
    ) throws(Problem) -> Tensor<Scalar> {
        let chosen = chosenPositions(positions)
        if case .none = readout.norm { return try telling { try Tensor(repeating: 1, shape: [chosen.count]) } }
        if let kept = activations[.finalNormScale], kept.count == tokens.count {
            return try telling { try kept.flattened().selecting(chosen) }
        }
        let residual = try self[.residualPost(layer: layerCount - 1)]
        return try telling { try readout.scale(of: residual.selecting(chosen, axis: 0)) }
    }
}

extension Readout {
    /// What the norm divides rows `[N, D]` by: `[N]`.
    func scale(of rows: Tensor<Scalar>) throws(TensorError) -> Tensor<Scalar> {
        switch norm {
        case .none: try Tensor(repeating: 1, shape: [rows.shape[0]])
        case .layer(_, _, let epsilon): try sqrt(try rows.variance(axes: [-1]) + epsilon)
        case .rms(_, let epsilon): try sqrt(try (rows * rows).mean(-1) + epsilon)
        }
    }
}

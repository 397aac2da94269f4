internal import Kernels
public import System
public import Tensors
internal import Tokenizers

extension SparseAutoencoder {
    /// What one unit of a feature adds to every logit, `[V]`, minus the mean; see `LogitEffect`.
    ///
    /// - Throws: An error if the dictionary does not write to a stream of the readout's width.
    public func logitEffect(
        of feature: Int, _ readout: Readout<Float>
    ) throws(Problem) -> Tensor<Float> {
        let effects = try logits(of: [feature], readout)
        return try telling { try effects.reshaped([effects.count]) }
    }

    /// The tokens that each of some features raises and lowers most, ties by token.
    ///
    /// O(features · d · V) multiplications, in blocks of features.
    public func logitEffects(
        of features: [Int], _ readout: Readout<Float>, count: Int = 10
    ) throws(Problem) -> [LogitEffect] {
        let vocabulary = readout.unembedding.shape.last ?? 0
        let kept = max(0, min(count, vocabulary))
        let block = max(1, (1 << 21) / max(1, vocabulary))
        var result: [LogitEffect] = []
        for first in stride(from: 0, to: features.count, by: block) {
            let chosen = Array(features[first..<min(features.count, first + block)])
            let effects = try logits(of: chosen, readout)
            let highest = Self.largest(of: effects.base, rows: chosen.count, count: vocabulary, k: kept)
            let negated = try telling { try -effects }
            let lowest = Self.largest(of: negated.base, rows: chosen.count, count: vocabulary, k: kept)
            withExtendedLifetime((effects, negated)) {}
            for (row, feature) in chosen.enumerated() {
                result.append(
                    LogitEffect(
                        feature: feature, top: highest[row].map { .init(token: TokenID($0.index), value: $0.value) },
                        bottom: lowest[row].map { .init(token: TokenID($0.index), value: -$0.value) }))
            }
        }
        return result
    }

    /// `[features, V]`, contiguous, each row minus its mean.
    private func logits(
        of features: [Int], _ readout: Readout<Float>
    ) throws(Problem) -> Tensor<Float> {
        try check()
        for feature in features { try checkFeature(feature) }
        guard readout.unembedding.rank == 2, readout.unembedding.shape[0] == inputWidth else {
            throw Problem(
                .invalid, "dictionary",
                "rows of width \(inputWidth) do not match the unembedding "
                    + "\(readout.unembedding.shape)",
                remedy: "Only dictionaries of the residual stream, the attention output, or the feed-forward output "
                    + "affect logits directly.")
        }
        return try telling {
            var rows = try Self.rows(features, of: decoder)
            switch readout.norm {
            case .none: break
            case .layer(let gain, _, _):
                rows = try (rows - rows.mean(-1, keepingAxes: true)) * gain
            case .rms(let gain, _): rows = try rows * gain
            }
            if case .scale(let factor) = normalization { rows = try rows * (1 / factor) }
            let logits = try matmul(rows, readout.unembedding)
            return try logits - logits.mean(-1, keepingAxes: true)
        }
    }
}

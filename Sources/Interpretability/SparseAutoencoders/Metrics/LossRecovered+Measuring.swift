public import Models
public import System
public import Tensors
public import Tokenizers

extension LossRecovered {
    /// What stands in for an activation that is taken away.
    public enum Ablation: Sendable {
        case zero
        /// The mean of the data, one row: stricter, for much of a stream is its mean.
        case mean(Tensor<Float>)
    }

    /// Runs sequences three times: as they are, with a hook replaced by a dictionary's reconstruction, and ablated.
    ///
    /// Positions of special tokens keep their activation and are not counted: the residual of a first token is like no
    /// other, and no dictionary is trained on it.
    ///
    /// - Parameters:
    ///   - special: Special tokens, such as BOS and padding.
    ///   - skipped: Positions at the start of every sequence that keep their activation and are not counted, whatever
    ///     token stands there: pieces of a longer text begin without a special one.
    ///   - isCancelled: Checked before each sequence.
    /// - Throws: An error if the hook is none of the model's, or its rows are of another width than the dictionary's.
    public static func measure<Model: HookedModel>(
        _ dictionary: SparseAutoencoder, at hook: Hook, of model: Model, over sequences: [[TokenID]],
        excluding special: Set<TokenID>, skippingFirst skipped: Int = 0, against ablation: Ablation = .zero,
        isCancelled: () -> Bool = { false }
    ) throws(Problem) -> LossRecovered where Model.Scalar == Float {
        var result = LossRecovered()
        for tokens in sequences where tokens.count >= 2 {
            if isCancelled() { throw Problem.cancelled() }
            let clean = try model.run(tokens, [], keeping: .only([hook, .logits]))
            let activation = try clean[hook]
            let kept = tokens.enumerated().map { $0 < skipped || special.contains($1) }
            let reconstruction = try replacing(
                activation, by: try dictionary.reconstruct(activation), except: kept)
            let nothing = try replacing(activation, by: try ablation.rows(like: activation), except: kept)
            func logits(_ replacement: Tensor<Float>) throws(Problem) -> Tensor<Float> {
                try model.run(
                    tokens, [Intervention(hook, .replace(replacement))], keeping: .only([.logits]))[.logits]
            }
            let predictions = try NextTokens(tokens, countedAfter: kept.map { !$0 }, clean: try clean[.logits])
            let (written, ablated) = (try logits(reconstruction), try logits(nothing))
            try result.add(
                clean: predictions.cleanLosses, dictionary: try predictions.losses(written),
                ablated: try predictions.losses(ablated))
            try result.addDivergences(
                dictionary: try predictions.divergences(written), ablated: try predictions.divergences(ablated))
        }
        return result
    }

    /// The mean activation of a hook over sequences, special tokens left out: one row, in the shape of the hook's.
    public static func meanActivation<Model: HookedModel>(
        at hook: Hook, of model: Model, over sequences: [[TokenID]], excluding special: Set<TokenID>,
        isCancelled: () -> Bool = { false }
    ) throws(Problem) -> Tensor<Float> where Model.Scalar == Float {
        var sums: [Double] = []
        var shape: [Int] = []
        var count = 0
        for tokens in sequences where !tokens.isEmpty {
            if isCancelled() { throw Problem.cancelled() }
            let activation = try model.run(tokens, [], keeping: .only([hook]))[hook]
            guard activation.shape.first == tokens.count else {
                throw Problem(.missing, hook.name, "the hook has no row per token, so its mean activation is undefined")
            }
            shape = Array(activation.shape.dropFirst())
            let width = activation.count / tokens.count
            let elements = activation.elements
            if sums.isEmpty { sums = [Double](repeating: 0, count: width) }
            for (position, token) in tokens.enumerated() where !special.contains(token) {
                for i in 0..<width { sums[i] += Double(elements[position * width + i]) }
                count += 1
            }
        }
        guard count > 0 else {
            throw Problem(.missing, "mean activation", "no tokens to average over")
        }
        return try telling { try Tensor(sums.map { Float($0 / Double(count)) }, shape: shape) }
    }

    /// Rows of `replacement`, but of `activation` where positions are excepted.
    private static func replacing(
        _ activation: Tensor<Float>, by replacement: Tensor<Float>, except kept: [Bool]
    ) throws(Problem) -> Tensor<Float> {
        guard activation.shape.first == kept.count else {
            throw Problem(
                .missing, "dictionary",
                "cannot replace an activation of shape \(activation.shape), which has no row per token",
                remedy: "Use a hook on the residual stream, the attention, or the feed-forward layer.")
        }
        let width = activation.count / max(1, kept.count)
        return try telling {
            try Tensor(shape: activation.shape) { target throws(TensorError) in
                try activation.withElements { own throws(TensorError) in
                    try replacement.withElements { new in
                        for (row, isKept) in kept.enumerated() {
                            let source = isKept ? own : new
                            for i in row * width..<(row + 1) * width { target[i] = source[i] }
                        }
                    }
                }
            }
        }
    }
}

extension LossRecovered.Ablation {
    fileprivate func rows(like activation: Tensor<Float>) throws(Problem) -> Tensor<Float> {
        try telling {
            switch self {
            case .zero: try Tensor(repeating: 0, shape: activation.shape)
            case .mean(let row): try row.broadcast(to: activation.shape)
            }
        }
    }
}

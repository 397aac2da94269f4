public import Models
public import System
internal import Tensors
public import Tokenizers

extension SteeringVector {
    /// The difference of two prompts' activations: ActAdd.
    ///
    /// - Parameters:
    ///   - isAligned: One row for each position, to be added to the first positions of a prompt; both prompts must be
    ///     of equal length then (pad the shorter one with spaces). Without it, the difference of the last positions.
    /// - Source: Turner et al., "Activation addition", 2023, algorithm 1.
    public static func pair(
        _ model: any HookedModel<Float>, wanted: [TokenID], unwanted: [TokenID], hook: Hook, isAligned: Bool = true
    ) throws(Problem) -> SteeringVector {
        guard !isAligned || wanted.count == unwanted.count else {
            throw Problem(
                .invalid, "prompt pair", "the prompts have \(wanted.count) and \(unwanted.count) tokens",
                remedy: "Pad the shorter prompt with spaces, or use only the last positions.")
        }
        let positions: PositionSelection = isAligned ? .all : .only(-1)
        let rows = try [wanted, unwanted].map { prompt throws(Problem) in
            try ProbeRows.gather(model, [prompt], hook: hook, at: positions).rows
        }
        let difference = try telling { try rows[0] - rows[1] }
        return try SteeringVector(
            difference, hook: hook, model: model.name,
            method: "difference of two prompts" + (isAligned ? ", position by position" : " at their last positions"))
    }

    /// The difference of the means of two sets: CAA.
    ///
    /// - Parameters:
    ///   - positions: Positions of each prompt, such as the last one if it contains the letter of the answer.
    ///   - isCancelled: Checked before each prompt.
    /// - Source: Rimsky et al., "Steering Llama 2 via contrastive activation addition", 2023, equation 1.
    public static func contrast(
        _ model: any HookedModel<Float>, wanted: [[TokenID]], unwanted: [[TokenID]], hook: Hook,
        at positions: PositionSelection = .only(-1), isCancelled: () -> Bool = { false }
    ) throws(Problem) -> SteeringVector {
        let means = try [wanted, unwanted].map { prompts throws(Problem) in
            let rows = try ProbeRows.gather(model, prompts, hook: hook, at: positions, isCancelled: isCancelled).rows
            return try telling { try rows.mean(0) }
        }
        let difference = try telling { try means[0] - means[1] }
        return try SteeringVector(
            difference, hook: hook, model: model.name,
            method: "mean of \(wanted.count) prompts minus mean of \(unwanted.count)")
    }

    /// A feature of a dictionary: its decoder row.
    ///
    /// - Parameters:
    ///   - hook: Hook of the vector (default: the hook recorded in the dictionary).
    ///   - maximum: The greatest activation that was seen, which multiples are then of.
    public static func feature(
        _ feature: Int, of dictionary: SparseAutoencoder, hook: Hook? = nil, maximum: Float? = nil
    ) throws(Problem) -> SteeringVector {
        guard let hook = hook ?? Hook(dictionary.origin.hook) else {
            throw Problem(.missing, "dictionary", "no hook is recorded", remedy: "Specify the hook.")
        }
        return try SteeringVector(
            dictionary.featureDirection(feature), hook: hook, unit: maximum.map { .featureMaximum($0) } ?? .plain,
            model: dictionary.origin.model, method: "decoder row of feature \(feature)")
    }

    /// A random direction of the same length, unit and shape: what any push of this strength does.
    public func randomControl(seed: UInt64) throws(Problem) -> SteeringVector {
        let noise = try telling { try Tensor<Float>.normal(rows.shape, seed: seed) }
        let length = try SteeringVector(noise, hook: hook).norm
        return try SteeringVector(
            telling { try noise * (norm / length) }, hook: hook, unit: unit, model: model,
            method: "random direction with seed \(seed), same length as: \(method)")
    }

    /// The same direction, measured in mean lengths of the hook's rows over some prompts.
    public func inResidualNorms(
        of model: any HookedModel<Float>, over prompts: [[TokenID]]
    ) throws(Problem) -> SteeringVector {
        var result = self
        let rows = try ProbeRows.gather(model, prompts, hook: hook).rows
        let norms = try telling { try (rows * rows).sum(1).elements.map { $0.squareRoot() } }
        result.unit = .residualNorm(norms.reduce(0, +) / Float(norms.count))
        return result
    }
}

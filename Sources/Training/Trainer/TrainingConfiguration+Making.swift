internal import Configuration
internal import Models
internal import System
internal import Tensors

extension TrainingConfiguration.Model {
    /// Returns the configuration of a transformer to be trained from scratch.
    ///
    /// - Parameters:
    ///   - vocabulary: Number of tokens.
    ///   - context: Maximum number of tokens in a sequence.
    ///   - end: Token that ends documents and replies.
    /// - Throws: `Problem` for an unknown family, or an odd head width with rotary positions.
    func transformer(vocabulary: Int, context: Int, end: Int32) throws(Problem) -> ModelConfiguration {
        guard let family = Architectures.standard[family], !family.isEncoder else {
            let names = Architectures.standard.all.filter { !$0.isEncoder }.map(\.name)
            let hint = NearestName.suggestion(for: self.family, among: names).map { ". \($0)" } ?? "."
            throw Problem(
                .unknown, "", "model.family \"\(self.family)\" is unknown",
                remedy: "Available: \(names.joined(separator: ", "))\(hint)")
        }
        let headWidth = width / heads
        guard family.learnsPositions || headWidth % 2 == 0 else {
            throw Problem(
                .invalid, "", "model.width / model.heads is \(headWidth)",
                remedy: "Rotary positions need an even number.")
        }
        // Three matrices of 8/3 the width have as many parameters as two of 4 times the width. The kernels are fastest for
        // multiples of 32.
        let defaultHidden = family.isGated ? (8 * width / 3 + 31) / 32 * 32 : 4 * width
        return ModelConfiguration(
            family: family, vocabularySize: vocabulary, width: width, layerCount: layers, headCount: heads,
            kvHeadCount: family.layout == .gpt2 || keyValueHeads == 0 ? heads : keyValueHeads, headWidth: headWidth,
            feedForwardWidth: hidden > 0 ? hidden : defaultHidden, contextLength: context,
            normEpsilon: family.trainingNormEpsilon,
            positions: family.learnsPositions
                ? .learned : .rotary(RotaryEmbedding(base: Float(ropeTheta), width: headWidth, pairing: .halves)),
            embeddingScale: family.scalesEmbedding ? Float(width).squareRoot() : 1,
            experts: family.hasExperts
                ? ExpertConfiguration(
                    count: 8, used: 2, feedForwardWidth: hidden > 0 ? hidden : defaultHidden, normalizesWeights: true)
                : nil,
            tiesEmbeddings: family.alwaysTiesEmbeddings || isTied,
            activation: family.activation, endTokens: [end])
    }
}

extension TrainingConfiguration {
    /// Returns the learning rate schedule of a run of `steps` steps.
    func rates(steps: Int) -> any Schedule {
        let peak = optimizer.rate
        let floor = peak * schedule.minimum
        let warmUp = min(schedule.warmUp, steps / 10)
        switch schedule.kind {
        case .constant: return ConstantSchedule(peak, warmUp: warmUp)
        case .cosine: return CosineSchedule(peak: peak, floor: floor, warmUp: warmUp, total: steps)
        case .linear:
            return StableDecaySchedule(
                peak: peak, floor: floor, warmUp: warmUp, decay: max(1, steps - warmUp), total: steps)
        case .wsd:
            return StableDecaySchedule(
                peak: peak, floor: floor, warmUp: warmUp, decay: max(1, Int(Double(steps) * schedule.decay)),
                total: steps)
        case .oneCycle: return OneCycleSchedule(peak: peak, total: steps)
        case .inverseSquareRoot: return InverseSquareRootSchedule(peak: peak, warmUp: warmUp)
        }
    }

    /// Returns the optimizer for these parameters, and rounds them if the run trains in bfloat16.
    func optimizer(for parameters: [Parameter<Float>]) throws(TensorError) -> Optimizer<Float> {
        let (rule, settings) = (optimizer.rule, optimizer.hyperparameters)
        var fallbackValues: [String: Double] = [:]
        if case .only(_, _, let fallback) = rule.scope { fallbackValues = fallback.effectiveValues(in: settings) }
        var made = try Optimizer<Float>(
            rule, rule.effectiveValues(in: settings), fallback: fallbackValues,
            fallbackRateFactor: optimizer.peakRate.map { optimizer.rate / $0 } ?? 1,
            decaying: optimizer.decaysAll ? .all : .matrices, roundsWeights: training.precision == .bfloat16)
        try made.prepare(parameters)
        return made
    }

    /// Returns the learning rate to pass to ``Optimizer/step(_:rate:)`` for a rate of the schedule.
    ///
    /// The schedule gives the rate of the parameters outside the rule's scope, a step takes the rate of those in it.
    func stepRate(_ rate: Double) -> Double { optimizer.peakRate.map { rate * $0 / optimizer.rate } ?? rate }
}

extension TrainingConfiguration.OptimizerSettings {
    /// Peak learning rate of the parameters in the rule's scope; `nil` if the rule updates every parameter.
    var peakRate: Double? {
        guard case .only(_, let peakRate, _) = rule.scope else { return nil }
        return hyperparameters[peakRate.name]
    }
}

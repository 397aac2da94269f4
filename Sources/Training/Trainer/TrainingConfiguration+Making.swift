internal import Configuration
internal import Models
internal import Tensors

extension TrainingConfiguration.Model {
    /// The sizes of a fresh transformer.
    ///
    /// - Parameter end: the token that ends documents, and answers.
    func transformer(vocabulary: Int, context: Int, end: Int32) throws(RunError) -> ModelConfiguration {
        guard let family = Architectures.standard[family], !family.isEncoder else {
            let names = Architectures.standard.all.filter { !$0.isEncoder }.map(\.name)
            let hint = NearestName.suggestion(for: self.family, among: names).map { ". \($0)" } ?? "."
            throw RunError(
                "model.family \"\(self.family)\" is unknown. Available: \(names.joined(separator: ", "))\(hint)")
        }
        let headWidth = width / heads
        guard family.learnsPositions || headWidth % 2 == 0 else {
            throw RunError("model.width / model.heads is \(headWidth). Rotary positions need an even number.")
        }
        // 8/3 of the width in three matrices take as much as 4 in two; multiples of 32 suit the kernels.
        let usual = family.isGated ? (8 * width / 3 + 31) / 32 * 32 : 4 * width
        return ModelConfiguration(
            family: family, vocabularySize: vocabulary, width: width, layerCount: layers, headCount: heads,
            kvHeadCount: family.layout == .gpt2 || keyValueHeads == 0 ? heads : keyValueHeads, headWidth: headWidth,
            feedForwardWidth: hidden > 0 ? hidden : usual, contextLength: context,
            normEpsilon: family.freshNormEpsilon,
            positions: family.learnsPositions
                ? .learned : .rotary(RotaryEmbedding(base: Float(ropeTheta), width: headWidth, pairing: .halves)),
            embeddingScale: family.scalesEmbedding ? Float(width).squareRoot() : 1,
            experts: family.mixesExperts
                ? ExpertConfiguration(
                    count: 8, used: 2, feedForwardWidth: hidden > 0 ? hidden : usual, normalizesWeights: true) : nil,
            tiesEmbeddings: family.alwaysTiesEmbeddings || isTied,
            activation: family.activation, endTokens: [end])
    }
}

extension TrainingConfiguration {
    /// The schedule of a run of `steps` steps.
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

    /// The optimizer, ready for these parameters.
    func optimizer(for parameters: [Parameter<Float>]) throws(TensorError) -> Optimizer<Float> {
        let (rule, settings) = (optimizer.rule, optimizer.hyperparameters)
        var others: [String: Double] = [:]
        if case .only(_, _, let rule) = rule.scope { others = rule.selection(from: settings) }
        var made = try Optimizer<Float>(
            rule, rule.selection(from: settings), others: others,
            othersRate: optimizer.peakRate.map { optimizer.rate / $0 } ?? 1,
            decaying: optimizer.decaysAll ? .all : .matrices, roundsWeights: training.precision == .bfloat16)
        try made.prepare(parameters)
        return made
    }

    /// The rate that the optimizer's step gets for a rate of the schedule, which is the rate of the parameters outside
    /// the rule's scope.
    func stepRate(_ rate: Double) -> Double { optimizer.peakRate.map { rate * $0 / optimizer.rate } ?? rate }
}

extension TrainingConfiguration.OptimizerSettings {
    /// Peak rate of the parameters in the rule's scope; `nil` if it is that of all.
    var peakRate: Double? {
        guard case .only(_, let peakRate, _) = rule.scope else { return nil }
        return hyperparameters[peakRate.name]
    }
}

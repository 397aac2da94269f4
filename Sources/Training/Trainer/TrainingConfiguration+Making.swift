internal import Configuration
internal import Models
internal import System
internal import Tensors

extension TrainingConfiguration.Model {
    /// The sizes of a fresh transformer.
    ///
    /// - Parameter end: the token that ends documents, and answers.
    func transformer(vocabulary: Int, context: Int, end: Int32) throws(Problem) -> ModelConfiguration {
        guard let family = ModelFamily(rawValue: family), family != .bert else {
            let names = ModelFamily.allCases.filter { $0 != .bert }.map(\.rawValue)
            let hint = NearestName.suggestion(for: self.family, among: names).map { ". \($0)" } ?? "."
            throw Problem(
                .unknown, "", "model.family \"\(self.family)\" is unknown",
                remedy: "Available: \(names.joined(separator: ", "))\(hint)")
        }
        let headWidth = width / heads
        let isGPT2 = family == .gpt2
        let isGemma = family == .gemma2 || family == .gemma3
        guard isGPT2 || headWidth % 2 == 0 else {
            throw Problem(
                .invalid, "", "model.width / model.heads is \(headWidth)",
                remedy: "Rotary positions need an even number.")
        }
        // 8/3 of the width in three matrices take as much as 4 in two; multiples of 32 suit the kernels.
        let usual = isGPT2 ? 4 * width : (8 * width / 3 + 31) / 32 * 32
        return ModelConfiguration(
            family: family, vocabularySize: vocabulary, width: width, layerCount: layers, headCount: heads,
            kvHeadCount: isGPT2 || keyValueHeads == 0 ? heads : keyValueHeads, headWidth: headWidth,
            feedForwardWidth: hidden > 0 ? hidden : usual, contextLength: context,
            normEpsilon: family == .qwen2 || family == .qwen3 || isGemma ? 1e-6 : 1e-5,
            positions: isGPT2
                ? .learned : .rotary(RotaryEmbedding(base: Float(ropeTheta), width: headWidth, pairing: .halves)),
            embeddingScale: isGemma ? Float(width).squareRoot() : 1,
            experts: family == .mixtral
                ? ExpertConfiguration(
                    count: 8, used: 2, feedForwardWidth: hidden > 0 ? hidden : usual, normalizesWeights: true) : nil,
            tiesEmbeddings: isGPT2 || isGemma || isTied,
            activation: isGPT2 || isGemma ? .geluTanh : .silu, endTokens: [end])
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
    func rule(for parameters: [Parameter<Float>]) throws(TensorError) -> any Optimizer<Float> {
        let settings = optimizer
        let betas = (settings.betas[0], settings.betas[1])
        let decaying: ParameterFilter = settings.decaysAll ? .all : .matrices
        let rule: any Optimizer<Float>
        switch settings.kind {
        case .sgd:
            rule = try SGD<Float>(
                momentum: settings.momentum, isNesterov: settings.isNesterov && settings.momentum > 0,
                weightDecay: settings.weightDecay, decaying: decaying)
        case .adam:
            rule = try Adam<Float>(
                betas: betas, epsilon: settings.epsilon, weightDecay: settings.weightDecay, decaying: decaying)
        case .adamw:
            rule = try AdamW<Float>(
                betas: betas, epsilon: settings.epsilon, weightDecay: settings.weightDecay, decaying: decaying)
        case .lion:
            rule = try Lion<Float>(betas: betas, weightDecay: settings.weightDecay, decaying: decaying)
        case .muon:
            rule = try Muon<Float>(
                momentum: settings.momentum, isNesterov: settings.isNesterov, weightDecay: settings.weightDecay,
                rest: AdamW<Float>(
                    betas: betas, epsilon: settings.epsilon, weightDecay: settings.weightDecay, decaying: decaying),
                restRate: settings.rate / settings.matrixRate)
        }
        guard training.precision == .bfloat16 else { return rule }
        return try Self.rounding(rule, parameters)
    }

    /// The rate that the optimizer's step gets for a rate of the schedule: Muon's own is another than that of the rest.
    func stepRate(_ rate: Double) -> Double {
        optimizer.kind == .muon ? rate * optimizer.matrixRate / optimizer.rate : rate
    }

    private static func rounding(
        _ rule: some Optimizer<Float>, _ parameters: [Parameter<Float>]
    ) throws(TensorError) -> any Optimizer<Float> {
        var rounding = BFloat16Weights(rule)
        try rounding.prepare(parameters)
        return rounding
    }
}

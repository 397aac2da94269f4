/// A configuration as names and texts, for a file that goes on from it: digits of numbers are all there.
extension DictionaryConfiguration {
    var texts: [String: String] {
        var texts = [
            "kind": kind.name, "features": "\(features)", "steps": "\(steps)", "batch_rows": "\(batchRows)",
            "warm_up_steps": "\(warmUpSteps)", "decay_share": "\(decayShare)",
            "sparsity_warm_up_share": "\(sparsityWarmUpShare)", "first_beta": "\(firstBeta)",
            "second_beta": "\(secondBeta)", "epsilon": "\(epsilon)", "unit_decoder": "\(hasUnitDecoder)",
            "normalization": normalization.rawValue, "decoder_bias": decoderBias.rawValue, "dead_rows": "\(deadRows)",
            "seed": "\(seed)",
        ]
        texts["learning_rate"] = learningRate.map { "\($0)" }
        texts["clip"] = clip.map { "\($0)" }
        texts["auxiliary_count"] = auxiliaryCount.map { "\($0)" }
        texts["resampling_steps"] = resamplingSteps.map { "\($0)" }
        texts.merge(kind.texts) { first, _ in first }
        return texts
    }

    /// Creates a configuration from texts; `nil` if a text is missing or invalid.
    init?(texts: [String: String]) {
        func number<Number: LosslessStringConvertible>(_ name: String) -> Number? { texts[name].flatMap(Number.init) }
        guard let kind = Kind(texts: texts), let features: Int = number("features"), let steps: Int = number("steps"),
            let batchRows: Int = number("batch_rows"), let warmUpSteps: Int = number("warm_up_steps"),
            let decayShare: Double = number("decay_share"), let deadRows: Int = number("dead_rows"),
            let sparsityWarmUpShare: Double = number("sparsity_warm_up_share"),
            let firstBeta: Double = number("first_beta"), let secondBeta: Double = number("second_beta"),
            let epsilon: Double = number("epsilon"), let hasUnitDecoder: Bool = number("unit_decoder"),
            let normalization = texts["normalization"].flatMap(InputNormalization.init(rawValue:)),
            let decoderBias = texts["decoder_bias"].flatMap(DecoderBiasStart.init(rawValue:)),
            let seed: UInt64 = number("seed")
        else { return nil }
        self.init(kind, features: features, steps: steps)
        (self.batchRows, self.warmUpSteps, self.decayShare) = (batchRows, warmUpSteps, decayShare)
        (self.sparsityWarmUpShare, self.deadRows, self.seed) = (sparsityWarmUpShare, deadRows, seed)
        (self.firstBeta, self.secondBeta, self.epsilon) = (firstBeta, secondBeta, epsilon)
        (self.hasUnitDecoder, self.normalization, self.decoderBias) = (hasUnitDecoder, normalization, decoderBias)
        learningRate = number("learning_rate")
        clip = number("clip")
        auxiliaryCount = number("auxiliary_count")
        resamplingSteps = number("resampling_steps")
    }
}

extension DictionaryConfiguration.Kind {
    var texts: [String: String] {
        switch self {
        case .topK(let k, let auxiliary), .batchTopK(let k, let auxiliary):
            ["k": "\(k)", "auxiliary": "\(auxiliary)"]
        case .matryoshka(let k, let prefixes, let auxiliary):
            [
                "k": "\(k)", "auxiliary": "\(auxiliary)",
                "prefixes": prefixes.map(String.init).joined(separator: " "),
            ]
        case .reluL1(let lambda), .gated(let lambda): ["lambda": "\(lambda)"]
        case .jumpReLU(.weight(let weight), let bandwidth, let threshold):
            ["lambda": "\(weight)", "bandwidth": "\(bandwidth)", "threshold": "\(threshold)"]
        case .jumpReLU(.target(let target, let weight), let bandwidth, let threshold):
            [
                "lambda": "\(weight)", "target": "\(target)", "bandwidth": "\(bandwidth)",
                "threshold": "\(threshold)",
            ]
        }
    }

    init?(texts: [String: String]) {
        func number(_ name: String) -> Double? { texts[name].flatMap { Double($0) } }
        let k = texts["k"].flatMap { Int($0) } ?? 0
        let auxiliary = number("auxiliary") ?? 0
        switch texts["kind"] {
        case "topk": self = .topK(k, auxiliary: auxiliary)
        case "batchtopk": self = .batchTopK(k, auxiliary: auxiliary)
        case "matryoshka":
            let prefixes = (texts["prefixes"] ?? "").split(separator: " ").compactMap { Int($0) }
            self = .matryoshka(k, prefixes: prefixes, auxiliary: auxiliary)
        case "standard": self = .reluL1(lambda: number("lambda") ?? 0)
        case "gated": self = .gated(lambda: number("lambda") ?? 0)
        case "jumprelu":
            let weight = number("lambda") ?? 0
            self = .jumpReLU(
                sparsity: number("target").map { .target($0, weight: weight) } ?? .weight(weight),
                bandwidth: number("bandwidth") ?? 0, threshold: number("threshold") ?? 0)
        default: return nil
        }
    }
}

extension DictionaryConfiguration {
    /// What finds the features of `ToyFeatures` in its usual size: 128 of them in 64 dimensions, 4 active.
    ///
    /// - Parameter kind: `topk`, `batchtopk`, `matryoshka`, `relu`, `jumprelu` or `gated`.
    /// - Returns: `nil` for another word.
    public static func toy(_ kind: String, steps: Int) -> DictionaryConfiguration? {
        let kinds: [String: Kind] = [
            "topk": .topK(4), "batchtopk": .batchTopK(4), "matryoshka": .matryoshka(4, prefixes: [32, 64, 128]),
            "relu": .reluL1(lambda: 0.15),
            "jumprelu": .jumpReLU(sparsity: .target(4, weight: 1), bandwidth: 0.1, threshold: 0.1),
            "gated": .gated(lambda: 0.15),
        ]
        guard let kind = kinds[kind] else { return nil }
        var configuration = DictionaryConfiguration(kind, features: 128, steps: steps)
        configuration.batchRows = 512
        configuration.learningRate = 2e-3
        configuration.warmUpSteps = 100
        configuration.sparsityWarmUpShare = 0.2
        configuration.normalization = .none
        configuration.clip = nil
        configuration.deadRows = 100 * 512
        return configuration
    }
}

public import System

extension DictionaryConfiguration {
    /// - Throws: `Problem` naming the invalid setting, for activations of width `width`.
    public func check(width: Int) throws(Problem) {
        func require(_ holds: Bool, _ problem: String, _ remedy: String) throws(Problem) {
            guard holds else { throw Problem(.invalid, "dictionary settings", problem, remedy: remedy) }
        }
        try require(width > 0, "activations have width \(width)", "Choose a different hook.")
        try require(
            (1...1 << 24).contains(features), "\(features) features are out of range", "Use 1 to 16,777,216.")
        try require(
            (1...1 << 22).contains(batchRows), "\(batchRows) rows per step are out of range", "Use 1 to 4,194,304.")
        try require(
            (1...1_000_000_000).contains(steps), "\(steps) steps are out of range", "Use 1 to 1,000,000,000.")
        let numbers = width.multipliedReportingOverflow(by: features)
        try require(
            !numbers.overflow && numbers.partialValue < 1 << 34,
            "\(features) features of width \(width) exceed 2^34 weights", "Use fewer features.")
        try require(
            baseRate > 0 && baseRate.isFinite, "learning rate \(baseRate) is out of range", "Use a finite rate above 0."
        )
        try require(warmUpSteps >= 0, "\(warmUpSteps) warm-up steps are out of range", "Use 0 or more.")
        try require(
            (0...1).contains(decayShare) && (0...1).contains(sparsityWarmUpShare),
            "step shares \(decayShare) (decay) and \(sparsityWarmUpShare) (sparsity) are out of range", "Use 0 to 1.")
        try require(
            (0..<1).contains(firstBeta) && (0..<1).contains(secondBeta) && epsilon > 0,
            "an Adam parameter is out of range: betas \(firstBeta) and \(secondBeta), ε \(epsilon)",
            "Use betas of at least 0 and below 1, and an ε above 0.")
        try require(clip ?? 1 > 0, "gradient norm limit \(clip ?? 0) is out of range", "Use a limit above 0.")
        try require(
            (1...1 << 40).contains(deadRows), "dead-feature limit of \(deadRows) rows is out of range",
            "Use 1 row or more.")
        try require(auxiliaryCount ?? 1 > 0, "\(auxiliaryCount ?? 0) aux-k features are out of range", "Use 1 or more.")
        try require(
            resamplingSteps ?? 1 > 0, "resampling every \(resamplingSteps ?? 0) steps is out of range",
            "Use 1 step or more.")
        try checkKind(require)
    }

    private func checkKind(
        _ require: (Bool, String, String) throws(Problem) -> Void
    ) throws(Problem) {
        switch kind {
        case .topK(let k, let auxiliary), .batchTopK(let k, let auxiliary), .matryoshka(let k, _, let auxiliary):
            try require((1...features).contains(k), "k is \(k), with \(features) features", "Use 1 to \(features).")
            try require(auxiliary >= 0 && auxiliary.isFinite, "aux-k weight α is \(auxiliary)", "Use 0 or more.")
        case .reluL1(let lambda), .gated(let lambda):
            try require(lambda >= 0 && lambda.isFinite, "λ is \(lambda)", "Use 0 or more.")
        case .jumpReLU(let sparsity, let bandwidth, let threshold):
            try require(bandwidth > 0, "bandwidth is \(bandwidth)", "Use a value above 0, such as 0.05.")
            try require(threshold > 0, "initial threshold is \(threshold)", "Use a value above 0, such as 0.01.")
            switch sparsity {
            case .weight(let weight): try require(weight >= 0, "λ is \(weight)", "Use 0 or more.")
            case .target(let target, let weight):
                try require(
                    target > 0 && weight >= 0, "L0 target \(target) or λ \(weight) is out of range",
                    "Use a target above 0 and a λ of 0 or more.")
            }
        }
        if case .matryoshka(_, let prefixes, _) = kind {
            let rises = zip(prefixes, prefixes.dropFirst()).allSatisfy { $0 < $1 }
            try require(
                rises && (prefixes.first ?? 0) > 0 && prefixes.last == features && prefixes.count <= 64,
                "prefixes \(prefixes) must increase to \(features)", "End them with the number of features.")
        }
        if case .gated = kind, !hasUnitDecoder {
            try require(false, "a gated dictionary needs a decoder with unit rows", "Leave hasUnitDecoder on.")
        }
    }
}

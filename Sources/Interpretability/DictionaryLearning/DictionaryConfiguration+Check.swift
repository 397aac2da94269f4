extension DictionaryConfiguration {
    /// - Throws: a sentence that names what cannot be, for activations of this width.
    public func check(width: Int) throws(InterpretabilityError) {
        func require(_ holds: Bool, _ problem: String, _ remedy: String) throws(InterpretabilityError) {
            guard holds else { throw InterpretabilityError("this dictionary", problem: problem, remedy: remedy) }
        }
        try require(width > 0, "activations of width \(width) have nothing to learn", "Choose another hook.")
        try require(
            (1...1 << 24).contains(features), "it cannot have \(features) features", "Give from 1 to 16,777,216.")
        try require((1...1 << 22).contains(batchRows), "a step cannot have \(batchRows) rows", "Give 1 to 4,194,304.")
        try require(
            (1...1_000_000_000).contains(steps), "\(steps) steps are no training", "Give 1 to 1,000,000,000 steps.")
        let numbers = width.multipliedReportingOverflow(by: features)
        try require(
            !numbers.overflow && numbers.partialValue < 1 << 34,
            "\(features) features of width \(width) are more than fits", "Give fewer features.")
        try require(
            baseRate > 0 && baseRate.isFinite, "a learning rate of \(baseRate) learns nothing", "Give one above 0.")
        try require(warmUpSteps >= 0, "\(warmUpSteps) steps of warm-up cannot be", "Give 0 or more.")
        try require(
            (0...1).contains(decayShare) && (0...1).contains(sparsityWarmUpShare),
            "shares of \(decayShare) and \(sparsityWarmUpShare) of the steps cannot be", "Give shares from 0 to 1.")
        try require(
            (0..<1).contains(firstBeta) && (0..<1).contains(secondBeta) && epsilon > 0,
            "Adam cannot work with betas \(firstBeta), \(secondBeta) and ε \(epsilon)",
            "Give betas from 0 up to 1 and an ε above 0.")
        try require(clip ?? 1 > 0, "gradients cannot be cut to a norm of \(clip ?? 0)", "Give a norm above 0.")
        try require(
            (1...1 << 40).contains(deadRows), "features cannot be dead after \(deadRows) rows", "Give 1 row or more.")
        try require(auxiliaryCount ?? 1 > 0, "aux-k cannot take \(auxiliaryCount ?? 0) features", "Give 1 or more.")
        try require(resamplingSteps ?? 1 > 0, "it cannot resample every 0 steps", "Give 1 step or more.")
        try checkKind(require)
    }

    private func checkKind(
        _ require: (Bool, String, String) throws(InterpretabilityError) -> Void
    ) throws(InterpretabilityError) {
        switch kind {
        case .topK(let k, let auxiliary), .batchTopK(let k, let auxiliary), .matryoshka(let k, _, let auxiliary):
            try require((1...features).contains(k), "of \(features) features \(k) cannot be active", "Lower k.")
            try require(auxiliary >= 0 && auxiliary.isFinite, "α of aux-k is \(auxiliary)", "Give 0 or more.")
        case .reluL1(let lambda), .gated(let lambda):
            try require(lambda >= 0 && lambda.isFinite, "λ is \(lambda)", "Give 0 or more.")
        case .jumpReLU(let sparsity, let bandwidth, let threshold):
            try require(bandwidth > 0, "the bandwidth is \(bandwidth)", "Give one above 0, as 0.05.")
            try require(threshold > 0, "thresholds start at \(threshold)", "Give one above 0, as 0.01.")
            switch sparsity {
            case .weight(let weight): try require(weight >= 0, "λ is \(weight)", "Give 0 or more.")
            case .target(let target, let weight):
                try require(target > 0 && weight >= 0, "L0 of \(target) by λ \(weight) is no aim", "Give both above 0.")
            }
        }
        if case .matryoshka(_, let prefixes, _) = kind {
            let rises = zip(prefixes, prefixes.dropFirst()).allSatisfy { $0 < $1 }
            try require(
                rises && (prefixes.first ?? 0) > 0 && prefixes.last == features && prefixes.count <= 64,
                "its prefixes \(prefixes) do not rise to \(features)", "End them with the number of features.")
        }
        if case .gated = kind, !hasUnitDecoder {
            try require(false, "a gated dictionary needs a decoder of unit rows", "Leave hasUnitDecoder on.")
        }
    }
}

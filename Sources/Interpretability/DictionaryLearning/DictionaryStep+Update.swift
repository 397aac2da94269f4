internal import Kernels

extension DictionaryStep {
    /// Cuts the gradients, makes a step of Adam and brings the decoder's rows back to norm 1, in one pass.
    ///
    /// - Parameter step: Step, from 0.
    package func update(step: Int) {
        let rule = AdamRule(
            rate: configuration.rate(at: step), betas: (configuration.firstBeta, configuration.secondBeta),
            epsilon: configuration.epsilon, step: step + 1, weightDecay: 0, isDecoupled: false)
        let cut = Float(configuration.clip.map { min(1, $0 / (gradientNorm + 1e-6)) } ?? 1)
        let (width, features) = (weights.width, weights.features)
        let chunks = (features + Self.chunkFeatures - 1) / Self.chunkFeatures
        pool.run(chunks: 2 * chunks) { chunk, _ in
            let start = chunk / 2 * Self.chunkFeatures
            let end = min(features, start + Self.chunkFeatures)
            let matrix = chunk % 2 == 0 ? weights.encoder : weights.decoder
            apply(rule, to: matrix, start * width..<end * width, cut: cut)
            if chunk % 2 == 1, configuration.hasUnitDecoder {
                for feature in start..<end { normalize(weights.decoderRow(feature), width) }
            }
        }
        var small = [weights.decoderBias] + objective.vectors
        if objective.hasEncoderBias { small.append(weights.encoderBias) }
        for parameter in small { apply(rule, to: parameter, 0..<parameter.count, cut: cut) }
        objective.settleWeights()
    }

    private func apply(_ rule: AdamRule, to parameter: DictionaryParameter, _ range: Range<Int>, cut: Float) {
        if cut < 1 {
            Elementwise.scale(parameter.gradient.pointer + range.lowerBound, by: cut, count: range.count)
        }
        rule.apply(to: parameter.part(range))
    }

    /// A row divided by its norm; a row of zeros stays.
    package func normalize(_ row: UnsafeMutablePointer<Float>, _ count: Int) {
        let norm = Float(WholeArrays.sumOfSquares(row, count: count).squareRoot())
        if norm > 0 { Elementwise.scale(row, by: 1 / norm, count: count) }
    }
}

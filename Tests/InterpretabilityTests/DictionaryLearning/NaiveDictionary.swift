import Interpretability

/// Losses of dictionaries in float64, written as their formulas are: the twin of the step.
///
/// What a loss holds fast (the residual of aux-k, the decoder of a gated dictionary's third term) comes from weights of
/// its own, so that differences of the loss are its gradient.
struct NaiveDictionary {
    typealias Weights = [String: [Double]]

    let kind: DictionaryConfiguration.Kind
    let width: Int
    let features: Int
    let dead: [Int]
    let auxiliaryCount: Int
    /// Whether x − b_dec in the encoder is held fast: a fault for the test to find.
    var forgetsEncoderBias = false

    func loss(_ weights: Weights, holding held: Weights, _ rows: [[Double]]) -> Double {
        let encoderWeights =
            forgetsEncoderBias ? weights.merging(["decoder_bias": held["decoder_bias"]!]) { $1 } : weights
        let pre = rows.map { activations(encoderWeights, $0) }
        let mean = { (sum: Double) in sum / Double(rows.count) }
        switch kind {
        case .topK(let k, let alpha):
            let codes = pre.map { top(k, $0) }
            return mean(squares(weights, codes, rows)) + alpha * auxiliary(weights, held, codes, pre, rows)
        case .reluL1(let lambda):
            let codes = pre.map { row in row.map { max(0, $0) } }
            let norms = (0..<features).map { norm(weights, $0) }
            var penalty = 0.0
            for code in codes {
                for i in 0..<features { penalty += lambda * code[i] * norms[i] }
            }
            return mean(squares(weights, codes, rows) + penalty)
        case .batchTopK(let k, let alpha):
            let codes = batchTop(k, pre)
            return mean(squares(weights, codes, rows)) + alpha * auxiliary(weights, held, codes, pre, rows)
        case .matryoshka(let k, let prefixes, let alpha):
            let codes = batchTop(k, pre)
            let sum = prefixes.reduce(0) { sum, prefix in
                sum + squares(weights, codes.map { row in row.indices.map { $0 < prefix ? row[$0] : 0 } }, rows)
            }
            return mean(sum) + alpha * auxiliary(weights, held, codes, pre, rows)
        case .jumpReLU:
            let codes = pre.map { row in row.enumerated().map { $1 > held["threshold"]![$0] ? $1 : 0 } }
            return mean(squares(weights, codes, rows))
        case .gated(let lambda):
            let gates = pre.map { row in row.enumerated().map { $1 + weights["gate_bias"]![$0] } }
            let codes = pre.indices.map { r in
                pre[r].enumerated().map { i, u in
                    let scale = weights["magnitude_scale"]![i]
                    return gates[r][i] > 0 ? max(0, u * exponential(scale) + weights["magnitude_bias"]![i]) : 0
                }
            }
            let open = gates.map { row in row.map { max(0, $0) } }
            var decoding = weights
            decoding["decoder"] = held["decoder"]
            decoding["decoder_bias"] = held["decoder_bias"]
            let penalty = lambda * open.joined().reduce(0, +)
            return mean(squares(weights, codes, rows) + penalty + squares(decoding, open, rows))
        }
    }

    /// The gradient of θ that JumpReLU defines, for a loss of λ · L0.
    func thresholdGradient(_ weights: Weights, _ rows: [[Double]], lambda: Double, bandwidth: Double) -> [Double] {
        let thresholds = weights["threshold"]!
        var gradient = [Double](repeating: 0, count: features)
        for x in rows {
            let pre = activations(weights, x)
            let code = pre.enumerated().map { $1 > thresholds[$0] ? $1 : 0 }
            let error = zip(decode(weights, code), x).map { $0 - $1 }
            for i in 0..<features where abs(pre[i] - thresholds[i]) < bandwidth / 2 {
                var slope = 0.0
                for j in 0..<width { slope += 2 * error[j] * weights["decoder"]![i * width + j] }
                gradient[i] -= (thresholds[i] / bandwidth * slope + lambda / bandwidth) / Double(rows.count)
            }
        }
        return gradient
    }

    private func activations(_ weights: Weights, _ x: [Double]) -> [Double] {
        let (encoder, bias, center) = (weights["encoder"]!, weights["encoder_bias"]!, weights["decoder_bias"]!)
        return (0..<features).map { i in
            var sum = bias[i]
            for j in 0..<width { sum += (x[j] - center[j]) * encoder[i * width + j] }
            return sum
        }
    }

    private func decode(_ weights: Weights, _ code: [Double], bias: Bool = true) -> [Double] {
        let (decoder, center) = (weights["decoder"]!, weights["decoder_bias"]!)
        return (0..<width).map { j in
            var sum = bias ? center[j] : 0
            for i in code.indices where code[i] != 0 { sum += code[i] * decoder[i * width + j] }
            return sum
        }
    }

    private func squares(_ weights: Weights, _ codes: [[Double]], _ rows: [[Double]]) -> Double {
        var sum = 0.0
        for (code, row) in zip(codes, rows) {
            for (estimate, x) in zip(decode(weights, code), row) { sum += (estimate - x) * (estimate - x) }
        }
        return sum
    }

    private func top(_ k: Int, _ row: [Double]) -> [Double] {
        let floor = row.sorted(by: >)[min(k, row.count) - 1]
        return row.map { $0 >= floor && $0 > 0 ? $0 : 0 }
    }

    private func batchTop(_ k: Int, _ rows: [[Double]]) -> [[Double]] {
        let floor = rows.joined().sorted(by: >)[k * rows.count - 1]
        return rows.map { $0.map { $0 >= floor && $0 > 0 ? $0 : 0 } }
    }

    private func auxiliary(
        _ weights: Weights, _ held: Weights, _ codes: [[Double]], _ pre: [[Double]], _ rows: [[Double]]
    ) -> Double {
        guard !dead.isEmpty else { return 0 }
        let heldCodes: [[Double]]
        let heldPre = rows.map { activations(held, $0) }
        if case .topK(let k, _) = kind {
            heldCodes = heldPre.map { top(k, $0) }
        } else if case .batchTopK(let k, _) = kind {
            heldCodes = batchTop(k, heldPre)
        } else if case .matryoshka(let k, _, _) = kind {
            heldCodes = batchTop(k, heldPre)
        } else {
            return 0
        }
        let residuals = zip(heldCodes, rows).map { zip(decode(held, $0), $1).map { $1 - $0 } }
        let means = (0..<width).map { j in residuals.reduce(0) { $0 + $1[j] } / Double(rows.count) }
        var (sum, spread) = (0.0, 0.0)
        for (row, residual) in zip(pre, residuals) {
            let masked = row.indices.map { dead.contains($0) ? row[$0] : -.infinity }
            let estimate = decode(weights, top(auxiliaryCount, masked), bias: false)
            for j in 0..<width {
                sum += (estimate[j] - residual[j]) * (estimate[j] - residual[j])
                spread += (residual[j] - means[j]) * (residual[j] - means[j])
            }
        }
        return sum / spread
    }

    private func norm(_ weights: Weights, _ feature: Int) -> Double {
        var sum = 0.0
        for weight in weights["decoder"]![feature * width..<(feature + 1) * width] { sum += weight * weight }
        return sum.squareRoot()
    }

    private func exponential(_ x: Double) -> Double {
        var (sum, term) = (1.0, 1.0)
        for i in 1..<30 {
            term *= x / Double(i)
            sum += term
        }
        return sum
    }
}

internal import Glibc
internal import Kernels
internal import Tokenizers

extension Candidates {
    /// The summary of a distribution.
    struct Summary {
        /// log Σ e^logit.
        var logSumExp: Double
        /// Entropy in nats.
        var entropy: Double
    }

    /// Writes the softmax of the remaining logits to `probabilities`: by token id while dense, otherwise in `ids` order.
    func computeProbabilities() {
        if isDense {
            Rows.softmax(row, into: probabilities.pointer, rows: 1, columns: vocabularySize, pool: .single)
        } else if !logits.isEmpty {
            logits.withUnsafeBufferPointer {
                guard let base = $0.baseAddress else { return }
                Rows.softmax(base, into: probabilities.pointer, rows: 1, columns: $0.count, pool: .single)
            }
        }
    }

    /// Returns log-sum-exp and entropy of the remaining logits, and updates `probabilities`.
    func summarize() -> Summary {
        computeProbabilities()
        guard isDense else {
            return logits.withUnsafeBufferPointer { summary(of: $0.baseAddress, count: $0.count, greatest: greatest) }
        }
        return summary(of: UnsafePointer(row), count: vocabularySize, greatest: greatest)
    }

    /// Uses, for p = softmax(x) and maximum m: log Σ e^(x - m) = -log max p, and H = log Σ e^(x - m) - Σ p (x - m).
    private func summary(of x: UnsafePointer<Float>?, count: Int, greatest: Float) -> Summary {
        guard let x, count > 0 else { return Summary(logSumExp: -.infinity, entropy: 0) }
        typealias Lanes = SIMD16<Float>
        let (numbers, weights) = (UnsafeRawPointer(x), UnsafeRawPointer(probabilities.pointer))
        var sums = Lanes.zero
        var most = Lanes.zero
        let floor = Lanes(repeating: -200)  // a weight there is 0, and 0 · ∞ would be none
        var index = 0
        while index + 16 <= count {
            var distance = numbers.loadUnaligned(fromByteOffset: 4 * index, as: Lanes.self) - greatest
            distance.replace(with: floor, where: distance .< floor)
            let weight = weights.loadUnaligned(fromByteOffset: 4 * index, as: Lanes.self)
            sums += weight * distance
            most.replace(with: weight, where: weight .> most)
            index += 16
        }
        var sum = (0..<16).reduce(0.0) { $0 + Double(sums[$1]) }
        var highest = most.max()
        while index < count {
            let weight = probabilities.pointer[index]
            sum += Double(weight * max(x[index] - greatest, -200))
            highest = max(highest, weight)
            index += 1
        }
        let spread = -log(Double(highest))
        return Summary(logSumExp: Double(greatest) + spread, entropy: max(0, spread - sum))
    }

    /// Returns a token's probability, if `probabilities` are up to date.
    func knownProbability(_ id: TokenID) -> Double {
        place(id).map { Double(probabilities.pointer[$0]) } ?? 0
    }

    /// Returns the token at which the probabilities, summed in the order of ids, pass `uniform` of their total.
    ///
    /// - Parameter uniform: Random number in 0 ..< 1.
    /// - Returns: `nil` if no token is left.
    func draw(_ uniform: Double) -> TokenID? {
        if !isDense, ids.count <= 1 { return ids.first }
        computeProbabilities()
        let count = isDense ? vocabularySize : ids.count
        let weights = probabilities.pointer
        let run = 256
        let runs = stride(from: 0, to: count, by: run).map { start in
            runSum(weights + start, count: min(run, count - start))
        }
        let total = runs.reduce(0, +)
        guard total > 0 else { return nil }  // not a number where every logit is -∞
        var left = uniform * total
        var place = count - 1
        for (number, sum) in runs.enumerated() {
            if left >= sum {
                left -= sum
                continue
            }
            for index in number * run..<min((number + 1) * run, count) {
                left -= Double(weights[index])
                guard left < 0 else { continue }
                return isDense ? TokenID(index) : ids[index]
            }
        }
        // Rounding took the last step: the last token that can come at all.
        while place > 0, weights[place] == 0 { place -= 1 }
        return isDense ? TokenID(place) : ids[place]
    }

    private func runSum(_ weights: UnsafePointer<Float>, count: Int) -> Double {
        var sums = SIMD16<Float>.zero
        var index = 0
        while index + 16 <= count {
            sums += UnsafeRawPointer(weights).loadUnaligned(fromByteOffset: 4 * index, as: SIMD16<Float>.self)
            index += 16
        }
        var sum = (0..<16).reduce(0.0) { $0 + Double(sums[$1]) }
        while index < count {
            sum += Double(weights[index])
            index += 1
        }
        return sum
    }
}

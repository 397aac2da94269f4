internal import Glibc
internal import Kernels
internal import Tokenizers

/// What a row of logits says, in nats.
struct LogitRow {
    let logits: UnsafePointer<Float>
    let count: Int
    /// log Σ e^z.
    let logSumExp: Double
    /// −Σ p log p.
    let entropy: Double

    /// - Parameter scratch: Buffer of the same size.
    init(_ logits: UnsafePointer<Float>, count: Int, scratch: UnsafeMutablePointer<Float>) {
        self.logits = logits
        self.count = count
        let top = logits[Elementwise.argmax(logits, count: count)]
        for index in 0..<count { scratch[index] = logits[index] - top }
        Rows.exp(scratch, into: scratch, count: count, pool: .single)
        var (sum, weighted) = (0.0, 0.0)
        for index in 0..<count {
            let power = Double(scratch[index])
            sum += power
            // A token that is ruled out has the logit −∞ and weighs nothing.
            if power > 0 { weighted += power * Double(logits[index]) }
        }
        logSumExp = Double(top) + log(sum)
        entropy = max(0, logSumExp - weighted / sum)
    }

    func logProbability(_ token: TokenID) -> Double { Double(logits[Int(token)]) - logSumExp }

    /// 1 for the most probable.
    func rank(of token: TokenID) -> Int {
        let own = logits[Int(token)]
        var above = 0
        for index in 0..<count where logits[index] > own { above += 1 }
        return above + 1
    }

    /// The most probable tokens, best first; of equals the first.
    func top(_ most: Int) -> [TokenID] {
        var best: [Int] = []
        guard most > 0 else { return [] }
        var least = -Float.infinity
        for index in 0..<count where best.count < most || logits[index] > least {
            let place = best.firstIndex { logits[$0] < logits[index] } ?? best.count
            best.insert(index, at: place)
            if best.count > most { best.removeLast() }
            if best.count == most { least = logits[best[most - 1]] }
        }
        return best.map { TokenID($0) }
    }

    /// KL(this ‖ other) = Σ p (log p − log p_other).
    func divergence(from other: LogitRow) -> Double {
        var sum = 0.0
        for index in 0..<count {
            let difference = Double(logits[index]) - logSumExp
            let power = exp(difference)
            if power > 0 { sum += power * (difference - (Double(other.logits[index]) - other.logSumExp)) }
        }
        return max(0, sum)
    }

    /// Returns the record of a token that was a candidate here.
    func record(of token: TokenID, alternatives: Int) -> TokenRecord {
        TokenRecord(
            logProbability: Float(logProbability(token)), entropy: Float(entropy),
            alternatives: top(alternatives).map {
                LiveAlternative(id: $0, logProbability: Float(logProbability($0)))
            })
    }
}

/// The normal distribution where it is between two bounds; a draw that is rejected is drawn again.
///
/// Source: Robert, "Simulation of truncated normal variables", Statistics and Computing 5, 1995: proposals are normal
/// where the bounds hold most of it, exponential in a tail, uniform between bounds that are close. At least a third of
/// all proposals is accepted, whatever the bounds.
struct TruncatedNormalDistribution: Distribution {
    let mean: Double
    let deviation: Double
    /// Bounds in deviations from the mean.
    let low: Double
    let high: Double

    private enum Proposal {
        case normal
        /// Uniform between the bounds; the density is largest at `peak`.
        case uniform(peak: Double)
        /// Exponential from the bound nearer to the mean outward.
        case exponential(rate: Double, from: Double, sign: Double)
    }

    var elementsPerBlock: Int { 1 }

    private var proposal: Proposal {
        if low <= 0, high >= 0 {
            // √(2π): where the uniform's chance, (high - low) / √(2π) being its inverse, falls below the normal's.
            return high - low > 2.5 ? .normal : .uniform(peak: 0)
        }
        // The far tail on either side, mirrored so that it is above zero.
        let sign: Double = low > 0 ? 1 : -1
        let (near, far) = low > 0 ? (low, high) : (-high, -low)
        let root = (near * near + 4).squareRoot()
        let rate = (near + root) / 2
        return far - near < 1 / rate ? .uniform(peak: near) : .exponential(rate: rate, from: near, sign: sign)
    }

    func fill(_ target: UnsafeMutablePointer<Double>, first: UInt64, blocks: Int, words: Words) {
        let proposal = proposal
        for block in 0..<blocks {
            let number = first &+ UInt64(block)
            var attempt: UInt32 = 0
            var value: Double?
            while value == nil {
                let word = words.block(number, attempt: attempt)
                value = candidate(proposal, word.bits(0), word.bits(1))
                attempt &+= 1
            }
            target[block] = mean + deviation * (value ?? 0)
        }
    }

    /// One proposal; `nil` if it is rejected.
    private func candidate(_ proposal: Proposal, _ first: UInt64, _ second: UInt64) -> Double? {
        switch proposal {
        case .normal:
            let (a, b) = Draw.normals(first, second)
            return contains(a) ? a : contains(b) ? b : nil
        case .uniform(let peak):
            let x = min(low + (high - low) * Draw.uniform(first), high)
            let chance = (peak * peak - x * x) / 2
            return PortableMath.logarithm(Draw.positive(second)) <= chance ? x : nil
        case .exponential(let rate, let from, let sign):
            let x = from - PortableMath.logarithm(Draw.positive(first)) / rate
            let chance = -(x - rate) * (x - rate) / 2
            guard contains(sign * x), PortableMath.logarithm(Draw.positive(second)) <= chance else { return nil }
            return sign * x
        }
    }

    private func contains(_ value: Double) -> Bool { value >= low && value <= high }
}

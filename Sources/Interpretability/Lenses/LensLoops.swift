internal import Glibc
internal import Tensors

/// Sums over a row of logits.
struct LensSums: Sendable {
    /// The largest logit so far.
    var largest = -Double.infinity
    /// What older sums were multiplied with at the last piece.
    var shrink = 0.0
    var sum = 0.0
    var weighted = 0.0
    /// Σ e^(z_final − m_final) (z_final − z).
    var cross = 0.0
    /// The token that is asked about; -1 for none.
    var target = -1
    var chosen = 0.0
    /// Tokens with larger logits than the target's.
    var above = 0
}

/// One of the largest logits of a row.
struct LensLeader: Sendable {
    var value = -Double.infinity
    var token = 0
}

/// Loops over one row of a piece of logits.
enum LensLoops {
    /// z − m, and what that does to the sums.
    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    static func shift<Scalar: FloatingAccumulator>(
        _ z: UnsafePointer<Scalar>, into result: UnsafeMutablePointer<Scalar>, _ count: Int, _ sums: inout LensSums
    ) {
        var largest = Scalar.lowest
        for i in 0..<count { largest = max(largest, z[i]) }
        let before = sums.largest
        sums.largest = max(before, largest.float64)
        sums.shrink = before == sums.largest ? 1 : exp(before - sums.largest)
        let shift = Scalar(rounding: sums.largest)
        for i in 0..<count { result[i] = z[i] - shift }
    }

    /// Adds a piece to the sums of a row.
    ///
    /// - Parameter shrink: Factor of the final row.
    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    static func add<Scalar: FloatingAccumulator>(
        _ z: UnsafePointer<Scalar>, _ powers: UnsafePointer<Scalar>, final: UnsafePointer<Scalar>,
        _ finalPowers: UnsafePointer<Scalar>, _ count: Int, shrink: Double, _ sums: inout LensSums
    ) {
        var (sum, weighted, cross) = (0.0, 0.0, 0.0)
        for i in 0..<count {
            let power = powers[i].float64
            sum += power
            // 0 · -∞ of a token that is ruled out is nothing.
            if power > 0 { weighted += power * z[i].float64 }
            let finalPower = finalPowers[i].float64
            if finalPower > 0 { cross += finalPower * (final[i].float64 - z[i].float64) }
        }
        sums.sum = sums.sum * sums.shrink + sum
        sums.weighted = sums.weighted * sums.shrink + weighted
        sums.cross = sums.cross * shrink + cross
    }

    /// Keeps the largest logits, best first, of equal ones the lower token; counts those above the target's.
    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    static func lead<Scalar: FloatingAccumulator>(
        _ z: UnsafePointer<Scalar>, _ count: Int, from first: Int, _ leaders: UnsafeMutableBufferPointer<LensLeader>,
        _ sums: inout LensSums
    ) {
        if let last = leaders.indices.last {
            var bound = leaders[last].value
            for i in 0..<count where z[i].float64 > bound {
                let value = z[i].float64
                var place = last
                while place > 0, leaders[place - 1].value < value {
                    leaders[place] = leaders[place - 1]
                    place -= 1
                }
                leaders[place] = LensLeader(value: value, token: first + i)
                bound = leaders[last].value
            }
        }
        guard sums.target >= 0 else { return }
        let bound = Scalar(rounding: sums.chosen)
        var above = 0
        for i in 0..<count where z[i] > bound { above += 1 }
        let own = sums.target - first
        if own >= 0, own < count, z[own] > bound { above -= 1 }
        sums.above += above
    }
}

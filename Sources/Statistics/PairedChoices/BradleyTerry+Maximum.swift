internal import Glibc

extension BradleyTerry {
    /// Returns the strengths that maximize the concave log-likelihood, by Newton's method with step halving.
    static func maximum(_ wins: [[Double]]) -> [Double] {
        let count = wins.count
        guard count > 1 else { return [Double](repeating: 0, count: count) }
        var strengths = [Double](repeating: 0, count: count)
        var value = logLikelihood(wins, strengths)
        for _ in 0..<200 {
            let step = newtonStep(wins, strengths)
            var length = 1.0
            var next = strengths
            var nextValue = -Double.infinity
            while length > 1e-12 {
                next = zip(strengths, step).map { $0 + length * $1 }
                nextValue = logLikelihood(wins, next)
                if nextValue >= value - 1e-12 * abs(value) { break }
                length /= 2
            }
            guard length > 1e-12 else { break }
            strengths = next
            value = nextValue
            if step.allSatisfy({ abs($0) < 1e-13 }) { break }
        }
        let mean = strengths.reduce(0, +) / Double(count)
        return strengths.map { $0 - mean }
    }

    private static func logLikelihood(_ wins: [[Double]], _ strengths: [Double]) -> Double {
        var sum = 0.0
        for i in wins.indices {
            for j in wins.indices where wins[i][j] > 0 {
                let gap = strengths[j] - strengths[i]
                sum -= wins[i][j] * (gap > 30 ? gap : log1p(exp(gap)))
            }
        }
        return sum
    }

    /// Returns the Newton step with the last player's strength fixed, by Cholesky decomposition.
    private static func newtonStep(_ wins: [[Double]], _ strengths: [Double]) -> [Double] {
        let count = wins.count
        let size = count - 1
        var gradient = [Double](repeating: 0, count: count)
        var matrix = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
        for i in 0..<count {
            for j in 0..<count where j != i {
                let games = wins[i][j] + wins[j][i]
                guard games > 0 else { continue }
                let p = 1 / (1 + exp(strengths[j] - strengths[i]))
                gradient[i] += wins[i][j] - games * p
                matrix[i][i] += games * p * (1 - p)
                matrix[i][j] -= games * p * (1 - p)
            }
        }
        var lower = matrix
        for i in 0..<size {
            for j in 0...i {
                var sum = matrix[i][j]
                for k in 0..<j { sum -= lower[i][k] * lower[j][k] }
                lower[i][j] = i == j ? max(sum, 1e-300).squareRoot() : sum / lower[j][j]
            }
        }
        var step = gradient
        for i in 0..<size {
            for k in 0..<i { step[i] -= lower[i][k] * step[k] }
            step[i] /= lower[i][i]
        }
        for i in (0..<size).reversed() {
            for k in (i + 1)..<max(size, i + 1) { step[i] -= lower[k][i] * step[k] }
            step[i] /= lower[i][i]
        }
        step[size] = 0
        return step
    }
}

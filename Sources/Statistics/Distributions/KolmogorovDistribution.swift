internal import Glibc

/// The distribution of the largest gap between two empirical distributions, for samples from the same population.
public enum KolmogorovDistribution {
    /// Returns the probability of a gap of `distance` or more between samples of `m` and `n` values without ties.
    ///
    /// Every order of the combined samples is a path of steps. `b(i, j)`, the share of paths to (i, j) that ever reach
    /// the gap, is i/(i+j) b(i-1, j) + j/(i+j) b(i, j-1), and 1 if i/m and j/n are that far apart. The result is exact
    /// up to 10,000 values per sample; larger samples use the limit distribution.
    /// - Complexity: O(m n).
    /// - Source: Hodges, Arkiv för Matematik 3 (1958); Smirnov (1948) for the limit.
    public static func twoSample(distance: Double, m: Int, n: Int) -> Double {
        guard m > 0, n > 0, distance > 0 else { return 1 }
        if distance > 1 { return 0 }
        if max(m, n) > 10_000 {
            let size = Double(m) * Double(n) / Double(m + n)
            return limit(size.squareRoot() * distance)
        }
        // In units of 1 / (m n), all gaps are integers.
        let gap = Int((distance * Double(m) * Double(n)).rounded())
        guard gap > 0 else { return 1 }
        var share = [Double](repeating: 1, count: n + 1)
        for i in 0...m {
            // Cells with |i n - j m| < gap; all others are 1.
            let first = max(0, -floorDivide(gap - 1 - i * n, m))
            let last = min(n, floorDivide(i * n + gap - 1, m))
            guard first <= last else {
                for j in 0...n { share[j] = 1 }
                continue
            }
            if first > 0 { share[first - 1] = 1 }
            for j in first...last {
                if i == 0 && j == 0 {
                    share[j] = 0
                    continue
                }
                let whole = Double(i + j)
                let fromBelow = j > 0 ? Double(j) / whole * share[j - 1] : 0
                share[j] = (i > 0 ? Double(i) / whole * share[j] : 0) + fromBelow
            }
            if last < n { share[last + 1] = 1 }
        }
        return min(1, share[n])
    }

    /// Returns P(K > x) = 2 sum over k of (-1)^(k-1) exp(-2 k² x²), the limit for large samples.
    public static func limit(_ x: Double) -> Double {
        guard x > 0 else { return 1 }
        if x < 1.18 {
            // For small x, only the other form of the theta function converges quickly.
            let y = exp(-Double.pi * Double.pi / (8 * x * x))
            let sum = y + pow(y, 9) + pow(y, 25) + pow(y, 49)
            return max(0, 1 - (2 * Double.pi).squareRoot() / x * sum)
        }
        let y = exp(-2 * x * x)
        return min(1, max(0, 2 * (y - pow(y, 4) + pow(y, 9) - pow(y, 16))))
    }

    private static func floorDivide(_ a: Int, _ b: Int) -> Int {
        let quotient = a / b
        return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient
    }
}

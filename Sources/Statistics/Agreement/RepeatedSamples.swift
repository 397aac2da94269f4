/// Pass rates of samples with several attempts.
public enum RepeatedSamples {
    /// Returns the probability that at least one of `k` attempts is correct: 1 - C(n - c, k) / C(n, k); `nil` if n < k.
    ///
    /// Source: Chen et al., Evaluating large language models trained on code, arXiv 2107.03374, equation 1.
    public static func passAtK(count n: Int, correct c: Int, k: Int) -> Double? {
        guard k > 0, n >= k, c >= 0, c <= n else { return nil }
        if n - c < k { return 1 }
        // Multiply the factors of the probability that no attempt is correct.
        var none = 1.0
        for step in 0..<k { none *= Double(n - c - step) / Double(n - step) }
        return 1 - none
    }

    /// Returns the probability that all of `k` attempts are correct: C(c, k) / C(n, k); `nil` if n < k.
    ///
    /// Source: Yao et al., tau-bench, arXiv 2406.12045.
    public static func passHatK(count n: Int, correct c: Int, k: Int) -> Double? {
        guard k > 0, n >= k, c >= 0, c <= n else { return nil }
        if c < k { return 0 }
        var all = 1.0
        for step in 0..<k { all *= Double(c - step) / Double(n - step) }
        return all
    }
}

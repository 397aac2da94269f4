/// A proportion, hits out of a count, with its confidence interval.
public struct Proportion: Hashable, Sendable {
    public var hits: Int
    public var count: Int

    public init(hits: Int, count: Int) {
        self.hits = hits
        self.count = count
    }

    /// 0 if there is nothing to count.
    public var value: Double { count == 0 ? 0 : Double(hits) / Double(count) }

    /// Wilson's score interval; 0...1 if there is nothing to count.
    ///
    /// (p + z²/2n ± z √(p (1 − p)/n + z²/4n²)) / (1 + z²/n)
    /// - Parameter z: 1.96 for 95 %.
    /// - Source: Wilson, JASA 22 (1927).
    public func interval(z: Double = 1.959963984540054) -> ClosedRange<Double> {
        guard count > 0 else { return 0...1 }
        let n = Double(count)
        let p = value
        let center = p + z * z / (2 * n)
        let half = z * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
        let scale = 1 + z * z / n
        return max(0, (center - half) / scale)...min(1, (center + half) / scale)
    }
}

/// Questions on documents whose answers are right or wrong: how hard a document is follows a beta distribution.
struct ClusteredShares {
    let clusters: [Int]
    /// The share of right answers over all documents there could be.
    let truth: Double
    /// Shares of a document at equal steps of probability: drawn from instead of the distribution, for speed.
    private let shares: [Double]

    /// - Parameters:
    ///   - share: the mean share of right answers.
    ///   - correlation: that of two answers on one document, in (0, 1).
    ///   - sizes: how many questions the documents have: from the first to the last, evenly.
    init(share: Double, correlation: Double, clusters count: Int, sizes: ClosedRange<Int>) {
        let strength = (1 - correlation) / correlation
        let beta = BetaDistribution(share * strength, (1 - share) * strength)
        let steps = 2_048
        shares = (0..<steps).map { beta.quantile((Double($0) + 0.5) / Double(steps)) }
        truth = shares.reduce(0, +) / Double(steps)
        clusters = (0..<count).flatMap { cluster in
            [Int](repeating: cluster, count: sizes.lowerBound + (cluster * 37 + 11) % sizes.count)
        }
    }

    /// 1 for a right answer, 0 for a wrong one.
    func draw(_ random: inout Splitmix64) -> [Double] {
        var share = 0.0
        return clusters.indices.map { place in
            if place == 0 || clusters[place - 1] != clusters[place] { share = shares[random.next(below: shares.count)] }
            return random.nextUnit() < share ? 1 : 0
        }
    }
}

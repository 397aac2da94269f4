internal import Tensors

/// Rows to learn from and rows to be judged by, drawn by a seed.
public struct ProbeSplit: Equatable, Sendable {
    public var train: [Int]
    public var test: [Int]

    /// - Parameter testShare: Above 0 and below 1; with at least two rows, each side gets at least one.
    public init(count: Int, testShare: Double = 0.2, seed: UInt64 = 0) {
        var random = PhiloxGenerator(seed: seed)
        let order = random.permutation(count)
        let wanted = Int((Double(count) * min(max(testShare, 0), 1)).rounded())
        let held = min(max(wanted, min(1, count)), max(count - 1, 0))
        test = order[..<held].sorted()
        train = order[held...].sorted()
    }

    public init(train: [Int], test: [Int]) {
        self.train = train
        self.test = test
    }
}

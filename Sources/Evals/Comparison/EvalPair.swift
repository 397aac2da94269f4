/// Changes of a sample from A to B.
public enum EvalChange: String, Hashable, Sendable, CaseIterable {
    /// The sample passes in A and fails in B.
    case broken
    /// The sample fails in A and passes in B.
    case fixed
    case bothFail
    case bothPass
    /// A value without a passing threshold got worse: a grade, a perplexity, seconds.
    case worse
    case better
    case same
    /// The sample has a value in A but not in B.
    case lost
    /// The sample has no value in A.
    case unscored

    /// Whether both runs have a value.
    public var isScored: Bool { self != .lost && self != .unscored }
}

/// A sample in two runs.
public struct EvalPair: Hashable, Sendable {
    /// Name in both runs.
    public var id: String
    /// Direction of the change.
    public var change: EvalChange
    /// Value in A, reduced over the epochs that have one as in the run's task; NaN if there is none.
    public var valueA: Double
    public var valueB: Double
    /// Gain of B over A; negative if B is worse, 0 if a value is missing.
    public var gain: Double
    /// `EvalRow.index` of the rows to show: the best epoch of A and the worst of B.
    public var rowA: Int
    public var rowB: Int
    /// Cluster of dependent samples; `nil` if the sample is independent.
    public var cluster: String?
    /// Slices in the order of `EvalDiff.sliceNames`.
    public var slices: [String]
    /// First characters of the input.
    public var input: String
    /// Whether both runs have the same recorded answer, one from the cache.
    public var isCopy = false

    public init(
        id: String, change: EvalChange, valueA: Double, valueB: Double, gain: Double, rowA: Int, rowB: Int,
        cluster: String?, slices: [String], input: String
    ) {
        self.id = id
        self.change = change
        self.valueA = valueA
        self.valueB = valueB
        self.gain = gain
        self.rowA = rowA
        self.rowB = rowB
        self.cluster = cluster
        self.slices = slices
        self.input = input
    }

    /// Whether B is worse.
    public var isRegression: Bool { change == .broken || change == .lost || gain < 0 }

    /// Returns the change in one word: `broken`, `worse`, `slower`, `lost`.
    public func word(_ measure: EvalMeasure) -> String {
        switch change {
        case .broken, .fixed, .same, .lost, .unscored: change.rawValue
        case .worse, .better: measure.word(change == .better)
        case .bothPass, .bothFail:
            gain == 0 ? change == .bothPass ? "both pass" : "both fail" : measure.word(gain > 0)
        }
    }

    /// Sort key, regressions first: broken, smaller losses, lost scores; then fixed, gains, both failed, both passed.
    var rank: Int {
        switch change {
        case .broken: 0
        case .lost: 2
        case .fixed: 3
        case .unscored: 7
        case .bothFail, .bothPass, .worse, .better, .same:
            gain < 0 ? 1 : gain > 0 ? 4 : change == .bothFail ? 5 : 6
        }
    }
}

/// Numbers of samples that changed in each direction.
public struct EvalFlips: Hashable, Sendable {
    /// Number of samples that passed in B only, in A only, in both, and in neither.
    public var fixed: Int
    public var broken: Int
    public var bothPass: Int
    public var bothFail: Int
    /// Number of values without a passing threshold that got worse.
    public var worse = 0
    public var better = 0
    public var same = 0

    public init(fixed: Int = 0, broken: Int = 0, bothPass: Int = 0, bothFail: Int = 0) {
        self.fixed = fixed
        self.broken = broken
        self.bothPass = bothPass
        self.bothFail = bothFail
    }

    mutating func count(_ change: EvalChange) {
        switch change {
        case .fixed: fixed += 1
        case .broken: broken += 1
        case .bothPass: bothPass += 1
        case .bothFail: bothFail += 1
        case .worse: worse += 1
        case .better: better += 1
        case .same: same += 1
        case .lost, .unscored: break
        }
    }
}

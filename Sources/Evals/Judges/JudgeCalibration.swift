internal import Hashing
public import Statistics

/// Agreement between a judge's scores and human ratings, and the score at which the judge should pass a sample.
///
/// The threshold is chosen on one half of the rated samples and the agreement is measured on the other half: a
/// threshold measured on the data that it was tuned on looks better than it is. The seed determines the halves.
public struct JudgeCalibration: Hashable, Sendable {
    /// A sample with a human rating.
    public struct Item: Hashable, Sendable {
        /// Name of the sample.
        public var id: String
        /// Score of the judge; `nil` if the judge's reply could not be read.
        public var judge: Double?
        /// Whether people passed the sample.
        public var passes: Bool

        public init(id: String, judge: Double?, passes: Bool) {
            self.id = id
            self.judge = judge
            self.passes = passes
        }
    }

    /// Minimum passing score of the judge.
    public var threshold: Double
    /// Whether the threshold separates human passes from failures better than chance. If none does, the threshold is
    /// the lowest score, and all samples pass.
    public var tellsApart: Bool
    /// Number of samples for choosing the threshold; the rest measure the agreement.
    public var chosenOn: Int
    public var reportedOn: Int
    /// Number of samples whose judge reply could not be read.
    public var unread: Int
    /// Cohen's kappa and Krippendorff's alpha (nominal) between judge and people; `nil` if nothing varies.
    public var kappa: Double?
    public var alpha: Double?
    /// Share of samples on which judge and people agree.
    public var agreement: Double?
    /// Wilson's interval at 95 %.
    public var agreementInterval: Interval?
    /// Bootstrap interval at 95 %; `nil` for fewer than ten samples.
    public var kappaInterval: Interval?
    /// Number of samples that both pass, only the judge passes, only people pass, and neither passes.
    public var bothPass = 0
    public var judgeOnly = 0
    public var peopleOnly = 0
    public var bothFail = 0
    /// All samples, disagreements first, those farthest from the threshold before the others.
    public var items: [Item]

    /// Creates a calibration; `nil` if fewer than four samples have both a score and a rating.
    public init?(_ items: [Item], seed: UInt64 = 0) {
        let read = items.filter { $0.judge.map { !$0.isNaN } ?? false }
        guard read.count >= 4 else { return nil }
        var order = Array(read.indices)
        var generator = SplitMix64(seed: seed)
        for place in order.indices.reversed() where place > 0 {
            order.swapAt(place, generator.next(below: place + 1))
        }
        let half = order.count / 2
        let tuning = order[..<half].map { read[$0] }
        let report = order[half...].map { read[$0] }
        let best = Self.best(tuning)
        let threshold = best.threshold
        self.threshold = threshold
        tellsApart = best.kappa > 0
        chosenOn = tuning.count
        reportedOn = report.count
        unread = items.count - read.count
        let judged = report.map { ($0.judge ?? 0) >= threshold }
        let people = report.map(\.passes)
        for (judge, person) in zip(judged, people) {
            switch (judge, person) {
            case (true, true): bothPass += 1
            case (true, false): judgeOnly += 1
            case (false, true): peopleOnly += 1
            case (false, false): bothFail += 1
            }
        }
        kappa = Self.kappa(judged, people)
        alpha = Agreement.krippendorffAlpha([judged.map { $0 ? 1 : 0 }, people.map { $0 ? 1 : 0 }], level: .nominal)
        agreement = Double(bothPass + bothFail) / Double(report.count)
        agreementInterval = ProportionInterval.wilson(hits: bothPass + bothFail, count: report.count)
        kappaInterval = kappa.flatMap { kappa in
            MetricBootstrap.interval(of: kappa, clusters: report.map { _ in nil }) { places in
                Self.kappa(places.map { judged[$0] }, places.map { people[$0] })
            }
        }
        func rank(_ item: Item) -> (Int, Double) {
            guard let judge = item.judge, !judge.isNaN else { return (1, 0) }
            return ((judge >= threshold) != item.passes ? 0 : 2, -abs(judge - threshold))
        }
        self.items = items.enumerated().sorted {
            let one = rank($0.element)
            let other = rank($1.element)
            return one == other ? $0.offset < $1.offset : one < other
        }.map(\.element)
    }

    /// Returns the score with the highest kappa on some samples; of equals, the lowest. A score that passes all samples
    /// has a kappa of 0, and is returned if no other has a higher one.
    private static func best(_ items: [Item]) -> (kappa: Double, threshold: Double) {
        let people = items.map(\.passes)
        let thresholds = Set(items.compactMap(\.judge)).sorted()
        var best = (kappa: 0.0, threshold: thresholds.first ?? 0)
        for threshold in thresholds {
            let kappa = kappa(items.map { ($0.judge ?? 0) >= threshold }, people) ?? 0
            if kappa > best.kappa { best = (kappa, threshold) }
        }
        return best
    }

    private static func kappa(_ one: [Bool], _ other: [Bool]) -> Double? {
        Agreement.cohenKappa(one.map { $0 ? 1 : 0 }, other.map { $0 ? 1 : 0 })
    }
}

/// Two runs of a task, sample by sample: what the diff page and the filter `changed` know of them.
package struct EvalContrast: Sendable {
    /// What became of a sample from the first run to the second.
    package enum Change: UInt8, Sendable, CaseIterable {
        /// It stands in one of the runs alone, or has no score in one of them.
        case unpaired
        case fixed
        case broken
        case both
        case neither
        /// The score got worse, and the metric has no passing threshold.
        case worse
        case better
        case same
        /// The first run has a score for it, the second has none.
        case lost

        var word: String {
            switch self {
            case .unpaired: "unpaired"
            case .both: "both right"
            case .fixed, .broken, .neither, .worse, .better, .same, .lost: "\(self)"
            }
        }

        /// Changes in the order of the summary above the list.
        static let inOrder: [Change] = [.broken, .worse, .lost, .fixed, .better, .neither, .both, .same]
        /// Those that a comparison of right and wrong answers tells in any case.
        static let quadrants: [Change] = [.broken, .fixed, .neither, .both]
    }

    /// A sample of both runs, by its places in their logs.
    package struct Pair: Hashable, Sendable {
        package var base: Int32
        package var new: Int32
        package var change: Change
        /// Score before the change; NaN if there is none.
        package var before: Float
        /// Score after the change; NaN if there is none.
        package var after: Float
        /// By how much the second is better than the first.
        package var gain: Float
        package var id: String
        package var input: String
        /// The comparison's word for the change, such as `slower` (default: the change's own word).
        package var word: String

        /// Whether the second run did worse, right or wrong aside.
        var isRegression: Bool { change == .broken || change == .lost || gain < 0 }

        package init(
            base: Int32, new: Int32, change: Change, before: Float, after: Float, gain: Float, id: String,
            input: String, word: String? = nil
        ) {
            self.word = word ?? change.word
            self.base = base
            self.new = new
            self.change = change
            self.before = before
            self.after = after
            self.gain = gain
            self.id = id
            self.input = input
        }
    }

    /// As they are listed: broken ones first, the worst of them before the others.
    package let pairs: [Pair]
    package let onlyBase: Int
    package let onlyNew: Int
    /// Pairs of which one has no score.
    package let unscored: Int
    /// The score that is compared.
    package let score: String
    /// `−2.9 points, 95 % [−4.1, −1.7], p 0.0001 (exact McNemar), smallest detectable 2.4`.
    package let sentence: String
    /// What stands below it: the means, the kind of the interval, what is missing.
    package let notes: [String]
    /// By the place of a sample in the second run.
    package let changes: [UInt8]
    /// Index of the pair of each sample of the second run; -1 if the sample has no pair.
    package let places: [Int32]

    package init(
        pairs: [Pair], onlyBase: Int, onlyNew: Int, unscored: Int, score: String, sentence: String, notes: [String]
    ) {
        self.pairs = pairs
        self.onlyBase = onlyBase
        self.onlyNew = onlyNew
        self.unscored = unscored
        self.score = score
        self.sentence = sentence
        self.notes = notes
        let count = pairs.reduce(0) { max($0, Int($1.new) + 1) }
        var changes = [UInt8](repeating: Change.unpaired.rawValue, count: count)
        var places = [Int32](repeating: -1, count: count)
        for (place, pair) in self.pairs.enumerated() where pair.new >= 0 {
            changes[Int(pair.new)] = pair.change.rawValue
            places[Int(pair.new)] = Int32(place)
        }
        self.changes = changes
        self.places = places
    }

    func count(_ change: Change) -> Int { pairs.count { $0.change == change } }

    /// Changes to report: the four quadrants if answers pass or fail, otherwise the changes that occur.
    var told: [Change] {
        let counts = Dictionary(pairs.map { ($0.change, 1) }, uniquingKeysWith: +)
        let hasPasses = Change.quadrants.contains { counts[$0] != nil } || counts.isEmpty
        return Change.inOrder.filter { counts[$0] != nil || (hasPasses && Change.quadrants.contains($0)) }
    }

    /// A sample's pair, by its place in the second run.
    func pair(of sample: Int) -> Pair? {
        places.indices.contains(sample) && places[sample] >= 0 ? pairs[Int(places[sample])] : nil
    }

    /// Whether a sample of the second run did worse than in the first.
    func isRegression(_ sample: Int) -> Bool { pair(of: sample)?.isRegression ?? false }

    /// Whether one of the changes is that of a sample; what became worse and is right or wrong as before is worse too.
    func isAmong(_ changes: Set<Change>, _ sample: Int) -> Bool {
        let change = change(of: sample)
        if changes.contains(change) { return true }
        guard change == .both || change == .neither, let gain = pair(of: sample)?.gain else { return false }
        return gain < 0 ? changes.contains(.worse) : gain > 0 && changes.contains(.better)
    }

    func change(of sample: Int) -> Change {
        changes.indices.contains(sample) ? Change(rawValue: changes[sample]) ?? .unpaired : .unpaired
    }
}

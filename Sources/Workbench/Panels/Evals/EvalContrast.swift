package import Evals
internal import Formatting
internal import Statistics

/// Two runs of a task compared sample by sample, for the diff and the filter `changed`.
package struct EvalContrast: Sendable {
    /// Pairs of samples, regressions first.
    let pairs: [EvalPair]
    /// The compared score.
    let measure: EvalMeasure
    /// `−2.9 points, 95 % [−4.1, −1.7], p 0.0001 (exact McNemar), smallest detectable 2.4`.
    let sentence: String
    /// Lines below the sentence: the means, the effect size, and the power.
    let notes: [String]
    /// Number of pairs by change.
    private let counts: [EvalChange: Int]
    /// Index of the pair of each sample of the second run; -1 if the sample has no pair.
    private let places: [Int32]

    package init(_ join: EvalJoin, _ diff: EvalDiff) {
        pairs = diff.pairs
        measure = diff.measure
        sentence = diff.sentence
        notes = Self.notes(diff, repeated: join.repeated)
        counts = Dictionary(diff.pairs.map { ($0.change, 1) }, uniquingKeysWith: +)
        var places = [Int32](repeating: -1, count: (diff.pairs.map(\.rowB).max() ?? -1) + 1)
        for (place, pair) in diff.pairs.enumerated() { places[pair.rowB] = Int32(place) }
        self.places = places
    }

    private static func notes(_ diff: EvalDiff, repeated: Int) -> [String] {
        guard let total = diff.total, let means = diff.means("before", "after") else { return [] }
        var tests: [String] = []
        if let effect = total.effectSize { tests.append("d_z \(Format.metric(effect))") }
        if let power = total.power { tests.append("power \(Format.share(power))") }
        if repeated > 0 { tests.append("\(Format.count(repeated)) repeated samples: only the first of each counts") }
        return tests.isEmpty ? [means] : [means + ", " + tests.joined(separator: ", ")]
    }

    func count(_ change: EvalChange) -> Int { counts[change] ?? 0 }

    /// Changes to report: the four quadrants if answers pass or fail, otherwise the changes that occur.
    var told: [EvalChange] {
        let quadrants: [EvalChange] = [.broken, .fixed, .bothFail, .bothPass]
        let hasPasses = counts.isEmpty || quadrants.contains { counts[$0] != nil }
        let all: [EvalChange] = [.broken, .worse, .lost, .fixed, .better, .bothFail, .bothPass, .same]
        return all.filter { counts[$0] != nil || hasPasses && quadrants.contains($0) }
    }

    /// Returns the word for the change of a pair; comparisons name losses and gains, such as `slower`.
    func word(_ pair: EvalPair) -> String {
        let hasValues = pair.change.isScored || pair.change == .lost
        let isUnchanged = pair.gain == 0 && (pair.change == .bothPass || pair.change == .bothFail)
        return hasValues && !isUnchanged ? pair.word(measure) : pair.change.word
    }

    /// Returns the pair of a sample of the second run; `nil` if the sample has none.
    func pair(of sample: Int) -> EvalPair? {
        places.indices.contains(sample) && places[sample] >= 0 ? pairs[Int(places[sample])] : nil
    }

    /// Returns whether a sample of the second run did worse than in the first.
    func isRegression(_ sample: Int) -> Bool { pair(of: sample)?.isRegression ?? false }

    /// Returns whether a sample changed in one of several ways. A sample that passes or fails as before can be worse.
    func isAmong(_ changes: Set<EvalChange>, _ sample: Int) -> Bool {
        guard let pair = pair(of: sample) else { return changes.contains(.unscored) }
        if changes.contains(pair.change) { return true }
        guard pair.change == .bothPass || pair.change == .bothFail else { return false }
        return pair.gain < 0 ? changes.contains(.worse) : pair.gain > 0 && changes.contains(.better)
    }
}

extension EvalChange {
    /// The change in the words of the page.
    var word: String {
        switch self {
        case .unscored: "unpaired"
        case .bothPass: "both right"
        case .bothFail: "neither"
        case .fixed, .broken, .worse, .better, .same, .lost: rawValue
        }
    }
}

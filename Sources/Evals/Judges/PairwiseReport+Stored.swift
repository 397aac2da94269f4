public import EvalLogs

extension PairwiseReport {
    /// Creates the report from the stored samples of a run with the scorer `pairwise`, including a run in progress.
    ///
    /// - Throws: `EvalLogError` if its samples cannot be read.
    public init(_ log: any EvalLog) throws(EvalLogError) {
        self.init(try PairwiseJudge.Comparison.stored(in: log).map(\.comparison))
    }
}

extension PairwiseJudge.Comparison {
    /// Returns the stored comparison of each sample of a run with the scorer `pairwise`, in order.
    ///
    /// - Throws: `EvalLogError` if its samples cannot be read.
    public static func stored(in log: any EvalLog) throws(EvalLogError) -> [(id: String, comparison: Self)] {
        let names = log.run.scores.map(\.name)
        let places = PairwiseScorer.names.map { names.firstIndex(of: $0) }
        var comparisons: [(id: String, comparison: Self)] = []
        for row in try log.allRows() {
            let values = places.map { place in
                place.flatMap { row.scores.indices.contains($0) ? row.scores[$0] : nil } ?? .nan
            }
            var found = Self(outcome: values[0], flipped: values[1], firstPlace: values[2])
            if found.outcome != nil {
                let sample = try log.sample(row.index)
                found.lengthA = (sample.answer ?? "").unicodeScalars.count
                found.lengthB = (sample.targets.first ?? "").unicodeScalars.count
            }
            comparisons.append((row.id, found))
        }
        return comparisons
    }

    /// Creates the verdicts behind these scores of ``PairwiseScorer``; no verdicts if a score is invalid.
    ///
    /// If the orders disagree, the scores record how often the first place won, not in which order: each figure of a
    /// report is the same in both cases.
    init(outcome: Double, flipped: Double, firstPlace: Double) {
        self.init(forward: nil, backward: nil)
        guard outcome.isFinite, firstPlace.isFinite else { return }
        if flipped == 0 {
            let verdict: PairwiseJudge.Verdict = outcome == 1 ? .first : outcome == 0 ? .second : .tie
            (forward, backward) = (verdict, verdict.turned)
        } else {
            switch firstPlace {
            case 1: (forward, backward) = (.first, .first)
            case 0: (forward, backward) = (.second, .second)
            case 0.5...: (forward, backward) = (.first, .tie)
            default: (forward, backward) = (.second, .tie)
            }
        }
    }

    /// Share of wins of the first place over both orders, with a tie as half; `nil` if a reply could not be read.
    var firstPlace: Double? {
        guard let forward, let backward else { return nil }
        return (forward.share + backward.share) / 2
    }
}

extension PairwiseJudge.Verdict {
    /// Share of the first place: 1 for the first, 0 for the second, 0.5 for a tie.
    var share: Double {
        switch self {
        case .first: 1
        case .second: 0
        case .tie: 0.5
        }
    }
}

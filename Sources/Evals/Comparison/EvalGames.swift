internal import Statistics
internal import Traces

/// Games between runs: each sample that two runs share is a game, won by the better value, with a tie for equal values.
struct EvalGames {
    struct Played {
        var game: BradleyTerry.Game
        /// Sample, or its cluster; games with the same key are dependent.
        var key: String
        /// `EvalRow.index` in the later of the two runs.
        var row: Int
    }

    private(set) var played: [Played] = []

    /// Creates the games of each pair of runs. O(runs² × samples).
    init(_ entries: [EvalMatrix.Entry], measure name: String?) {
        for a in entries.indices {
            for b in entries.indices where b > a {
                let join = EvalJoin(entries[a].run, entries[a].rows, entries[b].run, entries[b].rows)
                guard let measure = try? join.measure(named: name) else { continue }
                let diff = EvalDiff(join, measure: measure, options: EvalDiffOptions(slices: []))
                for pair in diff.pairs where pair.change != .unscored {
                    let result = pair.gain > 0 ? 0 : pair.gain < 0 ? 1 : 0.5
                    played.append(
                        Played(
                            game: BradleyTerry.Game(first: a, second: b, result: result),
                            key: pair.cluster.map { "c\($0)" } ?? "s\(pair.id)", row: pair.rowB))
                }
            }
        }
    }
}

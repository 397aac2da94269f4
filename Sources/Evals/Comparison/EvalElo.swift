public import EvalLogs
public import JSON
internal import Statistics

/// Elo ratings of runs, in the order in which they were recorded.
///
/// A run plays when it is recorded: sample after sample, against each earlier run. Unlike ``EvalRatings``, the ratings
/// depend on the order, and the last games weigh most.
public struct EvalElo: Sendable {
    /// Runs by start time.
    public let runs: [EvalRun]
    /// Elo ratings, starting at 1000.
    public let ratings: [Double]
    /// K-factor: twice the change in ratings after one game between equal players.
    public let k: Double
    /// Number of games: pairs of runs on a sample.
    public let games: Int

    /// Creates the ratings of the first 64 runs by start time; runs without a start time come last, in the given order.
    public init(_ entries: [EvalMatrix.Entry], measure: String? = nil, k: Double = 4) {
        let entries = entries.prefix(64).enumerated().sorted {
            ($0.element.run.start ?? .max, $0.offset) < ($1.element.run.start ?? .max, $1.offset)
        }.map(\.element)
        runs = entries.map(\.run)
        self.k = k
        let played = EvalGames(entries, measure: measure).played.sorted {
            ($0.game.second, $0.row, $0.game.first) < ($1.game.second, $1.row, $1.game.first)
        }
        games = played.count
        var elo = EloRatings(players: entries.count, k: k)
        for one in played { elo.play(one.game) }
        ratings = elo.ratings
    }
}

extension EvalElo: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("games", games)
            json.member("k", k)
            json.member("runs") { json in
                json.array { json in
                    for (run, rating) in zip(runs, ratings) {
                        json.object {
                            $0.member("name", run.name)
                            $0.member("elo", rating)
                        }
                    }
                }
            }
        }
    }
}

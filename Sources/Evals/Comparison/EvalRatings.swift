public import EvalLogs
public import JSON
public import Statistics

/// Ratings of runs as players: each shared sample is a game, won by the better value, with a tie for equal values.
public struct EvalRatings: Sendable {
    /// Runs in the given order.
    public let runs: [EvalRun]
    /// Bradley-Terry strengths on Elo's scale around 1000.
    public let elo: [Double]
    /// Bootstrap intervals over samples or clusters; `nil` if too few resamples have strengths.
    public let intervals: [Interval?]
    /// Number of games: pairs of runs on a sample.
    public let games: Int

    /// Creates the ratings of the first 64 runs. O(runs² × samples × resamples).
    ///
    /// - Throws: `BradleyTerryError` if runs share no samples or never win against each other.
    public init(
        _ entries: [EvalMatrix.Entry], measure: String? = nil, level: Double = 0.95, seed: UInt64 = 1
    ) throws(BradleyTerryError) {
        let entries = Array(entries.prefix(64))
        runs = entries.map(\.run)
        var rounds: [String: Int] = [:]
        var played: [[BradleyTerry.Game]] = []
        for one in EvalGames(entries, measure: measure).played {
            // A sample (or cluster) is resampled with all its games.
            let round = rounds[one.key] ?? played.count
            if round == played.count {
                rounds[one.key] = round
                played.append([])
            }
            played[round].append(one.game)
        }
        games = played.reduce(0) { $0 + $1.count }
        elo = try BradleyTerry(players: entries.count, games: played.flatMap { $0 }).elo
        let draws = min(max(200_000_000 / max(games, 1), 100), 1000)
        intervals = BradleyTerry.intervals(
            players: entries.count, rounds: played, draws: draws, level: level, seed: seed
        ).intervals.map { interval in
            interval.map {
                Interval(lower: BradleyTerry.elo($0.lower), upper: BradleyTerry.elo($0.upper), level: $0.level)
            }
        }
    }
}

extension EvalRatings: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("games", games)
            json.member("runs") { json in
                json.array { json in
                    for (place, run) in runs.enumerated() {
                        json.object {
                            $0.member("name", run.name)
                            $0.member("elo", elo[place])
                            $0.member("lower", ifPresent: intervals[place]?.lower)
                            $0.member("upper", ifPresent: intervals[place]?.upper)
                        }
                    }
                }
            }
        }
    }
}

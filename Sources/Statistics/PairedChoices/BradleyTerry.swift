internal import Glibc

/// Strengths of players from games of two: P(i beats j) = 1 / (1 + exp(theta_j - theta_i)).
///
/// The strengths of greatest likelihood, with mean 0; a tie is half a win for both. They exist only where everybody has
/// beaten everybody else, be it over others.
/// - Source: Bradley, Terry, Biometrika 39 (1952); Ford, American Mathematical Monthly 64 (1957) for the condition.
public struct BradleyTerry: Hashable, Sendable {
    /// One game.
    public struct Game: Hashable, Sendable {
        /// A player.
        public var first: Int
        /// The other one.
        public var second: Int
        /// 1 where the first won, 0 where the second did, 0.5 for a tie.
        public var result: Double

        /// A game with any result in [0, 1].
        public init(first: Int, second: Int, result: Double) {
            self.first = first
            self.second = second
            self.result = result
        }

        /// A game that was won.
        public init(winner: Int, loser: Int) { self.init(first: winner, second: loser, result: 1) }
        /// A game that nobody won.
        public static func tie(_ a: Int, _ b: Int) -> Game { Game(first: a, second: b, result: 0.5) }
    }

    /// theta, one a player, mean 0.
    public let strengths: [Double]

    /// Games of a player against itself or with players that there are not, and results outside [0, 1], count not.
    public init(players: Int, games: [Game]) throws(BradleyTerryError) {
        try self.init(wins: Self.wins(players, games))
    }

    private init(wins: [[Double]]) throws(BradleyTerryError) {
        let components = stronglyConnected(wins)
        guard components.count <= 1 else { throw BradleyTerryError(components: components) }
        strengths = Self.maximum(wins)
    }

    /// The chance that the first beats the second.
    public func probability(_ first: Int, over second: Int) -> Double {
        1 / (1 + exp(strengths[second] - strengths[first]))
    }

    /// Elo's scale: 1000 + 400 / ln 10 theta.
    public var elo: [Double] { strengths.map(Self.elo) }
    /// A strength on Elo's scale.
    public static func elo(_ strength: Double) -> Double { 1000 + 400 / log(10) * strength }

    /// Intervals of the strengths, with games drawn anew; nil for a player where too few draws could be used.
    ///
    /// Draws in which somebody is no longer beaten by all or beats none are left out; `used` says how many were not.
    public static func intervals(
        players: Int, games: [Game], draws: Int = 1000, level: Double = 0.95, seed: UInt64 = 1
    ) -> (intervals: [Interval?], used: Int) {
        intervals(players: players, rounds: games.map { [$0] }, draws: draws, level: level, seed: seed)
    }

    /// The same where games hang together: whole rounds are drawn anew, all games about one question for instance.
    ///
    /// Every draw has random numbers of its own, so the intervals do not depend on the number of threads; none where it
    /// was cancelled.
    public static func intervals(
        players: Int, rounds: [[Game]], draws: Int = 1000, level: Double = 0.95, seed: UInt64 = 1, threads: Int? = nil,
        isCancelled: @Sendable () -> Bool = { false }
    ) -> (intervals: [Interval?], used: Int) {
        let count = rounds.isEmpty ? 0 : min(max(draws, 1), 100_000)
        let drawn =
            Pieces.map(count, threads: threads, isCancelled: isCancelled) { draw -> [Double]? in
                var random = Splitmix64(seed: seed, stream: 0xB7 << 32 + UInt64(draw))
                var wins = Self.wins(players, [])
                for _ in rounds.indices { Self.add(rounds[random.next(below: rounds.count)], to: &wins) }
                return (try? BradleyTerry(wins: wins))?.strengths
            }?.compactMap(\.self) ?? []
        let intervals = (0..<max(players, 0)).map { player -> Interval? in
            guard drawn.count >= 20 else { return nil }
            let sorted = drawn.map { $0[player] }.sorted()
            return Interval(
                lower: quantile(sorted, (1 - level) / 2), upper: quantile(sorted, (1 + level) / 2), level: level)
        }
        return (intervals, drawn.count)
    }

    /// [winner][loser].
    private static func wins(_ players: Int, _ games: [Game]) -> [[Double]] {
        let count = max(players, 0)
        var wins = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
        add(games, to: &wins)
        return wins
    }

    private static func add(_ games: [Game], to wins: inout [[Double]]) {
        for game in games where game.first != game.second && game.result >= 0 && game.result <= 1 {
            guard wins.indices.contains(game.first), wins.indices.contains(game.second) else { continue }
            wins[game.first][game.second] += game.result
            wins[game.second][game.first] += 1 - game.result
        }
    }
}

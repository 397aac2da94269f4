internal import Glibc
internal import Hashing

/// Maximum-likelihood strengths of players in pairwise games: P(i beats j) = 1 / (1 + exp(theta_j - theta_i)).
///
/// The mean strength is 0, and a tie counts as half a win for each player. Strengths exist only if every player has
/// beaten every other player, directly or through others.
/// - Source: Bradley, Terry, Biometrika 39 (1952); Ford, American Mathematical Monthly 64 (1957) for the condition.
public struct BradleyTerry: Hashable, Sendable {
    /// One game between two players.
    public struct Game: Hashable, Sendable {
        /// Index of the first player.
        public var first: Int
        /// Index of the second player.
        public var second: Int
        /// Result for the first player: 1 for a win, 0 for a loss, 0.5 for a tie.
        public var result: Double

        /// Creates a game with a result in [0, 1].
        public init(first: Int, second: Int, result: Double) {
            self.first = first
            self.second = second
            self.result = result
        }

        /// Creates a game with a winner.
        public init(winner: Int, loser: Int) { self.init(first: winner, second: loser, result: 1) }
        /// Returns a tied game.
        public static func tie(_ a: Int, _ b: Int) -> Game { Game(first: a, second: b, result: 0.5) }
    }

    /// Strength theta of each player; the mean is 0.
    public let strengths: [Double]

    /// Creates the strengths that fit the games best.
    ///
    /// Games of a player against itself or with an unknown player, and results outside [0, 1], are ignored.
    /// - Throws: ``BradleyTerryError`` if the strengths do not exist.
    public init(players: Int, games: [Game]) throws(BradleyTerryError) {
        try self.init(wins: Self.wins(players, games))
    }

    private init(wins: [[Double]]) throws(BradleyTerryError) {
        let components = stronglyConnected(wins)
        guard components.count <= 1 else { throw BradleyTerryError(components: components) }
        strengths = Self.maximum(wins)
    }

    /// Returns the probability that the first player beats the second.
    public func probability(_ first: Int, over second: Int) -> Double {
        1 / (1 + exp(strengths[second] - strengths[first]))
    }

    /// Strengths on the Elo scale, 1000 + 400 / ln 10 theta.
    public var elo: [Double] { strengths.map(Self.elo) }
    /// Returns a strength on the Elo scale.
    public static func elo(_ strength: Double) -> Double { 1000 + 400 / log(10) * strength }

    /// Returns bootstrap intervals of the strengths, with games as the units of resampling.
    ///
    /// Resamples whose strengths cannot be estimated are dropped; `used` is the number of remaining resamples. All
    /// intervals are `nil` if fewer than 20 resamples remain.
    public static func intervals(
        players: Int, games: [Game], draws: Int = 1000, level: Double = 0.95, seed: UInt64 = 1
    ) -> (intervals: [Interval?], used: Int) {
        intervals(players: players, rounds: games.map { [$0] }, draws: draws, level: level, seed: seed)
    }

    /// Returns bootstrap intervals of the strengths, with rounds as the units of resampling.
    ///
    /// Use rounds for games that are not independent, such as all games about one sample. Every resample has its own
    /// random stream, so the intervals do not depend on the number of threads. All intervals are `nil` if canceled.
    public static func intervals(
        players: Int, rounds: [[Game]], draws: Int = 1000, level: Double = 0.95, seed: UInt64 = 1, threads: Int? = nil,
        isCancelled: @Sendable () -> Bool = { false }
    ) -> (intervals: [Interval?], used: Int) {
        let count = rounds.isEmpty ? 0 : min(max(draws, 1), 100_000)
        let drawn =
            Pieces.map(count, threads: threads, isCancelled: isCancelled) { draw -> [Double]? in
                var random = SplitMix64(seed: seed, stream: 0xB7 << 32 + UInt64(draw))
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

    /// Returns the number of wins as [winner][loser].
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

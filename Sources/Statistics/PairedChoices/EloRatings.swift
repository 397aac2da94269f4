internal import Glibc

/// Elo ratings, which change with every game. Unlike in ``BradleyTerry``, the order of the games matters.
///
/// The expected result is 1 / (1 + 10^((R_j - R_i) / 400)). A game changes both ratings by k times the difference
/// between the result and the expected result.
/// - Source: Elo, The Rating of Chessplayers (1978).
public struct EloRatings: Hashable, Sendable {
    /// Rating of each player.
    public private(set) var ratings: [Double]
    /// Maximum rating change per game.
    public let k: Double

    /// Creates ratings that are equal for all players.
    public init(players: Int, k: Double = 4, start: Double = 1000) {
        ratings = [Double](repeating: start, count: max(players, 0))
        self.k = k
    }

    /// Updates the ratings with a game.
    ///
    /// Games of a player against itself or with an unknown player, and results outside [0, 1], are ignored.
    public mutating func play(_ game: BradleyTerry.Game) {
        let (first, second) = (game.first, game.second)
        guard first != second, ratings.indices.contains(first), ratings.indices.contains(second),
            game.result >= 0, game.result <= 1
        else { return }
        let expected = 1 / (1 + pow(10, (ratings[second] - ratings[first]) / 400))
        let move = k * (game.result - expected)
        ratings[first] += move
        ratings[second] -= move
    }

    /// Updates the ratings with a win.
    public mutating func play(winner: Int, loser: Int) { play(BradleyTerry.Game(winner: winner, loser: loser)) }
    /// Updates the ratings with a tie.
    public mutating func tie(_ a: Int, _ b: Int) { play(.tie(a, b)) }
}

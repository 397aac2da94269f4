internal import Glibc

/// Ratings that move with each game; their order matters, unlike with Bradley and Terry.
///
/// The expected result is 1 / (1 + 10^((R_j - R_i) / 400)); both ratings move by k times the surprise.
/// - Source: Elo, The Rating of Chessplayers (1978).
public struct EloRatings: Hashable, Sendable {
    public private(set) var ratings: [Double]
    /// How much a game moves a rating.
    public let k: Double

    /// All players start alike.
    public init(players: Int, k: Double = 4, start: Double = 1000) {
        ratings = [Double](repeating: start, count: max(players, 0))
        self.k = k
    }

    /// Takes a game; one of players that there are not, of one against itself or without a result in [0, 1] counts not.
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

    /// Takes in a game that was won.
    public mutating func play(winner: Int, loser: Int) { play(BradleyTerry.Game(winner: winner, loser: loser)) }
    /// Takes in a game that nobody won.
    public mutating func tie(_ a: Int, _ b: Int) { play(.tie(a, b)) }
}

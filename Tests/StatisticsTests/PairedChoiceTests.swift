import Glibc
import Hashing
import Statistics
import Testing

@Suite("Strengths from pairwise games")
struct PairedChoiceTests {
    @Test("the strengths of two players match the closed form")
    func twoPlayers() throws {
        let games = [BradleyTerry.Game](repeating: .init(winner: 0, loser: 1), count: 3) + [.init(winner: 1, loser: 0)]
        let fit = try BradleyTerry(players: 2, games: games)
        #expect(abs(fit.strengths[0] - fit.strengths[1] - log(3)) < 1e-12)
        #expect(abs(fit.strengths[0] + fit.strengths[1]) < 1e-15)
        #expect(abs(fit.probability(0, over: 1) - 0.75) < 1e-12)
        #expect(abs(fit.elo[0] - fit.elo[1] - 400 * log10(3)) < 1e-9)
    }

    @Test("a tie counts as half a win for each player")
    func ties() throws {
        let tied = try BradleyTerry(players: 3, games: [.tie(0, 1), .tie(1, 2), .tie(1, 2)])
        #expect(tied.strengths.allSatisfy { abs($0) < 1e-12 })
        let halves = try BradleyTerry(players: 2, games: [.tie(0, 1), .tie(0, 1), .init(winner: 0, loser: 1)])
        let whole = try BradleyTerry(
            players: 2, games: [.init(winner: 0, loser: 1), .init(winner: 0, loser: 1), .init(winner: 1, loser: 0)])
        #expect(abs(halves.strengths[0] - whole.strengths[0]) < 1e-12)
    }

    @Test("expected wins equal observed wins")
    func expectedWins() throws {
        // At the maximum of the likelihood, each player's wins equal the sum of its win probabilities.
        var random = SplitMix64(seed: 1)
        let truth = (0..<12).map { Double($0) / 2 }
        var games: [BradleyTerry.Game] = []
        for _ in 0..<3000 {
            let (i, j) = (random.next(below: 12), random.next(below: 12))
            guard i != j else { continue }
            let isFirst = random.nextUnit() < 1 / (1 + exp(truth[j] - truth[i]))
            games.append(isFirst ? .init(winner: i, loser: j) : .init(winner: j, loser: i))
        }
        let fit = try BradleyTerry(players: 12, games: games)
        var (seen, expected) = ([Double](repeating: 0, count: 12), [Double](repeating: 0, count: 12))
        for game in games {
            seen[game.first] += 1
            expected[game.first] += fit.probability(game.first, over: game.second)
            expected[game.second] += fit.probability(game.second, over: game.first)
        }
        for (wins, chance) in zip(seen, expected) { #expect(abs(wins - chance) < 1e-8) }
    }

    @Test("groups that never beat each other are named in the error")
    func groups() {
        let error = #expect(throws: BradleyTerryError.self) {
            try BradleyTerry(
                players: 5,
                games: [
                    .init(winner: 0, loser: 2), .init(winner: 2, loser: 0), .init(winner: 0, loser: 1), .tie(1, 3),
                ])
        }
        #expect(error?.components == [[0, 2], [1, 3], [4]])
        #expect(
            error?.sentence(name: { ["gpt", "pi", "orrery", "x", "y"][$0] })
                == "Bradley-Terry strengths do not exist: the groups (gpt, orrery | pi, x | y) have no games between "
                + "them, or only one side wins. Add games between the groups, or rate each group separately.")
    }

    @Test("invalid games are ignored")
    func invalidGames() throws {
        let games: [BradleyTerry.Game] = [
            .init(winner: 0, loser: 0), .init(winner: 9, loser: -1), .init(first: 0, second: 1, result: .nan),
            .tie(0, 1),
        ]
        #expect(try BradleyTerry(players: 2, games: games).strengths == [0, 0])
        #expect(try BradleyTerry(players: 0, games: []).strengths.isEmpty)
        #expect(try BradleyTerry(players: 1, games: []).strengths == [0])
        var elo = EloRatings(players: 2)
        for game in games { elo.play(game) }
        #expect(elo.ratings == [1000, 1000])
        elo.play(winner: 0, loser: 1)
        #expect(elo.ratings == [1002, 998])
    }

    @Test("bootstrap intervals contain the strengths")
    func intervals() throws {
        var random = SplitMix64(seed: 4)
        let games = (0..<400).map { _ -> BradleyTerry.Game in
            let (i, j) = [(0, 1), (1, 2), (0, 2)][random.next(below: 3)]
            return random.nextUnit() < 0.6 ? .init(winner: i, loser: j) : .init(winner: j, loser: i)
        }
        let fit = try BradleyTerry(players: 3, games: games)
        let (intervals, used) = BradleyTerry.intervals(players: 3, games: games, draws: 200, seed: 2)
        #expect(used == 200)
        for (interval, strength) in zip(intervals, fit.strengths) {
            #expect(interval.map { $0.contains(strength) && $0.width < 0.5 && $0.width > 0.1 } == true)
        }
        #expect(BradleyTerry.intervals(players: 2, games: []).intervals == [nil, nil])
    }
}

import Statistics
import Synchronization
import Testing

@Suite("Computation on several threads")
struct ThreadTests {
    private static let values: [Double] = (0..<3000).map { Double(($0 * 7919) % 13) / 12 }
    private static let clusters = (0..<3000).map { $0 / 7 }

    @Test("results do not depend on the number of threads", arguments: [2, 3, 8])
    func same(threads: Int) {
        let bootstrap = BootstrapSettings(draws: 2000, seed: 5, method: .bca)
        #expect(
            bootstrap.interval(of: Self.values, threads: threads) == bootstrap.interval(of: Self.values, threads: 1))
        #expect(
            bootstrap.interval(of: Self.values, clusters: Self.clusters, threads: threads)
                == bootstrap.interval(of: Self.values, clusters: Self.clusters, threads: 1))
        let test = PermutationTest(draws: 2000, seed: 5)
        let differences = Self.values.map { $0 - 0.49 }
        let p = test.signFlip(differences, threads: threads)
        #expect(p == test.signFlip(differences, threads: 1) && p != nil && p != 1)
        let rounds = (0..<60).map { round in
            (0..<3).map { player in
                let result = Double((round + player * 2) % 4) / 3
                return BradleyTerry.Game(first: player, second: (player + 1) % 3, result: result)
            }
        }
        let ratings = [1, threads].map { BradleyTerry.intervals(players: 3, rounds: rounds, draws: 300, threads: $0) }
        #expect(ratings[0].intervals == ratings[1].intervals && ratings[0].used == ratings[1].used)
        #expect(ratings[0].used > 250)
    }

    @Test("different seeds give different resamples")
    func seeds() {
        let intervals = [5, 6].map { BootstrapSettings(draws: 500, seed: $0).interval(of: Self.values) }
        #expect(intervals[0] != nil && intervals[0] != intervals[1])
    }

    @Test("the results of pieces are in order")
    func order() {
        #expect(Pieces.map(100, threads: 4) { $0 * $0 } == (0..<100).map { $0 * $0 })
        #expect(Pieces.map(0, threads: 4) { $0 } == [])
        #expect(Pieces.map(3, threads: 0) { $0 } == [0, 1, 2])
    }

    @Test("progress increases to 1")
    func progress() {
        var shares: [Double] = []
        _ = Pieces.map(50, threads: 1, progress: { shares.append($0) }) { $0 }
        #expect(shares == shares.sorted() && shares.count == 50 && shares.last == 1)
    }

    @Test("canceled work stops soon and returns nil")
    func cancelled() {
        let calls = Atomic(0)
        let interval = BootstrapSettings(draws: 1_000_000).interval(
            of: Self.values, isCancelled: { calls.add(1, ordering: .relaxed).newValue > 3 })
        #expect(interval == nil)
        #expect(calls.load(ordering: .relaxed) < 200)
        #expect(PermutationTest().signFlip(Self.values, isCancelled: { true }) == nil)
    }
}

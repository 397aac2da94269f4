import EvalLogs
import Evals
import Statistics
import System
import Testing

/// Comparisons of growing runs, other tests, and ratings.
struct EvalWatchTests {
    @Test("unscored samples are not ties") func unscored() throws {
        let losses = [Double](repeating: 0.2, count: 100)
        let kind = EvalScoreKind("f1", passesAt: 0.5)
        let runs = (MadeRuns.run("A", scores: [kind]), MadeRuns.run("B", scores: [kind]))
        func watched(_ unscored: Int) throws -> EvalWatch {
            let none = [Double](repeating: .nan, count: unscored)
            let a = MadeRuns.rows([Double](repeating: 0.4, count: 100) + none)
            let join = EvalJoin(runs.0, a, runs.1, MadeRuns.rows(losses + none))
            var watch = EvalWatch(rule: SequentialRule(atLeast: 1000))
            try watch.look(join, EvalDiff(join, measure: nil))
            return watch
        }
        let (few, many) = (try watched(0), try watched(2000))
        #expect(many.comparison.count == 100)
        #expect(many.comparison.interval() == few.comparison.interval())
    }

    @Test("a measure outside [0, 1] is an error") func outOfRange() throws {
        let kind = EvalScoreKind("bleu", passesAt: 50)
        let join = EvalJoin(
            MadeRuns.run("A", scores: [kind]), MadeRuns.rows([40, 50]), MadeRuns.run("B", scores: [kind]),
            MadeRuns.rows([60, 20]))
        var watch = EvalWatch()
        #expect(throws: Problem.self) { try watch.look(join, EvalDiff(join, measure: nil)) }
    }

    @Test("a growing run is decided once the difference is clear") func decision() throws {
        var b = MadeRuns.run("B")
        b.state = .running
        let a = MadeRuns.rows([Double](repeating: 1, count: 500))
        var watch = EvalWatch(rule: SequentialRule(atLeast: 20))
        var looks = 0
        for count in stride(from: 5, through: 500, by: 5) where watch.verdict == .keepSampling {
            looks += 1
            let join = EvalJoin(MadeRuns.run("A"), a, b, MadeRuns.rows([Double](repeating: 0, count: count)))
            try watch.look(join, EvalDiff(join, measure: nil))
        }
        #expect(watch.verdict == .stop(.worse))
        #expect(watch.comparison.count == 20 && looks == 4)
    }

    @Test("clusters count once they are complete") func clusters() throws {
        var b = MadeRuns.run("B")
        b.state = .running
        let a = (0..<6).map { MadeRuns.row($0, "s\($0)", [1], cluster: $0 < 3 ? "x" : "y") }
        let rows = (0..<4).map { MadeRuns.row($0, "s\($0)", [0], cluster: $0 < 3 ? "x" : "y") }
        var watch = EvalWatch()
        var join = EvalJoin(MadeRuns.run("A"), a, b, rows)
        try watch.look(join, EvalDiff(join, measure: nil))
        #expect(watch.comparison.count == 1)
        b.state = .done
        join = EvalJoin(MadeRuns.run("A"), a, b, rows)
        try watch.look(join, EvalDiff(join, measure: nil))
        #expect(watch.comparison.count == 2)
        #expect(watch.samples == 4 && watch.hasClusters)
    }

    @Test("other tests agree with the first") func otherTests() throws {
        let diff = try EvalDiff(MadeRuns.turned(1000, broken: 62, fixed: 32), measure: nil)
        let interval = try #require(EvalRetest(.bootstrap, of: diff).interval)
        let student = try #require(diff.total?.interval)
        #expect(abs(interval.lower - student.lower) < 0.003 && abs(interval.upper - student.upper) < 0.003)
        #expect(EvalRetest(.permutation, of: diff).p == diff.total?.exactP)
        let ranks = try #require(EvalRetest(.wilcoxon, of: diff).p)
        #expect(ranks < 0.01)
        let equal = try EvalDiff(MadeRuns.turned(10, broken: 0, fixed: 0), measure: nil)
        #expect(EvalRetest(.wilcoxon, of: equal).p == nil)
    }

    @Test("runs are rated by their samples") func ratings() throws {
        let values = [[1.0, 1, 1, 1, 0, 1, 1, 1], [1, 0, 1, 0, 0, 1, 1, 0], [0, 0, 1, 0, 1, 0, 1, 0]]
        let entries = values.enumerated().map { EvalMatrix.Entry(MadeRuns.run("r\($0)"), MadeRuns.rows($1)) }
        let ratings = try EvalRatings(entries)
        #expect(ratings.games == 24)
        #expect(ratings.elo[0] > ratings.elo[1] && ratings.elo[1] > ratings.elo[2])
        #expect(abs(ratings.elo.reduce(0, +) - 3000) < 1e-6)
        for (elo, interval) in zip(ratings.elo, ratings.intervals) { #expect(try #require(interval).contains(elo)) }
    }
}

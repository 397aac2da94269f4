import JSON
import Retrieval
import System
import Testing

@Suite("Comparison of two systems")
struct QuerySetComparisonTests {
    private func evaluation(_ name: String, _ values: [Double], queries: [String]? = nil) -> Evaluation {
        Evaluation(
            name: name, measures: [.nDCG(at: 10)], queries: queries ?? values.indices.map { "q\($0)" },
            values: [values])
    }

    @Test("queries are sorted by their loss")
    func sorting() throws {
        let comparison = try QuerySetComparison(
            .nDCG(at: 10), before: evaluation("a", [0.5, 0.5, 0.5]), after: evaluation("b", [0.6, 0.1, 0.5]))
        #expect(comparison.rows.map(\.query) == ["q1", "q2", "q0"])
        #expect(comparison.better == 1 && comparison.worse == 1 && comparison.equal == 1)
        #expect(abs(comparison.difference + 0.1) < 1e-12)
        #expect(comparison.signP == 1)
    }

    @Test("queries are matched by name in any order")
    func names() throws {
        let comparison = try QuerySetComparison(
            .nDCG(at: 10), before: evaluation("a", [0, 1], queries: ["x", "y"]),
            after: evaluation("b", [1, 0], queries: ["y", "x"]))
        #expect(comparison.difference == 0 && comparison.equal == 2)
    }

    @Test("the gain of fusion over BM25 on Cranfield is +.063 [.045, .082]")
    func cranfield() throws {
        try EvaluationFixture.golden().withRoot { root throws in
            func column(_ name: String) -> [Double] {
                var values: [Double] = []
                root["paired"]?.member(named: name)?.forEachElement { values.append($0.double ?? -1) }
                return values
            }
            let comparison = try QuerySetComparison(
                .nDCG(at: 10), before: evaluation("bm25", column("bm25")), after: evaluation("fused", column("fused")))
            #expect(comparison.rows.count == 225)
            #expect(comparison.summary.hasPrefix("+0.063 [0.04"))
            #expect(abs(comparison.meanBefore - 0.3433) < 5e-5 && abs(comparison.meanAfter - 0.4064) < 5e-5)
            #expect(abs(comparison.interval.lower - 0.045) < 0.001 && abs(comparison.interval.upper - 0.082) < 0.001)
            #expect(comparison.isClear && comparison.randomizationP < 0.001 && comparison.signP < 0.001)
        }
    }

    @Test("the interval covers the true mean about as often as its level")
    func coverage() throws {
        var inside = 0
        var random = SplitRandom(state: 11)
        for seed in 0..<200 {
            let values = (0..<40).map { _ in random.uniform() }
            let interval = try #require(Bootstrap(draws: 300, seed: UInt64(seed)).interval(of: values))
            if interval.contains(0.5) { inside += 1 }
        }
        #expect((176...198).contains(inside))
    }

    @Test("equal systems have a difference of exactly 0, and results depend only on the seed")
    func equal() throws {
        let one = evaluation("a", [0.1, 0.9, 0.4])
        let comparison = try QuerySetComparison(.nDCG(at: 10), before: one, after: one)
        #expect(comparison.randomizationP == 1 && comparison.signP == 1 && !comparison.isClear)
        #expect(comparison.summary == "+0.000 [0.000, 0.000]")
        let bootstrap = Bootstrap(draws: 500, seed: 3)
        #expect(bootstrap.interval(of: [0, 1, 0.3]) == bootstrap.interval(of: [0, 1, 0.3]))
        #expect(bootstrap.interval(of: []) == nil)
    }

    @Test(
        "the sign test matches a fair coin",
        arguments: [
            (5, 0, 0.0625), (0, 5, 0.0625), (8, 2, 0.109375), (1, 1, 1), (0, 0, 1), (10, 0, 0.001953125),
        ])
    func sign(better: Int, worse: Int, p: Double) throws {
        let after = [Double](repeating: 1, count: better) + [Double](repeating: 0, count: worse) + [0.5]
        let before = [Double](repeating: 0.5, count: better + worse + 1)
        let comparison = try QuerySetComparison(
            .nDCG(at: 10), before: evaluation("a", before), after: evaluation("b", after))
        #expect(abs(comparison.signP - p) < 1e-12)
    }

    @Test("incomparable runs are errors with a reason")
    func refused() {
        let one = evaluation("a", [1])
        #expect(throws: Problem.self) {
            try QuerySetComparison(.nDCG(at: 5), before: one, after: one)
        }
        let error = #expect(throws: Problem.self) {
            try QuerySetComparison(.nDCG(at: 10), before: one, after: evaluation("b", [1], queries: ["other"]))
        }
        #expect(error?.sentence == "a and b: the runs have different queries. Evaluate both on the same question set.")
        #expect(throws: Problem.self) {
            try QuerySetComparison(.nDCG(at: 10), before: evaluation("a", []), after: evaluation("b", []))
        }
    }
}

/// SplitMix64: numbers for tests.
struct SplitRandom {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }

    mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }
}

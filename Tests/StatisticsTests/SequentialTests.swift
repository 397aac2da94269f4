import Statistics
import Testing

/// The test that may be looked at after every sample.
struct SequentialTests {
    @Test func findsABetterSideAndStaysWithIt() {
        var comparison = SequentialComparison()
        #expect(comparison.mean == nil && comparison.p == 1 && comparison.decision == .undecided)
        #expect(comparison.interval().lower == -1 && comparison.interval().upper == 1)
        var decidedAt: Int?
        for step in 1...400 {
            comparison.add(step % 5 == 0 ? 1 : 0)
            if comparison.decision != .undecided, decidedAt == nil { decidedAt = step }
        }
        #expect(comparison.decision == .better && comparison.p < 1e-6)
        // 14 wins without a loss are decided by McNemar at 0.0001; the price of looking is a handful of samples.
        #expect(decidedAt.map { (30...60).contains($0) } == true, "\(decidedAt ?? -1)")
        for _ in 0..<400 { comparison.add(-1) }
        #expect(comparison.decision == .better)
    }

    @Test func bothSidesAreAlike() {
        var random = Splitmix64(seed: 9)
        var (one, other) = (SequentialComparison(), SequentialComparison())
        for _ in 0..<500 {
            let difference = 0.3 * random.nextNormal() - 0.1
            one.add(difference)
            other.add(-difference)
        }
        #expect(one.decision == .worse && other.decision == .better && one.p == other.p)
        #expect(abs(one.interval().lower + other.interval().upper) < 1e-12)
    }

    @Test func intervalAndDecisionSayTheSame() {
        // The side decides exactly when 0 leaves the interval.
        var random = Splitmix64(seed: 12)
        for _ in 0..<6 {
            var comparison = SequentialComparison()
            for _ in 0..<300 where comparison.decision == .undecided {
                let draw = random.nextUnit()
                comparison.add(draw < 0.25 ? 1 : draw < 0.35 ? -1 : 0)
                let interval = comparison.interval()
                #expect((comparison.decision == .better) == (interval.lower > 0))
                #expect((comparison.decision == .worse) == (interval.upper < 0))
                #expect(interval.contains(comparison.mean ?? 2))
            }
        }
    }

    @Test func theIntervalHoldsTheTruthAtAllTimesAtOnce() {
        var random = Splitmix64(seed: 13)
        var misses = 0
        let runs = 60
        for _ in 0..<runs {
            var comparison = SequentialComparison()
            var isMissed = false
            for _ in 0..<250 {
                let draw = random.nextUnit()
                comparison.add(draw < 0.2 ? 1 : draw < 0.3 ? -1 : 0)
                if comparison.count % 10 == 0, !comparison.interval().contains(0.1) { isMissed = true }
            }
            if isMissed { misses += 1 }
        }
        #expect(misses <= 9, "5 % of 60 are 3; 9 are more than three deviations above")
    }

    @Test func valuesOutOfBounds() {
        var comparison = SequentialComparison()
        for value in [Double.nan, .infinity, -.infinity, 5, -5, -0.0] { comparison.add(value) }
        #expect(comparison.count == 5 && comparison.mean == 0 && comparison.p == 1)
        for _ in 0..<5000 { comparison.add(1) }
        #expect(comparison.decision == .better && comparison.interval().lower > 0.9 && comparison.interval().upper <= 1)
    }

    @Test func rules() {
        let rule = SequentialRule(margin: 0.05, atLeast: 20, atMost: 2000)
        var comparison = rule.start()
        #expect(rule.verdict(comparison) == .goOn)
        for _ in 0..<19 { comparison.add(1) }
        #expect(comparison.decision == .better && rule.verdict(comparison) == .goOn)
        comparison.add(1)
        #expect(rule.verdict(comparison) == .stop(.better))
        var same = rule.start()
        while rule.verdict(same) == .goOn { same.add(0) }
        #expect(rule.verdict(same) == .stop(.equivalent) && same.count < 400, "\(same.count)")
        var open = SequentialRule(atMost: 10).start()
        for _ in 0..<10 { open.add(0) }
        #expect(SequentialRule(atMost: 10).verdict(open) == .stop(.exhausted))
        #expect(SequentialRule().verdict(open) == .goOn)
    }
}

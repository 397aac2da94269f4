import Hashing
import Statistics
import Testing

@Suite("Sequential comparison")
struct SequentialTests {
    @Test("a decision for the better side is made early and never changes")
    func decision() {
        var comparison = SequentialComparison()
        #expect(comparison.mean == nil && comparison.p == 1 && comparison.decision == .undecided)
        #expect(comparison.interval().lower == -1 && comparison.interval().upper == 1)
        var decidedAt: Int?
        for step in 1...400 {
            comparison.add(step % 5 == 0 ? 1 : 0)
            if comparison.decision != .undecided, decidedAt == nil { decidedAt = step }
        }
        #expect(comparison.decision == .better && comparison.p < 1e-6)
        // With 14 wins and no losses, McNemar's test gives p = 0.0001; checking after every sample takes a few more
        // samples.
        #expect(decidedAt.map { (30...60).contains($0) } == true, "\(decidedAt ?? -1)")
        for _ in 0..<400 { comparison.add(-1) }
        #expect(comparison.decision == .better)
    }

    @Test("swapping the sides mirrors the decision and the interval")
    func mirrored() {
        var random = SplitMix64(seed: 9)
        var (one, other) = (SequentialComparison(), SequentialComparison())
        for _ in 0..<500 {
            let difference = 0.3 * random.nextNormal() - 0.1
            one.add(difference)
            other.add(-difference)
        }
        #expect(one.decision == .worse && other.decision == .better && one.p == other.p)
        #expect(abs(one.interval().lower + other.interval().upper) < 1e-12)
    }

    @Test("the test reaches a decision exactly when the interval excludes 0")
    func intervalAndDecision() {
        var random = SplitMix64(seed: 12)
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

    @Test("the interval covers the true mean at all times simultaneously")
    func confidenceSequence() {
        var random = SplitMix64(seed: 13)
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
        #expect(misses <= 9, "5 % of 60 is 3; 9 is more than three standard deviations above")
    }

    @Test("differences outside [-1, 1] are clamped and NaN is ignored")
    func outOfBounds() {
        var comparison = SequentialComparison()
        for value in [Double.nan, .infinity, -.infinity, 5, -5, -0.0] { comparison.add(value) }
        #expect(comparison.count == 5 && comparison.mean == 0 && comparison.p == 1)
        for _ in 0..<5000 { comparison.add(1) }
        #expect(comparison.decision == .better && comparison.interval().lower > 0.9 && comparison.interval().upper <= 1)
    }

    @Test("a rule stops for a decision, equivalence, or the maximum number of samples")
    func rules() {
        let rule = SequentialRule(margin: 0.05, atLeast: 20, atMost: 2000)
        var comparison = rule.start()
        #expect(rule.verdict(comparison) == .keepSampling)
        for _ in 0..<19 { comparison.add(1) }
        #expect(comparison.decision == .better && rule.verdict(comparison) == .keepSampling)
        comparison.add(1)
        #expect(rule.verdict(comparison) == .stop(.better))
        var same = rule.start()
        while rule.verdict(same) == .keepSampling { same.add(0) }
        #expect(rule.verdict(same) == .stop(.equivalent) && same.count < 400, "\(same.count)")
        var open = SequentialRule(atMost: 10).start()
        for _ in 0..<10 { open.add(0) }
        #expect(SequentialRule(atMost: 10).verdict(open) == .stop(.exhausted))
        #expect(SequentialRule().verdict(open) == .keepSampling)
    }
}

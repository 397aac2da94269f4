import KernelLab
import Testing

@Suite("Regression test")
struct RegressionTestTests {
    let test = RegressionTest()

    /// Normal noise by the sum of twelve uniform values, from a seed.
    struct Noise {
        var state: UInt64

        mutating func uniform() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) * 0x1p-53
        }

        mutating func normal() -> Double { (0..<12).reduce(-6.0) { sum, _ in sum + uniform() } }
    }

    /// Repeats of a kernel with noise, as `KernelHistory.measure` would judge them; every few repeats slower by a share.
    func series(
        seed: UInt64, repeats: Int, scatter: Double, outliers: Double = 0, slowdown: Double = 0, every: Int = .max
    ) -> (alarms: Int, found: Int, planted: Int) {
        var noise = Noise(state: seed)
        var earlier: [Double] = []
        var result = (alarms: 0, found: 0, planted: 0)
        func share(_ slowdown: Double) -> Double {
            let disturbed = noise.uniform() < outliers ? 0.85 : 1
            return 0.92 * disturbed * (1 + scatter * noise.normal()) / (1 + slowdown)
        }
        for number in 0..<repeats {
            let isPlanted = number > test.window && number % every == 0
            let part = isPlanted ? slowdown : 0
            let first = share(part)
            let isFound = isSuspicious(first, earlier) && isLower([first, share(part)], earlier)
            result.planted += isPlanted ? 1 : 0
            result.found += isPlanted && isFound ? 1 : 0
            result.alarms += !isPlanted && isFound ? 1 : 0
            if !isPlanted, !isFound { earlier.append(first) }
        }
        return result
    }

    func isSuspicious(_ share: Double, _ earlier: [Double]) -> Bool {
        test.judge(share, against: earlier)?.isSuspicious ?? false
    }

    func isLower(_ looks: [Double], _ earlier: [Double]) -> Bool {
        test.judge(looks, against: earlier)?.isLower ?? false
    }

    @Test("cries wolf at most 3 times in 300 repeats", arguments: [0.002, 0.006, 0.012, 0.03], [1, 2, 3] as [UInt64])
    func falseAlarms(scatter: Double, seed: UInt64) {
        #expect(series(seed: seed, repeats: 300, scatter: scatter).alarms <= 3)
    }

    @Test("is not led astray by one repeat in ten that a neighbor disturbs", arguments: [1, 2, 3, 4] as [UInt64])
    func outliers(seed: UInt64) {
        #expect(series(seed: seed, repeats: 300, scatter: 0.006, outliers: 0.05).alarms <= 3)
    }

    @Test("finds a slowdown of 5 % in the noise of a shared machine", arguments: [1, 2, 3] as [UInt64])
    func detection(seed: UInt64) {
        let result = series(seed: seed, repeats: 600, scatter: 0.006, slowdown: 0.05, every: 10)
        #expect(result.planted > 50)
        #expect(Double(result.found) >= 0.95 * Double(result.planted))
    }

    @Test("leaves a slowdown of 1 % alone, however quiet the machine")
    func smallEffect() {
        #expect(series(seed: 7, repeats: 300, scatter: 0.0005, slowdown: 0.01, every: 5).found == 0)
    }

    @Test("by hand: five runs around 0.90, one look and two")
    func byHand() throws {
        // Median 0.90; distances 0.02, 0.01, 0, 0.01, 0.02 have the median 0.01:
        // the scatter is 1.4826 × 1.206 × 0.01 / 0.90 = 0.019867.
        // One look: √(1 + π/10) = 1.146328, 3 deviations are 0.068323. Two: √(1/2 + π/10) = 0.902307, 0.053778.
        let earlier = [0.88, 0.89, 0.90, 0.91, 0.92]
        let one = try #require(test.judge(0.81, against: earlier))
        #expect(one.baseline == 0.90)
        #expect(abs(one.drop - 0.1) < 1e-12)
        #expect(abs(one.threshold - 0.068323) < 1e-5)
        #expect(one.isLower)
        let two = try #require(test.judge([0.81, 0.855], against: earlier))
        #expect(abs(two.drop - 0.075) < 1e-12)
        #expect(abs(two.threshold - 0.053778) < 1e-5)
        // 2 deviations of one look are 0.045549, and the second look is lower by 0.05.
        #expect(two.isLower)
        #expect(try #require(test.judge([0.70, 0.87], against: earlier)).isLower == false)
    }

    @Test(
        "runs that agree to the last digit still leave 2 % before a suspicion and 2.5 % before an alarm",
        arguments: [(0.883, false, false), (0.881, true, false), (0.876, true, true)])
    func smallestThreshold(share: Double, isSuspicious: Bool, isLower: Bool) throws {
        let judgement = try #require(test.judge(share, against: [Double](repeating: 0.9, count: 12)))
        #expect(judgement.isSuspicious == isSuspicious)
        #expect(judgement.isLower == isLower)
    }

    @Test("says nothing with fewer than five runs to compare with")
    func tooFew() {
        #expect(test.judge(0.5, against: [0.9, 0.9, 0.9, 0.9]) == nil)
        #expect(test.judge(.nan, against: [0.9, 0.9, 0.9, 0.9, 0.9]) == nil)
    }

    @Test("looks at the latest runs only: a kernel that became faster is held to its new speed")
    func movesOn() throws {
        let earlier = [Double](repeating: 0.5, count: 30) + [Double](repeating: 0.9, count: 12)
        #expect(try #require(test.judge(0.8, against: earlier)).isSuspicious)
    }
}

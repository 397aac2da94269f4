import KernelLab
import Kernels
import Testing

@Suite("Shares of the roof")
struct KernelFiguresTests {
    static let agreement = KernelAgreement(worst: 0.1, bound: "u", place: "[0]", compared: 1)

    static func sample(
        round: Int = 0, calls: Int = 1, seconds: Double, peak: Double, bandwidth: Double
    ) -> KernelSample {
        KernelSample(
            round: round, calls: calls, seconds: seconds, processorSeconds: 2 * seconds, peak: peak,
            bandwidth: bandwidth)
    }

    @Test(
        "are the time of a perfect call over the time taken, by hand",
        arguments: [
            // 100 FLOP at 50/s need 2 s, 40 B at 40/s one: bound by arithmetic. 2 s of 4.
            (KernelCost(flops: 100, bytes: 40), 50.0, 40.0, 4.0, 0.5, 0.5),
            // 100 FLOP at 200/s need half a second, 40 B at 20/s two: bound by memory. 2 s of 4, 0.5 s of 4.
            (KernelCost(flops: 100, bytes: 40), 200.0, 20.0, 4.0, 0.5, 0.125),
            // Nothing but bytes: 40 B at 20/s need 2 s of 2.5.
            (KernelCost(flops: 0, bytes: 40), 200.0, 20.0, 2.5, 0.8, 0.0),
        ])
    func shares(
        cost: KernelCost, peak: Double, bandwidth: Double, seconds: Double, attainable: Double, ofPeak: Double
    ) throws {
        let samples = [Self.sample(seconds: seconds, peak: peak, bandwidth: bandwidth)]
        let figures = try #require(
            KernelFigures(samples: samples, cost: cost, traffic: nil, interrupted: 0, agreement: Self.agreement))
        #expect(abs(figures.shareOfAttainable - attainable) < 1e-12)
        #expect(abs(figures.shareOfPeak - ofPeak) < 1e-12)
    }

    @Test("are medians of ratios, so that a clock that halves for some rounds changes nothing")
    func driftCancels() throws {
        let cost = KernelCost(flops: 100, bytes: 1)
        let samples = (0..<9).map { round in
            let clock = round < 6 ? 1.0 : 0.5
            return Self.sample(round: round, calls: 3, seconds: 3.75 / clock, peak: 100 * clock, bandwidth: 1e9)
        }
        let figures = try #require(
            KernelFigures(samples: samples, cost: cost, traffic: 4, interrupted: 0, agreement: Self.agreement))
        #expect(abs(figures.shareOfAttainable - 0.8) < 1e-12)
        #expect(figures.shareHigh - figures.shareLow < 1e-12)
        #expect(figures.rate.median == 80)
        #expect(figures.rate.low < 80)
        #expect(figures.secondsPerCall == 1.25)
        #expect(figures.processorSecondsPerCall == 2.5)
        #expect(figures.calls == 27)
        #expect(figures.traffic == 4)
        #expect(figures.intensity == 25)
    }

    @Test(
        "are reliable with enough samples and few interruptions",
        arguments: [(8, 0, true), (7, 0, false), (20, 4, true), (20, 5, false)])
    func reliability(count: Int, interrupted: Int, expected: Bool) throws {
        let samples = (0..<count).map { Self.sample(round: $0, seconds: 1, peak: 1, bandwidth: 1) }
        let figures = try #require(
            KernelFigures(
                samples: samples, cost: KernelCost(flops: 1, bytes: 1), traffic: nil, interrupted: interrupted,
                agreement: Self.agreement))
        #expect(figures.isReliable == expected)
    }

    @Test("do not exist without samples")
    func nothing() {
        let cost = KernelCost(flops: 1, bytes: 1)
        #expect(
            KernelFigures(samples: [], cost: cost, traffic: nil, interrupted: 0, agreement: Self.agreement) == nil)
    }
}

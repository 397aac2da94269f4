import Hashing
import Statistics
import Testing

@Suite("Repeated attempts and random numbers")
struct RepeatedSampleTests {
    @Test("pass@k and pass^k match the shares counted over all subsets")
    func subsets() throws {
        for n in 1...9 {
            for c in 0...n {
                for k in 1...n {
                    let subsets = (0..<1 << n).filter { $0.nonzeroBitCount == k }
                    let some = subsets.count { $0 & (1 << c - 1) != 0 }
                    let all = subsets.count { $0 & (1 << c - 1) == $0 }
                    let passAt = try #require(RepeatedSamples.passAtK(count: n, correct: c, k: k))
                    let passHat = try #require(RepeatedSamples.passHatK(count: n, correct: c, k: k))
                    #expect(abs(passAt - Double(some) / Double(subsets.count)) < 1e-12)
                    #expect(abs(passHat - Double(all) / Double(subsets.count)) < 1e-12)
                }
            }
        }
    }

    @Test("pass@k and pass^k of invalid counts are nil")
    func undefined() {
        #expect(RepeatedSamples.passAtK(count: 3, correct: 1, k: 4) == nil)
        #expect(RepeatedSamples.passHatK(count: 3, correct: 4, k: 1) == nil)
        #expect(RepeatedSamples.passAtK(count: 3, correct: -1, k: 1) == nil)
        #expect(RepeatedSamples.passAtK(count: 3, correct: 1, k: 0) == nil)
    }

    @Test("random numbers have the right distribution and depend on seed and stream")
    func randomNumbers() {
        var random = SplitMix64(seed: 1)
        var counts = [Int](repeating: 0, count: 10)
        var (sum, squares) = (0.0, 0.0)
        for _ in 0..<100_000 {
            counts[random.next(below: 10)] += 1
            let normal = random.nextNormal()
            sum += normal
            squares += normal * normal
        }
        let statistic = counts.reduce(0.0) { $0 + (Double($1) - 10_000) * (Double($1) - 10_000) / 10_000 }
        #expect(ChiSquaredDistribution(degrees: 9).survival(statistic) > 0.001)
        #expect(abs(sum / 100_000) < 0.015 && abs(squares / 100_000 - 1) < 0.02)
        func first(_ seed: UInt64, _ stream: UInt64) -> UInt64 {
            var random = SplitMix64(seed: seed, stream: stream)
            return random.next()
        }
        #expect(first(1, 0) == first(1, 0))
        #expect(Set([first(1, 0), first(1, 1), first(2, 0), first(0, 1)]).count == 4)
        #expect(random.next(below: 0) == 0)
    }
}

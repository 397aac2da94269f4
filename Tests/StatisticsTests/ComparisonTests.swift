import Hashing
import Statistics
import Testing

@Suite("Comparisons, multiple comparisons, and power")
struct ComparisonTests {
    @Test("McNemar's p values match statsmodels")
    func mcNemar() {
        #expect(goldens["mcnemar"].elements.count == 5)
        for golden in goldens["mcnemar"].elements {
            let test = McNemarTest(fixed: golden["fixed"].int, broken: golden["broken"].int)
            expectClose(test.exactP, golden["exact"])
            expectClose(test.correctedP, golden["corrected"])
        }
        #expect(McNemarTest(fixed: 0, broken: 0).exactP == 1 && McNemarTest(fixed: 0, broken: 0).correctedP == nil)
        // The continuity correction does not go below zero.
        #expect(McNemarTest(fixed: 4, broken: 4).correctedP == 1)
    }

    @Test("Wilcoxon's test matches SciPy")
    func wilcoxon() {
        #expect(goldens["wilcoxon"].elements.count == 4)
        for golden in goldens["wilcoxon"].elements {
            let test = WilcoxonTest.pratt(golden["d"].doubles)
            expectClose(test?.statistic, golden["statistic"])
            expectClose(test?.p, golden["p"])
        }
        #expect(WilcoxonTest.pratt([]) == nil && WilcoxonTest.pratt([0, 0]) == nil)
    }

    @Test("unpaired tests match SciPy")
    func unpaired() throws {
        #expect(goldens["unpaired"].elements.count == 2)
        for golden in goldens["unpaired"].elements {
            let (a, b) = (golden["a"].doubles, golden["b"].doubles)
            let difference = try #require(UnpairedDifference(a: a, b: b))
            expectClose(difference.pValue(), golden["p"])
            expectClose(difference.estimate.degrees, golden["degrees"])
            expectClose(difference.interval()?.lower, golden["lower"])
            expectClose(difference.interval()?.upper, golden["upper"])
            if !golden["permutation"].isNull {
                expectClose(PermutationTest().unpaired(a: a, b: b), golden["permutation"])
            }
        }
        #expect(UnpairedDifference(a: [], b: [1]) == nil)
        #expect(UnpairedDifference(a: [1], b: [2])?.interval() == nil)
    }

    @Test("all assignments of a few signs are enumerated, and clusters flip together")
    func signFlips() {
        #expect(goldens["sign_flip"].elements.count == 3)
        for golden in goldens["sign_flip"].elements {
            expectClose(PermutationTest().signFlip(golden["d"].doubles), golden["p"])
        }
        #expect(PermutationTest().signFlip([]) == nil && PermutationTest().signFlip([0, 0]) == 1)
        // Three clusters with sums of the same sign: 2 of 8 assignments are as extreme.
        let p = PermutationTest().signFlip([1, 2, 1, 1, 5], clusters: [0, 0, 1, 1, 2])
        #expect(p == 0.25)
    }

    @Test("sampled permutations agree with the t test and are repeatable")
    func sampledPermutations() throws {
        var random = SplitMix64(seed: 6)
        let differences = (0..<80).map { _ in 0.2 + random.nextNormal() }
        let p = try #require(PermutationTest(draws: 40_000).signFlip(differences))
        #expect(abs(p - (MeanEstimate(of: differences)?.pValue() ?? 0)) < 0.01)
        let (a, b) = ((0..<60).map { _ in random.nextNormal() }, (0..<50).map { _ in 0.3 + random.nextNormal() })
        let unpaired = try #require(PermutationTest(draws: 40_000).unpaired(a: a, b: b))
        #expect(abs(unpaired - (UnpairedDifference(a: a, b: b)?.pValue() ?? 0)) < 0.015)
        #expect(PermutationTest(draws: 40_000).unpaired(a: a, b: b) == unpaired)
        // p is never 0, no matter how large the difference.
        #expect(PermutationTest(draws: 999).unpaired(a: a, b: b.map { $0 + 100 }) == 0.001)
    }

    @Test("p is below alpha if and only if the interval excludes 0", arguments: 0..<20 as Range<UInt64>)
    func agreement(seed: UInt64) throws {
        var random = SplitMix64(seed: 17, stream: seed)
        var kinds = Set<PairedTest.Kind>()
        for _ in 0..<100 {
            let sample = RandomComparison(&random)
            let test = try #require(PairedTest(a: sample.a, b: sample.b, clusters: sample.clusters))
            kinds.insert(test.kind)
            for level in [0.8, 0.95, 0.99] {
                // A test without an interval must not report a significant p value, except for the sign test.
                let interval = test.interval(level: level)
                guard let p = test.p, let interval else {
                    #expect(test.p ?? 1 >= 1 - level || test.kind == .sign)
                    continue
                }
                guard abs(p - (1 - level)) > 1e-9 else { continue }
                #expect((p < 1 - level) == !interval.contains(0), "\(test.kind) \(p) \(interval)")
            }
        }
        #expect(kinds.count >= 3)
    }

    @Test("a few changes in mostly singleton clusters give almost the same result as in independent samples")
    func nearlySingletonClusters() throws {
        // Four fixed and one broken of 80: p value and interval both come from McNemar's score test.
        let a = (0..<80).map { $0 < 4 ? 0.0 : 1.0 }
        let b = (0..<80).map { $0 == 4 ? 0.0 : 1.0 }
        let alone = try #require(PairedTest(a: a, b: b))
        let clustered = try #require(PairedTest(a: a, b: b, clusters: (0..<80).map { $0 < 2 ? 0 : $0 }))
        #expect(alone.kind == .mcNemar && clustered.kind == .clusteredMcNemar)
        #expect(abs((alone.p ?? 0) - 0.179_7) < 1e-4)
        let (one, other) = (try #require(alone.interval()), try #require(clustered.interval()))
        #expect(other.width < 1.05 * one.width && other.width >= one.width)
    }

    @Test("clusters that change together widen the interval")
    func clustersThatChangeTogether() throws {
        let a = [Double](repeating: 1, count: 200)
        let b = (0..<200).map { $0 / 20 < 3 ? 0.0 : 1.0 }
        let alone = try #require(PairedTest(a: a, b: b)?.interval())
        let clustered = try #require(PairedTest(a: a, b: b, clusters: (0..<200).map { $0 / 20 })?.interval())
        #expect(clustered.width > 2.5 * alone.width)
    }

    @Test("a factor times its p value gives the adjusted p value", arguments: Multiplicity.Adjustment.allCases)
    func factors(adjustment: Multiplicity.Adjustment) {
        let p = [0.01, 0.04, 0.03, 0.005, 0.6, 0.6, 0]
        let adjusted = Multiplicity.adjusted(p, by: adjustment)
        for (place, factor) in Multiplicity.factors(p, by: adjustment).enumerated() {
            #expect(factor >= 1 && abs(min(1, factor * p[place]) - adjusted[place]) < 1e-12)
        }
        #expect(Multiplicity.factors([], by: adjustment) == [])
    }

    @Test("adjusted p values match statsmodels")
    func multipleComparisons() {
        #expect(goldens["adjusted"].elements.count == 4)
        for golden in goldens["adjusted"].elements {
            expectClose(Multiplicity.holm(golden["p"].doubles), golden["holm"])
            expectClose(Multiplicity.benjaminiHochberg(golden["p"].doubles), golden["bh"])
        }
        #expect(Multiplicity.holm([]) == [])
    }

    @Test("power and sample sizes match Miller's example")
    func power() throws {
        // Miller's example: w² = 1/9, one attempt per sample, an effect of 3 points.
        let design = PairedDesign(betweenVariance: 1.0 / 9)
        #expect(design.sampleSize(effect: 0.03) == 969)
        let repeated = PairedDesign(
            betweenVariance: 1.0 / 9, varianceA: 1.0 / 6, epochsA: 10, varianceB: 1.0 / 6, epochsB: 10)
        #expect(abs(repeated.variance - (1.0 / 9 + 1.0 / 30)) < 1e-15)
        let smallest = try #require(design.smallestEffect(samples: 969))
        #expect(smallest <= 0.03 && smallest > 0.0299)
        #expect(abs((design.power(effect: smallest, samples: 969) ?? 0) - 0.8) < 1e-4)
        #expect(Power.neededSamples(effect: 0, standardError: 1, samples: 10) == nil)
        #expect(Power.achieved(effect: 1, standardError: 0) == nil)
        // Without an effect, the test detects a difference in a fraction alpha of all runs.
        #expect(abs((Power.achieved(effect: 0, standardError: 1, degrees: 12) ?? 0) - 0.05) < 1e-12)
        let few = Power.smallestEffect(standardError: 1, degrees: 5)
        #expect(
            few > Power.smallestEffect(standardError: 1) && abs(Power.smallestEffect(standardError: 1) - 2.80158) < 1e-5
        )
    }
}

/// Two random runs on the same samples, with hits, proportions, or measurements, independent or in clusters.
private struct RandomComparison {
    var a: [Double] = []
    var b: [Double] = []
    var clusters: [Int]?

    init(_ random: inout SplitMix64) {
        let count = 1 + random.next(below: 120)
        let kind = random.next(below: 8)
        let (share, effect) = (0.5 + random.nextUnit() / 2, 0.3 * (random.nextUnit() - 0.5))
        let changeRate = random.nextUnit() * 0.3
        for _ in 0..<count {
            let before = random.nextUnit() < share ? 1.0 : 0.0
            let after = random.nextUnit() < changeRate ? (random.nextUnit() < 0.5 + effect ? 1.0 : 0.0) : before
            switch kind {
            case 0...3: (a, b) = (a + [before], b + [after])
            case 4: (a, b) = (a + [random.nextUnit()], b + [min(1, max(0, random.nextUnit() + effect))])
            case 5: (a, b) = (a + [0.25], b + [0.25 + effect])
            case 6: (a, b) = (a + [3 + random.nextNormal()], b + [3 + effect + random.nextNormal()])
            default: (a, b) = (a + [2], b + [2.5])
            }
        }
        if random.next(below: 2) == 0 {
            let largest = 1 + random.next(below: 12)
            clusters = (0..<count).map { $0 / largest }
        }
    }
}

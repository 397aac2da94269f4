import Statistics
import Testing

/// Tests of differences.
struct ComparisonTests {
    @Test func mcNemar() {
        #expect(own["mcnemar"].elements.count == 5)
        for golden in own["mcnemar"].elements {
            let test = McNemarTest(fixed: golden["fixed"].int, broken: golden["broken"].int)
            expectClose(test.exactP, golden["exact"])
            expectClose(test.correctedP, golden["corrected"])
        }
        #expect(McNemarTest(fixed: 0, broken: 0).exactP == 1 && McNemarTest(fixed: 0, broken: 0).correctedP == nil)
        // The correction never turns no difference into one.
        #expect(McNemarTest(fixed: 4, broken: 4).correctedP == 1)
    }

    @Test func wilcoxon() {
        #expect(own["wilcoxon"].elements.count == 4)
        for golden in own["wilcoxon"].elements {
            let test = WilcoxonTest.pratt(golden["d"].doubles)
            expectClose(test?.statistic, golden["statistic"])
            expectClose(test?.p, golden["p"])
        }
        #expect(WilcoxonTest.pratt([]) == nil && WilcoxonTest.pratt([0, 0]) == nil)
    }

    @Test func unpaired() throws {
        #expect(own["unpaired"].elements.count == 2)
        for golden in own["unpaired"].elements {
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

    @Test func signFlips() {
        #expect(own["sign_flip"].elements.count == 3)
        for golden in own["sign_flip"].elements {
            expectClose(PermutationTest().signFlip(golden["d"].doubles), golden["p"])
        }
        #expect(PermutationTest().signFlip([]) == nil && PermutationTest().signFlip([0, 0]) == 1)
        // Clusters turn as one: three of them, all the same way.
        let p = PermutationTest().signFlip([1, 2, 1, 1, 5], clusters: [0, 0, 1, 1, 2])
        #expect(p == 0.25)
    }

    @Test func drawnPermutationsAgreeWithTheTTest() throws {
        var random = Splitmix64(seed: 6)
        let differences = (0..<80).map { _ in 0.2 + random.nextNormal() }
        let p = try #require(PermutationTest(draws: 40_000).signFlip(differences))
        #expect(abs(p - (MeanEstimate(of: differences)?.pValue() ?? 0)) < 0.01)
        let (a, b) = ((0..<60).map { _ in random.nextNormal() }, (0..<50).map { _ in 0.3 + random.nextNormal() })
        let dealt = try #require(PermutationTest(draws: 40_000).unpaired(a: a, b: b))
        #expect(abs(dealt - (UnpairedDifference(a: a, b: b)?.pValue() ?? 0)) < 0.015)
        #expect(PermutationTest(draws: 40_000).unpaired(a: a, b: b) == dealt)
        // Never 0, however far apart.
        #expect(PermutationTest(draws: 999).unpaired(a: a, b: b.map { $0 + 100 }) == 0.001)
    }

    @Test func severalComparisons() {
        #expect(own["adjusted"].elements.count == 4)
        for golden in own["adjusted"].elements {
            expectClose(Multiplicity.holm(golden["p"].doubles), golden["holm"])
            expectClose(Multiplicity.benjaminiHochberg(golden["p"].doubles), golden["bh"])
        }
        #expect(Multiplicity.holm([]) == [])
    }

    @Test func power() throws {
        // Miller's example: w² = 1/9, one answer each, an effect of 3 points.
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
        // Without an effect the test finds what its level grants.
        #expect(abs((Power.achieved(effect: 0, standardError: 1, degrees: 12) ?? 0) - 0.05) < 1e-12)
        let few = Power.smallestEffect(standardError: 1, degrees: 5)
        #expect(
            few > Power.smallestEffect(standardError: 1) && abs(Power.smallestEffect(standardError: 1) - 2.80158) < 1e-5
        )
    }
}

import Glibc
import Hashing
import JSON
import Statistics
import Testing

@Suite("Distributions")
struct DistributionTests {
    @Test("the normal distribution matches SciPy")
    func normal() {
        let golden = goldens["normal"]
        let normal = NormalDistribution.standard
        expectRelative(golden["x"].doubles.map { normal.cumulative($0) }, golden["cdf"])
        expectRelative(golden["x"].doubles.map { normal.survival($0) }, golden["sf"])
        expectRelative(golden["p"].doubles.map { normal.quantile($0) }, golden["quantile"])
        #expect(normal.quantile(0) == -.infinity && normal.quantile(1) == .infinity && normal.quantile(-0.1).isNaN)
        let other = NormalDistribution(mean: 3, deviation: 2)
        #expect(abs(other.quantile(0.975) - 6.919927969080108) < 1e-9 && abs(other.cumulative(3) - 0.5) < 1e-15)
    }

    @Test("Student's distribution matches SciPy")
    func student() {
        #expect(goldens["student"].elements.count == 7)
        for golden in goldens["student"].elements {
            let student = StudentDistribution(degrees: golden["degrees"].double)
            expectRelative(golden["x"].doubles.map { student.cumulative($0) }, golden["cdf"])
            expectRelative(golden["x"].doubles.map { student.survival($0) }, golden["sf"])
            expectRelative(golden["p"].doubles.map { student.quantile($0) }, golden["quantile"])
        }
        let infinite = StudentDistribution(degrees: .infinity)
        #expect(infinite.quantile(0.975) == NormalDistribution.standard.quantile(0.975))
        #expect(StudentDistribution(degrees: 3).survival(.nan).isNaN)
    }

    @Test("the chi-squared distribution matches SciPy")
    func chiSquared() {
        #expect(goldens["chi_squared"].elements.count == 5)
        for golden in goldens["chi_squared"].elements {
            let squared = ChiSquaredDistribution(degrees: golden["degrees"].double)
            expectRelative(golden["x"].doubles.map { squared.cumulative($0) }, golden["cdf"])
            expectRelative(golden["x"].doubles.map { squared.survival($0) }, golden["sf"])
            expectRelative(golden["p"].doubles.map { squared.quantile($0) }, golden["quantile"])
        }
    }

    @Test("the beta distribution matches SciPy")
    func beta() {
        #expect(goldens["beta"].elements.count == 5)
        for golden in goldens["beta"].elements {
            let beta = BetaDistribution(golden["a"].double, golden["b"].double)
            expectRelative(golden["x"].doubles.map { beta.cumulative($0) }, golden["cdf"])
            expectRelative(golden["p"].doubles.map { beta.quantile($0) }, golden["quantile"])
        }
    }

    @Test("the binomial distribution matches SciPy")
    func binomial() {
        #expect(goldens["binomial"].elements.count == 5)
        for golden in goldens["binomial"].elements {
            let binomial = BinomialDistribution(count: golden["n"].int, probability: golden["p"].double)
            expectRelative(golden["k"].ints.map { binomial.mass($0) }, golden["pmf"])
            expectRelative(golden["k"].ints.map { binomial.cumulative($0) }, golden["cdf"])
            expectRelative(golden["k"].ints.map { binomial.survival($0) }, golden["sf"])
        }
    }

    @Test("the Kolmogorov-Smirnov test matches SciPy")
    func kolmogorov() {
        #expect(goldens["kolmogorov"].elements.count == 7)
        for golden in goldens["kolmogorov"].elements {
            let test = Drift.kolmogorovSmirnov(reference: golden["a"].doubles, current: golden["b"].doubles)
            expectClose(test?.statistic, golden["statistic"])
            expectRelative([test?.p ?? -1], Golden(value: .array([golden["p"].value])))
        }
        // Both forms of the limit agree at 1.18, and the exact value approaches the limit.
        #expect(abs(KolmogorovDistribution.limit(1.18 - 1e-9) - KolmogorovDistribution.limit(1.18 + 1e-9)) < 1e-8)
        let exact = KolmogorovDistribution.twoSample(distance: 0.03, m: 4000, n: 4000)
        #expect(abs(exact - KolmogorovDistribution.limit(0.03 * 2000.0.squareRoot())) < 0.005)
        #expect(KolmogorovDistribution.twoSample(distance: 2, m: 3, n: 3) == 0)
        #expect(KolmogorovDistribution.twoSample(distance: 0.5, m: 0, n: 3) == 1)
    }

    @Test("the cumulative probability of the p quantile is p")
    func inverses() {
        var random = SplitMix64(seed: 5)
        for _ in 0..<200 {
            let p = random.nextUnit()
            let student = StudentDistribution(degrees: 1 + 60 * random.nextUnit())
            #expect(abs(student.cumulative(student.quantile(p)) - p) < 1e-12)
            let beta = BetaDistribution(0.2 + 20 * random.nextUnit(), 0.2 + 20 * random.nextUnit())
            #expect(abs(beta.cumulative(beta.quantile(p)) - p) < 1e-9)
        }
    }
}

/// Expects values within a relative error of 1e-9, no matter how small; differences up to 1e-300 are ignored.
func expectRelative(
    _ figures: [Double], _ golden: Golden, sourceLocation: SourceLocation = #_sourceLocation
) {
    let expected = golden.doubles
    #expect(figures.count == expected.count, sourceLocation: sourceLocation)
    for (figure, value) in zip(figures, expected) {
        #expect(
            abs(figure - value) <= 1e-9 * abs(value) + 1e-300, "\(figure), expected \(value)",
            sourceLocation: sourceLocation)
    }
}

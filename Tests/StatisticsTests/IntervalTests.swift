import Hashing
import Statistics
import Testing

@Suite("Intervals of proportions and means")
struct IntervalTests {
    @Test("intervals of proportions match statsmodels")
    func proportions() throws {
        #expect(goldens["proportions"].elements.count == 6)
        for golden in goldens["proportions"].elements {
            let (hits, count, level) = (golden["hits"].int, golden["n"].int, golden["level"].double)
            let wilson = try #require(ProportionInterval.wilson(hits: hits, count: count, level: level))
            expectClose([wilson.lower, wilson.upper], golden["wilson"])
            let exact = try #require(ProportionInterval.clopperPearson(hits: hits, count: count, level: level))
            expectClose([exact.lower, exact.upper], golden["exact"])
        }
        #expect(ProportionInterval.wilson(hits: 0, count: 0) == nil)
        #expect(ProportionInterval.wilson(hits: 3, count: 2) == nil)
        #expect(ProportionInterval.clopperPearson(hits: -1, count: 2) == nil)
    }

    @Test("clustered standard errors match statsmodels for any cluster numbers")
    func clusteredErrors() throws {
        #expect(goldens["clustered"].elements.count == 3)
        for golden in goldens["clustered"].elements {
            let (values, groups) = (golden["values"].doubles, golden["groups"].ints)
            let loose = try #require(MeanEstimate(of: values, clusters: groups, isFinite: false))
            expectClose(loose.mean, golden["mean"])
            expectClose(loose.standardError, golden["error"])
            let count = Double(Set(groups).count)
            let finite = try #require(MeanEstimate(of: values, clusters: groups)?.standardError)
            #expect(abs(finite - (loose.standardError ?? 0) * (count / (count - 1)).squareRoot()) < 1e-12)
            // Cluster numbers are only names: large and negative ones give the same result.
            let names = groups.map { $0 * 1_000_003 - 5_000_000 }
            #expect(MeanEstimate(of: values, clusters: names)?.standardError == finite)
        }
    }

    @Test("clusters of one value give the plain standard error")
    func singletonClusters() throws {
        let values = [0.2, 0.9, 0.4, 0.4, 1.0]
        let plain = try #require(MeanEstimate(of: values))
        let clustered = try #require(
            MeanEstimate(of: values, clusters: clusterNumbers([nil, nil, "a", nil, "b"] as [String?])))
        #expect(abs((plain.standardError ?? 0) - (clustered.standardError ?? 1)) < 1e-15)
        #expect(plain.degrees == clustered.degrees)
    }

    @Test("undefined means and standard errors are nil")
    func undefined() throws {
        #expect(MeanEstimate(of: []) == nil)
        let one = try #require(MeanEstimate(of: [3]))
        #expect(one.mean == 3 && one.standardError == nil && one.interval() == nil && one.pValue() == nil)
        let cluster = try #require(MeanEstimate(of: [1, 2, 3], clusters: [7, 7, 7]))
        #expect(cluster.clusters == 1 && cluster.standardError == nil)
        let constant = try #require(MeanEstimate(of: [2, 2, 2]))
        #expect(constant.interval()?.width == 0 && constant.pValue(against: 2) == 1 && constant.pValue() == 0)
        #expect(clusterNumbers(["b", nil, "a", "b", nil] as [String?]) == [0, 1, 2, 0, 3])
    }

    @Test("the standard error of groups pools their variances")
    func groups() {
        let (a, b) = ([0.0, 1, 1, 0, 1], [1.0, 1, 0])
        let errors = [a, b].map { MeanEstimate(of: $0)?.standardError ?? 0 }
        let squares = [a, b].map { values in
            let mean = values.reduce(0, +) / Double(values.count)
            return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        }
        let expected = (squares.reduce(0, +) / (8 - 2) / 8).squareRoot()
        let error = groupStandardError(counts: [5, 3], standardErrors: errors)
        #expect(abs((error ?? 0) - expected) < 1e-15)
        #expect(groupStandardError(counts: [1, 1], standardErrors: [0, 0]) == nil)
        #expect(groupStandardError(counts: [], standardErrors: []) == nil)
    }

    @Test("bootstrap intervals match SciPy and are repeatable")
    func bootstrap() throws {
        let golden = goldens["bootstrap"]
        let values = golden["values"].doubles
        #expect(values.count == 40)
        for (method, name) in [(BootstrapSettings.Method.bca, "bca"), (.percentile, "percentile")] {
            let settings = BootstrapSettings(draws: 100_000, seed: 4, method: method)
            let interval = try #require(settings.interval(of: values))
            // Both are random, so their bounds differ in the third digit.
            #expect(abs(interval.lower - golden[name].doubles[0]) < 0.012)
            #expect(abs(interval.upper - golden[name].doubles[1]) < 0.012)
            #expect(settings.interval(of: values) == interval)
        }
        #expect(BootstrapSettings().interval(of: []) == nil)
    }

    @Test("a clustered bootstrap interval is as wide as the clustered standard error implies")
    func clusteredBootstrap() throws {
        var random = SplitMix64(seed: 2)
        var (values, clusters): ([Double], [Int]) = ([], [])
        for cluster in 0..<60 {
            let part = random.nextNormal()
            for _ in 0..<5 {
                values.append(part)
                clusters.append(cluster)
            }
        }
        let wide = try #require(BootstrapSettings(draws: 4000).interval(of: values, clusters: clusters))
        let narrow = try #require(BootstrapSettings(draws: 4000).interval(of: values))
        let exact = try #require(MeanEstimate(of: values, clusters: clusters)?.interval())
        #expect(abs(wide.width / exact.width - 1) < 0.1)
        #expect(wide.width > 1.8 * narrow.width)
    }
}

import Glibc
import Hashing
import Statistics
import Testing

@Suite("Intervals of pass rates in clusters with few failures")
struct ClusteredIntervalTests {
    @Test(
        "mostly singleton clusters give the interval of independent samples", arguments: [0, 1, 2, 3, 4, 6, 10, 30])
    func nearlyAlone(failures: Int) throws {
        // 120 samples in 118 clusters: two pairs and 116 single samples. Failures are in the pairs first, then outside.
        let clusters = (0..<120).map { $0 < 4 ? $0 / 2 : $0 - 2 }
        for places in [Array(0..<failures), Array((120 - failures)..<120)] {
            let values = (0..<120).map { places.contains($0) ? 0.0 : 1.0 }
            let interval = try #require(MeanEstimate(of: values, clusters: clusters)?.interval(of: values))
            let alone = try #require(MeanEstimate(of: values)?.interval(of: values))
            #expect(abs(interval.lower - alone.lower) < 0.003 && abs(interval.upper - alone.upper) < 0.003)
            #expect(interval.width < 1.03 * alone.width)
        }
    }

    @Test("fewer failures never widen the interval")
    func fewerFailures() throws {
        let clusters = (0..<120).map { $0 < 4 ? $0 / 2 : $0 - 2 }
        let widths = (0...8).map { failures in
            let values = (0..<120).map { $0 < failures ? 0.0 : 1.0 }
            return MeanEstimate(of: values, clusters: clusters)?.interval(of: values)?.width ?? .infinity
        }
        #expect(widths == widths.sorted())
    }

    @Test("one failure moves only the bound near 1")
    func oneFailure() throws {
        let values = (0..<120).map { $0 == 0 ? 0.0 : 1.0 }
        let shown = try #require(MeanEstimate(of: values)?.interval(of: values))
        let wilson = try #require(ProportionInterval.wilson(hits: 119, count: 120))
        #expect(shown.lower == wilson.lower)
        // At a pass rate of 1 - .0513 / 120, 5 % of repeated runs have at least one failure.
        #expect(abs(shown.upper - (1 - 0.051_293 / 120)) < 2e-6)
        let five = (0..<120).map { $0 < 5 ? 0.0 : 1.0 }
        #expect(MeanEstimate(of: five)?.interval(of: five) == ProportionInterval.wilson(hits: 115, count: 120))
    }

    @Test(
        "intervals of independent samples have at least about 93 % coverage, no matter how rare failures are",
        arguments: [20, 50, 100, 1_000])
    func rareFailures(count: Int) throws {
        let intervals = try (0...count).map { failures in
            let values = [Double](repeating: 0, count: failures) + [Double](repeating: 1, count: count - failures)
            return try #require(MeanEstimate(of: values)?.interval(of: values))
        }
        for step in 0..<200 {
            let failure = 1e-4 * pow(0.1 / 1e-4, Double(step) / 199)
            let distribution = BinomialDistribution(count: count, probability: failure)
            var covered = 0.0
            for (failures, interval) in intervals.enumerated() where interval.contains(1 - failure) {
                covered +=
                    distribution.cumulative(failures) - (failures > 0 ? distribution.cumulative(failures - 1) : 0)
            }
            #expect(covered > 0.926, "\(count) samples, \(failure)")
        }
    }

    @Test("clusters of one value give Wilson's test")
    func singletonClusters() throws {
        let clustered = try #require(ClusteredShare([1, 1, 0, 1, 1, 1, 1], clusters: Array(0..<7)))
        let wilson = try #require(ProportionInterval.wilson(hits: 6, count: 7))
        let interval = clustered.interval(level: 0.95)
        #expect(abs(interval.lower - wilson.lower) < 1e-12 && abs(interval.upper - wilson.upper) < 1e-12)
        #expect(abs(clustered.p(against: wilson.lower) - 0.05) < 1e-9)
    }

    @Test("large clusters use the gamma function with the same result")
    func largeClusters() throws {
        // The naive test sums logarithms over the same three clusters, sample by sample.
        let sizes = [400, 300, 500]
        let clusters = sizes.enumerated().flatMap { [Int](repeating: $0.offset, count: $0.element) }
        let values = clusters.indices.map { $0 % 7 == 0 ? 0.0 : 1.0 }
        let clustered = try #require(ClusteredShare(values, clusters: clusters))
        let expected = NaiveClusteredShare(values: values, clusters: clusters)
        for q in [0.5, 0.7, 0.8, 0.9, 0.97] {
            #expect(abs(clustered.p(against: q) - expected.p(against: q)) < 1e-9)
        }
    }

    @Test("the average over correlations equals a naive sum", arguments: 0..<20 as Range<UInt64>)
    func naive(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let clusters = (0..<60).map { _ in random.next(below: 12) }
        let values = clusters.map { _ in random.nextUnit() < 0.85 ? 1.0 : 0.0 }
        let clustered = try #require(ClusteredShare(values, clusters: clusters))
        let expected = NaiveClusteredShare(values: values, clusters: clusters)
        for q in [0.3, 0.6, 0.8, 0.9, 0.95, 0.99] {
            #expect(abs(clustered.p(against: q) - expected.p(against: q)) < 1e-9)
        }
    }

    @Test("swapping hits and misses mirrors the interval")
    func mirrored() throws {
        var random = SplitMix64(seed: 4)
        let clusters = (0..<90).map { $0 / 6 }
        let values = clusters.map { _ in random.nextUnit() < 0.9 ? 1.0 : 0.0 }
        let swapped = values.map { 1 - $0 }
        let one = try #require(MeanEstimate(of: values, clusters: clusters)?.interval(of: values))
        let other = try #require(MeanEstimate(of: swapped, clusters: clusters)?.interval(of: swapped))
        #expect(abs(one.lower - (1 - other.upper)) < 1e-9 && abs(one.upper - (1 - other.lower)) < 1e-9)
    }
}

/// The p value of ``ClusteredShare`` computed directly from its definition: every sample is a factor of the likelihood.
private struct NaiveClusteredShare {
    let values: [Double]
    let clusters: [Int]

    func p(against q: Double) -> Double {
        let groups = Dictionary(grouping: values.indices) { clusters[$0] }.sorted { $0.key < $1.key }.map(\.value)
        let (n, share) = (Double(values.count), values.reduce(0, +) / Double(values.count))
        let meanSize = groups.reduce(0.0) { $0 + Double($1.count * $1.count) } / n
        func tail(_ r: Double) -> Double {
            let error = (q * (1 - q) * (1 + (meanSize - 1) * r) / n).squareRoot()
            return 2 * NormalDistribution.standard.survival(abs(share - q) / error)
        }
        func urn(_ r: Double) -> Double {
            groups.reduce(0) { sum, group in
                var (hits, seen, sum) = (0.0, 0.0, sum)
                for place in group {
                    let chance = (q * (1 - r) + hits * r) / (1 - r + seen * r)
                    sum += log(values[place] == 1 ? chance : 1 - chance)
                    hits += values[place]
                    seen += 1
                }
                return sum
            }
        }
        func common(_ r: Double) -> Double {
            let s = r.squareRoot()
            return groups.reduce(0) { sum, group in
                let parts = [(log(1 - q), (1 - s) * q), (log(q), s + (1 - s) * q)].map { start, chance in
                    group.reduce(start) { $0 + log(values[$1] == 1 ? chance : 1 - chance) }
                }
                let largest = max(parts[0], parts[1])
                return sum + largest + log(exp(parts[0] - largest) + exp(parts[1] - largest))
            }
        }
        var found = [(log(2.0 / 3) + urn(0), tail(0))]
        for place in 0..<40 {
            let (lower, upper) = (Double(place) / 40, Double(place + 1) / 40)
            let r = (lower * lower + upper * upper) / 2
            let weight = log((upper * upper - lower * lower) / 6)
            found.append((weight + urn(r), tail(r)))
            found.append((weight + common(0.6 * r), tail(0.6 * r)))
        }
        let largest = found.map(\.0).max() ?? 0
        let weights = found.map { exp($0.0 - largest) }
        return zip(weights, found).reduce(0) { $0 + $1.0 * $1.1.1 } / weights.reduce(0, +)
    }
}

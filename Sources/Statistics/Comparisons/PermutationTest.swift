import Hashing

/// A permutation test: the p value of a difference if labels were assigned at random.
///
/// The p value is exact if all assignments can be enumerated. Otherwise it is never 0:
/// (1 + draws at least as extreme) / (1 + draws).
/// - Source: Fisher, The Design of Experiments (1935); Phipson, Smyth, SAGMB 9 (2010) for the added 1.
public struct PermutationTest: Hashable, Sendable {
    /// Number of random assignments if not all are enumerated.
    public var draws: Int
    /// Seed for the random numbers.
    public var seed: UInt64

    /// Creates a test.
    ///
    /// - Parameter draws: 1 to 10,000,000; values out of range are clamped.
    public init(draws: Int = 10_000, seed: UInt64 = 1) {
        self.draws = min(max(draws, 1), 10_000_000)
        self.seed = seed
    }

    /// Returns the two-sided p value of paired differences under random sign flips.
    ///
    /// All differences of a cluster flip together. The p value is exact if at most 20 sums are nonzero, or if all sums
    /// have the same magnitude (a binomial test). Otherwise every draw has its own random stream, so the p value does
    /// not depend on the number of threads.
    /// - Parameters:
    ///   - clusters: Cluster of each difference; `nil` if differences are independent.
    ///   - threads: Maximum number of threads (default: one per core).
    ///   - progress: Called periodically with the completed share of the draws.
    /// - Returns: `nil` if there are no differences, or if canceled.
    public func signFlip(
        _ differences: [Double], clusters: [Int]? = nil, threads: Int? = nil,
        isCancelled: @Sendable () -> Bool = { false }, progress: (Double) -> Void = { _ in }
    ) -> Double? {
        guard !differences.isEmpty else { return nil }
        var sums = differences
        if let clusters {
            let size = min(differences.count, clusters.count)
            var groups = ClusterSums(clusters.prefix(size))
            for place in 0..<size { groups.add(differences[place], at: place) }
            sums = groups.totals
        }
        sums.removeAll { $0 == 0 }
        guard let first = sums.first else { return 1 }
        if sums.allSatisfy({ abs($0) == abs(first) }) {
            let positive = sums.count { $0 > 0 }
            return McNemarTest(fixed: positive, broken: sums.count - positive).exactP
        }
        let observed = abs(sums.reduce(0, +))
        let limit = observed - Self.tolerance(sums)
        if sums.count <= 20 { return Self.exactSignFlip(sums, limit: limit) }
        let flips = sums
        let perPiece = max(1, min(draws, Self.pieceSize / flips.count))
        let pieces = (draws + perPiece - 1) / perPiece
        let extreme = Pieces.map(pieces, threads: threads, isCancelled: isCancelled, progress: progress) { piece in
            (piece * perPiece..<min((piece + 1) * perPiece, draws)).count { abs(flipped(flips, draw: $0)) >= limit }
        }
        return extreme.map { Double(1 + $0.reduce(0, +)) / Double(1 + draws) }
    }

    /// Returns the sum with the random signs of one draw.
    private func flipped(_ sums: [Double], draw: Int) -> Double {
        var random = SplitMix64(seed: seed, stream: Self.stream << 32 + UInt64(draw))
        var sum = 0.0
        var bits: UInt64 = 0
        for (place, value) in sums.enumerated() {
            if place & 63 == 0 { bits = random.next() }
            // Use the bit as the sign: a branch would be mispredicted half of the time.
            sum += Double(bitPattern: value.bitPattern ^ (bits & 1) << 63)
            bits >>= 1
        }
        return sum
    }

    /// Number of values drawn per piece of work, which takes about 1 ms.
    private static let pieceSize = 500_000

    /// Returns the two-sided p value of the difference between two means under random assignment of values to samples.
    ///
    /// The p value is exact if there are at most 200,000 assignments.
    /// - Returns: `nil` if a sample is empty.
    public func unpaired(a: [Double], b: [Double]) -> Double? {
        guard !a.isEmpty, !b.isEmpty else { return nil }
        var values = a + b
        let total = values.reduce(0, +)
        let center = total / Double(values.count)
        // The difference between the means is proportional to the deviation of a's sum from its expected value.
        for place in values.indices { values[place] -= center }
        let observed = abs(values.prefix(a.count).reduce(0, +))
        let limit = observed - Self.tolerance(values)
        if let count = Self.combinations(values.count, a.count), count <= 200_000 {
            return Self.exactUnpaired(values, taking: a.count, limit: limit)
        }
        var random = SplitMix64(seed: seed, stream: Self.stream + 1)
        let fewer = min(a.count, b.count)
        var extreme = 0
        for _ in 0..<draws {
            var sum = 0.0
            for place in 0..<fewer {
                values.swapAt(place, place + random.next(below: values.count - place))
                sum += values[place]
            }
            if abs(sum) >= limit { extreme += 1 }
        }
        return Double(1 + extreme) / Double(1 + draws)
    }

    /// Returns the rounding tolerance: the last bits of a sum depend on the order of its terms.
    private static func tolerance(_ values: [Double]) -> Double { 1e-12 * values.reduce(0) { $0 + abs($1) } }

    private static func exactSignFlip(_ sums: [Double], limit: Double) -> Double {
        let assignments = 1 << sums.count
        // Gray code: one sign flips per step.
        var signs = [Double](repeating: 1, count: sums.count)
        var sum = sums.reduce(0, +)
        var extreme = abs(sum) >= limit ? 1 : 0
        for step in 1..<assignments {
            let place = step.trailingZeroBitCount
            signs[place] = -signs[place]
            sum += 2 * signs[place] * sums[place]
            if abs(sum) >= limit { extreme += 1 }
        }
        return Double(extreme) / Double(assignments)
    }

    private static func exactUnpaired(_ values: [Double], taking size: Int, limit: Double) -> Double {
        var chosen = Array(0..<size)
        var (extreme, assignments) = (0, 0)
        while true {
            var sum = 0.0
            for place in chosen { sum += values[place] }
            assignments += 1
            if abs(sum) >= limit { extreme += 1 }
            guard let place = chosen.indices.last(where: { chosen[$0] < values.count - size + $0 }) else { break }
            chosen[place] += 1
            for next in (place + 1)..<max(size, place + 1) { chosen[next] = chosen[next - 1] + 1 }
        }
        return Double(extreme) / Double(assignments)
    }

    private static func combinations(_ n: Int, _ k: Int) -> Int? {
        var count = 1
        for step in 0..<min(k, n - k) {
            let (product, overflow) = count.multipliedReportingOverflow(by: n - step)
            if overflow { return nil }
            count = product / (step + 1)
            if count > 1_000_000 { return nil }
        }
        return count
    }

    private static let stream: UInt64 = 0x9E37
}

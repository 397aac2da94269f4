/// How likely a difference as large as the one seen is if names were given by chance: names are given anew.
///
/// Exact where all ways can be counted; otherwise (1 + draws at least as extreme) / (1 + draws), never 0.
/// - Source: Fisher, The Design of Experiments (1935); Phipson, Smyth, SAGMB 9 (2010) for the 1.
public struct PermutationTest: Hashable, Sendable {
    /// How often labels are dealt anew where not all deals are gone through.
    public var draws: Int
    /// What the random numbers follow from.
    public var seed: UInt64

    /// - Parameter draws: at least 1, at most ten million.
    public init(draws: Int = 10_000, seed: UInt64 = 1) {
        self.draws = min(max(draws, 1), 10_000_000)
        self.seed = seed
    }

    /// Pairs: the sign of each difference is drawn anew, of all differences of a cluster together.
    ///
    /// Exact where at most 20 sums are not 0 or all of them have the same size (then it is the binomial test). Otherwise
    /// every draw has random numbers of its own, so p does not depend on the number of threads.
    /// - Parameters:
    ///   - threads: at most so many; nil takes a thread for each core.
    ///   - progress: called now and then with the share of the draws that is done.
    /// - Returns: p of both sides; nil for no differences, and where it was cancelled.
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
        let limit = observed - Self.slack(sums)
        if sums.count <= 20 { return Self.allSigns(sums, limit: limit) }
        let flips = sums
        let perPiece = max(1, min(draws, Self.pieceSize / flips.count))
        let pieces = (draws + perPiece - 1) / perPiece
        let extreme = Pieces.map(pieces, threads: threads, isCancelled: isCancelled, progress: progress) { piece in
            (piece * perPiece..<min((piece + 1) * perPiece, draws)).count { abs(flipped(flips, draw: $0)) >= limit }
        }
        return extreme.map { Double(1 + $0.reduce(0, +)) / Double(1 + draws) }
    }

    /// The sum with signs as this draw gives them.
    private func flipped(_ sums: [Double], draw: Int) -> Double {
        var random = Splitmix64(seed: seed, stream: Self.stream << 32 + UInt64(draw))
        var sum = 0.0
        var bits: UInt64 = 0
        for (place, value) in sums.enumerated() {
            if place & 63 == 0 { bits = random.next() }
            // The bit becomes the sign, without a branch that would be guessed wrong every other time.
            sum += Double(bitPattern: value.bitPattern ^ (bits & 1) << 63)
            bits >>= 1
        }
        return sum
    }

    /// Values that are drawn in one piece of the work: about a millisecond.
    private static let pieceSize = 500_000

    /// Two samples: values are dealt anew to both; the difference of the means counts.
    ///
    /// Exact where there are at most 200,000 ways to deal.
    /// - Returns: p of both sides; nil where one is empty.
    public func unpaired(a: [Double], b: [Double]) -> Double? {
        guard !a.isEmpty, !b.isEmpty else { return nil }
        var values = a + b
        let total = values.reduce(0, +)
        let center = total / Double(values.count)
        // The difference of the means is that of a's sum from its expected value, times a constant.
        for place in values.indices { values[place] -= center }
        let observed = abs(values.prefix(a.count).reduce(0, +))
        let limit = observed - Self.slack(values)
        if let ways = Self.ways(values.count, a.count), ways <= 200_000 {
            return Self.allDeals(values, taking: a.count, limit: limit)
        }
        var random = Splitmix64(seed: seed, stream: Self.stream + 1)
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

    /// Sums of the same numbers in another order differ in their last bits; those are no difference.
    private static func slack(_ values: [Double]) -> Double { 1e-12 * values.reduce(0) { $0 + abs($1) } }

    private static func allSigns(_ sums: [Double], limit: Double) -> Double {
        let ways = 1 << sums.count
        // Reflected code: one sign changes at each step.
        var signs = [Double](repeating: 1, count: sums.count)
        var sum = sums.reduce(0, +)
        var extreme = abs(sum) >= limit ? 1 : 0
        for way in 1..<ways {
            let place = way.trailingZeroBitCount
            signs[place] = -signs[place]
            sum += 2 * signs[place] * sums[place]
            if abs(sum) >= limit { extreme += 1 }
        }
        return Double(extreme) / Double(ways)
    }

    private static func allDeals(_ values: [Double], taking size: Int, limit: Double) -> Double {
        var chosen = Array(0..<size)
        var (extreme, ways) = (0, 0)
        while true {
            var sum = 0.0
            for place in chosen { sum += values[place] }
            ways += 1
            if abs(sum) >= limit { extreme += 1 }
            guard let place = chosen.indices.last(where: { chosen[$0] < values.count - size + $0 }) else { break }
            chosen[place] += 1
            for next in (place + 1)..<max(size, place + 1) { chosen[next] = chosen[next - 1] + 1 }
        }
        return Double(extreme) / Double(ways)
    }

    private static func ways(_ n: Int, _ k: Int) -> Int? {
        var ways = 1
        for step in 0..<min(k, n - k) {
            let (product, overflow) = ways.multipliedReportingOverflow(by: n - step)
            if overflow { return nil }
            ways = product / (step + 1)
            if ways > 1_000_000 { return nil }
        }
        return ways
    }

    private static let stream: UInt64 = 0x9E37
}

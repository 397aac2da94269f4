internal import EvalLogs
internal import Glibc
internal import LanguageModels

/// Counts of a run for its progress.
struct RunMeter: Sendable {
    private(set) var completed = 0
    private(set) var failed = 0
    private(set) var errors = 0
    private(set) var unscored = 0
    private(set) var cached = 0
    private var latencies = LatencyHistogram()
    /// Times and counts of the last ten seconds, for the rate.
    private var history: [(time: Double, completed: Int)] = []
    private var scoreSum = 0.0
    private var scored = 0

    /// Counts a sample that has ended.
    mutating func add(_ row: EvalRow) {
        completed += 1
        switch row.outcome {
        case .failed: failed += 1
        case .error: errors += 1
        case .unscored: unscored += 1
        case .passed, .scored: break
        }
        if row.wasCached { cached += 1 }
        if let first = row.scores.first, first.isFinite {
            scoreSum += first
            scored += 1
        }
    }

    /// Counts a sample that ended before the run was resumed.
    mutating func add(earlier row: EvalRow) {
        add(row)
        // Among errors, only requests that were cut off have a time.
        if let seconds = row.seconds { request(seconds: seconds) }
    }

    mutating func request(seconds: Double) { latencies.add(seconds) }

    /// Mean of the first score of all ended samples.
    var score: Double? { scored > 0 ? scoreSum / Double(scored) : nil }
    var latency: EvalProgress.Latency? { latencies.latency }

    /// Returns samples per second over the last ten seconds, and notes this moment.
    mutating func rate(at now: Double) -> Double {
        history.append((now, completed))
        while history.count > 2, history[1].time <= now - 10 { history.removeFirst() }
        guard let first = history.first, now > first.time else { return 0 }
        return Double(completed - first.completed) / (now - first.time)
    }
}

/// Durations in buckets of 1.1 %: 64 to a doubling, from a microsecond to four days.
package struct LatencyHistogram: Sendable {
    private static let first = 1e-6
    private static let perDoubling = 64.0
    private var counts = [UInt32](repeating: 0, count: 64 * 38)
    private var total = 0

    package init() {}

    /// Counts a duration; NaN and negative values are ignored.
    package mutating func add(_ seconds: Double) {
        guard seconds.isFinite, seconds >= 0 else { return }
        let place = log2(max(seconds, Self.first) / Self.first) * Self.perDoubling
        counts[min(counts.count - 1, Int(place))] += 1
        total += 1
    }

    /// Quantiles, within 1.1 %; `nil` before the first duration.
    package var latency: EvalProgress.Latency? {
        guard total > 0 else { return nil }
        let found = quantiles([0.5, 0.95, 0.99])
        return EvalProgress.Latency(median: found[0], p95: found[1], p99: found[2])
    }

    /// Returns nearest-rank quantiles, each the middle of its bucket; `shares` must be ascending.
    private func quantiles(_ shares: [Double]) -> [Double] {
        var found: [Double] = []
        var seen = 0
        for (place, count) in counts.enumerated() where count > 0 {
            seen += Int(count)
            while found.count < shares.count, Double(seen) >= (shares[found.count] * Double(total)).rounded(.up) {
                found.append(Self.first * exp2((Double(place) + 0.5) / Self.perDoubling))
            }
        }
        return found
    }
}

internal import EvalLogs
public import Statistics
public import System
internal import Traces

/// A comparison of growing runs, whose verdict stays valid however often it is checked.
///
/// Each sample with a value in both runs counts once. The samples of a cluster count as one, their mean, as soon as the
/// cluster is complete. Samples are taken in the order of the task, up to the first one that has not ended: the samples
/// that end first are the quick ones and not a fair selection.
public struct EvalWatch: Sendable {
    /// Stopping rule.
    public let rule: SequentialRule
    /// Samples taken so far.
    public private(set) var comparison: SequentialComparison
    /// Verdict of the rule at the last look; it is final once the rule has stopped.
    public private(set) var verdict = SequentialRule.Verdict.keepSampling
    /// The sample that blocks those after it; `nil` if there is none.
    public private(set) var waiting: String?
    /// Number of samples taken; `comparison` counts a cluster once.
    public private(set) var samples = 0
    /// Whether some samples are in clusters.
    public private(set) var hasClusters = false
    private var met: Set<Unit> = []

    public init(rule: SequentialRule = SequentialRule()) {
        self.rule = rule
        comparison = rule.start()
    }

    /// A unit that counts once.
    private enum Unit: Hashable {
        case sample(String)
        case cluster(String)
    }

    /// Takes the samples that are new since the last call; after a verdict, nothing more is taken.
    ///
    /// - Parameter diff: Comparison of the join.
    /// - Throws: `Problem` for a measure whose differences are not in [-1, 1].
    public mutating func look(_ join: EvalJoin, _ diff: EvalDiff) throws(Problem) {
        let scored = diff.pairs.filter(\.change.isScored)
        guard diff.measure.passesAt != nil, scored.allSatisfy({ abs($0.gain) <= 1 }) else {
            throw Problem(
                .invalid, "", "\(diff.measure.name) is not a score between 0 and 1, so it cannot be watched",
                remedy: "Watch a score between 0 and 1, or compare the runs when both are done.")
        }
        let pairs = Dictionary(diff.pairs.map { ($0.id, $0) }) { first, _ in first }
        let order = TaskOrder(join)
        let hasEnded = join.a.state != .running && join.b.state != .running
        waiting = hasEnded ? nil : order.missing
        var units: [Unit: [EvalPair]] = [:]
        var open: [Unit] = []
        for id in order.ended {
            guard let pair = pairs[id] else { continue }
            let unit = pair.cluster.map { Unit.cluster($0) } ?? .sample(id)
            if units[unit] == nil { open.append(unit) }
            units[unit, default: []].append(pair)
        }
        for unit in open where verdict == .keepSampling && !met.contains(unit) {
            let pairs = units[unit] ?? []
            // The final size of a cluster is unknown while the runs grow.
            if case .cluster(let name) = unit, !hasEnded,
                join.a.state == .running || pairs.count != order.sizes[name]
            {
                waiting = waiting ?? pairs.first?.id
                break
            }
            let gains = pairs.compactMap { $0.change.isScored ? $0.gain : nil }
            guard !gains.isEmpty else { continue }
            met.insert(unit)
            samples += gains.count
            if case .cluster = unit { hasClusters = true }
            comparison.add(gains.reduce(0, +) / Double(gains.count))
            verdict = rule.verdict(comparison)
        }
    }
}

/// The samples of two runs in the order of the task, as far as both have ended all of them.
private struct TaskOrder {
    /// Names up to the first sample that has not ended in one of the runs; all if both runs have ended.
    var ended: [String] = []
    /// Name of the first missing sample; `nil` if there is none.
    var missing: String?
    /// Number of samples in each cluster of A.
    var sizes: [String: Int] = [:]

    init(_ join: EvalJoin) {
        let (growsA, growsB) = (join.a.state == .running, join.b.state == .running)
        let (countsA, countsB) = (Self.epochs(join.rowsA), Self.epochs(join.rowsB))
        // A complete run has the order; of two growing runs, both have it as far as they are.
        var rows = growsA && !growsB ? join.rowsB : join.rowsA
        if growsA, growsB { rows += join.rowsB }
        rows.sort { ($0.index, $0.id) < ($1.index, $1.id) }
        var clusters: [String: Set<String>] = [:]
        for row in join.rowsA { if let cluster = row.cluster { clusters[cluster, default: []].insert(row.id) } }
        sizes = clusters.mapValues(\.count)
        let told = [join.a, join.b].compactMap { run in
            run.settings.first { $0.name == "epochs" }.flatMap { Int($0.value) }
        }
        let epochs = max(
            told.max() ?? 1, growsA ? 1 : countsA.values.max() ?? 1, growsB ? 1 : countsB.values.max() ?? 1)
        var met = Set<String>()
        var place = 0
        for row in rows {
            // If both grow, an index that neither has may be any sample.
            if growsA, growsB, row.index > place {
                missing = "the sample before \(row.id)"
                return
            }
            place = max(place, row.index + 1)
            guard !met.contains(row.id) else { continue }
            let lacksA = growsA && countsA[row.id, default: 0] < epochs
            let lacksB = growsB && countsB[row.id, default: 0] < min(epochs, growsA ? epochs : countsA[row.id] ?? 0)
            if lacksA || lacksB {
                missing = row.id
                return
            }
            met.insert(row.id)
            ended.append(row.id)
        }
    }

    private static func epochs(_ rows: [EvalRow]) -> [String: Int] {
        var counts: [String: Int] = [:]
        for row in rows { counts[row.id, default: 0] += 1 }
        return counts
    }
}

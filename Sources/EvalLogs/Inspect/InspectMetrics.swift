internal import Statistics

/// Inspect's metrics, made again from a log's samples.
public enum InspectMetrics {
    /// A metric as the log records it and as its samples give it.
    public struct Check: Hashable, Sendable {
        public var score: String
        /// `accuracy`, of several reducers `accuracy (mode)`.
        public var metric: String
        public var recorded: Double
        public var recomputed: Double
    }

    /// Returns a metric of values, one per sample after reducing epochs: accuracy and mean Σv/n, std with n - 1, stderr
    /// = std/√n, or var; 0 if there are too few values.
    ///
    /// - Returns: `nil` for an unknown metric.
    public static func value(_ metric: String, of values: [Double]) -> Double? {
        let count = Double(values.count)
        let mean = values.isEmpty ? 0 : values.reduce(0, +) / count
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let variance = values.count > 1 ? squares / (count - 1) : 0
        switch metric {
        case "accuracy", "mean": return mean
        case "std": return variance.squareRoot()
        case "var": return variance
        case "stderr": return values.count > 1 ? variance.squareRoot() / count.squareRoot() : 0
        default: return nil
        }
    }

    /// Returns the reduced value of a sample's epochs by the reducer's name; `nil` if no epoch has a value or the name
    /// is unknown.
    public static func reduce(_ values: [Double], by reducer: String) -> Double? {
        EpochReducer(named: reducer)?.reduce(values) { $0 >= 1 }
    }

    /// Compares every known metric of a log with the value computed from its samples. Reads all rows.
    public static func checks(
        _ log: any EvalLog, isCancelled: @Sendable () -> Bool = { false }
    ) throws(EvalLogError) -> [Check] {
        let run = log.run
        let rows = try log.rows(0..<max(run.completed, run.total ?? 0), isCancelled: isCancelled)
        let setting = run.settings.first { $0.name == "epochs_reducer" }?.value ?? "mean"
        let named = setting.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
        var checks: [Check] = []
        for metric in run.metrics {
            guard let place = run.scores.firstIndex(where: { $0.name == metric.score }) else { continue }
            let pieces = metric.name.split(separator: " ", maxSplits: 1).map(String.init)
            let reducer = pieces.count > 1 ? String(pieces[1].dropFirst().dropLast()) : named.first ?? "mean"
            var epochs: [String: [Double]] = [:]
            var order: [String] = []
            for row in rows.sorted(by: { $0.epoch < $1.epoch }) where row.outcome != .error {
                if epochs[row.id] == nil { order.append(row.id) }
                epochs[row.id, default: []] += row.scores[place].isNaN ? [] : [row.scores[place]]
            }
            let values = order.compactMap { reduce(epochs[$0] ?? [], by: reducer) }
            guard let value = value(pieces.first ?? "", of: values) else { continue }
            checks.append(Check(score: metric.score, metric: metric.name, recorded: metric.value, recomputed: value))
            if let recorded = metric.standardError, let value = self.value("stderr", of: values) {
                let name = (["stderr"] + pieces.dropFirst()).joined(separator: " ")
                checks.append(Check(score: metric.score, metric: name, recorded: recorded, recomputed: value))
            }
        }
        return checks
    }
}

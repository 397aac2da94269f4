public import EvalLogs
public import JSON
public import Statistics
public import System
internal import Traces

/// The first score of a run by a property of its samples: by language, by length, by document.
///
/// Epochs of a sample are reduced as in the run's task (``EvalRun/reducer``); samples without a score are counted but
/// not averaged in. Intervals are those of ``MeanMetric``.
public struct EvalSlices: Hashable, Sendable {
    /// The samples with one value of the property.
    public struct Slice: Hashable, Sendable {
        /// Value of the property; empty for samples without the property.
        public var value: String
        /// Number of samples with a score.
        public var count: Int
        /// Number of samples without a score.
        public var unscored: Int
        /// Mean score; `nil` if no sample has a score.
        public var mean: Double?
        /// Confidence interval at 95 %; `nil` if undefined, such as for one sample.
        public var interval: Interval?
    }

    /// Name of the property.
    public var name: String
    /// Title of the score.
    public var title: String
    /// Slices, those with most samples first, then by value.
    public var slices: [Slice]

    /// - Throws: `Problem` if samples have no such property.
    public init(_ rows: [EvalRow], of run: EvalRun, by name: String) throws(Problem) {
        guard let place = run.slices.firstIndex(of: name) else {
            throw run.noSlice(name)
        }
        self.name = name
        title = run.scores.first?.title ?? "mean"
        var samples: [String: [String: [EvalRow]]] = [:]
        for row in rows {
            let value = row.slices.indices.contains(place) ? row.slices[place] : ""
            samples[value, default: [:]][row.id, default: []].append(row)
        }
        slices = samples.map { value, samples in Self.slice(value, samples, of: run) }.sorted {
            ($1.count + $1.unscored, $0.value) < ($0.count + $0.unscored, $1.value)
        }
    }

    private static func slice(_ value: String, _ samples: [String: [EvalRow]], of run: EvalRun) -> Slice {
        let (reducer, kind) = (run.reducer, run.scores.first)
        // A fixed order keeps the sums reproducible.
        let ordered = samples.sorted { $0.key < $1.key }
        var means: [Double] = []
        var clusters: [String?] = []
        for (_, rows) in ordered {
            let values = rows.sorted { $0.epoch < $1.epoch }.compactMap(\.scores.first).filter(\.isFinite)
            let one = reducer.reduce(values, higherIsBetter: kind?.higherIsBetter ?? true) {
                kind?.passes($0) ?? false
            }
            guard let one else { continue }
            means.append(one)
            clusters.append(rows.first?.cluster)
        }
        let estimate =
            clusters.contains { $0 != nil }
            ? MeanEstimate(of: means, clusters: clusterNumbers(clusters)) : MeanEstimate(of: means)
        let interval = estimate?.interval(of: means)
        return Slice(
            value: value, count: means.count, unscored: ordered.count - means.count,
            mean: means.isEmpty ? nil : means.reduce(0, +) / Double(means.count), interval: interval)
    }
}

extension EvalSlices: JSONRepresentable {
    /// Writes the property, then its values.
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("name", name)
            $0.member("score", title)
            $0.member("slices", slices)
        }
    }
}

extension EvalSlices.Slice: JSONRepresentable {
    /// Writes the slice without undefined values.
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("value", value)
            $0.member("count", count)
            $0.member("unscored", unscored)
            $0.member("mean", ifPresent: mean)
            $0.member("lower", ifPresent: interval?.lower)
            $0.member("upper", ifPresent: interval?.upper)
        }
    }
}

extension EvalRun {
    /// Returns the error for a property that the samples of this run do not have.
    func noSlice(_ slice: String) -> Problem {
        slices.isEmpty
            ? Problem(
                .missing, name, "its samples have no properties to group by",
                remedy: "Name columns under slices in the task.")
            : Problem(
                .unknown, name, "its samples have no \(slice)", remedy: "Available: \(slices.joined(separator: ", ")).")
    }
}

public import EvalLogs
public import JSON

/// The failed samples of a run, grouped by what went wrong, largest group first.
///
/// Samples are grouped by cause (``FailureCause``), and within a cause by the words of question and answer: vectors of
/// rarity-weighted words, merged while the mean similarity of two groups is high enough (average linkage).
///
/// Source: Sokal and Michener, "A statistical method for evaluating systematic relationships", 1958.
public struct FailureClusters: Hashable, Sendable {
    /// Samples that failed in the same way.
    public struct Cluster: Hashable, Sendable {
        /// Cause of all failures in the cluster.
        public var cause: FailureCause
        /// Words that the samples share and other samples lack; empty if the cause explains everything.
        public var words: [String]
        /// `EvalRow.index` of its samples, most typical first.
        public var samples: [Int]

        public init(cause: FailureCause, words: [String], samples: [Int]) {
            self.cause = cause
            self.words = words
            self.samples = samples
        }

        /// Cause with words: `wrong answer (about: capital, river)`.
        public var title: String {
            words.isEmpty ? cause.title : "\(cause.title) (about: \(words.joined(separator: ", ")))"
        }
    }

    /// Clusters, largest first.
    public var clusters: [Cluster]
    /// Number of failed samples.
    public var failed: Int
    /// Number of samples whose score has no passing threshold; they are in no cluster.
    public var graded: Int
    /// Number of samples in the run.
    public var total: Int

    /// Maximum number of samples of a cause to compare by words; larger causes stay one cluster.
    static let mostCompared = 2_000

    /// Creates clusters of the failed samples. O(n²) for the n samples of a cause.
    ///
    /// - Parameter similarity: Groups are merged while their mean cosine similarity is at least this value.
    /// - Throws: `EvalLogError` if the log cannot be read, or on cancellation.
    public init(
        _ log: any EvalLog, similarity: Double = 0.25, isCancelled: @Sendable () -> Bool = { false }
    ) throws(EvalLogError) {
        let run = log.run
        let cancelled = EvalLogError(
            path: run.path ?? run.name, problem: "grouping of failures was canceled", isCancellation: true)
        let rows = try log.allRows(isCancelled)
        var byCause: [FailureCause: [Member]] = [:]
        // Samples without a passing threshold cannot fail.
        for row in rows where row.outcome != .passed && row.outcome != .scored {
            if isCancelled() { throw cancelled }
            let sample = try log.sample(row.index)
            let cause = FailureCause(sample)
            // Do not hold texts that are never compared.
            let isCompared = byCause[cause, default: []].count <= Self.mostCompared
            let text = isCompared ? "\(sample.input.suffix(600)) \(sample.answer?.prefix(400) ?? "")" : ""
            byCause[cause, default: []].append(Member(index: row.index, text: text))
        }
        var clusters: [Cluster] = []
        for (cause, members) in byCause {
            guard let parts = Self.parts(members, similarity, isCancelled) else { throw cancelled }
            clusters += parts.map { Cluster(cause: cause, words: $0.words, samples: $0.samples) }
        }
        total = rows.count
        graded = rows.count { $0.outcome == .scored }
        failed = byCause.values.reduce(0) { $0 + $1.count }
        self.clusters = clusters.sorted {
            ($1.samples.count, $0.title, $0.samples[0]) < ($0.samples.count, $1.title, $1.samples[0])
        }
    }

    private struct Member {
        var index: Int
        var text: String
    }

    /// Returns the groups of a cause; `nil` on cancellation.
    private static func parts(
        _ members: [Member], _ similarity: Double, _ isCancelled: () -> Bool
    ) -> [(words: [String], samples: [Int])]? {
        guard members.count > 3, members.count <= mostCompared else { return [([], members.map(\.index))] }
        let space = WordSpace(members.map(\.text))
        guard let groups = space.joined(similarity, isCancelled: isCancelled) else { return nil }
        // Groups of one or two samples add nothing to the cause.
        let large = groups.filter { $0.count > 2 && $0.count < members.count }
        let rest = groups.filter { $0.count <= 2 }.flatMap(\.self).sorted()
        guard !large.isEmpty else { return [([], members.map(\.index))] }
        var parts = large.map { group in
            (words: space.words(of: group), samples: space.typicalFirst(group).map { members[$0].index })
        }
        if !rest.isEmpty { parts.append(([], rest.map { members[$0].index })) }
        return parts
    }
}

extension FailureClusters: JSONRepresentable {
    /// Writes the counts, then the clusters.
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("failed", failed)
            $0.member("total", total)
            $0.member("graded", graded)
            $0.member("clusters", clusters)
        }
    }
}

extension FailureClusters.Cluster: JSONRepresentable {
    /// Writes the clusters; `samples` are indices in the log, starting at 0.
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("cause", cause.title)
            $0.member("words", words)
            $0.member("samples", samples)
        }
    }
}

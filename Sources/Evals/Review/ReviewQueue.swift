public import EvalLogs

/// The samples of a run in the order of review.
///
/// ```swift
/// var queue = ReviewQueue(rows, ratings: ratings, rater: "ada", order: .disagreements)
/// let next = queue.next(after: nil)
/// ```
public struct ReviewQueue: Sendable {
    /// Orders of the queue.
    public enum Order: String, Hashable, Sendable, CaseIterable {
        /// The order of the task.
        case task
        /// Samples on which two raters, or a rater and the run's own score, disagree; then samples without a rating,
        /// failed ones first; then the rest.
        case disagreements
        /// Failed samples, then the rest.
        case failed
    }

    /// A sample of the queue.
    public struct Entry: Hashable, Sendable {
        /// Index among the given rows.
        public var row: Int
        /// `EvalRow.index`.
        public var index: Int
        /// Name of the sample.
        public var id: String
        /// Epoch, starting at 1.
        public var epoch: Int
        /// Rating by this rater; `nil` if there is none.
        public var own: Rating?
        /// Ratings by other raters.
        public var others: [Rating]
        /// Whether the run's own score passes the sample; `nil` without a score.
        public var scorePasses: Bool?

        /// Whether two opinions differ.
        public var isDisputed: Bool {
            var opinions = Set(([own].compactMap(\.self) + others).compactMap(\.verdict.passes))
            if !opinions.isEmpty, let scorePasses { opinions.insert(scorePasses) }
            return opinions.count > 1
        }
    }

    /// Entries in review order.
    public private(set) var entries: [Entry]
    /// Name of the rater.
    public let rater: String

    /// - Parameters:
    ///   - rows: Samples, including those that ended in an error.
    ///   - ratings: Current ratings of all raters, as returned by `ReviewStore.ratings(of:)`.
    ///   - rater: Rater whose queue this is.
    public init(_ rows: [EvalRow], ratings: [Rating], rater: String, order: Order = .disagreements) {
        self.rater = rater
        let bySample = Dictionary(grouping: ratings) { SampleName(id: $0.sample, epoch: $0.epoch) }
        let entries = rows.enumerated().map { place, row in
            let said = bySample[SampleName(id: row.id, epoch: row.epoch)] ?? []
            return Entry(
                row: place, index: row.index, id: row.id, epoch: row.epoch, own: said.last { $0.rater == rater },
                others: said.filter { $0.rater != rater },
                scorePasses: row.outcome == .passed ? true : row.outcome == .failed ? false : nil)
        }
        self.entries = entries.map { ($0, Self.rank($0, order)) }.sorted {
            ($0.1, $0.0.row) < ($1.1, $1.0.row)
        }.map(\.0)
    }

    /// Number of samples rated by this rater, without skipped ones.
    public var rated: Int { entries.count { $0.own?.verdict.passes != nil } }
    /// Number of samples that this rater has skipped.
    public var skipped: Int { entries.count { $0.own?.verdict == .skipped } }
    /// Number of samples with different opinions.
    public var disputed: Int { entries.count(where: \.isDisputed) }

    /// Returns the next sample without a rating by this rater, starting after an index and wrapping around; skipped
    /// ones come last.
    public func next(after place: Int?) -> Int? {
        let start = (place ?? -1) + 1
        let around = entries.indices.map { (start + $0) % max(1, entries.count) }
        return around.first { entries[$0].own == nil } ?? around.first { entries[$0].own?.verdict == .skipped }
    }

    private struct SampleName: Hashable {
        var id: String
        var epoch: Int
    }

    private static func rank(_ entry: Entry, _ order: Order) -> Int {
        switch order {
        case .task: 0
        case .failed: entry.scorePasses == false ? 0 : 1
        case .disagreements:
            if entry.isDisputed { 0 } else if entry.own == nil { entry.scorePasses == false ? 1 : 2 } else { 3 }
        }
    }
}

/// The measures of one system over a set of queries, query by query.
///
/// ```swift
/// let evaluation = Evaluation(of: run, against: judgments, measures: [.nDCG(at: 10), .recall(at: 100)])
/// evaluation.mean(of: .nDCG(at: 10))                  // 0.3433…
/// evaluation.interval(of: .nDCG(at: 10))              // 95 % by bootstrap
/// ```
/// Every judged query counts: one that the system did not answer has 0, as `ir_measures` and `trec_eval -c` have it.
public struct Evaluation: Equatable, Sendable {
    /// The name of the system.
    public let name: String
    public let measures: [Measure]
    /// Queries in the order of the set.
    public let queries: [String]
    /// `[measure, query]`.
    public let values: [[Double]]

    public init(name: String, measures: [Measure], queries: [String], values: [[Double]]) {
        self.name = name
        self.measures = measures
        self.queries = queries
        self.values = values
    }

    /// Rankings that were judged, one a query.
    public init(name: String, measures: [Measure], rankings: [(query: String, ranking: GradedRanking)]) {
        self.init(
            name: name, measures: measures, queries: rankings.map(\.query),
            values: measures.map { measure in rankings.map { $0.ranking.value(of: measure) } })
    }

    /// A run against judgments.
    public init(
        of run: Run, against judgments: Judgments, measures: [Measure] = Measure.usual, ties: Run.Ties = .asGiven
    ) {
        self.init(
            name: run.tag, measures: measures,
            rankings: judgments.queries.map { query in
                (query, GradedRanking(run.ranking(of: query, ties: ties), judged: judgments[query]))
            })
    }

    /// Returns the values of a measure, query by query; empty if it was not computed.
    public func values(of measure: Measure) -> [Double] {
        measures.firstIndex(of: measure).map { values[$0] } ?? []
    }

    /// Returns the mean over all queries; `nil` if the measure was not computed or there are no queries.
    public func mean(of measure: Measure) -> Double? {
        let values = values(of: measure)
        return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }

    /// Returns the bootstrap interval of the mean, with queries as the units of resampling.
    public func interval(of measure: Measure, _ bootstrap: Bootstrap = Bootstrap()) -> ConfidenceInterval? {
        bootstrap.interval(of: values(of: measure))
    }
}

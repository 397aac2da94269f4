/// The results of a system: documents with scores for each query.
///
/// ```swift
/// var run = Run(tag: "bm25")
/// run.rank([("184", 11.2), ("29", 9.8)], for: "1")
/// run["1"].map(\.document)                            // ["184", "29"]
/// ```
public struct Run: Equatable, Sendable {
    /// A document that was found.
    public struct Hit: Hashable, Sendable {
        public var document: String
        /// Higher is better.
        public var score: Double

        public init(_ document: String, score: Double) {
            self.document = document
            self.score = score
        }
    }

    /// Rules for ordering documents with equal scores.
    public enum Ties: String, CaseIterable, Sendable {
        /// The order of the system's output: for Orrery, the order in which documents were added.
        case asGiven = "as-given"
        /// The one whose name is last in byte order, after scores were rounded to 32 bits: the rule of `trec_eval`.
        case trecEval = "trec-eval"
        /// The one whose name is first in byte order: the rule of MS MARCO's script, which `ir_measures` takes for
        /// reciprocal ranks with a cutoff.
        case msMarco = "ms-marco"
    }

    /// The name of the system.
    public var tag: String
    /// The queries, in the order in which they came.
    public private(set) var queries: [String] = []
    private var hits: [String: [Hit]] = [:]

    public init(tag: String = "run") { self.tag = tag }

    /// The hits of a query in the order in which they were given; empty if the query is not part of the run.
    public subscript(query: String) -> [Hit] { hits[query] ?? [] }

    /// Adds hits of a query.
    public mutating func rank(_ found: some Sequence<(String, Double)>, for query: String) {
        if hits[query] == nil { queries.append(query) }
        hits[query, default: []] += found.map { Hit($0.0, score: $0.1) }
    }

    /// Adds hits of a query that have an order and no scores: 1/rank is taken.
    public mutating func rank(_ documents: some Sequence<String>, for query: String) {
        rank(documents.enumerated().map { ($1, 1 / Double($0 + 1)) }, for: query)
    }

    /// Returns the documents of a query, best first, each once: what is found again further down does not count.
    public func ranking(of query: String, ties: Ties = .asGiven) -> [String] {
        let found = self[query]
        let order = found.indices.sorted { a, b in
            let (one, other) = (found[a], found[b])
            switch ties {
            case .asGiven:
                return one.score != other.score ? one.score > other.score : a < b
            case .trecEval:
                let (x, y) = (Float(one.score), Float(other.score))
                if x != y { return x > y }
                return other.document.utf8.lexicographicallyPrecedes(one.document.utf8)
            case .msMarco:
                if one.score != other.score { return one.score > other.score }
                return one.document.utf8.lexicographicallyPrecedes(other.document.utf8)
            }
        }
        var seen: Set<String> = []
        return order.compactMap { seen.insert(found[$0].document).inserted ? found[$0].document : nil }
    }
}

/// Relevance judgments: the graded relevance of documents for queries (the qrels of a test collection).
///
/// ```swift
/// var judgments = Judgments()
/// judgments.judge("184", for: "1", grade: 3)
/// judgments["1"]["184"]                               // 3
/// ```
public struct Judgments: Equatable, Sendable {
    /// The queries, in the order in which they came.
    public private(set) var queries: [String] = []
    private var grades: [String: [String: Int]] = [:]

    public init() {}

    /// The grades of a query's documents; a document that is not among them was not judged.
    public subscript(query: String) -> [String: Int] { grades[query] ?? [:] }

    /// Number of judgments.
    public var count: Int { grades.values.reduce(0) { $0 + $1.count } }

    /// Says how well a document answers a query: 0 not at all, higher is better. A later grade replaces an earlier one.
    public mutating func judge(_ document: String, for query: String, grade: Int) {
        if grades[query] == nil { queries.append(query) }
        grades[query, default: [:]][document] = grade
    }
}

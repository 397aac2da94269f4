internal import System

/// Something that puts chunks into a new order by looking at them more closely.
protocol Reranker {
    /// Parameters for display, such as `model` or `lambda`.
    var parameters: [Stage.Parameter] { get }

    /// Orders chunks, best first; ties by the order in which they came.
    ///
    /// - Parameter candidates: In the order of the stage before.
    /// - Throws: `Problem`, including when the call was canceled.
    func rank(
        _ query: String, _ candidates: [ChunkContent], isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> RerankedOrder
}

/// The result of a reranker.
struct RerankedOrder {
    /// The new order: places among the candidates, each once, with their scores.
    var places: [(candidate: Int, score: Double?)]
    /// A sentence for the reader, where something did not go as it should.
    var note: String?

    /// Creates an order by score, best first; candidates without a score come last, in their order.
    init(scores: [Double?], note: String? = nil) {
        places = scores.enumerated().map { ($0.offset, $0.element) }.sorted { one, other in
            let (first, second) = (one.1 ?? -.infinity, other.1 ?? -.infinity)
            return first != second ? first > second : one.0 < other.0
        }.map { (candidate: $0.0, score: $0.1) }
        self.note = note
    }

    init(places: [(candidate: Int, score: Double?)], note: String? = nil) {
        self.places = places
        self.note = note
    }
}

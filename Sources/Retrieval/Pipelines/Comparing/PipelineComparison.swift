/// Two pipelines over the same questions, question by question.
///
/// ```swift
/// let comparison = try PipelineComparison(before: a, after: b, questions: questions) { question, record in
///     judge(question.id, record.documents(deep: 10))
/// }
/// comparison.rows[0].difference       // the greatest loss
/// ```
/// Means, intervals and tests over the values are made by whoever measures: `values` gives them in one order.
public struct PipelineComparison: Sendable {
    public struct Question: Hashable, Sendable {
        public var id: String
        public var text: String

        public init(id: String, text: String) {
            self.id = id
            self.text = text
        }
    }

    /// One question under both.
    public struct Row: Hashable, Sendable {
        public var question: Question
        /// Nil where the question has no judgment.
        public var before: Double?
        public var after: Double?
        public var beforeRecord: RetrievalRecord
        public var afterRecord: RetrievalRecord

        /// Nil where one of both was not measured.
        public var difference: Double? {
            guard let before, let after else { return nil }
            return after - before
        }
    }

    /// The greatest loss first, questions that were not measured last; ties in the order in which they were asked.
    public let rows: [Row]

    /// Asks every question of both pipelines.
    ///
    /// - Parameters:
    ///   - metric: what a record is worth, higher being better; nil where nothing is known about the question.
    ///   - progress: gets how many questions are done.
    /// - Throws: `RetrievalError`, also where it was cancelled.
    public init(
        before: PipelineRun, after: PipelineRun, questions: [Question],
        isCancelled: @Sendable () -> Bool = { false }, progress: (Int) -> Void = { _ in },
        metric: (Question, RetrievalRecord) throws(RetrievalError) -> Double?
    ) throws(RetrievalError) {
        var rows: [Row] = []
        rows.reserveCapacity(questions.count)
        for question in questions {
            let first = try before(question.text, isCancelled: isCancelled)
            let second = try after(question.text, isCancelled: isCancelled)
            rows.append(
                Row(
                    question: question, before: try metric(question, first), after: try metric(question, second),
                    beforeRecord: first, afterRecord: second))
            progress(rows.count)
        }
        self.rows = rows.enumerated().sorted { one, other in
            let (first, second) = (one.element.difference ?? .infinity, other.element.difference ?? .infinity)
            return first != second ? first < second : one.offset < other.offset
        }.map(\.element)
    }

    /// The values of both pipelines, question by question, of those alone that were measured under both.
    public var values: (before: [Double], after: [Double]) {
        let measured = rows.filter { $0.difference != nil }
        return (measured.compactMap(\.before), measured.compactMap(\.after))
    }
}

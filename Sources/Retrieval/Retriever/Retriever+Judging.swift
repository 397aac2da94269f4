public import Workspace

extension Retriever {
    /// Runs a pipeline over every question of a set, and judges its last ranking: also what stands behind the last
    /// that it keeps.
    ///
    /// - Parameters:
    ///   - depth: how many passages of the last ranking are judged.
    ///   - progress: called with how many questions are done.
    public func evaluate(
        _ pipeline: NamedPipeline, over set: QuestionSet, of corpus: Corpus, measures: [Measure] = Measure.usual,
        depth: Int = 100, until cancellation: Cancellation? = nil, progress: (Int) throws -> Void = { _ in }
    ) throws -> Evaluation {
        var judged = pipeline
        judged.definition = try pipeline.definition.withoutAnswer()
        var run = try run(judged, over: corpus)
        run.shownBehind = depth
        let isCancelled: @Sendable () -> Bool = { cancellation?.isCancelled ?? false }
        var found: [String: [FoundPassage]] = [:]
        for (index, one) in set.cases.enumerated() {
            let record = try run(one.question, isCancelled: isCancelled)
            found[one.id] = Self.ranking(of: record).prefix(depth).map { passage in
                FoundPassage(passage.document, range: passage.range)
            }
            try progress(index + 1)
        }
        return Evaluation(name: pipeline.name, of: found, against: set, measures: measures)
    }

    /// The passages of the last ranking, best first: what stands before the context.
    static func ranking(of record: RetrievalRecord) -> [Passage] {
        guard let stage = record.stages.last(where: { $0.kind != .context }) else { return [] }
        return stage.entries.sorted { $0.rank < $1.rank }.map { record[$0.passage] }
    }

    /// Two pipelines over one set: paired differences by question, with an interval.
    public func compare(
        _ before: NamedPipeline, _ after: NamedPipeline, over set: QuestionSet, of corpus: Corpus,
        measure: Measure = .nDCG(at: 10), until cancellation: Cancellation? = nil,
        progress: (Int) throws -> Void = { _ in }
    ) throws -> QuerySetComparison {
        let first = try evaluate(before, over: set, of: corpus, measures: [measure], until: cancellation, progress: progress)
        let second = try evaluate(after, over: set, of: corpus, measures: [measure], until: cancellation) {
            try progress(set.cases.count + $0)
        }
        return try QuerySetComparison(measure, before: first, after: second)
    }

    /// A question becomes a case of a set, the passage its answer.
    ///
    /// - Returns: the case's name in the set.
    @discardableResult
    public func keep(
        _ question: String, answeredBy passage: Passage, in set: String, of corpus: Corpus
    ) throws -> QuestionSet.Case {
        let known = try store.questionSets(of: corpus.id).first { $0.name == set }?.id
        var kept = try known.map { try store.questions(in: $0) } ?? QuestionSet()
        let one = QuestionSet.Case(
            id: kept.nextID, question: question, gold: [QuestionSet.Gold(passage.document, range: passage.range)])
        if let known {
            try store.addQuestion(one, to: known)
        } else {
            try kept.append(one)
            _ = try store.saveQuestions(kept, as: set, corpus: corpus.id)
        }
        return one
    }
}

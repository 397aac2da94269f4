public import Workspace

extension Retriever {
    /// Runs a pipeline over every question of a set, and judges its last ranking as deep as the measures look, also
    /// behind the last that it keeps.
    ///
    /// - Parameter progress: Called with how many questions are done.
    public func evaluate(
        _ pipeline: NamedPipeline, over set: QuestionSet, of corpus: Corpus, measures: [Measure] = Measure.usual,
        until cancellation: Cancellation? = nil, progress: (Int) -> Void = { _ in }
    ) throws -> PipelineEvaluation {
        var judged = pipeline
        judged.definition = try pipeline.definition.withoutAnswer()
        var run = try run(judged, over: corpus)
        run.shownBehind = Self.judgedDepth
        return try PipelineEvaluation(
            run, set, name: pipeline.name, measures: measures, depth: Self.judgedDepth,
            isCancelled: { cancellation?.isCancelled ?? false },
            progress: progress)
    }

    /// Maximum number of passages of a ranking to judge.
    public static let judgedDepth = 100

    /// Compares two pipelines on one set: paired differences by question, with an interval.
    public func compare(
        _ before: NamedPipeline, _ after: NamedPipeline, over set: QuestionSet, of corpus: Corpus,
        measure: Measure = .nDCG(at: 10), until cancellation: Cancellation? = nil,
        progress: (Int) -> Void = { _ in }
    ) throws -> QuerySetComparison {
        let first = try evaluate(
            before, over: set, of: corpus, measures: [measure], until: cancellation, progress: progress)
        let second = try evaluate(after, over: set, of: corpus, measures: [measure], until: cancellation) {
            progress(set.cases.count + $0)
        }
        return try QuerySetComparison(measure, before: first.evaluation, after: second.evaluation)
    }

    /// Adds a question as a case of a set, with the passage as its answer.
    ///
    /// - Returns: The case's name in the set.
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

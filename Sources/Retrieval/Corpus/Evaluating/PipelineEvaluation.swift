public import System

/// A pipeline asked every question of a set, and what that gave.
///
/// ```swift
/// let evaluation = try PipelineEvaluation(run, questions, measures: [.nDCG(at: 10)])
/// evaluation.evaluation.mean(of: .nDCG(at: 10))
/// ```
public struct PipelineEvaluation: Sendable {
    /// The measures, question by question.
    public let evaluation: Evaluation
    /// Passages kept by the judged stage, by question, best first.
    public let found: [String: [FoundPassage]]
    /// Seconds that each question took, in the order of the set.
    public let seconds: [Double]
    /// Questions that failed, and why; they count as not answered.
    public let failures: [(question: String, error: Problem)]

    /// Asks the questions one after the other.
    ///
    /// - Parameters:
    ///   - stage: Whose ranking is judged; `nil` takes the last but the context.
    ///   - relevance: How much of a gold span a passage must hold.
    ///   - depth: Number of ranks to judge, including passages that were cut (default: those that the stage keeps).
    ///   - progress: Called with the number of questions that are done.
    /// - Throws: `Problem` if the pipeline has no such stage, the evaluation was canceled, or every question
    ///   fails.
    public init(
        _ run: PipelineRun, _ questions: QuestionSet, name: String? = nil, measures: [Measure] = Measure.usual,
        stage: String? = nil, relevance: SpanRelevance = SpanRelevance(), depth: Int? = nil,
        isCancelled: @Sendable () -> Bool = { false }, progress: (Int) -> Void = { _ in }
    ) throws(Problem) {
        var asking = Asking(run, stage, depth)
        for (place, one) in questions.cases.enumerated() {
            try asking.ask(one.id, one.question, isCancelled)
            progress(place + 1)
        }
        (found, seconds, failures) = (asking.found, asking.seconds, asking.failures)
        if let first = failures.first, failures.count == questions.cases.count { throw first.error }
        evaluation = Evaluation(
            name: name ?? run.source.corpus, of: asking.found, against: questions, measures: measures,
            relevance: relevance)
    }

    /// Asks queries whose relevant documents are judged, as BEIR and TREC have them: a document counts where its best
    /// passage stands.
    public init(
        _ run: PipelineRun, queries: [(id: String, text: String)], judgments: Judgments, name: String? = nil,
        measures: [Measure] = Measure.usual, stage: String? = nil, depth: Int? = nil,
        isCancelled: @Sendable () -> Bool = { false }, progress: (Int) -> Void = { _ in }
    ) throws(Problem) {
        let judged = Set(judgments.queries)
        let asked = queries.filter { judged.contains($0.id) }
        var asking = Asking(run, stage, depth)
        for (place, query) in asked.enumerated() {
            try asking.ask(query.id, query.text, isCancelled)
            progress(place + 1)
        }
        (found, seconds, failures) = (asking.found, asking.seconds, asking.failures)
        if let first = failures.first, failures.count == asked.count { throw first.error }
        var ranking = Run(tag: name ?? run.source.corpus)
        for query in asked {
            var seen: Set<String> = []
            ranking.rank((found[query.id] ?? []).map(\.document).filter { seen.insert($0).inserted }, for: query.id)
        }
        evaluation = Evaluation(of: ranking, against: judgments, measures: measures)
    }

    /// Questions, one at a time.
    private struct Asking {
        private let run: PipelineRun
        private let stage: String?
        private let depth: Int?
        var found: [String: [FoundPassage]] = [:]
        var seconds: [Double] = []
        var failures: [(question: String, error: Problem)] = []

        init(_ run: PipelineRun, _ stage: String?, _ depth: Int?) {
            self.run = run
            self.depth = depth
            self.stage = stage
        }

        mutating func ask(_ id: String, _ text: String, _ isCancelled: @Sendable () -> Bool) throws(Problem) {
            if isCancelled() { throw .cancelled(run.source.corpus) }
            let begun = Clock.now(.monotonic)
            defer { seconds.append(Clock.now(.monotonic) - begun) }
            let record: RetrievalRecord
            do throws(Problem) {
                record = try run(text, isCancelled: isCancelled)
            } catch {
                if error.kind == .cancelled { throw error }
                failures.append((id, error))
                return
            }
            let judged = try judged(record)
            let entries = depth.map { Array(judged.entries.prefix($0)) } ?? judged.entries.filter(\.verdict.isKept)
            found[id] = entries.map { entry in
                let passage = record[entry.passage]
                return FoundPassage(passage.document, range: passage.range)
            }
        }

        private func judged(_ record: RetrievalRecord) throws(Problem) -> Stage {
            if let stage {
                if let found = record.stages.first(where: { $0.name == stage }) { return found }
            } else if let last = record.stages.last(where: { $0.kind != .context }) ?? record.stages.last {
                return last
            }
            throw Problem(
                .missing, "evaluation", "the pipeline has no stage \(stage ?? "that ranks")",
                remedy: "Available stages: \(record.stages.map(\.name).joined(separator: ", ")).")
        }
    }
}

public import LanguageModels
public import Retrieval
internal import Synchronization
internal import System
public import Workspace

/// Answers with a pipeline of the workspace, and with a model if the question has a prompt.
public final class RetrievalSolver: Solver {
    public let name: String
    public let identity: String
    private let retriever: Retriever
    private let model: ModelSolver?
    private let opened = Mutex<[String: Opened]>([:])

    /// A corpus with one of its pipelines.
    private struct Opened: Sendable {
        var corpus: Corpus
        var pipeline: NamedPipeline
        var state: String
    }

    /// - Parameter model: Model that gets the passages; `nil` if questions have no prompt.
    public init(_ workspace: Workspace, resources: PipelineResources = PipelineResources(), model: ModelSolver? = nil) {
        retriever = Retriever(workspace, resources: resources)
        self.model = model
        name = model.map { "retrieval + \($0.name)" } ?? "retrieval"
        identity = "retrieval " + (model?.identity ?? "")
    }

    public func solve(_ sample: TaskSample, _ attempt: SolvingAttempt) throws(LanguageModelError) -> Solution {
        guard case .retrieval(let question) = sample.request else {
            throw error("a pipeline cannot answer a \(sample.request.kindName) request", isRequest: true)
        }
        if attempt.isCancelled() { throw ModelWork.cancelled(name) }
        let begun = Clock.nanoseconds(.wall)
        let opened: Opened
        let record: RetrievalRecord
        do {
            opened = try open(question)
            // The sample's own trace records the search; a second trace would duplicate it. A search takes
            // milliseconds, so cancellation is checked only before and after it.
            record = try retriever.ask(question.question, opened.pipeline, of: opened.corpus, keepingTrace: false)
            if attempt.isCancelled() { throw ModelWork.cancelled(name) }
        } catch let failure as LanguageModelError {
            throw failure
        } catch {
            throw self.error("\(error)", isRequest: false)
        }
        let passages = Self.passages(of: record, depth: question.depth)
        let found = Clock.nanoseconds(.wall)
        let search = SolutionStep.search(
            SolutionStep.SearchRecord(
                corpus: opened.corpus.name, pipeline: opened.pipeline.name, question: question.question,
                passages: passages, start: begun, end: found))
        var solution = Solution(passages: passages, steps: [search], seconds: Double(found - begun) * 1e-9)
        if let answer = record.answer { solution.answers = [answer.text] }
        guard let prompt = question.prompt else { return solution }
        guard let model else {
            throw error("the task sends the passages to a model, but no model was chosen", isRequest: true)
        }
        var attempt = attempt
        let (left, before) = (attempt.left, solution)
        attempt.left = { rest in
            var done = before
            done.steps += rest.steps
            done.usage = rest.usage
            done.seconds += rest.seconds
            left(done)
        }
        var work = ModelWork(solver: model, attempt: attempt)
        let shown = passages.filter(\.isInContext).enumerated().map { place, passage in
            (mark: "[\(place + 1)]", label: passage.document, text: passage.text)
        }
        let text = AnswerPrompt.filled(prompt, context: AnswerPrompt.context(shown), question: question.question)
        let input: ModelRequest.Input =
            model.model.capabilities.acceptsMessages
            ? .messages([Message(.user, [.text(text)])], tools: []) : .text(text)
        let response = try work.ask(ModelRequest(input, sampling: question.sampling))
        let done = work.finished
        solution.steps += done.steps
        solution.answers = [response.message.plainText]
        solution.usage = done.usage
        solution.retries = done.retries
        solution.seconds += done.seconds
        return solution
    }

    /// Returns the corpus with its revision, and the whole definition of the pipeline, since names do not identify
    /// them.
    public func state(for sample: TaskSample) -> String? {
        guard case .retrieval(let question) = sample.request, let opened = try? open(question) else { return nil }
        return opened.state
    }

    private func open(_ question: RetrievalQuestion) throws -> Opened {
        let key = "\(question.corpus)\u{0}\(question.pipeline ?? "")"
        if let known = opened.withLock({ $0[key] }) { return known }
        let corpus = try retriever.store.corpus(named: question.corpus)
        let pipeline = try retriever.pipeline(named: question.pipeline ?? Retriever.standardName)
        let state = "\(corpus.id) \(corpus.revision) \(pipeline.version ?? 0) \(pipeline.definition)"
        let opening = Opened(corpus: corpus, pipeline: pipeline, state: state)
        opened.withLock { $0[key] = opening }
        return opening
    }

    /// Returns the pipeline's last ranking, best first, with whether each passage is in the context.
    private static func passages(of record: RetrievalRecord, depth: Int) -> [SolutionPassage] {
        let shown = record.context.map { context in
            Set(context.passages.flatMap { [$0.passage] + $0.merged })
        }
        return record.ranking(deep: depth).map { entry in
            let passage = record[entry.passage]
            return SolutionPassage(
                document: passage.document, chunk: passage.chunk, text: passage.text ?? "", score: entry.score ?? 0,
                isInContext: shown?.contains(entry.passage) ?? entry.verdict.isKept)
        }
    }

    private func error(_ problem: String, isRequest: Bool) -> LanguageModelError {
        LanguageModelError(
            isRequest ? .request : .local, model: name,
            problem: problem.hasSuffix(".") ? String(problem.dropLast()) : problem)
    }
}

public import LanguageModels
internal import System

/// Answers with a model: texts, conversations, and probabilities of given texts.
public struct ModelSolver: Solver {
    /// Model that answers.
    public let model: any LanguageModel
    public let name: String
    public let identity: String
    /// Specification that opens the model again, for traces.
    public let specification: String?
    /// Number of alternatives per token if the request asks for none.
    public let alternatives: Int
    /// Whether to store the tokens of answers with their reported data.
    public let keepsTokens: Bool

    /// - Parameters:
    ///   - identity: Text that distinguishes this model's answers from another's (default: provider, name, and
    ///     specification).
    public init(
        _ model: any LanguageModel, specification: String? = nil, identity: String? = nil, alternatives: Int = 0,
        keepsTokens: Bool = true
    ) {
        self.model = model
        self.specification = specification
        self.alternatives = alternatives
        self.keepsTokens = keepsTokens
        name = specification.map(Self.title) ?? model.name
        // Alternatives are stored with an answer, so cached answers without them do not match this request.
        let extra = alternatives > 0 ? " alternatives \(alternatives)" : ""
        self.identity = (identity ?? "\(model.provider) \(model.name) \(specification ?? "")") + extra
    }

    /// Returns the title of a model in lists: its word, or the last part of a path.
    private static func title(_ word: String) -> String {
        guard word.contains("/"), !word.contains("://"), !word.hasPrefix("exec:"),
            let last = word.split(separator: "/").last
        else { return word }
        return String(last)
    }

    public var pricedName: String? { model.name }

    public func solve(
        _ sample: TaskSample, _ attempt: SolvingAttempt
    ) throws(LanguageModelError) -> Solution {
        var work = ModelWork(solver: self, attempt: attempt)
        switch sample.request {
        case .generation(let request):
            for time in 0..<max(1, sample.repeats) {
                let response = try work.ask(request, time: time)
                work.solution.answers.append(response.message.plainText)
            }
        case .turns(let system, let user, let sampling): try converse(system, user, sampling, &work)
        case .likelihood(let context, let continuation):
            let likely = try likelihoods(sample.request)
            work.solution.likelihoods = [try work.likelihood(likely, of: continuation, after: context)]
        case .rolling(let text):
            let likely = try likelihoods(sample.request)
            work.solution.likelihoods = [try work.likelihood(likely, of: text, after: nil)]
        case .choice(let context, let continuations, let alone):
            let likely = try likelihoods(sample.request)
            for continuation in continuations {
                work.solution.likelihoods.append(try work.likelihood(likely, of: continuation, after: context))
            }
            for continuation in alone ? continuations : [] {
                work.solution.alone.append(try work.likelihood(likely, of: continuation, after: ""))
            }
        case .retrieval, .agent, .program, .recorded:
            throw LanguageModelError(
                .request, model: name, problem: "a model alone cannot answer a \(sample.request.kindName) request")
        }
        return work.finished
    }

    private func converse(
        _ system: String?, _ user: [String], _ sampling: Sampling, _ work: inout ModelWork
    ) throws(LanguageModelError) {
        var messages = system.map { [Message(.system, [.text($0)])] } ?? []
        for turn in user {
            messages.append(Message(.user, [.text(turn)]))
            let response = try work.ask(ModelRequest(.messages(messages, tools: []), sampling: sampling))
            messages.append(response.message)
        }
        // The last answer is judged; the earlier ones are in the steps.
        if let last = messages.last, last.role == .assistant { work.solution.answers = [last.plainText] }
    }

    private func likelihoods(_ request: EvalRequest) throws(LanguageModelError) -> any LikelihoodModel {
        if let model = model as? any LikelihoodModel { return model }
        throw LanguageModelError(
            .request, model: name, problem: "the model does not report the probability of a text, which the task needs",
            remedy: "Use a local model, or an endpoint that returns log-probabilities of the prompt.")
    }
}

/// The work of a model on one sample: every call becomes a step.
struct ModelWork {
    let solver: ModelSolver
    let attempt: SolvingAttempt
    var solution = Solution()
    private let begun = Clock.nanoseconds(.wall)

    init(solver: ModelSolver, attempt: SolvingAttempt) {
        self.solver = solver
        self.attempt = attempt
    }

    /// The solution with its time.
    var finished: Solution {
        var solution = solution
        solution.seconds = Double(Clock.nanoseconds(.wall) - begun) * 1e-9
        return solution
    }

    /// Sends one request to the model. Sampled answers use the attempt's seed if the request has none.
    ///
    /// - Parameter time: Index starting at 0; answers to equal requests are sampled with different seeds.
    mutating func ask(_ request: ModelRequest, time: Int = 0) throws(LanguageModelError) -> ModelResponse {
        try checkCancelled()
        var request = request
        // Anthropic's interface rejects seeds.
        if request.sampling.seed == nil, request.sampling.temperature != 0, solver.model.provider != "anthropic" {
            request.sampling.seed = (attempt.seed >> 1) ^ UInt64(time)
        }
        if request.alternatives == 0 {
            request.alternatives = min(solver.alternatives, solver.model.capabilities.alternatives)
        }
        var tokens: [TokenStep] = []
        let keepsTokens = solver.keepsTokens
        let start = Clock.nanoseconds(.wall)
        let response: ModelResponse
        do throws(LanguageModelError) {
            response = try solver.model.respond(to: request, isCancelled: attempt.isCancelled) { event in
                if keepsTokens, case .token(let step) = event, step.id != nil || step.logProbability != nil {
                    tokens.append(step)
                }
            }
        } catch {
            leave(solver.model.provider, solver.model.name, request, error, start)
            throw error
        }
        guard response.finish != .cancelled else { throw Self.cancelled(solver.name) }
        solution.steps.append(
            .model(
                SolutionStep.CallRecord(
                    provider: solver.model.provider, model: solver.model.name, specification: solver.specification,
                    request: request, response: response, start: start, end: Clock.nanoseconds(.wall), answered: tokens)
            ))
        add(response.usage)
        solution.retries += response.retries
        return response
    }

    /// Returns the probability of a text; with `nil` as `context`, of the whole text.
    mutating func likelihood(
        _ model: any LikelihoodModel, of text: String, after context: String?
    ) throws(LanguageModelError) -> Likelihood {
        try checkCancelled()
        let start = Clock.nanoseconds(.wall)
        let likelihood: Likelihood
        do throws(LanguageModelError) {
            if let context {
                likelihood = try model.likelihood(of: text, after: context, isCancelled: attempt.isCancelled)
            } else {
                likelihood = try model.likelihood(ofAll: text, isCancelled: attempt.isCancelled)
            }
        } catch {
            leave(model.provider, model.name, ModelRequest(.text(context ?? text), sampling: .greedy), error, start)
            throw error
        }
        try checkCancelled()
        solution.steps.append(
            .model(
                SolutionStep.CallRecord(
                    provider: model.provider, model: model.name, specification: solver.specification,
                    request: ModelRequest(.text(context ?? ""), sampling: .greedy), response: nil,
                    likelihood: solver.keepsTokens ? likelihood : likelihood.withoutTokens, start: start,
                    end: Clock.nanoseconds(.wall))))
        add(likelihood.usage)
        return likelihood
    }

    /// Reports what was done, including the failed call.
    private func leave(
        _ provider: String, _ model: String, _ request: ModelRequest, _ error: LanguageModelError, _ start: Int64
    ) {
        var left = finished
        left.answers = []
        left.steps.append(
            .model(
                SolutionStep.CallRecord(
                    provider: provider, model: model, specification: solver.specification, request: request,
                    response: nil, problem: error.sentence, start: start, end: Clock.nanoseconds(.wall))))
        attempt.left(left)
    }

    mutating func add(_ usage: Usage?) {
        guard let usage else { return }
        var total = solution.usage ?? Usage()
        total += usage
        solution.usage = total
    }

    func checkCancelled() throws(LanguageModelError) {
        if attempt.isCancelled() { throw Self.cancelled(solver.name) }
    }

    static func cancelled(_ name: String) -> LanguageModelError {
        LanguageModelError(.local, model: name, problem: "the request was canceled")
    }
}

extension Likelihood {
    fileprivate var withoutTokens: Likelihood {
        var likelihood = self
        likelihood.tokens = []
        return likelihood
    }
}

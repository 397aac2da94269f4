internal import Agents
public import LanguageModels
internal import Providers
internal import Synchronization

/// Answers with an agent that thinks and uses tools: a calculator, a table of facts, a search in given documents.
public struct AgentSolver: Solver {
    public let name: String
    public let identity: String
    private let model: ModelSolver

    public init(_ model: ModelSolver) {
        self.model = model
        name = model.name
        identity = "agent " + model.identity
    }

    public func solve(_ sample: TaskSample, _ attempt: SolvingAttempt) throws(LanguageModelError) -> Solution {
        guard case .agent(let question) = sample.request else {
            throw refusal("an agent cannot answer a \(sample.request.kindName) request")
        }
        let tools: ToolBox
        do throws(ToolError) {
            tools = try Self.tools(for: question)
        } catch {
            throw refusal(error.sentence)
        }
        var sampling = question.sampling
        if sampling.seed == nil, sampling.temperature != 0, model.model.provider != "anthropic" {
            sampling.seed = attempt.seed >> 1
        }
        let agent = ReActAgent(
            model.model, tools: tools,
            options: ReActAgent.Options(
                limits: AgentLimits(steps: max(1, question.maximumSteps), seconds: 600), form: form, sampling: sampling,
                alternatives: min(model.alternatives, model.model.capabilities.alternatives),
                specification: model.specification))
        let notes = AgentNotes()
        let run = agent.run(
            question.question, documents: question.documents, sink: notes, isCancelled: attempt.isCancelled)
        let failure = notes.failure
        switch run.outcome {
        case .cancelled: throw ModelWork.cancelled(name)
        // The run retries after a rate limit or a broken connection.
        case .modelFailed(let sentence):
            attempt.left(Solution(steps: notes.steps, usage: run.usage, seconds: run.seconds))
            throw failure ?? refusal(sentence)
        default: break
        }
        var steps = notes.steps
        if !model.keepsTokens { steps = steps.map(\.withoutTokens) }
        return Solution(
            answers: run.outcome.answer.map { [$0] } ?? [], steps: steps, usage: run.usage, seconds: run.seconds,
            standardError: run.outcome.problem)
    }

    /// Without a chat template, a model has never seen a conversation, so it continues a text.
    private var form: ReActAgent.Form {
        let local = model.model as? LocalModel ?? (model.model as? LeasedModel)?.local
        return local?.hasChatTemplate == false ? .text : .automatic
    }

    /// Returns the tools with these names.
    private static func tools(for question: AgentQuestion) throws(ToolError) -> ToolBox {
        var tools: [any Tool] = []
        for name in question.tools {
            switch name {
            case "calculator": tools.append(Calculator())
            case "lookup":
                tools.append(LookupTool(try LookupTable(question.facts.map { (key: $0.key, value: $0.value) })))
            case "search": tools.append(SearchTool(question.documents))
            default: throw ToolError("unknown tool \(name); available: calculator, lookup, search")
            }
        }
        return try ToolBox(tools)
    }

    private func refusal(_ problem: String) -> LanguageModelError {
        LanguageModelError(
            .request, model: name, problem: problem.hasSuffix(".") ? String(problem.dropLast()) : problem)
    }
}

/// Collects the actions of an agent as steps of a solution.
private final class AgentNotes: AgentRunSink {
    private let kept = Mutex<(steps: [SolutionStep], failure: LanguageModelError?)>(([], nil))

    var steps: [SolutionStep] { kept.withLock { $0.steps } }
    /// Reason why the last model call failed; `nil` if it succeeded.
    var failure: LanguageModelError? { kept.withLock { $0.failure } }

    func record(_ record: AgentRunRecord) {
        switch record {
        case .model(let call, _):
            var response: ModelResponse?
            var failure: LanguageModelError?
            switch call.outcome {
            case .success(let value): response = value
            case .failure(let error): failure = error
            }
            let step = SolutionStep.model(
                SolutionStep.CallRecord(
                    provider: call.provider, model: call.model, specification: call.specification,
                    request: call.request, response: response, problem: failure?.sentence, start: call.start,
                    end: call.end, answered: call.answered))
            kept.withLock { kept in
                kept.steps.append(step)
                kept.failure = failure
            }
        case .tool(let run, _): kept.withLock { $0.steps.append(.tool(run)) }
        case .began, .ended: break
        }
    }
}

extension SolutionStep {
    fileprivate var withoutTokens: SolutionStep {
        guard case .model(var call) = self else { return self }
        call.answered = []
        return .model(call)
    }
}

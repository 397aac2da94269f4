import Evals
import JSON
import LanguageModels
import Providers
import Synchronization
import Testing
import Traces

/// Answers by models, by agents, and without either.
struct ModelSolverTests {
    @Test("an answer has its call, tokens, and usage")
    func generation() throws {
        let model = ScriptedModel([
            ScriptedAnswer(
                [
                    .init(.token(TokenStep(text: "4", id: 19, logProbability: -0.25))),
                    .init(.token(TokenStep(text: "2", id: 17, logProbability: -0.5))),
                ], usage: Usage(input: 7, output: 2))
        ])
        let solver = ModelSolver(model, specification: "scripted:42")
        let request = ModelRequest(.messages([Message(.user, [.text("6 x 7?")])], tools: []), sampling: .greedy)
        let solution = try solver.solve(TaskSample(id: "a", request: .generation(request)), SolvingAttempt())
        #expect(solution.answer == "42")
        #expect(solution.usage == Usage(input: 7, output: 2))
        guard case .model(let call) = solution.steps.first else {
            Issue.record("no call")
            return
        }
        #expect(solution.steps.count == 1)
        #expect(call.answered.map(\.logProbability) == [-0.25, -0.5])
        #expect(call.request == request, "a greedy request is asked as it is")
        #expect(call.start > 1_600_000_000_000_000_000)
        #expect(call.end >= call.start)
        #expect(solver.name == "scripted:42")
    }

    @Test("turns are sent in order, each with the previous answers")
    func turns() throws {
        let model = ScriptedModel([.text("hello"), .text("blue")])
        let sample = TaskSample(
            id: "a", request: .turns(system: "Be brief.", user: ["Hi", "Colour?"], sampling: .greedy))
        let solution = try ModelSolver(model).solve(sample, SolvingAttempt())
        #expect(solution.answer == "blue")
        guard solution.steps.count == 2, case .model(let last) = solution.steps[1],
            case .messages(let messages, _) = last.request.input
        else {
            Issue.record("two calls were expected")
            return
        }
        #expect(messages.map(\.role) == [.system, .user, .assistant, .user])
        #expect(messages[2].parts == [.text("hello")])
    }

    @Test("likelihoods are requested choice by choice, and once more without the question")
    func choices() throws {
        let model = TableModel([" yes": -1, " no": -2.5])
        let sample = TaskSample(
            id: "a", request: .choice(context: "Is it?", continuations: [" yes", " no"], alone: true))
        let solution = try ModelSolver(model).solve(sample, SolvingAttempt())
        #expect(solution.likelihoods.map(\.logProbability) == [-1, -2.5])
        #expect(solution.alone.map(\.logProbability) == [-1, -2.5])
        #expect(model.contexts == ["Is it?", "Is it?", "", ""])
        #expect(solution.steps.count == 4)
    }

    @Test("a model without likelihoods is one clear error, without a retry")
    func noLikelihood() {
        let sample = TaskSample(id: "a", request: .rolling("text"))
        #expect {
            try ModelSolver(ScriptedModel([.text("x")])).solve(sample, SolvingAttempt())
        } throws: { error in
            guard let error = error as? LanguageModelError else { return false }
            return error.kind == .request && error.problem.contains("the probability of a text")
        }
    }

    @Test("sampled answers use the seed of the attempt, and another epoch uses another")
    func seeds() throws {
        let request = ModelRequest(.text("x"), sampling: Sampling(temperature: 1))
        let sample = TaskSample(id: "a", request: .generation(request))
        func seed(_ attempt: UInt64) throws -> UInt64? {
            let solution = try ModelSolver(ScriptedModel([.text("x")])).solve(sample, SolvingAttempt(seed: attempt))
            guard case .model(let call) = solution.steps.first else { return nil }
            return call.request.sampling.seed
        }
        #expect(try seed(10) == seed(10))
        #expect(try seed(10) != seed(12))
    }

    @Test("a temporary failure is thrown unchanged")
    func failure() {
        let refusal = LanguageModelError(.rateLimit, model: "m", problem: "too many requests")
        let sample = TaskSample(id: "a", request: .generation(ModelRequest(.text("x"))))
        #expect(throws: refusal) {
            try ModelSolver(ScriptedModel([.failure(refusal)])).solve(sample, SolvingAttempt())
        }
    }

    @Test("an agent's model calls and tools are steps in order")
    func agent() throws {
        let action = #"Action: {"tool": "calculator", "arguments": {"expression": "6 * 7"}}"#
        let model = ScriptedModel([
            .text("Thought: I compute.\n\(action)\n"), .text("Thought: I know it.\nAnswer: 42\n"),
        ])
        let question = AgentQuestion(
            question: "What is 6 times 7?", tools: ["calculator", "lookup"], facts: [.init("a b", "c")])
        let solver = Solvers.make(model: model, specification: nil, workspace: nil)
        let solution = try solver.solve(TaskSample(id: "a", request: .agent(question)), SolvingAttempt())
        let names = solution.steps.map { step -> String in
            switch step {
            case .model: "model"
            case .tool(let run): "\(run.call.name) \(run.call.arguments) \(run.result.content)"
            case .search: "search"
            }
        }
        #expect(names == ["model", #"calculator {"expression":"6 * 7"} 42"#, "model"])
        #expect(solution.answer == "42")
        let unknown = AgentQuestion(question: "x", tools: ["shell"])
        #expect(throws: LanguageModelError.self) {
            try solver.solve(TaskSample(id: "a", request: .agent(unknown)), SolvingAttempt())
        }
    }

    @Test("a request without a model or program is an error that names what is missing")
    func missing() {
        let solver = Solvers.make(model: nil, specification: nil, workspace: nil)
        for request: EvalRequest in [
            .rolling("x"), .retrieval(RetrievalQuestion(question: "q", corpus: "c")), .program(.null),
        ] {
            #expect {
                try solver.solve(TaskSample(id: "a", request: request), SolvingAttempt())
            } throws: { ($0 as? LanguageModelError)?.problem.contains("needs") == true }
        }
    }
}

/// Returns likelihoods from a table and records its requests.
private final class TableModel: LikelihoodModel {
    let name = "table"
    let provider = "test"
    let capabilities = ModelCapabilities()
    private let table: [String: Double]
    private let asked = Mutex<[String]>([])

    init(_ table: [String: Double]) { self.table = table }

    var contexts: [String] { asked.withLock { $0 } }

    func respond(
        to request: ModelRequest, isCancelled: @Sendable () -> Bool, receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) -> ModelResponse {
        throw LanguageModelError(.request, model: name, problem: "the model does not answer")
    }

    func likelihood(
        of continuation: String, after context: String, isCancelled: @Sendable () -> Bool
    ) throws(LanguageModelError) -> Likelihood {
        asked.withLock { $0.append(context) }
        return Likelihood(logProbability: table[continuation] ?? 0, isGreedy: false)
    }

    func likelihood(ofAll text: String, isCancelled: @Sendable () -> Bool) throws(LanguageModelError) -> Likelihood {
        Likelihood(logProbability: table[text] ?? 0, isGreedy: false)
    }
}

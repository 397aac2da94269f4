import EvalLogs
import Evals
import JSON
import LanguageModels

/// Records with every field set, whose bytes are in `Goldens/packed.txt`.
enum PackedFixtures {
    /// Every field of a record, once.
    static var solution: Solution {
        let messages = [
            Message(.system, [.text("be brief")]),
            Message(
                .assistant,
                [
                    .reasoning("hm"), .toolCall(ToolCall(id: "1", name: "add", arguments: #"{"a":1}"#)),
                    .other(type: "odd", json: "{}"),
                ]),
            Message(.tool, [.toolResult(ToolResult(callID: "1", content: "2", isError: true))]),
            Message(.user, [.attachment(Attachment(mediaType: "image/png", location: nil, byteCount: 77))]),
        ]
        let sampling = Sampling(
            temperature: 0.1, topK: 5, topP: 0.9, minP: 0, typicalP: 1, repetitionPenalty: 1.1, presencePenalty: -1,
            frequencyPenalty: 2, bias: [7: -100, 3: 1.5], stop: ["\n\n", "Ω"], seed: .max, maximumTokens: 64)
        let request = ModelRequest(
            .messages(messages, tools: [ToolDefinition(name: "add", description: "adds", parameters: "{}")]),
            sampling: sampling, alternatives: 3, templateVariables: ["b": "1", "a": "true"])
        let response = ModelResponse(
            message: messages[1], finish: .other("filter"), usage: Usage(input: 1, cacheRead: 2, output: 3),
            model: "m", secondsToFirstToken: 0.5, seconds: 1.25, retries: 2)
        let step = TokenStep(
            text: "é", id: 5, logProbability: -0.1, entropy: .infinity, seconds: 0.01,
            alternatives: [Alternative(id: nil, text: "e", logProbability: -2.5)])
        let call = SolutionStep.CallRecord(
            provider: "openai", model: "m", specification: "openai:m", request: request, response: response,
            likelihood: Likelihood(
                logProbability: -3.25, isGreedy: false,
                tokens: [.init(text: "a", id: 1, logProbability: -1, isGreedy: true)], usage: Usage(input: 1)),
            problem: "none", purpose: "judge", start: -5, end: .max, answered: [step])
        let passage = SolutionPassage(document: "d", chunk: 12, text: "text", score: -0.0, isInContext: false)
        return Solution(
            answers: ["a", ""], likelihoods: [Likelihood(logProbability: -1, isGreedy: true)],
            alone: [Likelihood(logProbability: -2, isGreedy: false)], passages: [passage],
            steps: [
                .model(call),
                .tool(
                    ToolRun(
                        call: ToolCall(id: "1", name: "add", arguments: "{}"),
                        result: ToolResult(callID: "1", content: "2", isError: false), start: 1, end: 2)),
                .search(
                    .init(
                        corpus: "c", pipeline: "p", question: "q", passages: [passage], start: 1, end: 2,
                        problem: "gone")),
            ], usage: Usage(input: 9), seconds: 2.5, retries: 1, standardError: "oh")
    }

    static let options = EvalOptions(
        name: "n", concurrency: 3, isAdaptive: false, limit: 9, only: ["b", "a"], epochs: 2, seed: .max,
        usesCache: false, retries: 4, budget: EvalBudget(requests: 5, tokens: 6, cost: 0.5, seconds: 7.5), group: "g")

    static var progress: EvalProgress {
        var progress = EvalProgress(
            run: 1, completed: 2, total: 3, failed: 4, errors: 5, cached: 7, working: 8, concurrency: 9, rate: 1.5,
            remaining: 2.5, usage: Usage(input: 1, cacheRead: 2, cacheWrite: 3, output: 4, reasoning: 5), cost: 3.5,
            latency: .init(median: 4.5, p95: 5.5, p99: 6.5),
            waits: [
                .init(cause: .rateLimit, count: 1, seconds: 7.5, detail: "429"),
                .init(cause: .retry, count: 2, seconds: nil, detail: "503"),
                .init(cause: .queued, count: 3, seconds: nil, detail: ""),
                .init(cause: .paused, count: 4, seconds: nil, detail: "p"),
            ], score: 8.5)
        progress.unscored = 6
        progress.isUsageUntold = true
        progress.oldest = 9.5
        return progress
    }

    static let metric = EvalMetric(
        score: "s", name: "mean", value: 1, standardError: 2, lower: 3, upper: 4, level: 5, count: 6,
        higherIsBetter: false, note: "note")

    static let score = EvalScore(
        "s", value: 1, label: "l", answer: "a", explanation: "e", problem: "p", confidence: 0.5, parts: [2, 3])

    static func row(_ outcome: EvalRow.Outcome) -> EvalRow {
        var row = EvalRow(
            index: 7, id: "i", epoch: 2, outcome: outcome, scores: [1, -0.0], input: "in", answer: "out", target: "t",
            cluster: "c", slices: ["x", ""], problem: "p", seconds: 1.5, tokens: 8, cost: 2.5)
        row.wasCached = true
        return row
    }

    static var likelihood: Likelihood {
        var likelihood = Likelihood(logProbability: -1, isGreedy: true, usage: Usage(input: 1))
        likelihood.rule = "r"
        return likelihood
    }

    /// Requests of every kind.
    static var requests: [EvalRequest] {
        let sampling = Sampling(temperature: 0.5)
        return [
            .generation(ModelRequest(.tokens([1, 2]), sampling: sampling)),
            .generation(ModelRequest(.text("t"))), .likelihood(context: "c", continuation: "n"), .rolling("r"),
            .choice(context: "c", continuations: ["a", "b"], alone: true),
            .turns(system: "s", user: ["u"], sampling: sampling), .turns(system: nil, user: [], sampling: sampling),
            .retrieval(
                RetrievalQuestion(
                    question: "q", corpus: "c", pipeline: "p", depth: 3, prompt: "t", sampling: sampling)),
            .agent(
                AgentQuestion(
                    question: "q", documents: ["d"], tools: ["lookup"], facts: [.init("k", "v")], maximumSteps: 5,
                    sampling: sampling)), .program(.object([.init(key: "a", value: .bool(true))])),
            .recorded(RecordedAnswer(question: "q", answer: "a", confidence: 0.5)),
        ]
    }

    static let task = EvalTask(
        name: "t", version: "1", format: "orrery",
        samples: requests.enumerated().map { index, request in
            TaskSample(
                id: "\(index)", request: request, targets: ["t"], choices: ["c"], rightChoice: 0, cluster: "k",
                slices: ["s"], fields: .object([]),
                checks: [ScorerChoice("exact", name: "n", weight: 2, threshold: 0.5, isNegated: true)])
        },
        scorers: [
            ScorerChoice("contains", settings: ScorerSettings([.init(key: "ignore_case", value: .bool(false))]))
        ], metrics: [], slices: ["slice"])

    /// Responses with every reason to finish.
    static let responses = [.stop, .length, .toolCalls, .cancelled, .other("o")].map {
        (finish: ModelResponse.FinishReason) in
        ModelResponse(
            message: Message(.user, [.text("x")]), finish: finish, usage: nil, model: "m", secondsToFirstToken: nil,
            seconds: 1)
    }
}

internal import JSON
public import LanguageModels
internal import Providers
internal import System

/// Answers with a user's program: one JSON line in, one JSON line out for each sample.
///
/// It reads
/// ```json
/// {"version": 1, "line_id": 12, "kind": "solve", "id": "7", "epoch": 1, "seed": 123, "request": "generation",
///  "input": "What is ...?", "messages": [{"role": "user", "content": "What is ...?"}],
///  "choices": ["a", "b"], "continuations": [" a", " b"], "fields": {"question": "What is ...?"}}
/// ```
/// where `fields` is the sample's row, `choices` and `continuations` are present if the sample has them, and for a
/// `program` request `input` is its object. The program never sees the correct answer, unless `fields` contains it. It
/// writes one object with
///
/// - `answer` (or `text`): a string; any other value counts as its JSON. Or `answers`: a list of such values.
/// - `messages`: `[{"role", "content"}]`, its conversation with a model of its own.
/// - `steps`: `[{"tool": "search", "arguments": {}, "result": "...", "error": false, "seconds": 0.2}]`, its steps.
/// - `passages`: `[{"document", "text", "score"}]`, the passages it found.
/// - `likelihoods`: `[{"logprob": -1.5, "greedy": true}]`, natural logarithms in the order of `continuations`.
/// - `usage`: `{"input_tokens", "output_tokens"}`.
/// - `error`: reason for a missing answer, a string.
/// - `line_id`: number of the line that it answers. A program that writes it may be late or write more than once:
///   output for an earlier line is dropped. Without it, a second line is an error.
///
/// The program starts once and stays, with one instance per concurrent sample; it must flush its output after each
/// line. It runs with the user's own rights.
public struct ProgramSolver: Solver {
    public let name: String
    public let identity: String
    private let pool: ProgramPool

    public init(_ words: [String], instances: Int = 64, limits: ProgramLimits = ProgramLimits()) {
        pool = ProgramPool(words, instances: instances, limits: limits)
        name = ProviderSpecification.program(words).description
        identity = "\(name) \(ProgramStamp.of(words))"
    }

    public var pricedName: String? { pool.name }

    /// Returns the whole sample, since the program reads all of it, whatever the request is.
    public func state(for sample: TaskSample) -> String? {
        "\(sample.id)\u{0}\(sample.choices)\u{0}\(sample.fields.json())"
    }

    public func solve(_ sample: TaskSample, _ attempt: SolvingAttempt) throws(LanguageModelError) -> Solution {
        let start = Clock.nanoseconds(.wall)
        let answer: (value: JSONValue, standardError: String)
        do throws(ProgramError) {
            answer = try pool.ask({ Self.line($0, sample, attempt) }, isCancelled: attempt.isCancelled)
        } catch {
            if error.isBroken { attempt.endRun() }
            if error.isLast { attempt.keepError() }
            var failure = LanguageModelError(
                error.isViolation ? .protocolViolation : .local, model: name, problem: error.problem,
                remedy: error.isTimeout
                    ? "Allow more time with --program-seconds." : error.isViolation ? ProgramLines.rule : "")
            failure.isCutOff = error.isTimeout
            attempt.left(left(sample, error, failure.sentence, start))
            throw failure
        }
        let end = Clock.nanoseconds(.wall)
        let value = answer.value
        guard value.members != nil else {
            throw LanguageModelError(
                .protocolViolation, model: name, problem: "the line is not a JSON object", remedy: ProgramLines.rule)
        }
        if let error = value["error"], error != .null {
            throw LanguageModelError(.local, model: name, problem: error.string ?? error.json())
        }
        let isAnswered = ["answer", "answers", "text", "likelihoods", "passages"].contains { key in
            guard let told = value[key], told != .null else { return false }
            return key != "answers" || told.elements.map { $0.contains { $0 != .null } } ?? true
        }
        guard isAnswered else {
            throw LanguageModelError(
                .protocolViolation, model: name, problem: "the line has neither an answer nor an error",
                remedy: "Write {\"answer\": ...} or {\"error\": ...}.")
        }
        return solution(value, sample, answer.standardError, start, end)
    }

    /// Returns what is stored of a sample without an answer: the call with its time, and the program's output about
    /// itself.
    private func left(_ sample: TaskSample, _ error: ProgramError, _ problem: String, _ start: Int64) -> Solution {
        let end = Clock.nanoseconds(.wall)
        let call = SolutionStep.CallRecord(
            provider: "exec", model: pool.name, specification: name,
            request: ModelRequest(.messages(sample.request.messages, tools: [])), response: nil, problem: problem,
            start: start, end: end)
        return Solution(
            steps: [.model(call)], seconds: Double(end - start) * 1e-9,
            standardError: error.standardError.isEmpty ? nil : error.standardError)
    }

    private func solution(
        _ value: JSONValue, _ sample: TaskSample, _ said: String, _ start: Int64, _ end: Int64
    ) -> Solution {
        let answers = (value["answers"]?.elements ?? (value["answer"] ?? value["text"]).map { [$0] } ?? [])
            .filter { $0 != .null }.map { $0.string ?? $0.json() }
        var steps: [SolutionStep] = []
        for (index, step) in (value["steps"]?.elements ?? []).enumerated() {
            guard let tool = step["tool"]?.string ?? step["name"]?.string else { continue }
            let arguments = step["arguments"].map { $0.string ?? $0.json() } ?? "{}"
            let call = ToolCall(id: "\(index + 1)", name: tool, arguments: arguments)
            let result = step["result"].map { $0.string ?? $0.json() } ?? ""
            let isError = step["error"].map { $0 != .null && $0 != .bool(false) } ?? false
            // Only the program knows how long a step took; without a report, a step has no duration.
            let told = step["seconds"]?.double.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil } ?? 0
            let done = told <= max(0, Double(end - start) * 1e-9) ? start + Int64(told * 1e9) : end
            steps.append(
                .tool(
                    ToolRun(
                        call: call, result: ToolResult(callID: call.id, content: result, isError: isError),
                        start: start, end: done)))
        }
        let usage = ProgramLines.usage(value)
        // Record the program's own work as a call like a model's, so that the trace shows input and output.
        var messages = (value["messages"]?.elements ?? []).compactMap { Self.message($0) }
        if messages.isEmpty { messages = sample.request.messages }
        let last = messages.last?.role == .assistant ? messages.popLast() : nil
        let seconds = Double(end - start) * 1e-9
        steps.append(
            .model(
                SolutionStep.CallRecord(
                    provider: "exec", model: pool.name, specification: name,
                    request: ModelRequest(.messages(messages, tools: [])),
                    response: ModelResponse(
                        message: last ?? Message(.assistant, [.text(answers.first ?? "")]), finish: .stop, usage: usage,
                        model: pool.name, secondsToFirstToken: nil, seconds: seconds),
                    start: start, end: end)))
        return Solution(
            answers: answers,
            likelihoods: (value["likelihoods"]?.elements ?? []).map { told in
                Likelihood(
                    logProbability: told["logprob"]?.double ?? -.infinity, isGreedy: told["greedy"]?.bool ?? false)
            },
            passages: (value["passages"]?.elements ?? []).map { told in
                SolutionPassage(
                    document: told["document"]?.string ?? "", text: told["text"]?.string ?? "",
                    score: told["score"]?.double ?? 0)
            },
            steps: steps, usage: usage, seconds: seconds, standardError: said.isEmpty ? nil : said)
    }

    private static func message(_ value: JSONValue) -> Message? {
        let name = value["role"]?.string ?? "user"
        guard let role = Role.allCases.first(where: { $0.name == name }) else { return nil }
        return Message(role, [.text(value["content"].map { $0.string ?? $0.json() } ?? "")])
    }

    private static func line(_ number: Int, _ sample: TaskSample, _ attempt: SolvingAttempt) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            ProgramLines.begin("solve", number, to: &json)
            json.member("id", sample.id)
            json.member("epoch", attempt.epoch)
            json.member("seed", Int(attempt.seed >> 1))
            ProgramLines.asked(sample, to: &json)
            if case .choice(_, let continuations, _) = sample.request { json.member("continuations", continuations) }
            if case .likelihood(_, let continuation) = sample.request { json.member("continuations", [continuation]) }
        }
        return json.bytes
    }
}

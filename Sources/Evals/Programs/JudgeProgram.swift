internal import JSON
internal import LanguageModels
internal import Synchronization
internal import System

/// Judges with a user's program, which starts once and stays: one JSON line in, one JSON line out for each verdict.
///
/// It reads the same frame as solvers and scorers:
/// ```json
/// {"version": 1, "line_id": 12, "kind": "judge", "input": "Judge ...", "seed": 7,
///  "messages": [{"role": "system", "content": "..."}, {"role": "user", "content": "Judge ..."}]}
/// ```
/// and writes `{"answer": {"id": "8c1f...", "reason": "...", "score": 4}}`: `answer` (or `text`) is the object that the
/// end of `input` asks for, directly or as a string. `usage`, `error`, and `line_id` are the same as for a solver.
final class JudgeProgram: LanguageModel {
    let name: String
    let provider = "exec"
    private let pool: ProgramPool
    private let broken = Atomic(false)

    /// Whether every other question would fail too.
    var isBroken: Bool { broken.load(ordering: .relaxed) }

    init(_ words: [String], seconds: Double) {
        pool = ProgramPool(words, instances: 64, limits: ProgramLimits(seconds: seconds))
        name = pool.name
    }

    var capabilities: ModelCapabilities { ModelCapabilities() }

    func respond(
        to request: ModelRequest, isCancelled: @Sendable () -> Bool, receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) -> ModelResponse {
        guard case .messages(let messages, _) = request.input else {
            throw LanguageModelError(.request, model: name, problem: "a judge program accepts only messages")
        }
        let start = Clock.nanoseconds(.wall)
        let value: JSONValue
        do throws(ProgramError) {
            value = try pool.ask({ Self.line($0, messages, request.sampling) }, isCancelled: isCancelled).value
        } catch {
            if error.isBroken { broken.store(true, ordering: .relaxed) }
            guard error.isCancellation else { throw failure(error) }
            return ModelResponse(
                message: Message(.assistant, []), finish: .cancelled, usage: nil, model: name, secondsToFirstToken: nil,
                seconds: 0)
        }
        if let error = value["error"], error != .null {
            throw LanguageModelError(.local, model: name, problem: error.string ?? error.json())
        }
        guard let answer = value["answer"] ?? value["text"], answer != .null else {
            throw LanguageModelError(
                .protocolViolation, model: name, problem: "the line has neither an answer nor an error",
                remedy:
                    "Write {\"answer\": {\"id\": ..., \"reason\": ..., \"score\": ...}} or {\"error\": ...}.")
        }
        let seconds = Double(Clock.nanoseconds(.wall) - start) * 1e-9
        return ModelResponse(
            message: Message(.assistant, [.text(answer.string ?? answer.json())]), finish: .stop,
            usage: ProgramLines.usage(value), model: name, secondsToFirstToken: nil, seconds: seconds)
    }

    private func failure(_ error: ProgramError) -> LanguageModelError {
        let remedy =
            error.isTimeout ? "Allow more time with --program-seconds." : error.isViolation ? ProgramLines.rule : ""
        return LanguageModelError(
            error.isViolation ? .protocolViolation : .local, model: name, problem: error.problem, remedy: remedy)
    }

    private static func line(_ number: Int, _ messages: [Message], _ sampling: Sampling) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            ProgramLines.begin("judge", number, to: &json)
            json.member("input", messages.last { $0.role == .user }?.plainText ?? "")
            json.member("seed", ifPresent: sampling.seed.map { Int($0 >> 1) })
            ProgramLines.messages(messages, to: &json)
        }
        return json.bytes
    }
}

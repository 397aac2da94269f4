internal import JSON
public import LanguageModels
public import System

/// A model that is a program of one's own: it is started for every request, reads one JSON line and writes JSON lines.
///
/// What it reads is an object, and then the end of its input:
/// ```json
/// {"version": 1,
///  "messages": [{"role": "user", "parts": [{"type": "text", "text": "Hello"}]}],
///  "tools": [{"name": "clock", "description": "The time", "parameters": {"type": "object"}}],
///  "sampling": {"temperature": 0.7, "top_k": 40, "top_p": 0.9, "min_p": 0.05, "typical_p": 1,
///               "repetition_penalty": 1.1, "presence_penalty": 0, "frequency_penalty": 0,
///               "bias": {"50256": -100}, "stop": ["\n"], "seed": 7, "max_tokens": 100},
///  "alternatives": 5,
///  "template_variables": {"enable_thinking": false}}
/// ```
/// In place of `messages` and `tools` there may be `text`, to be gone on with, or `tokens`, ids to be gone on with. What
/// was not asked for is not there. Parts of messages have the types `text`, `reasoning` (`text`), `tool_call` (`id`,
/// `name`, `arguments`, a text that holds JSON), `tool_result` (`call_id`, `content`, `is_error`) and `attachment`
/// (`media_type`, `location`, `bytes`).
///
/// What it writes is one object a line, each with any of these members:
///
/// - `text`: a piece of the answer; pieces are put together, so one line or a hundred are the same answer.
/// - `tokens`: pieces with what is known of them, in place of `text`: `[{"text", "id", "logprob", "entropy",
///   "alternatives": [{"text", "id", "logprob"}]}]`. Logarithms are natural.
/// - `reasoning`: a piece of its thinking.
/// - `tool_calls`: `[{"id", "name", "arguments"}]`, arguments as JSON or as a text that holds it.
/// - `usage`: `{"input_tokens", "output_tokens"}`, and `cache_read_tokens`, `cache_write_tokens`, `reasoning_tokens`.
/// - `model`: its own name for what answered.
/// - `finish`: `stop`, `length`, `tool_calls` or a word of its own. It ends the answer; without it, the end of the output
///   and the exit status 0 do.
/// - `error`: a sentence. It ends the reply, as does any exit status but 0, which is reported with the last line of
///   standard error.
///
/// Blank lines are skipped. A line may have 8 MiB, the output 256 MiB. On a cancel, and an hour after its start, it is
/// killed with all that it started. It inherits the environment and the working folder; no shell sees its words.
public final class ProgramModel: LanguageModel {
    private let words: [String]
    private let clock: Clock
    private let limits: ChildProgram.Limits

    public let provider = "exec"
    public var name: String { String(words[0].split(separator: "/").last ?? "program") }
    public let capabilities = ModelCapabilities(
        acceptsMessages: true, acceptsText: true, acceptsTools: true, alternatives: 100)

    /// - Parameters:
    ///   - words: the program and its arguments; the program is looked up in `PATH` where it has no slash.
    ///   - seconds: how long an answer may take.
    public convenience init(_ words: [String], seconds: Double = 3600, clock: Clock = .system) {
        self.init(words, limits: ChildProgram.Limits(seconds: seconds), clock: clock)
    }

    package convenience init(
        _ words: [String], seconds: Double, line: Int, output: Int, clock: Clock = .system
    ) {
        self.init(words, limits: ChildProgram.Limits(seconds: seconds, line: line, output: output), clock: clock)
    }

    private init(_ words: [String], limits: ChildProgram.Limits, clock: Clock) {
        self.words = words.isEmpty ? [""] : words
        self.limits = limits
        self.clock = clock
    }

    public func respond(
        to request: ModelRequest, isCancelled: @Sendable () -> Bool, receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) -> ModelResponse {
        var answer = ProgramAnswer(builder: AnswerBuilder(clock: clock), model: name)
        let child: ChildProgram
        do {
            child = try ChildProgram(words, limits: limits)
        } catch {
            throw LanguageModelError(
                .local, model: title, problem: error.what, remedy: "Check its path and that it is executable.")
        }
        let redaction = Redaction(secrets: [], texts: request.texts)
        let parser = JSONParser(maximumDepth: 128, maximumValues: 1 << 22)
        var problem: (text: String, isItsOwn: Bool)?
        let ending = child.follow(writing: Self.line(request), isCancelled: isCancelled) { event in
            answer.lines += 1
            guard case .line(let bytes) = event else {
                problem = ("output line \(answer.lines) is longer than \(limits.line) bytes", false)
                return false
            }
            do throws(Problem) {
                try answer.take(bytes, parser, receive)
            } catch {
                problem = ("output line \(answer.lines): \(error.what)", false)
            }
            if let error = answer.error { problem = (redaction.clean(error), true) }
            return problem == nil && answer.finish == nil
        }
        if let problem {
            throw LanguageModelError(
                problem.isItsOwn ? .server : .protocolViolation, model: title, problem: problem.text,
                remedy: problem.isItsOwn ? "" : "The program must write one JSON object per line.")
        }
        let said = redaction.clean(child.lastComplaint)
        let complaint = said.isEmpty ? "" : ": \(said)"
        switch ending {
        case .enough, .exited(status: 0): break
        case .cancelled: return answer.response(.cancelled)
        case .exited(let status):
            throw LanguageModelError(
                .server, model: title, problem: "the program exited with status \(status)\(complaint)")
        case .killed(let signal):
            throw LanguageModelError(.server, model: title, problem: "signal \(signal) ended the program\(complaint)")
        case .timedOut:
            throw LanguageModelError(
                .timeout, model: title,
                problem: "the response was incomplete after \(limits.seconds) seconds\(complaint)"
            )
        case .tooMuchOutput:
            throw LanguageModelError(
                .protocolViolation, model: title, problem: "the output is longer than \(limits.output) bytes")
        }
        guard answer.lines > 0 else {
            throw LanguageModelError(
                .protocolViolation, model: title, problem: "the program wrote nothing\(complaint)",
                remedy: #"The program must write at least {"finish": "stop"}."#)
        }
        return answer.response(answer.finish ?? (answer.builder.hasToolCalls ? .toolCalls : .stop))
    }

    private var title: String { "exec \(name)" }

    private static func line(_ request: ModelRequest) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("version", 1)
            RequestJSON(request).members(to: &json)
        }
        json.endLine()
        return json.bytes
    }
}

/// Puts an answer together from a program's lines.
private struct ProgramAnswer {
    var builder: AnswerBuilder
    var model: String
    var lines = 0
    var usage: Usage?
    var finish: ModelResponse.FinishReason?
    var error: String?

    mutating func take(
        _ line: [UInt8], _ parser: JSONParser, _ receive: (ModelEvent) -> Void
    ) throws(Problem) {
        try line.withUnsafeBufferPointer { (bytes) throws(Problem) in
            let node: JSONNode
            do throws(JSONError) {
                node = try parser.parse(bytes)
            } catch {
                throw Problem(.invalid, "", "the line is not JSON: \(error.sentence.dropLast())")
            }
            try take(node, receive)
        }
    }

    private mutating func take(_ node: JSONNode, _ receive: (ModelEvent) -> Void) throws(Problem) {
        guard node.kind == .object else { throw Problem(.invalid, "", "the line is not an object") }
        let known = ["text", "tokens", "reasoning", "tool_calls", "usage", "model", "finish", "error"]
        guard node.members.contains(where: { member in known.contains { member.key.equals($0) } }) else {
            throw Problem(
                .invalid, "", "the object needs at least one of these members: \(known.joined(separator: ", "))")
        }
        if let text = node["reasoning"]?.string { builder.reasoning(text, receive) }
        if let tokens = node["tokens"] {
            guard tokens.kind == .array else { throw Problem(.invalid, "", "'tokens' must be an array") }
            for token in tokens.elements { builder.token(try StepJSON(token).step, receive) }
        } else if let text = node["text"] {
            guard let text = text.string else { throw Problem(.invalid, "", "'text' must be a string") }
            if !text.isEmpty { builder.token(TokenStep(text: text), receive) }
        }
        if let calls = node["tool_calls"] {
            for call in calls.elements { builder.toolCall(try ToolCall(call), receive) }
        }
        if let name = node["model"]?.string { model = name }
        if let told = node["usage"], told.kind == .object { usage = UsageJSON(told).usage }
        if let word = node["finish"]?.string { finish = ResponseJSON.finish(word) }
        if let sentence = node["error"] { error = sentence.string ?? "the program failed without a message" }
    }

    func response(_ finish: ModelResponse.FinishReason) -> ModelResponse {
        builder.response(finish: finish, usage: usage, model: model)
    }
}

internal import JSON
internal import LanguageModels
internal import System

/// Puts an answer together from the chunks of a stream, or from one whole answer, which has the same form.
struct OpenAIAnswer: StreamedAnswer {
    var builder: AnswerBuilder
    let redaction: Redaction
    let title: String
    private(set) var model: String
    private(set) var usage: Usage?
    private var finish: ModelResponse.FinishReason?
    private var calls = ToolCallAssembly()
    /// Bytes of a character that the last token began.
    private var cut: [UInt8] = []
    private(set) var isOver = false
    private let longest: Int

    /// - Parameter longest: bytes of text that it may have.
    init(clock: Clock, model: String, title: String, redaction: Redaction, longest: Int = .max) {
        builder = AnswerBuilder(clock: clock)
        self.longest = longest
        self.model = model
        self.title = title
        self.redaction = redaction
    }

    static let remedyIfCut = "Try again. If the problem persists, check the server log."

    /// Whether the answer may be taken as whole.
    var isWhole: Bool { isOver || finish != nil }

    mutating func addMark(_ data: [UInt8]) -> Bool {
        if data.elementsEqual("[DONE]".utf8) { isOver = true }
        return isOver || data.allSatisfy { $0 == 0x20 || $0 == 0x0A }
    }

    mutating func add(event node: JSONNode, _ receive: (ModelEvent) -> Void) throws(LanguageModelError) {
        try take(node, receive)
    }

    mutating func add(whole node: JSONNode, _ receive: (ModelEvent) -> Void) throws(LanguageModelError) {
        try take(node, receive)
        guard let choices = node["choices"], choices.count > 0 else { throw violation("the response has no choices") }
        isOver = true
    }

    /// Takes in a chunk, or a whole answer.
    mutating func take(_ node: JSONNode, _ receive: (ModelEvent) -> Void) throws(LanguageModelError) {
        if let error = ErrorObject(node) { throw failure(error) }
        if let name = node["model"]?.string, !name.isEmpty { model = name }
        if let told = Self.usage(node["usage"]) { usage = told }
        guard let choices = node["choices"], choices.kind == .array else {
            // Azure sends notes of its filter, some gateways their own keep-alives.
            return
        }
        for choice in choices.elements where (choice["index"]?.int ?? 0) == 0 { try take(choice: choice, receive) }
    }

    private mutating func take(choice: JSONNode, _ receive: (ModelEvent) -> Void) throws(LanguageModelError) {
        let message = choice["delta"] ?? choice["message"]
        if let thought = message?["reasoning_content"]?.string ?? message?["reasoning"]?.string {
            builder.reasoning(thought, receive)
        }
        for text in [choice["text"], message?["content"]].compactMap({ $0 }) {
            let isText = text.isNull || text.kind == .string || text.kind == .array
            guard isText else { throw violation("the response has a value of type \(text.kind) instead of text") }
        }
        var text = choice["text"]?.string ?? message?["content"]?.string ?? message?["refusal"]?.string ?? ""
        if let content = message?["content"], content.kind == .array {
            for part in content.elements {
                if let thoughts = part["thinking"] {
                    for thought in thoughts.elements { builder.reasoning(thought["text"]?.string ?? "", receive) }
                } else {
                    part["text"]?.appendText(to: &text)
                }
            }
        }
        for step in Self.steps(text, choice["logprobs"], cut: &cut) { builder.token(step, receive) }
        guard builder.bytes <= longest else {
            throw violation("the response is longer than the requested number of tokens")
        }
        if let pieces = message?["tool_calls"], pieces.kind == .array {
            if pieces.count > 0 { builder.arrived() }
            for piece in pieces.elements {
                do {
                    try calls.take(piece)
                } catch {
                    throw violation("the response has too many tool calls")
                }
            }
        }
        if let reason = choice["finish_reason"]?.string, !reason.isEmpty { finish = Self.finish(reason) }
    }

    /// Returns the steps of a piece of text: one per token if tokens are reported, otherwise one.
    ///
    /// Where the tokens do not add up to the text, a stop text that is held back for instance, the text is right: it
    /// stands with the last of them.
    private static func steps(_ text: String, _ probabilities: JSONNode?, cut: inout [UInt8]) -> [TokenStep] {
        let before = cut
        guard var steps = TokenProbabilities.steps(probabilities, cut: &cut), !steps.isEmpty else {
            return text.isEmpty ? [] : [TokenStep(text: text)]
        }
        if steps.map(\.text).joined() != text {
            if !before.isEmpty || !cut.isEmpty { cut = [] }
            for index in steps.indices { steps[index].text = index == steps.count - 1 ? text : "" }
        }
        return steps
    }

    /// The whole answer.
    ///
    /// - Parameter isCancelled: a call that may not be whole is left away.
    mutating func end(isCancelled: Bool, retries: Int, _ receive: (ModelEvent) -> Void) -> ModelResponse {
        if !isCancelled { for call in calls.calls() { builder.toolCall(call, receive) } }
        var reason = finish ?? .stop
        if isCancelled {
            reason = .cancelled
        } else if builder.hasToolCalls, reason == .stop {
            reason = .toolCalls
        }
        return builder.response(finish: reason, usage: usage, model: model, retries: retries)
    }

    private static func finish(_ word: String) -> ModelResponse.FinishReason {
        switch word {
        case "stop", "eos", "end_turn", "stop_sequence": .stop
        case "length", "max_tokens", "model_length": .length
        case "tool_calls", "function_call": .toolCalls
        default: .other(word)
        }
    }

    /// `prompt_tokens` includes cached tokens, `completion_tokens` reasoning. DeepSeek names cached tokens differently.
    private static func usage(_ node: JSONNode?) -> Usage? {
        guard let node, node.kind == .object, let input = node["prompt_tokens"]?.tokenCount else { return nil }
        return Usage(
            input: input,
            cacheRead: node["prompt_tokens_details"]?["cached_tokens"]?.tokenCount
                ?? node["prompt_cache_hit_tokens"]?.tokenCount ?? 0,
            output: node["completion_tokens"]?.tokenCount ?? 0,
            reasoning: node["completion_tokens_details"]?["reasoning_tokens"]?.tokenCount ?? 0)
    }

    /// An error that came inside a stream that had begun well.
    private func failure(_ error: ErrorObject) -> LanguageModelError {
        let word = error.code.lowercased()
        let isOutOfMoney = word.contains("insufficient_quota")
        let kind: LanguageModelError.Kind =
            if isOutOfMoney || word.contains("rate_limit") || word == "429" {
                .rateLimit
            } else if word.contains("context_length") || word.contains("invalid") || word == "400" {
                .request
            } else {
                .server
            }
        let said = redaction.clean(error.message)
        let problem =
            said.isEmpty ? "the server failed during the response" : "the server failed during the response: \(said)"
        return LanguageModelError(kind, model: title, problem: problem, maximumRetries: isOutOfMoney ? 0 : nil)
    }
}

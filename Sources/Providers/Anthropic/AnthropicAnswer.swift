internal import JSON
internal import LanguageModels
internal import System

/// Puts an answer together from the events of a stream, or from one whole message.
///
/// A thought that comes with a signature is followed by a part `other(signaturePart)`, so that the conversation can be
/// sent back as the interface wants it; a hidden thought is an empty `.reasoning` and a part `other(hiddenPart)`.
struct AnthropicAnswer: StreamedAnswer {
    static let signaturePart = "thinking_signature"
    static let hiddenPart = "redacted_thinking"

    private enum Block {
        case text, thinking, tool, hidden, unknown
    }

    var builder: AnswerBuilder
    let redaction: Redaction
    let title: String
    private var model: String
    private var usage: Usage?
    private var finish: ModelResponse.FinishReason?
    private var block: Block = .unknown
    private var tool = ToolCall(id: "", name: "", arguments: "")
    /// The arguments as the block's beginning had them; what is streamed takes their place.
    private var toolInput = "{}"
    private var signature = ""
    private(set) var isWhole = false

    init(clock: Clock, model: String, title: String, redaction: Redaction) {
        builder = AnswerBuilder(clock: clock)
        self.model = model
        self.title = title
        self.redaction = redaction
    }

    static let remedyIfCut = "Try again."

    var isOver: Bool { isWhole }

    /// Events of kinds that have no name here are skipped, as the interface's versioning asks.
    mutating func add(event node: JSONNode, _ receive: (ModelEvent) -> Void) throws(LanguageModelError) {
        switch node["type"]?.string {
        case "message_start":
            if let name = node["message"]?["model"]?.string { model = name }
            note(usage: node["message"]?["usage"])
        case "content_block_start": begin(node["content_block"], receive)
        case "content_block_delta": go(on: node["delta"], receive)
        case "content_block_stop": end(receive)
        case "message_delta":
            if let reason = node["delta"]?["stop_reason"]?.string { finish = Self.finish(reason) }
            note(usage: node["usage"])
        case "message_stop": isWhole = true
        case "error":
            if let error = ErrorObject(node) { throw failure(error) }
            throw violation("the stream reported an error without a message")
        default: break
        }
    }

    mutating func add(whole node: JSONNode, _ receive: (ModelEvent) -> Void) throws(LanguageModelError) {
        if let error = ErrorObject(node) { throw failure(error) }
        guard let content = node["content"], content.kind == .array else {
            throw violation("the response has no content")
        }
        if let name = node["model"]?.string { model = name }
        note(usage: node["usage"])
        for element in content.elements {
            begin(element, receive)
            end(receive)
        }
        if let reason = node["stop_reason"]?.string { finish = Self.finish(reason) }
        isWhole = true
    }

    private mutating func begin(_ content: JSONNode?, _ receive: (ModelEvent) -> Void) {
        signature = ""
        switch content?["type"]?.string {
        case "text":
            block = .text
            text(content?["text"]?.string, receive)
        case "thinking":
            block = .thinking
            builder.reasoning(content?["thinking"]?.string ?? "", receive)
            signature = content?["signature"]?.string ?? ""
        case "tool_use":
            block = .tool
            builder.arrived()
            tool = ToolCall(id: content?["id"]?.string ?? "", name: content?["name"]?.string ?? "", arguments: "")
            toolInput = content?["input"].map { String(decoding: $0.source, as: UTF8.self) } ?? "{}"
        case "redacted_thinking":
            block = .hidden
            builder.arrived()
            builder.part(.reasoning(""))
            builder.part(
                .other(type: Self.hiddenPart, json: content.map { String(decoding: $0.source, as: UTF8.self) } ?? "{}"))
        default: block = .unknown
        }
    }

    private mutating func go(on delta: JSONNode?, _ receive: (ModelEvent) -> Void) {
        switch delta?["type"]?.string {
        case "text_delta": text(delta?["text"]?.string, receive)
        case "thinking_delta": builder.reasoning(delta?["thinking"]?.string ?? "", receive)
        case "signature_delta": delta?["signature"]?.appendText(to: &signature)
        case "input_json_delta": delta?["partial_json"]?.appendText(to: &tool.arguments)
        default: break
        }
    }

    private mutating func end(_ receive: (ModelEvent) -> Void) {
        switch block {
        case .tool:
            if tool.arguments.isEmpty { tool.arguments = toolInput }
            builder.toolCall(tool, receive)
        case .thinking where !signature.isEmpty:
            var json = JSONWriter()
            json.string(signature)
            builder.part(.other(type: Self.signaturePart, json: json.text))
        default: break
        }
        block = .unknown
    }

    private mutating func text(_ text: String?, _ receive: (ModelEvent) -> Void) {
        if let text, !text.isEmpty { builder.token(TokenStep(text: text), receive) }
    }

    /// The whole answer, or as far as it came.
    func end(isCancelled: Bool, retries: Int) -> ModelResponse {
        builder.response(
            finish: isCancelled ? .cancelled : finish ?? .stop, usage: usage, model: model, retries: retries)
    }

    private static func finish(_ word: String) -> ModelResponse.FinishReason {
        switch word {
        case "end_turn", "stop_sequence": .stop
        case "max_tokens", "model_context_window_exceeded": .length
        case "tool_use": .toolCalls
        default: .other(word)
        }
    }

    /// The API counts cached tokens separately from the input, and reports the final output count last.
    private mutating func note(usage node: JSONNode?) {
        guard let node, node.kind == .object else { return }
        var told = usage ?? Usage()
        let plain = node["input_tokens"]?.tokenCount ?? told.input - told.cacheRead - told.cacheWrite
        told.cacheRead = node["cache_read_input_tokens"]?.tokenCount ?? told.cacheRead
        told.cacheWrite = node["cache_creation_input_tokens"]?.tokenCount ?? told.cacheWrite
        told.input = plain + told.cacheRead + told.cacheWrite
        told.output = node["output_tokens"]?.tokenCount ?? told.output
        usage = told
    }

    private func failure(_ error: ErrorObject) -> LanguageModelError {
        let kind: LanguageModelError.Kind
        switch error.code {
        case "rate_limit_error": kind = .rateLimit
        case "authentication_error", "permission_error": kind = .authorization
        case "invalid_request_error", "not_found_error", "request_too_large", "billing_error": kind = .request
        case "timeout_error": kind = .timeout
        default: kind = .server
        }
        let said = kind == .authorization ? "" : redaction.clean(error.message)
        let word = error.code.isEmpty ? "" : " (\(redaction.clean(error.code)))"
        return LanguageModelError(
            kind, model: title,
            problem: "the server failed during the response\(word)" + (said.isEmpty ? "" : ": \(said)"),
            remedy: error.code == "overloaded_error" ? "Try again later." : "")
    }
}

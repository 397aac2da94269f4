internal import JSON
public import LanguageModels
internal import System

/// A model behind Anthropic's messages interface.
///
/// The API does not report tokens or probabilities, so every piece of the stream is one step. It has no seed, so a seed
/// is omitted.
///
/// Source: Anthropic API reference, "Messages" and "Streaming messages", version 2023-06-01.
public final class AnthropicModel: LanguageModel {
    /// The version of the interface that is spoken.
    static let version = "2023-06-01"

    private let transport: EndpointTransport

    public var provider: String { transport.endpoint.preset == nil ? "anthropic-compatible" : "anthropic" }
    public var name: String { transport.endpoint.model }
    public let capabilities = ModelCapabilities(acceptsMessages: true, acceptsTools: true)

    /// - Parameter environment: where its key is read from, at every request.
    public convenience init(_ endpoint: Endpoint, environment: ProviderEnvironment = .process) {
        self.init(endpoint, environment: environment, limits: HTTPLimits())
    }

    package init(_ endpoint: Endpoint, environment: ProviderEnvironment, limits: HTTPLimits) {
        transport = EndpointTransport(endpoint, environment: environment, limits: limits)
    }

    public func respond(
        to request: ModelRequest, isCancelled: @Sendable () -> Bool, receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) -> ModelResponse {
        let title = transport.endpoint.title
        guard !name.isEmpty else {
            throw LanguageModelError(
                .request, model: title, problem: "the model name is missing", remedy: "Add #NAME to the address.")
        }
        let body: [UInt8]
        do {
            body = try AnthropicRequest(request, endpoint: transport.endpoint, model: name).body()
        } catch {
            throw LanguageModelError(.request, model: title, problem: error.what)
        }
        let texts = request.texts
        var answer = AnthropicAnswer(
            clock: transport.environment.clock, model: name, title: title,
            redaction: try transport.redaction(of: texts))
        var reader = AnthropicBody(limits: transport.client.limits, request)
        let outcome = try transport.send(
            "/messages", body: body, headers: [("anthropic-version", Self.version)], texts: texts,
            isCancelled: isCancelled
        ) { (head, bytes) throws(LanguageModelError) in
            try reader.take(head, bytes, &answer, receive)
        }
        switch outcome {
        case .cancelled(let retries): return answer.end(isCancelled: true, retries: retries)
        case .refused(let refusal, let retries): throw transport.failure(refusal, retries: retries)
        case .answered(_, let retries):
            try reader.end(&answer, receive)
            return answer.end(isCancelled: false, retries: retries)
        }
    }
}

/// Reads the body of an answer: a stream of events, or one JSON object where it was not streamed.
private struct AnthropicBody {
    private var isWhole: Bool?
    private var events: ServerSentEvents
    private var whole: [UInt8] = []
    private let parser = JSONParser(maximumDepth: 128, maximumValues: 1 << 22)
    private let mostWhole: Int
    private let memory = AnswerMemory.Share(.shared)

    init(limits: HTTPLimits, _ request: ModelRequest) {
        events = ServerSentEvents(limit: limits.line)
        mostWhole = AnswerMemory.longestBody(tokens: request.sampling.maximumTokens, alternatives: 0)
    }

    mutating func take(
        _ head: HTTPHead, _ bytes: UnsafeBufferPointer<UInt8>, _ answer: inout AnthropicAnswer,
        _ receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) -> Bool {
        if isWhole == nil {
            if head.mediaType == "text/html" {
                throw answer.violation("the server replied with HTML instead of JSON")
            }
            // Some servers in between forget the type.
            let first = bytes.first { $0 > 0x20 }
            isWhole =
                head.mediaType == "application/json"
                || head.mediaType != "text/event-stream" && first == UInt8(ascii: "{")
        }
        guard memory.take(bytes.count * (isWhole == true ? AnswerMemory.wholeFactor : AnswerMemory.streamFactor)) else {
            throw AnswerMemory.failure(answer.title)
        }
        if isWhole == true {
            guard whole.count + bytes.count <= mostWhole else {
                throw answer.violation("the response is too large")
            }
            whole.append(contentsOf: bytes)
            return true
        }
        var problem: LanguageModelError?
        var wantsMore = false
        var isTooLong = false
        do {
            wantsMore = try events.take(bytes) { _, data in
                do throws(LanguageModelError) {
                    try answer.take(event: data, parser, receive)
                } catch {
                    problem = error
                    return false
                }
                return !answer.isWhole
            }
        } catch {
            isTooLong = true
        }
        if let problem { throw problem }
        if isTooLong { throw answer.violation("a stream line is longer than \(events.limit) bytes") }
        return wantsMore
    }

    mutating func end(
        _ answer: inout AnthropicAnswer, _ receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) {
        if isWhole == true {
            try answer.take(whole: whole, parser, receive)
        } else if !answer.isWhole, let data = events.rest() {
            try answer.take(event: data, parser, receive)
        }
        guard answer.isWhole else {
            throw LanguageModelError(
                .connection, model: answer.title, problem: "the stream ended before the response was complete",
                remedy: "Try again.")
        }
    }
}

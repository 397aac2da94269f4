internal import JSON
public import LanguageModels
internal import Synchronization
internal import System

/// A model behind any endpoint that speaks OpenAI's interface: chat completions for messages, completions for text.
///
/// Differences between servers are learned from their errors: the name of the token limit, whether a stream
/// reports its usage, and how many alternatives are available (20, 5, or none).
///
/// Sources: OpenAI API reference, "Chat" and "Completions"; the compatible interfaces of llama.cpp, vLLM, Ollama, Azure.
public final class OpenAIModel: LanguageModel {
    let transport: EndpointTransport
    /// Tokenizer of the server, for likelihoods.
    let remoteTokenizer: RemoteTokenizer
    private let state: Mutex<State>

    private struct State {
        var dialect: OpenAIDialect
        /// The name of the only model, once it was asked for.
        var name: String
    }

    public var provider: String { transport.endpoint.preset?.rawValue ?? "openai-compatible" }
    public var name: String { state.withLock { $0.name.isEmpty ? transport.endpoint.publicAddress : $0.name } }

    public var capabilities: ModelCapabilities {
        let most = state.withLock { $0.dialect.chatAlternatives ?? 0 }
        return ModelCapabilities(acceptsMessages: true, acceptsText: true, acceptsTools: true, alternatives: most)
    }

    /// - Parameter environment: where its key is read from, at every request.
    public convenience init(_ endpoint: Endpoint, environment: ProviderEnvironment = .process) {
        self.init(endpoint, environment: environment, limits: HTTPLimits())
    }

    package init(_ endpoint: Endpoint, environment: ProviderEnvironment, limits: HTTPLimits) {
        transport = EndpointTransport(endpoint, environment: environment, limits: limits)
        remoteTokenizer = RemoteTokenizer(transport)
        state = Mutex(State(dialect: OpenAIDialect(endpoint.preset), name: endpoint.model))
    }

    public func respond(
        to request: ModelRequest, isCancelled: @Sendable () -> Bool, receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) -> ModelResponse {
        let title = transport.endpoint.title
        let texts = request.texts
        let name = try modelName(isCancelled)
        var answer = OpenAIAnswer(
            clock: transport.environment.clock, model: name, title: title,
            redaction: try transport.redaction(of: texts),
            longest: AnswerMemory.longest(tokens: request.sampling.maximumTokens))
        var (dialect, retries) = (state.withLock { $0.dialect }, 0)
        var trial = OpenAIDialect.Trial(
            isChat: true, hasTokenLimit: request.sampling.maximumTokens != nil, alternatives: request.alternatives,
            streams: transport.endpoint.streams)
        while true {
            let call = OpenAIRequest(
                model: name, request: request, dialect: dialect, streams: transport.endpoint.streams)
            trial.isChat = call.isChat
            let body: [UInt8]
            do {
                body = try call.body()
            } catch {
                throw LanguageModelError(.request, model: title, problem: error.what)
            }
            var reader = OpenAIBody(limits: transport.client.limits, request)
            let outcome = try transport.send(call.path, body: body, texts: texts, isCancelled: isCancelled) {
                (head, bytes) throws(LanguageModelError) in
                try reader.take(head, bytes, &answer, receive)
            }
            switch outcome {
            case .cancelled(let more):
                return answer.end(isCancelled: true, retries: retries + more, receive)
            case .answered(let head, let more):
                try reader.end(head, &answer, receive)
                let learned = dialect
                state.withLock { $0.dialect = learned }
                return answer.end(isCancelled: false, retries: retries + more, receive)
            case .refused(let refusal, let more):
                guard dialect.learn(from: refusal, &trial) else {
                    throw transport.failure(refusal, retries: more)
                }
                retries += more
            }
        }
    }

    /// The model's name; an endpoint that was given without one is asked for its only model.
    func modelName(_ isCancelled: () -> Bool) throws(LanguageModelError) -> String {
        let known = state.withLock { $0.name }
        if !known.isEmpty { return known }
        let names = try transport.models(isCancelled: isCancelled)
        guard let first = names.first, names.count == 1 else {
            let some = names.prefix(5).joined(separator: ", ")
            throw LanguageModelError(
                .request, model: transport.endpoint.title,
                problem: names.isEmpty
                    ? "the endpoint lists no models" : "the endpoint has \(names.count) models: \(some)",
                remedy: "Add #NAME to the address.")
        }
        state.withLock { $0.name = first }
        return first
    }
}

/// Reads the body of an answer: a stream of events, or one JSON object where the server does not stream.
struct OpenAIBody {
    private enum Form {
        case events, whole
    }

    private var form: Form?
    private var events: ServerSentEvents
    private var whole: [UInt8] = []
    private let parser = JSONParser(maximumDepth: 128, maximumValues: 1 << 22)
    private let mostWhole: Int
    private let memory = AnswerMemory.Share(.shared)

    init(limits: HTTPLimits, _ request: ModelRequest) {
        events = ServerSentEvents(limit: limits.line)
        mostWhole = AnswerMemory.longestBody(
            tokens: request.sampling.maximumTokens, alternatives: request.alternatives)
    }

    mutating func take(
        _ head: HTTPHead, _ bytes: UnsafeBufferPointer<UInt8>, _ answer: inout OpenAIAnswer,
        _ receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) -> Bool {
        if form == nil { form = try Self.form(head, bytes, answer) }
        let isWhole = form == .whole
        guard memory.take(bytes.count * (isWhole ? AnswerMemory.wholeFactor : AnswerMemory.streamFactor)) else {
            throw AnswerMemory.failure(answer.title)
        }
        guard !isWhole else {
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
                return !answer.saidDone
            }
        } catch {
            isTooLong = true
        }
        if let problem { throw problem }
        if isTooLong { throw answer.violation("a stream line is longer than \(events.limit) bytes") }
        return wantsMore
    }

    /// Takes in what the end of the body makes whole.
    mutating func end(
        _ head: HTTPHead, _ answer: inout OpenAIAnswer, _ receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) {
        if form == .whole {
            try answer.takeWhole(whole, parser, receive)
        } else if !answer.saidDone, let data = events.rest() {
            try answer.take(event: data, parser, receive)
        }
        guard answer.isWhole else {
            throw LanguageModelError(
                .connection, model: answer.title, problem: "the stream ended before the response was complete",
                remedy: "Try again. If the problem persists, check the server log.")
        }
    }

    private static func form(
        _ head: HTTPHead, _ bytes: UnsafeBufferPointer<UInt8>, _ answer: OpenAIAnswer
    ) throws(LanguageModelError) -> Form {
        switch head.mediaType {
        case "text/event-stream": return .events
        case "application/json": return .whole
        case "text/html":
            throw LanguageModelError(
                .protocolViolation, model: answer.title, problem: "the server replied with HTML instead of JSON",
                remedy: "Check the address. Most addresses end with /v1.")
        default:
            let first = bytes.first { $0 > 0x20 }
            return first == UInt8(ascii: "{") ? .whole : .events
        }
    }
}

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
            let outcome = try transport.ask(
                call.path, request, alternatives: request.alternatives, isCancelled: isCancelled, &answer, receive
            ) { () throws(Problem) in try call.body() }
            switch outcome {
            case .cancelled(let more):
                return answer.end(isCancelled: true, retries: retries + more, receive)
            case .answered(_, let more):
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

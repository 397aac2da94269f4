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
        var answer = AnthropicAnswer(
            clock: transport.environment.clock, model: name, title: title,
            redaction: try transport.redaction(of: request.texts))
        let outcome = try transport.ask(
            "/messages", headers: [("anthropic-version", Self.version)], request, isCancelled: isCancelled, &answer,
            receive
        ) { () throws(Problem) in try AnthropicRequest(request, endpoint: transport.endpoint, model: name).body() }
        switch outcome {
        case .cancelled(let retries): return answer.end(isCancelled: true, retries: retries)
        case .refused(let refusal, let retries): throw transport.failure(refusal, retries: retries)
        case .answered(_, let retries): return answer.end(isCancelled: false, retries: retries)
        }
    }
}

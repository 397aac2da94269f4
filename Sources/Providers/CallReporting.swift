public import LanguageModels
public import System

/// Reports every call of a model to a sink, so that it becomes a span of a trace.
public struct CallReporting: LanguageModel {
    private let model: any LanguageModel
    private let sink: any SpanSink
    private let clock: Clock

    public var name: String { model.name }
    public var provider: String { model.provider }
    public var capabilities: ModelCapabilities { model.capabilities }

    public init(_ model: any LanguageModel, to sink: any SpanSink, clock: Clock = .system) {
        self.model = model
        self.sink = sink
        self.clock = clock
    }

    public func respond(
        to request: ModelRequest, isCancelled: @Sendable () -> Bool, receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) -> ModelResponse {
        let start = clock.wall()
        let before = clock.seconds()
        let outcome: Result<ModelResponse, LanguageModelError>
        do throws(LanguageModelError) {
            outcome = .success(try model.respond(to: request, isCancelled: isCancelled, receive: receive))
        } catch {
            outcome = .failure(error)
        }
        // The wall clock may be set meanwhile: a call never ends before it begins.
        let end = start + Int64(max(0, clock.seconds() - before) * 1e9)
        sink.record(
            ModelCall(
                provider: provider, model: name, request: request, start: start, end: end, outcome: outcome))
        return try outcome.get()
    }
}

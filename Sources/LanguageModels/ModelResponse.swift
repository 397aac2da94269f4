/// A whole answer.
public struct ModelResponse: Hashable, Sendable {
    /// Why a model stopped.
    public enum FinishReason: Hashable, Sendable {
        /// It ended its turn, or met a text of `Sampling.stop`.
        case stop
        /// `Sampling.maximumTokens`, or its context is full.
        case length
        /// It waits for the results of tools.
        case toolCalls
        case cancelled
        /// The provider's own word for something else, a content filter for instance.
        case other(String)

        public var name: String {
            switch self {
            case .stop: "stop"
            case .length: "length"
            case .toolCalls: "tool calls"
            case .cancelled: "cancelled"
            case .other(let word): word
            }
        }
    }

    /// Text, reasoning and tool calls in the order in which they came.
    public var message: Message
    public var finish: FinishReason
    /// nil where the provider told none.
    public var usage: Usage?
    /// The model's name as the provider told it.
    public var model: String
    /// Seconds from the request to the first token; nil where none came.
    public var secondsToFirstToken: Double?
    public var seconds: Double
    /// How often the request was sent again after a failure.
    public var retries: Int

    public init(
        message: Message, finish: FinishReason, usage: Usage?, model: String, secondsToFirstToken: Double?,
        seconds: Double, retries: Int = 0
    ) {
        self.message = message
        self.finish = finish
        self.usage = usage
        self.model = model
        self.secondsToFirstToken = secondsToFirstToken
        self.seconds = seconds
        self.retries = retries
    }
}

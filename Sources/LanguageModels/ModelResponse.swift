/// A complete response from a model.
public struct ModelResponse: Hashable, Sendable {
    /// Reasons for the end of a generation.
    public enum FinishReason: Hashable, Sendable {
        /// The model ended its turn or generated one of the `Sampling.stop` sequences.
        case stop
        /// The limit of `Sampling.maximumTokens` was reached, or the context is full.
        case length
        /// The model is waiting for the results of tools.
        case toolCalls
        /// The request was canceled.
        case cancelled
        /// Another reason, in the provider's words, such as a content filter.
        case other(String)

        /// Name in JSON and on screens.
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

    /// Message with text, reasoning, and tool calls, in order of arrival.
    public var message: Message
    /// Reason that generation ended.
    public var finish: FinishReason
    /// Token usage; `nil` if not reported.
    public var usage: Usage?
    /// Model name that the provider reported.
    public var model: String
    /// Seconds from the request to the first token; `nil` if there were no tokens.
    public var secondsToFirstToken: Double?
    /// Seconds from the request to the end of the response.
    public var seconds: Double
    /// Number of retries after failures.
    public var retries: Int

    /// Creates a response.
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

public import LanguageModels

/// The result of a generation: text, finish reason, usage, and times.
public struct Answer: Hashable, Sendable {
    public var finish: ModelResponse.FinishReason
    /// The text of this answer; what came before it in a branch is not part of it.
    public var text: String
    /// The end of `text` that no step holds: what was held back when the answer was canceled.
    public var tail: String
    public var usage: Usage
    /// Time to the first token in seconds; `nil` if no token was generated.
    public var secondsToFirstToken: Double?
    public var seconds: Double
}

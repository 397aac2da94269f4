/// The token counts of a model call, normalized across providers and trace formats.
///
/// OpenTelemetry and Codex include cached tokens in the input, and Anthropic and Inspect count them separately. Here,
/// the input always includes all tokens that the model read.
public struct Usage: Hashable, Sendable {
    /// Number of input tokens, including cached tokens.
    public var input: Int
    /// Number of input tokens read from a cache.
    public var cacheRead: Int
    /// Number of input tokens written to a cache.
    public var cacheWrite: Int
    /// Number of output tokens, including reasoning.
    public var output: Int
    /// Number of output tokens for reasoning; 0 if not reported.
    public var reasoning: Int

    /// Creates token counts.
    public init(input: Int = 0, cacheRead: Int = 0, cacheWrite: Int = 0, output: Int = 0, reasoning: Int = 0) {
        self.input = input
        self.cacheRead = cacheRead
        self.cacheWrite = cacheWrite
        self.output = output
        self.reasoning = reasoning
    }

    /// Total number of input and output tokens.
    public var total: Int { input + output }

    /// Adds the counts from another call.
    public static func += (total: inout Usage, one: Usage) {
        total.input += one.input
        total.cacheRead += one.cacheRead
        total.cacheWrite += one.cacheWrite
        total.output += one.output
        total.reasoning += one.reasoning
    }
}

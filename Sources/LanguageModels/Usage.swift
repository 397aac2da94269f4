/// Tokens of one model call, normalized once for all formats.
///
/// OpenTelemetry and Codex count cached tokens inside the input, Anthropic and Inspect beside it; here the input is
/// always everything the model read.
public struct Usage: Hashable, Sendable {
    /// Tokens read, cached ones included.
    public var input: Int
    /// Tokens of the input that came from a cache.
    public var cacheRead: Int
    /// Tokens of the input that were written to a cache.
    public var cacheWrite: Int
    /// Tokens written, reasoning included.
    public var output: Int
    /// Tokens of the output that were reasoning, where they are told apart.
    public var reasoning: Int

    public init(input: Int = 0, cacheRead: Int = 0, cacheWrite: Int = 0, output: Int = 0, reasoning: Int = 0) {
        self.input = input
        self.cacheRead = cacheRead
        self.cacheWrite = cacheWrite
        self.output = output
        self.reasoning = reasoning
    }

    /// Input and output together.
    public var total: Int { input + output }

    public static func += (total: inout Usage, one: Usage) {
        total.input += one.input
        total.cacheRead += one.cacheRead
        total.cacheWrite += one.cacheWrite
        total.output += one.output
        total.reasoning += one.reasoning
    }
}

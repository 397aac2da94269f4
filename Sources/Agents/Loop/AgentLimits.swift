/// What ends a run that does not end by itself: each is enforced, none is advice.
public struct AgentLimits: Hashable, Sendable {
    /// Calls of the model.
    public var steps: Int
    /// Tokens that the model writes in all its turns together.
    public var tokens: Int
    /// Seconds from the beginning.
    public var seconds: Double
    /// Tokens of one turn.
    public var tokensPerTurn: Int
    /// How often the same call may come again; it is never run twice.
    public var repeats: Int
    /// How many turns in a row may be neither an action nor an answer.
    public var malformed: Int

    public init(
        steps: Int = 8, tokens: Int = 2048, seconds: Double = 120, tokensPerTurn: Int = 512, repeats: Int = 3,
        malformed: Int = 3
    ) {
        self.steps = steps
        self.tokens = tokens
        self.seconds = seconds
        self.tokensPerTurn = tokensPerTurn
        self.repeats = repeats
        self.malformed = malformed
    }
}

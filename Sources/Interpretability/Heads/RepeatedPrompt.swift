public import System
internal import Tensors
public import Tokenizers

/// Random tokens, then the same ones again: what an induction head can foresee and nothing else can.
public struct RepeatedPrompt: Hashable, Sendable {
    public let tokens: [TokenID]
    /// The first token of the first copy: 1 after a beginning of sequence, else 0.
    public let start: Int
    /// S: tokens of a copy.
    public let period: Int

    /// - Parameter tokens: `start` tokens, then twice the same `period`.
    public init(tokens: [TokenID], start: Int, period: Int) throws(Problem) {
        guard start >= 0, period > 0, tokens.count == start + 2 * period,
            tokens[start..<start + period] == tokens[(start + period)...]
        else {
            throw Problem(
                .invalid, "repeated prompt", "the \(period) tokens after the first \(start) do not occur exactly twice",
                remedy: "Repeat these tokens exactly once.")
        }
        self.tokens = tokens
        self.start = start
        self.period = period
    }

    /// `[BOS] + S random tokens + the same again`; the same for the same seed.
    ///
    /// - Parameters:
    ///   - range: IDs to draw from, each equally likely.
    ///   - excluded: IDs that are never drawn, such as those of control tokens.
    public static func random(
        period: Int, from range: Range<TokenID>, excluding excluded: Set<TokenID> = [], beginning: TokenID?,
        seed: UInt64
    ) throws(Problem) -> RepeatedPrompt {
        let allowed = range.filter { !excluded.contains($0) }
        guard !allowed.isEmpty, period > 0 else {
            throw Problem(
                .missing, "repeated prompt", "cannot draw \(period) tokens from an empty range",
                remedy: "Use a larger range.")
        }
        var generator = PhiloxGenerator(seed: seed)
        let copy = (0..<period).map { _ in allowed[generator.integer(in: 0..<allowed.count)] }
        let first = beginning.map { [$0] } ?? []
        return try RepeatedPrompt(tokens: first + copy + copy, start: first.count, period: period)
    }
}

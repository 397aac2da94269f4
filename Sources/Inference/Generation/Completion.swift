public import LanguageModels
public import Tokenizers

/// A text in the making: the tokens of a prompt, those of the answer so far, and their keys and values.
///
/// It is a value in all but its memory: a branch shares the pages of what both have in common, and goes its own way.
/// One thread uses the completions of a generator at a time.
public final class Completion {
    public let cache: KVSequence
    /// The prompt, then the answer.
    public internal(set) var tokens: [TokenID]
    public let promptCount: Int
    /// One for each token of the answer.
    public internal(set) var steps: [TokenStep]
    /// Number of the random stream; several generations for one prompt use different streams.
    public let stream: UInt64

    init(
        _ cache: KVSequence, tokens: [TokenID], promptCount: Int, steps: [TokenStep] = [], stream: UInt64
    ) {
        self.cache = cache
        self.tokens = tokens
        self.promptCount = promptCount
        self.steps = steps
        self.stream = stream
    }

    /// The tokens of the answer so far.
    public var answer: ArraySlice<TokenID> { tokens[promptCount...] }

    /// Returns a second completion that continues after the first `count` generated tokens (default: all of them).
    /// O(pages); what follows is forgotten in the branch and stays here.
    ///
    /// - Parameter stream: Random stream of the branch; the same stream repeats the tokens that follow here.
    public func branch(at count: Int? = nil, stream: UInt64? = nil) -> Completion {
        let count = min(max(count ?? steps.count, 0), steps.count)
        let cache = cache.branch()
        cache.truncate(to: min(cache.length, promptCount + count))
        return Completion(
            cache, tokens: Array(tokens[..<(promptCount + count)]), promptCount: promptCount,
            steps: Array(steps[..<count]), stream: stream ?? self.stream)
    }

    /// Returns the number of leading tokens that two completions share.
    public func common(with other: Completion) -> Int { common(with: other.tokens) }

    func common(with other: [TokenID]) -> Int {
        zip(tokens, other).prefix { $0 == $1 }.count
    }

    /// Shares the pages of what another completion of the same model has in common with this one: two branches that
    /// came to the same text again hold it once.
    public func rejoin(_ other: Completion) {
        cache.rejoin(other.cache, positions: common(with: other))
    }
}

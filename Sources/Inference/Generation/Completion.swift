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
    /// Which of several answers to one prompt it is: each draws from a stream of its own.
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

    /// A second completion that goes on after the first `count` tokens of the answer: all of them where none is given.
    /// O(pages); what follows is forgotten in the branch and stays here.
    ///
    /// - Parameter stream: the draws of the branch; the same stream draws again what follows here.
    public func branch(at count: Int? = nil, stream: UInt64? = nil) -> Completion {
        let count = min(max(count ?? steps.count, 0), steps.count)
        let cache = cache.branch()
        cache.truncate(to: min(cache.length, promptCount + count))
        return Completion(
            cache, tokens: Array(tokens[..<(promptCount + count)]), promptCount: promptCount,
            steps: Array(steps[..<count]), stream: stream ?? self.stream)
    }

    /// Tokens that both begin with.
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

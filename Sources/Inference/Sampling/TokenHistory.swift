public import Tokenizers

/// The tokens that a processor may look back on: those of the prompt and those of the answer so far.
public struct TokenHistory: Sendable {
    /// Each token once, in the order of first occurrence.
    public private(set) var distinct: [TokenID] = []
    /// Number of occurrences of each token in the reply.
    public private(set) var answered: [TokenID: Int] = [:]
    /// Tokens of prompt and answer together: the position of the next one.
    public private(set) var count = 0
    private var seen: Set<TokenID> = []

    public init(prompt: some Sequence<TokenID> = [], answer: some Sequence<TokenID> = []) {
        for id in prompt { note(id) }
        for id in answer { append(id) }
    }

    /// Adds a token of the reply.
    public mutating func append(_ id: TokenID) {
        note(id)
        answered[id, default: 0] += 1
    }

    private mutating func note(_ id: TokenID) {
        count += 1
        if seen.insert(id).inserted { distinct.append(id) }
    }
}

/// A text as tokens, and where each of them comes from.
public struct Encoding: Sendable, Equatable {
    public var ids: [TokenID]
    /// The UTF-8 bytes of the original text that each token stands for, whatever a normalizer made of them. Tokens that
    /// were added, such as BOS, have an empty range. Tokens of one code point share its range where a normalizer or
    /// byte fallback took it apart; byte-level tokens have exactly their own bytes.
    public var offsets: [Range<Int>]
    /// The segment of each token: 0 of the first text, 1 of the second of a pair.
    public var typeIDs: [UInt8]

    public init(ids: [TokenID] = [], offsets: [Range<Int>] = [], typeIDs: [UInt8] = []) {
        self.ids = ids
        self.offsets = offsets
        self.typeIDs = typeIDs
    }

    public var count: Int { ids.count }
}

/// Special tokens of a vocabulary; `nil` for those it lacks.
public struct SpecialTokens: Sendable, Hashable {
    /// Begins a text.
    public var bos: TokenID?
    /// Ends a text.
    public var eos: TokenID?
    /// Ends a turn of a conversation.
    public var eot: TokenID?
    /// Ends a message that a tool call continues.
    public var eom: TokenID?
    public var unknown: TokenID?
    public var separator: TokenID?
    public var padding: TokenID?
    /// Stands before a text whose class is asked for.
    public var classification: TokenID?
    public var mask: TokenID?

    public init(
        bos: TokenID? = nil, eos: TokenID? = nil, eot: TokenID? = nil, eom: TokenID? = nil, unknown: TokenID? = nil,
        separator: TokenID? = nil, padding: TokenID? = nil, classification: TokenID? = nil, mask: TokenID? = nil
    ) {
        self.bos = bos
        self.eos = eos
        self.eot = eot
        self.eom = eom
        self.unknown = unknown
        self.separator = separator
        self.padding = padding
        self.classification = classification
        self.mask = mask
    }
}

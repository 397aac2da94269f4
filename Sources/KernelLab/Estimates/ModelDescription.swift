internal import System

/// The shape of a decoder, as far as its cost depends on it.
public struct ModelDescription: Hashable, Sendable {
    public var name: String
    /// All parameters.
    public var parameters: Double
    /// Parameters that one token passes through: fewer than all in a mixture of experts.
    public var activeParameters: Double
    public var layers: Int
    /// Width of the residual stream.
    public var hidden: Int
    public var heads: Int
    /// Heads of keys and values; as many as `heads` without grouped queries.
    public var kvHeads: Int
    public var headWidth: Int
    /// Width of the inner layer of the MLP; `nil` if it is not known.
    public var inner: Int?
    public var vocabulary: Int
    /// The longest context in tokens.
    public var context: Int
    /// Where the number of parameters comes from.
    public var source: String

    /// - Parameters:
    ///   - kvHeads: nil for as many as `heads`.
    ///   - headWidth: nil for `hidden / heads`.
    public init(
        name: String, parameters: Double, activeParameters: Double? = nil, layers: Int, hidden: Int, heads: Int,
        kvHeads: Int? = nil, headWidth: Int? = nil, inner: Int? = nil, vocabulary: Int = 0, context: Int = 4096,
        source: String = "as given"
    ) {
        self.name = name
        self.parameters = parameters
        self.activeParameters = activeParameters ?? parameters
        self.layers = layers
        self.hidden = hidden
        self.heads = heads
        self.kvHeads = kvHeads ?? heads
        self.headWidth = headWidth ?? (heads > 0 ? hidden / heads : 0)
        self.inner = inner
        self.vocabulary = vocabulary
        self.context = context
        self.source = source
    }

    /// Width of all query heads together.
    public var attentionWidth: Double { Double(heads) * Double(headWidth) }
}

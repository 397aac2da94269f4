public import Tokenizers

/// The sizes and choices of a transformer, read from GGUF metadata or config.json: everything but the weights.
///
/// Names of papers: D = `width`, L = `layerCount`, H = `headCount`, F = `feedForwardWidth`.
public struct ModelConfiguration: Hashable, Sendable {
    /// Architecture of the model.
    public var family: ArchitectureDescriptor
    /// Name of the model in the file; empty if the file has none.
    public var name: String
    public var vocabularySize: Int
    public var width: Int
    public var layerCount: Int
    public var headCount: Int
    public var kvHeadCount: Int
    /// Numbers of one head's query and key.
    public var headWidth: Int
    /// Numbers of one head's value.
    public var valueWidth: Int
    public var feedForwardWidth: Int
    /// Positions that the model was made for.
    public var contextLength: Int
    public var normEpsilon: Float
    public var positions: PositionEncoding
    /// Multiplies scores: headWidth^-1/2 unless the model says otherwise.
    public var attentionScale: Float
    /// c of c·tanh(score / c); `nil` if scores are not capped.
    public var attentionSoftcap: Float?
    /// The same for logits.
    public var finalSoftcap: Float?
    /// Number of keys that a windowed layer sees, including the query's own; `nil` if no layer is windowed.
    public var slidingWindow: Int?
    /// Whether each layer is windowed; empty if none is.
    public var windowedLayers: [Bool]
    /// Multiplies token embeddings: √D for Gemma, else 1.
    public var embeddingScale: Float
    /// Experts; `nil` if the feed-forward is dense.
    public var experts: ExpertConfiguration?
    /// The output matrix is the token embedding.
    public var tiesEmbeddings: Bool
    public var activation: Activation
    /// How an encoder's rows become one vector; nil for decoders.
    public var pooling: Pooling?
    /// Segments of a BERT; 0 elsewhere.
    public var tokenTypeCount: Int
    /// Token at the start of a text if the model requires one; `nil` if the file does not say.
    public var beginToken: TokenID?
    /// Tokens that end an answer.
    public var endTokens: [TokenID]

    public init(
        family: ArchitectureDescriptor, name: String = "", vocabularySize: Int, width: Int, layerCount: Int,
        headCount: Int, kvHeadCount: Int? = nil, headWidth: Int? = nil, valueWidth: Int? = nil, feedForwardWidth: Int,
        contextLength: Int, normEpsilon: Float, positions: PositionEncoding, attentionScale: Float? = nil,
        attentionSoftcap: Float? = nil, finalSoftcap: Float? = nil, slidingWindow: Int? = nil,
        windowedLayers: [Bool] = [], embeddingScale: Float = 1, experts: ExpertConfiguration? = nil,
        tiesEmbeddings: Bool, activation: Activation, pooling: Pooling? = nil, tokenTypeCount: Int = 0,
        beginToken: TokenID? = nil, endTokens: [TokenID] = []
    ) {
        let headWidth = headWidth ?? width / max(headCount, 1)
        self.family = family
        self.name = name
        self.vocabularySize = vocabularySize
        self.width = width
        self.layerCount = layerCount
        self.headCount = headCount
        self.kvHeadCount = kvHeadCount ?? headCount
        self.headWidth = headWidth
        self.valueWidth = valueWidth ?? headWidth
        self.feedForwardWidth = feedForwardWidth
        self.contextLength = contextLength
        self.normEpsilon = normEpsilon
        self.positions = positions
        self.attentionScale = attentionScale ?? 1 / Float(headWidth).squareRoot()
        self.attentionSoftcap = attentionSoftcap
        self.finalSoftcap = finalSoftcap
        self.slidingWindow = slidingWindow
        self.windowedLayers = windowedLayers
        self.embeddingScale = embeddingScale
        self.experts = experts
        self.tiesEmbeddings = tiesEmbeddings
        self.activation = activation
        self.pooling = pooling
        self.tokenTypeCount = tokenTypeCount
        self.beginToken = beginToken
        self.endTokens = endTokens
    }

    /// Returns the window of a layer; `nil` if it sees all preceding tokens.
    public func window(ofLayer layer: Int) -> Int? {
        layer < windowedLayers.count && windowedLayers[layer] ? slidingWindow : nil
    }
}

/// The nonlinearity of the feed-forward.
public enum Activation: String, Sendable {
    case silu
    /// 0.5x(1 + tanh(√(2/π)(x + 0.044715x³))).
    case geluTanh
    /// 0.5x(1 + erf(x/√2)).
    case gelu
    case relu
}

/// How an encoder's rows become one vector.
public enum Pooling: String, Sendable {
    /// The mean of all rows.
    case mean
    /// The first row.
    case cls
    /// The first row through the pooler and a classification head: a cross-encoder's score.
    case rank
}

/// A mixture of experts.
public struct ExpertConfiguration: Hashable, Sendable {
    public var count: Int
    /// Experts that a token goes through.
    public var used: Int
    public var feedForwardWidth: Int
    /// Weights of the chosen are divided by their sum.
    public var normalizesWeights: Bool

    public init(count: Int, used: Int, feedForwardWidth: Int, normalizesWeights: Bool) {
        self.count = count
        self.used = used
        self.feedForwardWidth = feedForwardWidth
        self.normalizesWeights = normalizesWeights
    }
}

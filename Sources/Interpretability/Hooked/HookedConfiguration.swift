public import Models

/// The sizes and choices of a transformer that is written out hook by hook; words are those of `ModelConfiguration`.
public struct HookedConfiguration: Hashable, Sendable {
    /// What stands before attention, the feed-forward and the output matrix. A norm that is folded into the matrices
    /// after it has neither gain nor bias in `HookedWeights`.
    public enum Norm: String, CaseIterable, Sendable {
        case none
        /// Centered, divided by the deviation.
        case layer
        /// Divided by the root of the mean square.
        case rms
    }

    /// What follows attention.
    public enum FeedForward: Hashable, Sendable {
        /// Attention alone.
        case none
        /// f(x W_in + b_in) W_out + b_out.
        case plain(width: Int)
        /// (f(x W_gate) · (x W_in + b_in)) W_out + b_out.
        case gated(width: Int)
        case experts(ExpertConfiguration)
    }

    public var name: String
    public var vocabularySize: Int
    public var width: Int
    public var layerCount: Int
    public var headCount: Int
    public var kvHeadCount: Int
    public var headWidth: Int
    public var valueWidth: Int
    public var contextLength: Int
    public var norm: Norm
    public var normEpsilon: Double
    public var feedForward: FeedForward
    public var activation: Models.Activation
    public var positions: PositionEncoding
    /// Multiplies scores.
    public var attentionScale: Double
    /// c of c·tanh(score / c).
    public var attentionSoftcap: Double?
    public var finalSoftcap: Double?
    public var slidingWindow: Int?
    public var windowedLayers: [Bool]
    public var embeddingScale: Double
    /// Each head's queries and keys are normed before they turn.
    public var normsHeads: Bool
    /// Norms after attention and feed-forward too.
    public var isSandwich: Bool

    public init(
        name: String = "", vocabularySize: Int, width: Int, layerCount: Int, headCount: Int, kvHeadCount: Int? = nil,
        headWidth: Int? = nil, valueWidth: Int? = nil, contextLength: Int, norm: Norm = .layer,
        normEpsilon: Double = 1e-5, feedForward: FeedForward, activation: Models.Activation = .geluTanh,
        positions: PositionEncoding = .learned, attentionScale: Double? = nil, attentionSoftcap: Double? = nil,
        finalSoftcap: Double? = nil, slidingWindow: Int? = nil, windowedLayers: [Bool] = [],
        embeddingScale: Double = 1, normsHeads: Bool = false, isSandwich: Bool = false
    ) {
        let headWidth = headWidth ?? width / max(headCount, 1)
        self.name = name
        self.vocabularySize = vocabularySize
        self.width = width
        self.layerCount = layerCount
        self.headCount = headCount
        self.kvHeadCount = kvHeadCount ?? headCount
        self.headWidth = headWidth
        self.valueWidth = valueWidth ?? headWidth
        self.contextLength = contextLength
        self.norm = norm
        self.normEpsilon = normEpsilon
        self.feedForward = feedForward
        self.activation = activation
        self.positions = positions
        self.attentionScale = attentionScale ?? 1 / Double(headWidth).squareRoot()
        self.attentionSoftcap = attentionSoftcap
        self.finalSoftcap = finalSoftcap
        self.slidingWindow = slidingWindow
        self.windowedLayers = windowedLayers
        self.embeddingScale = embeddingScale
        self.normsHeads = normsHeads
        self.isSandwich = isSandwich
    }

    /// Returns the attention window of a layer; `nil` if attention is unlimited.
    public func window(ofLayer layer: Int) -> Int? {
        layer < windowedLayers.count && windowedLayers[layer] ? slidingWindow : nil
    }
}

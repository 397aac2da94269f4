/// How a model tells positions apart.
public enum PositionEncoding: Hashable, Sendable {
    /// A row of a learned table is added to each embedding.
    case learned
    /// Sines and cosines are added to each embedding (Vaswani et al. 2017).
    case sinusoidal
    case rotary(RotaryEmbedding)
    /// Scores fall linearly with the distance (Press et al. 2022).
    case alibi
    case none
}

/// Rotary position embedding: pairs of a head's numbers turn by position · frequency (Su et al. 2021).
public struct RotaryEmbedding: Hashable, Sendable {
    /// Which numbers of a head form a pair.
    public enum Pairing: String, Sendable {
        /// 2i and 2i + 1: GGUF files of the llama family.
        case adjacent
        /// i and i + width / 2: Hugging Face, and every other family.
        case halves
    }

    public var base: Float
    /// The base of windowed layers, where it differs (Gemma 3).
    public var windowedBase: Float?
    /// The first numbers of a head that turn; the rest stay.
    public var width: Int
    public var pairing: Pairing
    public var scaling: RotaryScaling

    public init(
        base: Float, windowedBase: Float? = nil, width: Int, pairing: Pairing, scaling: RotaryScaling = .none
    ) {
        self.base = base
        self.windowedBase = windowedBase
        self.width = width
        self.pairing = pairing
        self.scaling = scaling
    }
}

/// How rotary embeddings reach beyond the length that a model was trained with.
public enum RotaryScaling: Hashable, Sendable {
    case none
    /// Angles are divided by the factor; in models with windowed layers only those of the others.
    case linear(factor: Float)
    case dynamic(factor: Float, originalLength: Int)
    case llama3(factor: Float, lowFactor: Float, highFactor: Float, originalLength: Int)
    case yarn(
        factor: Float, originalLength: Int, betaFast: Float, betaSlow: Float, attentionFactor: Float?)
    /// A factor for each pair: one list up to the original length, one beyond it; cosines and sines are multiplied by
    /// `attentionFactor`.
    case longrope(short: [Float], long: [Float], originalLength: Int, attentionFactor: Float)
    /// Each pair's frequency is divided by its factor, as `rope_freqs.weight` of GGUF files holds them.
    case factors([Float])
}

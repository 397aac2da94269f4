public import System
public import Tensors

/// A dictionary of directions in which activations of one hook are written as few active features.
///
/// x ∈ ℝᵈ, F features: f = activation((x − b_dec) W_enc + b_enc), x̂ = f W_dec + b_dec, on inputs normalized as
/// `normalization` says and undone on the output.
///
/// - Source: Bricken et al., "Towards monosemanticity", 2023; Gao et al., "Scaling and evaluating sparse autoencoders",
///   2024 (TopK); Bussmann et al., "BatchTopK", 2024, and "Matryoshka", 2025; Rajamanoharan et al., gated 2024 and
///   "JumpReLU", 2024.
public struct SparseAutoencoder: Sendable {
    /// How pre-activations become features.
    public enum Activation: Sendable {
        case relu
        /// The k largest of ReLU(z) in each row.
        case topK(Int)
        /// z where z > θ, else 0; θ is `[F]`. What BatchTopK and Matryoshka become after training, with one θ for all.
        case jumpReLU(threshold: Tensor<Float>)
        /// 1[z + b_gate > 0] · ReLU(z · exp(r_mag) + b_mag), z without b_enc; each `[F]`.
        case gated(gateBias: Tensor<Float>, magnitudeScale: Tensor<Float>, magnitudeBias: Tensor<Float>)
    }

    /// What is done to inputs first and undone last.
    public enum Normalization: Hashable, Sendable {
        case none
        /// x · c.
        case scale(Float)
        /// Every row to norm √d.
        case rowNorm
        /// Every row to mean 0 and sample deviation 1 (n − 1, + 1e-5).
        case layerNorm
    }

    /// `[d, F]`.
    public var encoder: Tensor<Float>
    /// `[F]`.
    public var encoderBias: Tensor<Float>
    /// `[F, d]`.
    public var decoder: Tensor<Float>
    /// `[d]`.
    public var decoderBias: Tensor<Float>
    public var activation: Activation
    public var normalization: Normalization
    /// x − b_dec before encoding; transcoders and some trained elsewhere do not.
    public var subtractsDecoderBias: Bool
    /// Where its activations come from and how it came to be.
    public var origin: Origin

    /// The known origin of a dictionary.
    public struct Origin: Hashable, Sendable {
        /// TransformerLens's name of the hook: `blocks.3.hook_resid_post`.
        public var hook: String
        /// The model's name as its file has it.
        public var model: String
        /// The kind it was trained as: `topk`, `batchtopk`, `matryoshka`, `jumprelu`, `standard`, `gated`.
        public var kind: String
        /// Prefixes of a Matryoshka dictionary; empty for others.
        public var prefixes: [Int]
        /// Number of training tokens; `nil` if unknown.
        public var trainedTokens: Int?
        /// Everything else that its file said, as JSON text.
        public var notes: String

        public init(
            hook: String = "", model: String = "", kind: String = "", prefixes: [Int] = [], trainedTokens: Int? = nil,
            notes: String = "{}"
        ) {
            self.hook = hook
            self.model = model
            self.kind = kind
            self.prefixes = prefixes
            self.trainedTokens = trainedTokens
            self.notes = notes
        }
    }

    public init(
        encoder: Tensor<Float>, encoderBias: Tensor<Float>, decoder: Tensor<Float>, decoderBias: Tensor<Float>,
        activation: Activation, normalization: Normalization = .none, subtractsDecoderBias: Bool = true,
        origin: Origin = Origin()
    ) throws(Problem) {
        self.encoder = encoder
        self.encoderBias = encoderBias
        self.decoder = decoder
        self.decoderBias = decoderBias
        self.activation = activation
        self.normalization = normalization
        self.subtractsDecoderBias = subtractsDecoderBias
        self.origin = origin
        try check()
    }

    /// d.
    public var inputWidth: Int { encoder.shape[0] }
    /// F.
    public var featureCount: Int { encoder.shape[1] }
}

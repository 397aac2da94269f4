/// How a dictionary is trained: its kind, its sizes and its schedule.
///
/// ```swift
/// var configuration = DictionaryConfiguration(.topK(16), features: 2048, steps: 10_000)
/// configuration.batchRows = 4096
/// ```
public struct DictionaryConfiguration: Hashable, Sendable {
    /// What makes features few, and with what loss; sums over d, means over the batch.
    public enum Kind: Hashable, Sendable {
        /// The k largest of each row; ‖x − x̂‖² + α · aux-k. α = 0: no auxiliary loss.
        ///
        /// - Source: Gao et al., "Scaling and evaluating sparse autoencoders", 2024, section 2.
        case topK(Int, auxiliary: Double = 1.0 / 32)
        /// ‖x − x̂‖² + λ Σ f ‖W_dec‖, rows of the decoder of any length.
        ///
        /// - Source: Anthropic, "Circuits updates, April 2024", update on how we train SAEs.
        case reluL1(lambda: Double)
        /// The B · k largest of a batch; a threshold takes their place afterwards.
        ///
        /// - Source: Bussmann et al., "BatchTopK sparse autoencoders", 2024.
        case batchTopK(Int, auxiliary: Double = 1.0 / 32)
        /// BatchTopK whose first features reconstruct by themselves: Σ over prefixes w of ‖x − decode(f[..<w])‖².
        ///
        /// - Source: Bussmann et al., "Learning multi-level features with Matryoshka sparse autoencoders", 2025.
        case matryoshka(Int, prefixes: [Int], auxiliary: Double = 1.0 / 32)
        /// z where z > θ; thresholds learn by gradients of a rectangle of width `bandwidth`.
        ///
        /// - Source: Rajamanoharan et al., "Jumping ahead: JumpReLU sparse autoencoders", 2024, equations 11 and 12.
        case jumpReLU(sparsity: Sparsity, bandwidth: Double, threshold: Double)
        /// A gate says which features are active, a magnitude how much; λ Σ ReLU(π) + ‖x − decode(ReLU(π))‖², the
        /// decoder held fast in the latter.
        ///
        /// - Source: Rajamanoharan et al., "Improving dictionary learning with gated sparse autoencoders", 2024.
        case gated(lambda: Double)

        /// The name that `SparseAutoencoder.Origin` has for it.
        public var name: String {
            switch self {
            case .topK: "topk"
            case .reluL1: "standard"
            case .batchTopK: "batchtopk"
            case .matryoshka: "matryoshka"
            case .jumpReLU: "jumprelu"
            case .gated: "gated"
            }
        }
    }

    /// The loss of the number of active features of JumpReLU.
    public enum Sparsity: Hashable, Sendable {
        /// λ · L0.
        case weight(Double)
        /// λ (L0 / L0* − 1)².
        case target(Double, weight: Double)
    }

    /// What is done to inputs; the dictionary undoes it.
    public enum InputNormalization: String, CaseIterable, Hashable, Sendable {
        case none
        /// One factor for all rows, so that the mean norm of the first batch is √d.
        case meanNorm
        /// Every row to norm √d.
        case rowNorm
        /// Every row to mean 0 and sample deviation 1.
        case layerNorm
    }

    /// Where b_dec starts.
    public enum DecoderBiasStart: String, CaseIterable, Hashable, Sendable {
        case zero
        /// The point whose distances to the rows of the first batch have the smallest sum.
        case geometricMedian
    }

    public var kind: Kind
    /// F.
    public var features: Int
    public var steps: Int
    /// B: rows of a step.
    public var batchRows = 1024
    /// `nil`: 2e-4 / √(F / 2¹⁴).
    public var learningRate: Double?
    /// Steps in which the rate rises from 0.
    public var warmUpSteps: Int
    /// The last part of the steps, in which the rate falls to 0.
    public var decayShare = 0.2
    /// The first part of the steps, in which λ rises from 0.
    public var sparsityWarmUpShare = 0.05
    public var firstBeta = 0.9
    public var secondBeta = 0.999
    public var epsilon = 1e-8
    /// The norm to which all gradients together are cut; `nil`: never.
    public var clip: Double? = 1
    /// Rows of the decoder stay at norm 1, and their gradients lose what is parallel to them.
    public var hasUnitDecoder: Bool
    public var normalization = InputNormalization.meanNorm
    public var decoderBias = DecoderBiasStart.geometricMedian
    /// Number of rows without activation after which a feature is dead.
    public var deadRows: Int
    /// Dead features that aux-k takes in each row; `nil`: d / 2.
    public var auxiliaryCount: Int?
    /// Interval, in steps, of resampling dead features in the direction of badly reconstructed rows; `nil` for never.
    public var resamplingSteps: Int?
    public var seed: UInt64 = 0

    public init(_ kind: Kind, features: Int, steps: Int) {
        self.kind = kind
        self.features = features
        self.steps = steps
        // A tenth of the run; beyond these steps both have their greatest value.
        let tenth = max(0, min(steps, 100_000)) / 10
        warmUpSteps = min(1000, tenth)
        if case .reluL1 = kind { hasUnitDecoder = false } else { hasUnitDecoder = true }
        deadRows = max(1, min(10_000_000, tenth * 1024))
    }

    /// The rate of Adam before warm-up and decay.
    public var baseRate: Double { learningRate ?? 2e-4 / (Double(features) / 16384).squareRoot() }

    /// The rate of a step, from 0 on.
    public func rate(at step: Int) -> Double {
        let rise = warmUpSteps > 0 ? min(1, Double(step + 1) / Double(warmUpSteps)) : 1
        let fall = decayShare > 0 ? min(1, Double(steps - step) / (decayShare * Double(steps))) : 1
        return baseRate * rise * max(0, fall)
    }

    /// The part of λ that counts at a step.
    public func sparsityFactor(at step: Int) -> Double {
        sparsityWarmUpShare > 0 ? min(1, Double(step) / (sparsityWarmUpShare * Double(max(1, steps)))) : 1
    }
}

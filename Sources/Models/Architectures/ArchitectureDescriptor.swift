/// Everything that sets a family of models apart: its parts, the names in its files, and what a missing value means.
///
/// A new architecture made of known parts is one file with one descriptor, and one line in `Architectures.standard`.
/// What a descriptor does not set is as in Llama:
///
/// ```swift
/// extension ArchitectureDescriptor {
///     static let qwen2 = ArchitectureDescriptor("qwen2", savedClass: "Qwen2ForCausalLM") {
///         $0.biases = .attentionInputs
///         $0.windows = .fromLayer(28)
///     }
/// }
/// ```
public struct ArchitectureDescriptor: Sendable {
    public enum NormKind: Sendable { case rms, layer }

    public enum Block: Sendable {
        /// x += attention(norm(x)); x += feedForward(norm(x)).
        case preNorm
        /// The same, with a norm after each of the two as well.
        case sandwich
        /// An encoder's: x = norm(x + attention(x)); x = norm(x + feedForward(x)).
        case postNorm
    }

    public enum Biases: Sendable { case none, attentionInputs, all }

    /// Keys of config.json, and names of tensors.
    public enum Layout: Sendable { case llama, gpt2, bert }

    /// Layers that see only the last tokens, in models with a window.
    public enum Windows: Equatable, Sendable {
        case none, all
        /// All but the last of each period; `isStored` if config.json can hold another period.
        case period(Int, isStored: Bool)
        /// From this layer, if config.json turns windows on.
        case fromLayer(Int)

        var isPeriodic: Bool { if case .period = self { true } else { false } }
    }

    /// `model_type` and class in a saved config.json.
    public struct Saved: Sendable {
        public let type: String
        public let className: String
    }

    /// `qwen2`; unique.
    public let name: String

    // MARK: Parts

    public var norm = NormKind.rms
    public var block = Block.preNorm
    /// The feed-forward multiplies by a gate.
    public var isGated = true
    /// Positions are learned vectors; otherwise, queries and keys are rotated.
    public var learnsPositions = false
    /// Norms of each head's queries and keys.
    public var normsHeads = false
    /// The feed-forward is a mixture of experts.
    public var mixesExperts = false
    /// Token embeddings are multiplied by the root of the width.
    public var scalesEmbedding = false
    /// The output matrix is always the token embedding.
    public var alwaysTiesEmbeddings = false
    public var activation = Activation.silu
    /// config.json is not asked for the activation.
    public var fixesActivation = false
    public var windows = Windows.all

    // MARK: Values of config.json and GGUF that are missing

    /// nil: width / heads.
    public var headWidth: Int?
    public var contextLength = 2048
    public var normEpsilon: Float = 1e-6
    /// Of models that training starts from nothing.
    public var freshNormEpsilon: Float = 1e-5
    public var ropeBase: Float = 1e4
    public var ggufRopeBase: Float = 1e4
    /// Base of windowed layers, if they have their own.
    public var windowedRopeBase: Float?
    public var attentionSoftcap: Float?
    public var finalSoftcap: Float?
    /// Layers of the model whose scores scale by width / heads, not by the width of a head.
    public var layersScaledByWidth: Int?

    // MARK: Files

    /// Values of `model_type`.
    public var modelTypes: [String]
    public var saved: Saved
    /// Of models with a window, if different.
    public var savedWithWindow: Saved?
    /// `general.architecture` of GGUF; families that share one differ in `mixesExperts`.
    public var ggufName: String
    /// How GGUF stores pairs of rotated numbers.
    public var ggufPairing = RotaryEmbedding.Pairing.halves
    public var layout = Layout.llama
    /// Modules of a layer of transformers by their name in GGUF, where they differ from the layout's.
    public var moduleNames: [String: String] = [:]
    public var expertModule = "mlp"
    public var expertNames = ["ffn_gate": "gate_proj", "ffn_up": "up_proj", "ffn_down": "down_proj"]
    public var biases = Biases.none
    /// Query, key, and value are one matrix.
    public var joinsAttention = false
    /// Gate and up are one matrix.
    public var joinsGate = false
    /// Linear layers are stored as [in, out].
    public var transposesLinears = false
    /// Gains are stored as the difference from 1.
    public var shiftsNorms = false

    /// - Parameters:
    ///   - savedClass: `architectures` of config.json.
    ///   - change: sets what differs from Llama.
    public init(_ name: String, savedClass: String, _ change: (inout ArchitectureDescriptor) -> Void = { _ in }) {
        self.name = name
        modelTypes = [name]
        ggufName = name
        saved = Saved(type: name, className: savedClass)
        change(&self)
    }

    public var isEncoder: Bool { block == .postNorm }
}

extension ArchitectureDescriptor: Hashable {
    /// A name stands for one architecture.
    public static func == (one: ArchitectureDescriptor, other: ArchitectureDescriptor) -> Bool {
        one.name == other.name
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// An architecture as data: its parts, the names in its files, and the defaults of missing values.
///
/// To add an architecture of existing parts, declare its descriptor in one file and list it in
/// ``Architectures/standard``. Properties that a descriptor does not set have the values of Llama:
///
/// ```swift
/// extension ArchitectureDescriptor {
///     static let qwen2 = ArchitectureDescriptor("qwen2", className: "Qwen2ForCausalLM") {
///         $0.biases = .attentionInputs
///         $0.windows = .fromLayer(28)
///     }
/// }
/// ```
public struct ArchitectureDescriptor: Sendable {
    /// The kind of normalization.
    public enum NormKind: Sendable {
        /// Root mean square, without mean subtraction or bias.
        case rms
        /// Layer normalization.
        case layer
    }

    /// The order of norms and residual connections in a block.
    public enum Block: Sendable {
        /// x += attention(norm(x)); x += feedForward(norm(x)).
        case preNorm
        /// x += norm(attention(norm(x))); x += norm(feedForward(norm(x))).
        case sandwich
        /// x = norm(x + attention(x)); x = norm(x + feedForward(x)), the block of encoders.
        case postNorm
    }

    /// The linear layers that have biases in the models that transformers saves.
    public enum Biases: Sendable {
        /// No linear layer.
        case none
        /// Queries, keys, and values.
        case attentionInputs
        /// Every linear layer except the output head.
        case all
    }

    /// The vocabulary of config.json keys and tensor names that an architecture uses.
    public enum Layout: Sendable { case llama, gpt2, bert }

    /// The layers with sliding-window attention, in models that have a window.
    public enum Windows: Equatable, Sendable {
        /// No layer.
        case none
        /// Every layer.
        case all
        /// All layers but the last of each period, given as a number of layers. If `isConfigurable`, config.json can
        /// override the period.
        case period(Int, isConfigurable: Bool)
        /// Layers starting at this index, if `use_sliding_window` is true in config.json.
        case fromLayer(Int)

        var isPeriodic: Bool { if case .period = self { true } else { false } }
    }

    /// The names by which transformers recognizes an architecture in config.json.
    public struct ExportNames: Sendable {
        /// Value of `model_type`.
        public let modelType: String
        /// Class in `architectures`.
        public let className: String
    }

    /// Unique name, such as `qwen2`.
    public let name: String

    // MARK: Parts

    /// Normalization of blocks and output.
    public var norm = NormKind.rms
    /// Kind of block.
    public var block = Block.preNorm
    /// Whether the feed-forward has a gate: down(activation(gate x) · up x) instead of down(activation(up x)).
    public var isGated = true
    /// Whether positions are learned vectors instead of rotations of queries and keys.
    public var learnsPositions = false
    /// Whether the queries and keys of each head are normalized before their rotation.
    public var normsHeads = false
    /// Whether the feed-forward is a mixture of experts.
    public var hasExperts = false
    /// Whether token embeddings are multiplied by √width.
    public var scalesEmbedding = false
    /// Whether models trained from scratch always use the token embedding as output matrix.
    public var alwaysTiesEmbeddings = false
    /// Activation of the feed-forward if config.json names none. GGUF files never name one.
    public var activation = Activation.silu
    /// Whether the activation in config.json is ignored.
    public var ignoresConfiguredActivation = false
    /// Layers with sliding-window attention.
    public var windows = Windows.all

    // MARK: Defaults of values missing from config.json or GGUF metadata

    /// Width of a head; `nil` for width / heads.
    public var headWidth: Int?
    /// Context length in tokens.
    public var contextLength = 2048
    /// Epsilon of norms in config.json.
    public var normEpsilon: Float = 1e-6
    /// Epsilon of norms in models that Orrery trains from scratch.
    public var trainingNormEpsilon: Float = 1e-5
    /// Base of rotary frequencies in config.json.
    public var ropeBase: Float = 1e4
    /// Base of rotary frequencies in GGUF files.
    public var ggufRopeBase: Float = 1e4
    /// Base of rotary frequencies in layers with a window; `nil` if it is that of the other layers.
    public var windowedRopeBase: Float?
    /// Softcap c of attention scores, c · tanh(score / c); `nil` if scores are not capped.
    public var attentionSoftcap: Float?
    /// Softcap of logits; `nil` if logits are not capped.
    public var finalSoftcap: Float?
    /// Layer count of the model whose attention scores are divided by √(width / heads) instead of √(head width).
    ///
    /// GGUF files do not store the scale, so the 27B models of Gemma are recognized by their layer count.
    public var layerCountScaledByWidth: Int?

    // MARK: Files

    /// Values of `model_type` in config.json.
    public var modelTypes: [String]
    /// Names in an exported config.json.
    public var exportNames: ExportNames
    /// Names in an exported config.json of a model with a sliding window; `nil` if they do not differ.
    public var windowedExportNames: ExportNames?
    /// Value of `general.architecture` in GGUF files. Architectures with the same value differ in ``hasExperts``.
    public var ggufName: String
    /// Arrangement of the rotated pairs in GGUF files.
    public var ggufPairing = RotaryEmbedding.Pairing.halves
    /// Vocabulary of config.json and tensor names.
    public var layout = Layout.llama
    /// Names of a layer's modules in transformers that differ from the layout's, by their names in GGUF.
    public var moduleNames: [String: String] = [:]
    /// Module of a layer that contains the experts, in transformers.
    public var expertModule = "mlp"
    /// Names of an expert's matrices in transformers, by their names in GGUF.
    public var expertNames = ["ffn_gate": "gate_proj", "ffn_up": "up_proj", "ffn_down": "down_proj"]
    /// Linear layers with biases.
    public var biases = Biases.none
    /// Whether queries, keys, and values are one matrix.
    public var fusesAttentionInputs = false
    /// Whether gate and up are one matrix.
    public var fusesGateAndUp = false
    /// Whether files of transformers store linear layers as `[in, out]` instead of `[out, in]`.
    public var transposesLinears = false
    /// Whether files of transformers store the gains of norms as gain - 1.
    public var storesGainsMinusOne = false

    /// Creates a descriptor that differs from Llama in the properties that `configure` sets.
    ///
    /// - Parameters:
    ///   - name: Unique name, which is also the initial value of `model_type` and of the name in GGUF.
    ///   - className: Class of transformers, for `architectures` in an exported config.json.
    public init(_ name: String, className: String, _ configure: (inout ArchitectureDescriptor) -> Void = { _ in }) {
        self.name = name
        modelTypes = [name]
        ggufName = name
        exportNames = ExportNames(modelType: name, className: className)
        configure(&self)
    }

    /// Whether the architecture is an encoder, which produces vectors instead of logits.
    public var isEncoder: Bool { block == .postNorm }
}

/// Descriptors with the same name are equal.
extension ArchitectureDescriptor: Hashable {
    public static func == (one: ArchitectureDescriptor, other: ArchitectureDescriptor) -> Bool {
        one.name == other.name
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

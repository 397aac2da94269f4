public import Kernels
public import Models
public import System
public import Tensors
public import Tokenizers

/// The program's own runtime as a model that can be looked into: float32, at the speed of its kernels, without
/// gradients.
///
/// One run at a time: passes use the same memory again.
public final class RuntimeModel: HookedModel {
    public let transformer: Transformer
    /// Where the weights are: what `readout` reads.
    public let checkpoint: any Checkpoint
    public let hooks: [Hook]
    private let pass: ForwardPass

    /// - Parameter transformer: Transformer of the checkpoint, if already loaded.
    /// - Throws: An error if it cannot be loaded, and for an encoder, which has no next token.
    public init(
        _ checkpoint: any Checkpoint, _ transformer: Transformer? = nil, pool: ThreadPool = .shared
    ) throws(Problem) {
        self.checkpoint = checkpoint
        let transformer = try telling { try transformer ?? Transformer.load(checkpoint) }
        guard transformer.configuration.pooling == nil else {
            throw Problem(.invalid, transformer.path, "encoders do not predict next tokens", remedy: "Use a decoder.")
        }
        self.transformer = transformer
        hooks = Hook.allCases(for: transformer.configuration)
        pass = ForwardPass(pool: pool)
    }

    public var configuration: ModelConfiguration { transformer.configuration }
    public var name: String { configuration.name.isEmpty ? transformer.path : configuration.name }
    public var layerCount: Int { configuration.layerCount }
    public var headCount: Int { configuration.headCount }
    public var width: Int { configuration.width }
    public var vocabularySize: Int { configuration.vocabularySize }

    public func run(
        _ tokens: [TokenID], _ interventions: [Intervention<Float>], keeping selection: HookSelection
    ) throws(Problem) -> ActivationCache<Float> {
        try selection.check(hooks)
        let visitor = try InterventionVisitor(
            interventions, keeping: selection, for: configuration, tokens: tokens.count)
        pass.visitor = visitor
        defer { pass.visitor = nil }
        let wantsLogits = selection.contains(.logits)
        try telling {
            let sequence = ContiguousKeyValues(configuration, capacity: max(tokens.count, 1))
            // Rows without requested logits normally skip the end of the last block; with hooks, all rows run to the
            // end.
            let outputs: Segment.Outputs = wantsLogits || !selection.isEmpty ? .all : .last
            _ = try transformer.forward([Segment(tokens, cache: sequence, outputs: outputs)], in: pass)
        }
        if let failure = visitor.failure { throw failure }
        return ActivationCache(tokens: tokens, activations: try visitor.activations())
    }
}

extension RuntimeModel {
    /// Copied from the checkpoint as float32, V · D numbers.
    public func readout() throws(Problem) -> Readout<Float> { try LiveReadout(checkpoint).readout() }
}

extension HookSelection {
    var isEmpty: Bool {
        switch self {
        case .none: true
        case .all: false
        case .only(let hooks): hooks.isEmpty
        }
    }

    /// - Throws: An error if a hook that was named is none of these.
    func check(_ hooks: [Hook]) throws(Problem) {
        guard case .only(let wanted) = self else { return }
        for hook in wanted where !hooks.contains(hook) { throw .noHook(hook.name, among: hooks) }
    }
}

internal import Models
public import System
public import Tensors
public import Tokenizers

/// What a model loses without each of its heads and feed-forwards.
public struct AblationStudy<Scalar: FloatingAccumulator> {
    /// What stands in for what is taken away; the name says which, since the three answer different questions.
    public enum Kind: Sendable {
        /// Zeros: far from anything that the model ever sees.
        case zero
        /// The mean over all tokens of other prompts.
        case mean([[TokenID]])
        /// What the same place does on another prompt of the same length: the least unlike what the model sees.
        case resample([TokenID])

        public var name: String {
            switch self {
            case .zero: "zero ablation"
            case .mean(let prompts): "mean ablation over \(prompts.count) prompt\(prompts.count == 1 ? "" : "s")"
            case .resample: "resample ablation"
            }
        }
    }

    public let model: any HookedModel<Scalar>
    public let tokens: [TokenID]
    public let metric: PatchMetric
    public let kind: Kind
    public let cleanValue: Double
    private let reference: PatchReference<Scalar>
    private let hooks: [Hook]
    private let substitutes: [Hook: Tensor<Scalar>]

    /// Runs the prompt, and what the substitutes are taken from.
    public init(
        _ model: any HookedModel<Scalar>, _ tokens: [TokenID], metric: PatchMetric, kind: Kind
    ) throws(Problem) {
        self.model = model
        self.tokens = tokens
        self.metric = metric
        self.kind = kind
        let known = Set(model.hooks)
        hooks = (0..<model.layerCount).flatMap { [Hook.z(layer: $0), .feedForwardOut(layer: $0)] }.filter(
            known.contains)
        reference = PatchReference(tokens: tokens, logits: try model.run(tokens, keeping: .only([.logits]))[.logits])
        cleanValue = try metric.value(of: reference.logits, reference: reference)
        substitutes = try Self.substitutes(kind, model, Set(hooks), length: tokens.count)
    }

    /// What is done to a head, or to the feed-forward where `head` is `nil`.
    public func intervention(layer: Int, head: Int?) throws(Problem) -> Intervention<Scalar> {
        let hook = head == nil ? Hook.feedForwardOut(layer: layer) : .z(layer: layer)
        if case .zero = kind { return Intervention(hook, head: head, .zero) }
        guard let substitute = substitutes[hook] else {
            throw Problem(.unknown, hook.name, "unknown hook")
        }
        return Intervention(hook, head: head, .replace(substitute))
    }

    /// Layers by heads and, in the last column, feed-forwards: m_ablated − m_clean. One run a cell.
    public func map(
        progress: (PatchProgress) -> Void = { _ in }, isCancelled: () -> Bool = { false }
    ) throws(Problem) -> PatchMap {
        let hasFeedForward = hooks.contains { if case .feedForwardOut = $0 { true } else { false } }
        var map = PatchMap(
            title: "\(kind.name) of heads and feed-forwards",
            rows: PatchMap.Axis("layer", (0..<model.layerCount).map(String.init)),
            columns: PatchMap.Axis("head", (0..<model.headCount).map(String.init) + (hasFeedForward ? ["mlp"] : [])),
            clean: cleanValue, corrupt: nil, metric: metric.sentence, formula: "m_ablated − m_clean")
        let cells = (0..<model.layerCount).flatMap { layer in
            map.columns.labels.indices.compactMap { column in
                let hook = column < model.headCount ? Hook.z(layer: layer) : .feedForwardOut(layer: layer)
                return hooks.contains(hook) ? (row: layer, column: column) : nil
            }
        }
        let clean = cleanValue
        try map.fill(
            cells, progress: progress, isCancelled: isCancelled, score: { $0 - clean }
        ) { layer, column throws(Problem) in
            let change = try intervention(layer: layer, head: column < model.headCount ? column : nil)
            let logits = try model.run(tokens, [change], keeping: .only([.logits]))[.logits]
            return try metric.value(of: logits, reference: reference)
        }
        return map
    }

    /// Whole activations, or rows of means.
    private static func substitutes(
        _ kind: Kind, _ model: any HookedModel<Scalar>, _ hooks: Set<Hook>, length: Int
    ) throws(Problem) -> [Hook: Tensor<Scalar>] {
        switch kind {
        case .zero: return [:]
        case .resample(let other):
            guard other.count == length else {
                throw Problem(
                    .invalid, "resample prompt", "\(other.count) tokens, but the prompt has \(length)",
                    remedy:
                        "Use a prompt of equal length: each position is replaced by the same position of the other prompt."
                )
            }
            return try model.run(other, keeping: .only(hooks)).activations
        case .mean(let prompts):
            var sums: [Hook: Tensor<Scalar>] = [:]
            var count = 0
            for prompt in prompts where !prompt.isEmpty {
                count += prompt.count
                for (hook, tensor) in try model.run(prompt, keeping: .only(hooks)).activations {
                    let sum = try telling { try tensor.sum(0) }
                    sums[hook] = try telling { try sums[hook].map { try $0 + sum } ?? sum }
                }
            }
            guard count > 0 else {
                throw Problem(
                    .missing, "mean ablation", "no prompts to average over", remedy: "Add at least one prompt.")
            }
            let scale = 1 / Scalar(count)
            return try telling { try sums.mapValues { try $0 * scale } }
        }
    }
}

internal import Models
public import System
public import Tensors
public import Tokenizers

/// Every edge of a model's computation by what it carries, to first order: from each head and feed-forward to each query,
/// key, value and feed-forward that reads it, and to the logits.
///
/// score(u → v) = Σ (u_source − u_base) · ∂m/∂(input of v), divided by m_source − m_base; one run of each prompt and
/// one backward pass. With `steps` above 1, the gradient is the mean over `steps` points between the prompts'
/// embeddings.
///
/// - Source: Syed et al., "Attribution patching outperforms automated circuit discovery", 2023 (EAP); Hanna et al.,
///   "Have faith in faithfulness", 2024 (EAP-IG).
public struct EdgeAttribution<Scalar: FloatingAccumulator> {
    public let model: HookedTransformer<Scalar>
    public let pair: PatchPair<Scalar>

    /// Runs both prompts.
    ///
    /// - Throws: An error if the prompts differ in length, the metric is the same for both, or the model norms what its
    ///   blocks write, so that an edge is not linear in what a head sends.
    public init(
        _ model: HookedTransformer<Scalar>, clean: [TokenID], corrupt: [TokenID], metric: PatchMetric,
        direction: PatchPair<Scalar>.Direction = .noising
    ) throws(Problem) {
        guard !model.configuration.isSandwich else {
            throw Problem(
                .invalid, model.name, "the model normalizes block outputs, so gradients do not give edge scores",
                remedy: "Use activation patching instead.")
        }
        self.model = model
        pair = try PatchPair(model, clean: clean, corrupt: corrupt, metric: metric, direction: direction)
    }

    /// Senders by receivers; cells that no edge leads through stay empty.
    ///
    /// - Parameter steps: 1 for EAP, at the base run; 5 to 20 for EAP-IG, at the middle of each step.
    public func map(
        steps: Int = 1, isCancelled: () -> Bool = { false }
    ) throws(Problem) -> PatchMap {
        let senders = try senders()
        let receivers = try receivers(steps: max(1, steps), isCancelled)
        var map = pair.map(
            "edges, \(steps > 1 ? "integrated over \(steps) points" : "attribution"), \(pair.direction.rawValue)",
            rows: PatchMap.Axis("sender", senders.map(\.name)),
            columns: PatchMap.Axis("receiver", receivers.map(\.name)))
        map.formula = "Σ (u_source − u_base) · ∂m/∂(input of v), divided by m_source − m_base; to first order"
        for (row, sender) in senders.enumerated() {
            for (column, receiver) in receivers.enumerated() where sender.stage < receiver.stage {
                let effect = try telling {
                    try (sender.change * receiver.gradient).converted(to: Double.self).sum().scalar ?? .nan
                }
                let place = row * receivers.count + column
                map.values[place] = pair.baseValue + effect
                map.scores[place] = pair.score(pair.baseValue + effect)
            }
        }
        map.isComplete = true
        return map
    }

    /// What writes to the stream: so much more in the source run, `[T, D]`.
    ///
    /// Stages are in the order of the pass: 2l for attention of block l, 2l + 1 for its feed-forward.
    private struct Sender {
        var name: String
        var stage: Int
        var change: Tensor<Scalar>
    }

    /// What reads the stream: ∂m/∂ its input, through it alone, `[T, D]`.
    private struct Receiver {
        var name: String
        var stage: Int
        var gradient: Tensor<Scalar>
    }

    private func senders() throws(Problem) -> [Sender] {
        let hooks =
            [Hook.residualPre(layer: 0)]
            + (0..<model.layerCount).flatMap { [Hook.z(layer: $0), .feedForwardOut(layer: $0)] }
        let kept = HookSelection.only(Set(hooks).intersection(model.hooks))
        let (base, source) = (try model.run(pair.base, keeping: kept), try model.run(pair.source, keeping: kept))
        func change(_ hook: Hook) throws(Problem) -> Tensor<Scalar> {
            let (from, to) = (try base[hook], try source[hook])
            return try telling { try to - from }
        }
        var senders = [Sender(name: "embed", stage: -1, change: try change(.residualPre(layer: 0)))]
        for layer in 0..<model.layerCount {
            let z = try change(.z(layer: layer))
            for head in 0..<model.headCount {
                let output = try model.weights.output(layer: layer, head: head)
                let written = try telling { try matmul(z[.all, head], output) }
                senders.append(Sender(name: "\(layer).\(head)", stage: 2 * layer, change: written))
            }
            let hook = Hook.feedForwardOut(layer: layer)
            if base.activations[hook] != nil {
                senders.append(Sender(name: "mlp \(layer)", stage: 2 * layer + 1, change: try change(hook)))
            }
        }
        return senders
    }

    private func receivers(
        steps: Int, _ isCancelled: () -> Bool
    ) throws(Problem) -> [Receiver] {
        var sum: [Receiver] = []
        for step in 0..<steps {
            if isCancelled() { throw .cancelled() }
            let point = try receivers(at: try changes(share: steps == 1 ? 0 : (Double(step) + 0.5) / Double(steps)))
            guard !sum.isEmpty else {
                sum = point
                continue
            }
            for index in sum.indices {
                let gradient = point[index].gradient
                sum[index].gradient = try telling { try sum[index].gradient + gradient }
            }
        }
        for index in sum.indices where steps > 1 {
            let total = sum[index].gradient
            sum[index].gradient = try telling { try total / Scalar(steps) }
        }
        return sum
    }

    /// The base prompt's embeddings, moved so far toward the source's.
    private func changes(share: Double) throws(Problem) -> [Intervention<Scalar>] {
        guard share > 0 else { return [] }
        let from = try model.run(pair.base, keeping: .only([.embedding]))[.embedding]
        let to = try model.run(pair.source, keeping: .only([.embedding]))[.embedding]
        return [Intervention(.embedding, .replace(try telling { try from + (to - from) * Scalar(share) }))]
    }

    private func receivers(
        at changes: [Intervention<Scalar>]
    ) throws(Problem) -> [Receiver] {
        let known = Set(model.hooks)
        let wanted = (0..<model.layerCount).flatMap { layer in
            [
                Hook.attentionNormScale(layer: layer), .attentionNormalized(layer: layer), .query(layer: layer),
                .key(layer: layer), .value(layer: layer), .residualMid(layer: layer), .residualPost(layer: layer),
            ]
        }
        let (cache, gradients) = try model.gradients(
            pair.base, changes, of: wanted.filter(known.contains)
        ) { logits throws(Problem) in
            try pair.metric.gradient(at: logits, reference: pair.reference)
        }
        func gradient(_ hook: Hook) throws(Problem) -> Tensor<Scalar> {
            guard let gradient = gradients[hook] else {
                throw Problem(.missing, hook.name, "no gradient in this model")
            }
            return gradient
        }
        var receivers: [Receiver] = []
        for layer in 0..<model.layerCount {
            let block = model.weights.blocks[layer]
            let norm = NormPullback(
                kind: model.configuration.norm, gain: block.attentionNorm.gain,
                scale: cache.activations[.attentionNormScale(layer: layer)],
                normalized: cache.activations[.attentionNormalized(layer: layer)])
            let parts = [
                ("q", Hook.query(layer: layer), block.query), ("k", .key(layer: layer), block.key),
                ("v", .value(layer: layer), block.value),
            ]
            for (name, hook, weight) in parts {
                let slope = try gradient(hook)
                for head in 0..<weight.shape[0] {
                    let read = try telling { try norm.pullback(matmul(slope[.all, head], weight[head].transposed())) }
                    receivers.append(Receiver(name: "\(layer).\(head) \(name)", stage: 2 * layer, gradient: read))
                }
            }
            // after = between + feed-forward(between): what comes back through the feed-forward is the difference.
            if known.contains(.residualMid(layer: layer)) {
                let (between, after) = (
                    try gradient(.residualMid(layer: layer)), try gradient(.residualPost(layer: layer))
                )
                receivers.append(
                    Receiver(name: "mlp \(layer)", stage: 2 * layer + 1, gradient: try telling { try between - after }))
            }
        }
        receivers.append(
            Receiver(
                name: "logits", stage: 2 * model.layerCount,
                gradient: try gradient(.residualPost(layer: model.layerCount - 1))))
        return receivers
    }
}

/// The way back through a norm: from what is read after it to the stream before.
///
/// With n = (x − mean) / s: ∂m/∂x = (g − mean(g) − n · mean(g n)) / s, g = gain · ∂m/∂y; without means of g in RMS norms.
private struct NormPullback<Scalar: FloatingAccumulator> {
    var kind: HookedConfiguration.Norm
    var gain: Tensor<Scalar>?
    /// `[T, 1]`.
    var scale: Tensor<Scalar>?
    /// `[T, D]`.
    var normalized: Tensor<Scalar>?

    func pullback(_ slope: Tensor<Scalar>) throws -> Tensor<Scalar> {
        guard kind != .none, let scale, let normalized else { return slope }
        let gained = try gain.map { try slope * $0 } ?? slope
        var result = try gained - normalized * (gained * normalized).mean(-1, keepingAxes: true)
        if kind == .layer { result = try result - gained.mean(-1, keepingAxes: true) }
        return try result / scale
    }
}

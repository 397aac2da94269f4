internal import Models
public import System
public import Tensors
public import Tokenizers

/// What one head tells another, and no one else: the effect of a head on a metric through chosen inputs alone.
///
/// Each path takes three runs. 1: the sender's z from the source prompt is patched into the base run, with every other
/// head frozen, and the receivers' inputs are captured. 2: the base run, with only the receivers set to the captured
/// inputs.
/// (3: the source run, once for all paths.)
///
/// - Source: Wang et al., "Interpretability in the wild", 2022, section 3.1; Goldowsky-Dill et al., "Localizing model
///   behavior with path patching", 2023.
public struct PathPatching<Scalar: FloatingAccumulator> {
    /// Who sends.
    public enum Sender: Hashable, Sendable {
        case head(layer: Int, head: Int)
        case feedForward(layer: Int)

        var layer: Int {
            switch self {
            case .head(let layer, _), .feedForward(let layer): layer
            }
        }
    }

    /// Receivers of a patch. Heads of keys and values are those of grouped attention if there are fewer of them.
    public enum Receiver: Hashable, Sendable {
        case query(layer: Int, head: Int)
        case key(layer: Int, head: Int)
        case value(layer: Int, head: Int)
        case feedForward(layer: Int)
        /// The final residual stream: the direct effect.
        case logits
    }

    public let model: any HookedModel<Scalar>
    public let pair: PatchPair<Scalar>
    /// Feed-forwards between sender and receiver are held too, so that the residual stream is the only path.
    public let holdsFeedForwards: Bool
    private let base: ActivationCache<Scalar>
    private let source: ActivationCache<Scalar>
    private let hooks: Set<Hook>

    /// Runs both prompts.
    ///
    /// - Parameter direction: Noising, as in the paper: the sender's corrupted output goes into the clean run.
    public init(
        _ model: any HookedModel<Scalar>, clean: [TokenID], corrupt: [TokenID], metric: PatchMetric,
        direction: PatchPair<Scalar>.Direction = .noising, holdsFeedForwards: Bool = false
    ) throws(Problem) {
        self.model = model
        self.holdsFeedForwards = holdsFeedForwards
        pair = try PatchPair(model, clean: clean, corrupt: corrupt, metric: metric, direction: direction)
        hooks = Set(model.hooks)
        let kept = Set((0..<model.layerCount).flatMap { [Hook.z(layer: $0), .feedForwardOut(layer: $0)] })
        base = try model.run(pair.base, keeping: .only(kept.intersection(hooks)))
        source = try model.run(pair.source, keeping: .only(kept.intersection(hooks)))
    }

    /// Returns the metric with only this path patched; two runs, or one if the receivers are the logits.
    public func value(from sender: Sender, to receivers: [Receiver]) throws(Problem) -> Double {
        let kept = try model.run(
            pair.base, try held(sender), keeping: .only(Set(receivers.flatMap { hooks(of: $0) })))
        var changes: [Intervention<Scalar>] = []
        for receiver in receivers {
            for hook in hooks(of: receiver) {
                changes.append(Intervention(hook, head: receiver.head, .replace(try kept[hook])))
            }
        }
        return try pair.value(model, changes)
    }

    /// Every head as the sender, to the same receivers; cells that no path leads from stay empty.
    public func map(
        to receivers: [Receiver], progress: (PatchProgress) -> Void = { _ in }, isCancelled: () -> Bool = { false }
    ) throws(Problem) -> PatchMap {
        let last = receivers.map { reach(of: $0) }.max() ?? 0
        let layers = (0..<min(last, model.layerCount)).filter { hooks.contains(.z(layer: $0)) }
        var map = pair.map(
            "paths from heads to \(receivers.map(\.name).joined(separator: ", ")), \(pair.direction.rawValue)",
            rows: PatchMap.Axis("layer", (0..<model.layerCount).map(String.init)),
            columns: PatchMap.Axis("head", (0..<model.headCount).map(String.init)))
        let cells = layers.flatMap { layer in (0..<model.headCount).map { (row: layer, column: $0) } }
        try map.fill(
            cells, progress: progress, isCancelled: isCancelled, score: pair.score
        ) { layer, head throws(Problem) in
            try value(from: .head(layer: layer, head: head), to: receivers)
        }
        return map
    }

    /// The sender's output of the source prompt, everyone else's of the base run.
    private func held(_ sender: Sender) throws(Problem) -> [Intervention<Scalar>] {
        var changes: [Intervention<Scalar>] = []
        for layer in sender.layer..<model.layerCount {
            if hooks.contains(.z(layer: layer)) {
                changes.append(Intervention(.z(layer: layer), .replace(try base[.z(layer: layer)])))
            }
            if holdsFeedForwards, hooks.contains(.feedForwardOut(layer: layer)) {
                let hook = Hook.feedForwardOut(layer: layer)
                changes.append(Intervention(hook, .replace(try base[hook])))
            }
        }
        switch sender {
        case .head(let layer, let head):
            changes.append(Intervention(.z(layer: layer), head: head, .replace(try source[.z(layer: layer)])))
        case .feedForward(let layer):
            let hook = Hook.feedForwardOut(layer: layer)
            changes.append(Intervention(hook, .replace(try source[hook])))
        }
        return changes
    }

    private func hooks(of receiver: Receiver) -> [Hook] {
        switch receiver {
        case .query(let layer, _): [.query(layer: layer)]
        case .key(let layer, _): [.key(layer: layer)]
        case .value(let layer, _): [.value(layer: layer)]
        case .feedForward(let layer):
            [Hook.feedForwardPre(layer: layer), .feedForwardLinear(layer: layer)].filter(hooks.contains)
        case .logits: [.residualPost(layer: model.layerCount - 1)]
        }
    }

    /// Heads of layers below this one are heard.
    private func reach(of receiver: Receiver) -> Int {
        switch receiver {
        case .query(let layer, _), .key(let layer, _), .value(let layer, _): layer
        case .feedForward(let layer): layer + 1
        case .logits: model.layerCount
        }
    }
}

extension PathPatching.Receiver {
    var head: Int? {
        switch self {
        case .query(_, let head), .key(_, let head), .value(_, let head): head
        case .feedForward, .logits: nil
        }
    }

    /// `q of 5.1`.
    public var name: String {
        switch self {
        case .query(let layer, let head): "q of \(layer).\(head)"
        case .key(let layer, let head): "k of \(layer).\(head)"
        case .value(let layer, let head): "v of \(layer).\(head)"
        case .feedForward(let layer): "the feed-forward of \(layer)"
        case .logits: "the logits"
        }
    }
}

public import Models

/// A kind of activation that patching moves from one run to another.
public enum PatchSite: String, CaseIterable, Sendable {
    case residualPre = "resid_pre"
    case residualMid = "resid_mid"
    case attentionOut = "attn_out"
    case feedForwardOut = "mlp_out"
    case z, query = "q", key = "k", value = "v", pattern

    public func hook(layer: Int) -> Hook {
        switch self {
        case .residualPre: .residualPre(layer: layer)
        case .residualMid: .residualMid(layer: layer)
        case .attentionOut: .attentionOut(layer: layer)
        case .feedForwardOut: .feedForwardOut(layer: layer)
        case .z: .z(layer: layer)
        case .query: .query(layer: layer)
        case .key: .key(layer: layer)
        case .value: .value(layer: layer)
        case .pattern: .pattern(layer: layer)
        }
    }

    /// Its activations have an axis of heads: `[T, H, W]`, `[H, T, K]` of patterns.
    public var hasHeads: Bool {
        switch self {
        case .z, .query, .key, .value, .pattern: true
        case .residualPre, .residualMid, .attentionOut, .feedForwardOut: false
        }
    }

    /// The axis of its activations along which tokens lie (queries, of patterns).
    var tokenAxis: Int { self == .pattern ? 1 : 0 }
    /// The axis of its heads.
    var headAxis: Int? { hasHeads ? (self == .pattern ? 0 : 1) : nil }
}

/// What the rows and columns of a patching map are.
public enum PatchAxes: String, CaseIterable, Sendable {
    case layerByPosition = "layer by position"
    /// All positions of a head at once.
    case layerByHead = "layer by head"
    /// Every head by itself: rows are `layer.head`.
    case headByPosition = "head by position"
}

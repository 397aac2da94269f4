internal import Glibc

/// Rotary embeddings as GGUF metadata and the tensors of factors describe them.
struct GGUFRotary {
    let path: String
    let metadata: GGUFMetadata
    let architecture: String
    let stored: (String) -> StoredWeights?
    let family: ArchitectureDescriptor
    let headWidth: Int
    let contextLength: Int

    func read() throws(ModelError) -> RotaryEmbedding {
        let base = float("rope.freq_base") ?? family.ggufRopeBase
        let width = metadata.int(key("rope.dimension_count")) ?? headWidth
        guard base > 0, base.isFinite, width > 0, width <= headWidth, width % 2 == 0 else {
            throw ModelError(
                path, problem: "\(architecture).rope.* is invalid for head width \(headWidth)",
                remedy: "Convert the model again.")
        }
        return RotaryEmbedding(
            base: base, windowedBase: family.windowedRopeBase.map { float("rope.freq_base_swa") ?? $0 }, width: width,
            pairing: family.ggufPairing, scaling: try scaling(width))
    }

    private func key(_ name: String) -> String { "\(architecture).\(name)" }
    private func float(_ name: String) -> Float? { metadata.double(key(name)).map { Float($0) } }

    private func scaling(_ width: Int) throws(ModelError) -> RotaryScaling {
        if stored("rope_freqs.weight") != nil { return .factors(try factors("rope_freqs.weight", width)) }
        let original = metadata.int(key("rope.scaling.original_context_length")) ?? contextLength
        if stored("rope_factors_long.weight") != nil, stored("rope_factors_short.weight") != nil {
            return .longrope(
                short: try factors("rope_factors_short.weight", width),
                long: try factors("rope_factors_long.weight", width), originalLength: original,
                attentionFactor: float("rope.scaling.attn_factor") ?? 1)
        }
        let type = metadata.string(key("rope.scaling.type")) ?? "none"
        let factor = float("rope.scaling.factor") ?? 1
        guard factor >= 1, factor.isFinite, original > 0 else {
            throw ModelError(
                path, problem: "\(key("rope.scaling.factor")) must be at least 1", remedy: "Convert the model again.")
        }
        switch type {
        case "none", "": return .none
        case "linear": return factor == 1 ? .none : .linear(factor: factor)
        case "yarn":
            let attention = float("rope.scaling.attn_factor").map { $0 * (1 + 0.1 * logf(factor)) }
            return .yarn(
                factor: factor, originalLength: original, betaFast: float("rope.scaling.yarn_beta_fast") ?? 32,
                betaSlow: float("rope.scaling.yarn_beta_slow") ?? 1, attentionFactor: attention)
        case "longrope": return .none
        default:
            throw ModelError(
                path, problem: "unsupported rotary scaling type \(type)", remedy: "Use another model.")
        }
    }

    private func factors(_ name: String, _ width: Int) throws(ModelError) -> [Float] {
        guard let stored = stored(name), stored.elementCount == width / 2, stored.format != nil else {
            throw ModelError(
                path, problem: "\(name) must have \(width / 2) numbers", remedy: "Convert the model again.")
        }
        return try stored.floats(name)
    }
}

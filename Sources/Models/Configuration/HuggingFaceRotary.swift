internal import Glibc
internal import JSON

/// Rotary embeddings as config.json describes them: `rope_theta` and `rope_scaling`, or transformers 5's
/// `rope_parameters`, which may differ by the type of layer.
///
/// - Source: transformers, `modeling_rope_utils.py`.
struct HuggingFaceRotary {
    let config: ConfigurationNode
    let family: ArchitectureDescriptor
    let headWidth: Int
    let contextLength: Int

    func read() throws(ModelError) -> RotaryEmbedding {
        let all = config["rope_parameters"]
        let parameters = all?["full_attention"] ?? all ?? config["rope_scaling"]
        let base = parameters?.float("rope_theta") ?? config.float("rope_theta") ?? family.ropeBase
        let share = parameters?.double("partial_rotary_factor") ?? config.double("partial_rotary_factor") ?? 1
        guard base.isFinite, base > 0, share > 0, share <= 1 else {
            throw config.failure("rope_theta and partial_rotary_factor must be above 0")
        }
        var windowedBase: Float?
        if let defaultBase = family.windowedRopeBase {
            windowedBase =
                all?["sliding_attention"]?.float("rope_theta") ?? config.float("rope_local_base_freq") ?? defaultBase
        }
        let width = Int(Double(headWidth) * share) / 2 * 2
        return RotaryEmbedding(
            base: base, windowedBase: windowedBase, width: width, pairing: .halves,
            scaling: try parameters.map { (p) throws(ModelError) in try scaling(p, width: width) } ?? .none)
    }

    private func scaling(_ parameters: ConfigurationNode, width: Int) throws(ModelError) -> RotaryScaling {
        let type = parameters.string("rope_type") ?? parameters.string("type") ?? "default"
        func factor() throws(ModelError) -> Float {
            guard let factor = parameters.float("factor"), factor >= 1, factor.isFinite else {
                throw parameters.failure("the factor of \(type) scaling must be at least 1")
            }
            return factor
        }
        let original = parameters.int("original_max_position_embeddings")
        switch type {
        case "default": return .none
        case "linear": return .linear(factor: try factor())
        case "dynamic": return .dynamic(factor: try factor(), originalLength: contextLength)
        case "llama3":
            guard let low = parameters.float("low_freq_factor"), let high = parameters.float("high_freq_factor"),
                let original, original > 0, high > low, low > 0
            else { throw parameters.failure("llama3 scaling needs low_freq_factor and a larger high_freq_factor") }
            return .llama3(factor: try factor(), lowFactor: low, highFactor: high, originalLength: original)
        case "yarn":
            return .yarn(
                factor: try factor(), originalLength: original ?? contextLength,
                betaFast: parameters.float("beta_fast") ?? 32, betaSlow: parameters.float("beta_slow") ?? 1,
                attentionFactor: yarnAttention(parameters, try factor()))
        case "longrope", "su": return try longrope(parameters, width: width)
        default:
            throw parameters.failure("unsupported rotary scaling type \(type)", remedy: "Use another model.")
        }
    }

    /// What cosines and sines are multiplied by, where it is not 1 + 0.1 ln factor.
    private func yarnAttention(_ parameters: ConfigurationNode, _ factor: Float) -> Float? {
        if let told = parameters.float("attention_factor") { return told }
        guard let one = parameters.float("mscale"), let all = parameters.float("mscale_all_dim"), one != 0, all != 0
        else { return nil }
        func scale(_ weight: Float) -> Float { factor <= 1 ? 1 : 0.1 * weight * logf(factor) + 1 }
        return scale(one) / scale(all)
    }

    private func longrope(_ parameters: ConfigurationNode, width: Int) throws(ModelError) -> RotaryScaling {
        guard let short = parameters.floats("short_factor"), let long = parameters.floats("long_factor"),
            short.count == width / 2, long.count == width / 2, (short + long).allSatisfy({ $0 > 0 && $0.isFinite })
        else {
            throw parameters.failure("longrope needs \(width / 2) positive numbers in short_factor and long_factor")
        }
        let original =
            parameters.int("original_max_position_embeddings") ?? config.int("original_max_position_embeddings")
            ?? contextLength
        guard original > 1 else { throw parameters.failure("original_max_position_embeddings must be at least 2") }
        let factor = parameters.float("factor") ?? Float(contextLength) / Float(original)
        let attention = factor <= 1 ? 1 : (1 + logf(factor) / logf(Float(original))).squareRoot()
        return .longrope(
            short: short, long: long, originalLength: original,
            attentionFactor: parameters.float("attention_factor") ?? attention)
    }
}

internal import Kernels

/// Which format each tensor gets: llama.cpp's rules, so that the same target means the same file.
///
/// - Source: llama.cpp, `llama-quant.cpp`. One rule differs: if rows are not a multiple of 256, llama.cpp uses Q5_0
///   or Q5_1 instead of Q4_K and Q5_K; Orrery uses Q8_0, because it has no kernels for Q5_0 and Q5_1.
struct QuantizationMix {
    let target: QuantizationTarget
    let layers: Int
    let experts: Int
    /// There is no output matrix: the token embedding is one.
    let tiesEmbeddings: Bool
    /// Value matrices of the whole model, and those that were passed.
    private let valueCount: Int
    private var valueIndex = 0
    private var downIndex = 0

    /// - Parameter names: all tensors.
    init(_ target: QuantizationTarget, names: [String], layers: Int, experts: Int) {
        self.target = target
        self.layers = layers
        self.experts = experts
        tiesEmbeddings = !names.contains("output.weight")
        valueCount = names.filter(Self.isValue).count
    }

    /// Only matrices of the products are quantized: no norms, positions, segments and routers.
    static func allows(_ name: String, shape: [Int]) -> Bool {
        // ggml does not count outer axes of size 1.
        guard shape.drop(while: { $0 == 1 }).count >= 2, name.hasSuffix("weight") else { return false }
        let kept = ["_norm.weight", "ffn_gate_inp.weight", "ssm_conv1d"]
        return !kept.contains { name.contains($0) } && name != "position_embd.weight" && name != "token_types.weight"
    }

    /// Returns the format of the next tensor, in file order; `nil` if it stays unchanged.
    mutating func format(_ name: String, shape: [Int]) -> WeightFormat? {
        guard Self.allows(name, shape: shape) else { return nil }
        let columns = shape.last ?? 1
        var format = target.format
        guard format.blockSize > 1 else { return format }
        let isOutput = name == "output.weight" || tiesEmbeddings && name == "token_embd.weight"
        if isOutput {
            if columns % format.blockSize != 0 { format = .q8_0 } else if format != .q8_0 { format = .q6_k }
        } else if Self.isValue(name) {
            format = ofValue(format)
        } else if name.contains("attn_k.weight"), experts == 8 {
            format = .q8_0
        } else if name.contains("ffn_down") {
            format = ofDown(format, name)
        } else if name.contains("attn_output.weight"), experts == 8, format == .q4_k {
            format = .q5_k
        }
        return fallback(format, columns)
    }

    private static func isValue(_ name: String) -> Bool {
        name.contains("attn_v.weight") || name.contains("attn_qkv.weight") || name.contains("attn_kv_b.weight")
    }

    private mutating func ofValue(_ usual: WeightFormat) -> WeightFormat {
        defer { valueIndex += 1 }
        if experts == 8 { return .q8_0 }
        switch target {
        case .q4_k_m, .q5_k_m: return isSensitive(valueIndex, of: valueCount) ? .q6_k : usual
        case .q4_k_s: return valueIndex < 4 ? .q5_k : usual
        default: return usual
        }
    }

    private mutating func ofDown(_ usual: WeightFormat, _ name: String) -> WeightFormat {
        defer { downIndex += 1 }
        // Experts may be stored in any order, so the layer is read from the name.
        let layer = experts > 1 ? TensorName.layer(name) ?? downIndex : downIndex
        switch target {
        case .q4_k_m, .q5_k_m: return isSensitive(layer, of: layers) ? .q6_k : usual
        case .q4_k_s: return layer < layers / 8 ? .q5_k : usual
        default: return usual
        }
    }

    /// The first and last eighth, and every third between.
    private func isSensitive(_ index: Int, of count: Int) -> Bool {
        index < count / 8 || index >= 7 * count / 8 || (index - count / 8) % 3 == 2
    }

    private func fallback(_ format: WeightFormat, _ columns: Int) -> WeightFormat {
        if columns % format.blockSize == 0 { return format }
        return columns % WeightFormat.q8_0.blockSize == 0 ? .q8_0 : .f16
    }
}

/// What a tensor's name says.
enum TensorName {
    /// The layer of `blk.3.attn_q.weight`; nil for what belongs to none.
    static func layer(_ name: String) -> Int? {
        guard name.hasPrefix("blk.") else { return nil }
        return Int(name.dropFirst(4).prefix { $0.isNumber })
    }

    /// The order of llama.cpp: what belongs to no layer, then layer by layer, by the bytes of the names.
    static func precedes(_ a: String, _ b: String) -> Bool {
        let (first, second) = (layer(a) ?? -1, layer(b) ?? -1)
        return first != second ? first < second : a.utf8.lexicographicallyPrecedes(b.utf8)
    }
}

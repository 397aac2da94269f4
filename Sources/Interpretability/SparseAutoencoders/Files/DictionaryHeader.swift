internal import JSON
internal import System

/// What sae-lens' `cfg.json` says, in the words of version 6 or of those before.
///
/// Before version 6, all keys were at the top level; since then, `metadata` contains what is known about the model.
struct DictionaryHeader {
    enum Architecture: Equatable {
        case standard, jumpReLU, batchTopK, gated
        case topK(Int)
    }

    var architecture: Architecture
    var inputWidth: Int?
    var featureCount: Int?
    var subtractsDecoderBias: Bool
    var normalization: SparseAutoencoder.Normalization
    /// Features are chosen by pre-activation times decoder norm.
    var rescalesByNorm: Bool
    /// A factor a feature was trained afterwards.
    var isFinetuned: Bool
    var origin: SparseAutoencoder.Origin

    init(_ root: JSONNode, path: String) throws(Problem) {
        guard root.kind == .object else {
            throw Problem(.invalid, path, "not a JSON object", remedy: "Save the dictionary again.")
        }
        let metadata = root["metadata"]
        func text(_ names: String...) -> String? {
            for name in names {
                if let text = root.member(named: name)?.string ?? metadata?.member(named: name)?.string { return text }
            }
            return nil
        }
        let curve = text("activation_fn", "activation_fn_str") ?? "relu"
        let k = root["k"] ?? root["activation_fn_kwargs"]?["k"]
        let name = curve == "topk" ? "topk" : text("architecture") ?? "standard"
        guard curve == "topk" || curve == "relu" else {
            throw Problem(
                .unsupported, path, "unsupported activation \(curve)",
                remedy: "Supported: relu, topk, jumprelu, and gated.")
        }
        architecture = try Self.architecture(name, k: k?.lenientDouble, path)
        inputWidth = try Self.size(root["d_in"], "d_in", path)
        featureCount = try Self.size(root["d_sae"], "d_sae", path)
        if let output = root["d_out"]?.int, output != inputWidth.map(Int64.init) {
            throw Problem(
                .invalid, path, "output rows have width \(output), which differs from the input width",
                remedy: "Use a dictionary that reads and reconstructs a single hook.")
        }
        subtractsDecoderBias = root["apply_b_dec_to_input"]?.bool ?? true
        normalization = try Self.normalization(root["normalize_activations"], path)
        rescalesByNorm = root["rescale_acts_by_decoder_norm"]?.bool ?? (architecture == .batchTopK)
        isFinetuned = root["finetuning_scaling_factor"]?.bool ?? false
        origin = SparseAutoencoder.Origin(
            hook: text("hook_name", "hook_point") ?? "", model: text("model_name") ?? "",
            kind: Self.kind(metadata?["training_architecture"]?.string ?? name),
            prefixes: Self.prefixes(
                root["matryoshka_widths"] ?? metadata?["training_architecture_details"]?["matryoshka_widths"]),
            trainedTokens: (metadata?["training_tokens"] ?? root["training_tokens"])?.int.flatMap(Int.init(exactly:)),
            notes: Self.notes(metadata ?? root))
    }

    private static func architecture(
        _ name: String, k: Double?, _ path: String
    ) throws(Problem) -> Architecture {
        switch name {
        case "standard": return .standard
        case "jumprelu", "jump_relu": return .jumpReLU
        case "batchtopk", "matryoshka_batchtopk", "matryoshka": return .batchTopK
        case "gated": return .gated
        case "topk":
            guard let k, k >= 1, k <= Double(Int32.max), k == k.rounded() else {
                throw Problem(.invalid, path, "topk needs a valid k", remedy: "Set k to an integer above 0.")
            }
            return .topK(Int(k))
        case _ where name.hasSuffix("transcoder"):
            throw Problem(
                .unsupported, path, "transcoders are unsupported: they read one hook and write another",
                remedy: "Use a dictionary that reads and reconstructs a single hook.")
        default:
            throw Problem(
                .unknown, path, "unknown architecture \(name.prefix(40))",
                remedy: "Supported: standard, topk, batchtopk, jumprelu, gated, and matryoshka_batchtopk.")
        }
    }

    /// Our word for an architecture.
    private static func kind(_ architecture: String) -> String {
        switch architecture {
        case "matryoshka_batchtopk": "matryoshka"
        case "jump_relu": "jumprelu"
        default: architecture
        }
    }

    private static func size(
        _ node: JSONNode?, _ name: String, _ path: String
    ) throws(Problem) -> Int? {
        guard let node, !node.isNull else { return nil }
        guard let size = node.int, size > 0, size <= Int64(Int32.max) else {
            throw Problem(.invalid, path, "\(name) is not a valid size", remedy: "Set it to an integer above 0.")
        }
        return Int(size)
    }

    private static func normalization(
        _ node: JSONNode?, _ path: String
    ) throws(Problem) -> SparseAutoencoder.Normalization {
        switch node?.string ?? "none" {
        // The one scale of `expected_average_only_in` is in the weights by the time they are saved.
        case "none", "expected_average_only_in": return .none
        case "constant_norm_rescale": return .rowNorm
        case "layer_norm": return .layerNorm
        case let other:
            throw Problem(
                .unsupported, path, "unsupported activation normalization \(other.prefix(40))",
                remedy: "Fold it into the weights with sae-lens and save the dictionary again.")
        }
    }

    private static func prefixes(_ node: JSONNode?) -> [Int] {
        guard let node, node.kind == .array, node.count <= 1024 else { return [] }
        return node.elements.compactMap { $0.int.flatMap(Int.init(exactly:)) }
    }

    /// What else is known, as JSON: all but the keys that have a place of their own.
    private static func notes(_ node: JSONNode) -> String {
        var json = JSONWriter()
        json.object { json in
            for (key, value) in node.members {
                guard let name = key.string, !placed.contains(name) else { continue }
                json.key(name)
                json.copy(value)
            }
        }
        return json.text
    }

    /// Keys with a property of their own, or that only describe how a file was made.
    static let placed: Set<String> = [
        "hook_name", "hook_point", "model_name", "training_architecture", "training_architecture_details",
        "training_tokens", "sae_lens_version", "sae_lens_training_version", "architecture", "d_in", "d_sae", "dtype",
        "device", "k", "activation_fn", "activation_fn_str", "activation_fn_kwargs", "apply_b_dec_to_input",
        "normalize_activations", "reshape_activations", "rescale_acts_by_decoder_norm", "finetuning_scaling_factor",
        "matryoshka_widths", "metadata",
    ]
}

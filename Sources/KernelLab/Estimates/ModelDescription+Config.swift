import Glibc
import JSON
public import System

extension ModelDescription {
    /// Reads the shape of a model from a `config.json` as Hugging Face has them, and counts its parameters.
    ///
    /// - Parameter name: nil takes the file's folder.
    public init(contentsOf path: String, name: String? = nil) throws(Problem) {
        let config = try SmallFile.bytes(path, limit: 4 << 20, remedy: "Use a model's config.json.")
        let folder = path.split(separator: "/").dropLast().last.map(String.init)
        try self.init(config: config, name: name ?? folder ?? "model", path: path)
    }

    /// Reads the text of a `config.json`.
    public init(config: [UInt8], name: String, path: String = "config.json") throws(Problem) {
        let document: JSONDocument
        do { document = try JSONDocument(parsing: config, maximumDepth: 64) } catch {
            throw Problem(.invalid, path, "invalid JSON: \(error.sentence)", remedy: "Use a model's config.json.")
        }
        self = try document.withRoot { root throws(Problem) in
            // Models of several modalities keep their decoder's shape one level down.
            let node = root["text_config"] ?? root["llm_config"] ?? root
            return try Self.read(ConfigReader(node: node, path: path), name: name)
        }
    }

    private static func read(_ config: ConfigReader, name: String) throws(Problem) -> ModelDescription {
        if config.node["kv_lora_rank"] != nil {
            throw Problem(
                .unsupported, config.path, "attention with compressed keys and values (kv_lora_rank) is unsupported",
                remedy: "Set the parameters and shape with options.")
        }
        let layers = try config.required("num_hidden_layers", "n_layer", "num_layers")
        let hidden = try config.required("hidden_size", "n_embd", "d_model")
        let heads = try config.required("num_attention_heads", "n_head", "num_heads")
        let vocabulary = try config.required("vocab_size")
        let kvHeads = config.optional("num_key_value_heads", "num_kv_heads") ?? heads
        let headWidth = config.optional("head_dim") ?? hidden / heads
        let inner = config.optional("intermediate_size", "n_inner", "ffn_dim", "d_ff") ?? 4 * hidden
        let context = config.optional("max_position_embeddings", "n_positions", "n_ctx", "max_seq_len") ?? 4096
        var model = ModelDescription(
            name: name, parameters: 0, layers: layers, hidden: hidden, heads: heads, kvHeads: kvHeads,
            headWidth: headWidth, inner: inner, vocabulary: vocabulary, context: context,
            source: "counted from \(config.path)")
        let count = ParameterCount(config, model, inner: inner)
        model.parameters = count.all
        model.activeParameters = count.active
        return model
    }
}

/// Looks up members of a configuration by the names that families of models give them.
struct ConfigReader {
    let node: JSONNode
    let path: String

    func optional(_ names: String...) -> Int? { first(names) }

    func required(_ names: String...) throws(Problem) -> Int {
        if let value = first(names) { return value }
        throw Problem(
            .missing, path, "missing \(names[0]): a decoder needs a value from 1 to 1e9",
            remedy: "Use a model's config.json, or set the shape with options.")
    }

    func flag(_ name: String) -> Bool? { node.member(named: name)?.bool }

    var family: String { node["model_type"]?.string?.lowercased() ?? "" }

    private func first(_ names: [String]) -> Int? {
        for name in names {
            if let value = node.member(named: name)?.lenientInt, value >= 1, value <= 1_000_000_000 {
                return Int(value)
            }
        }
        return nil
    }
}

/// Parameters of a decoder, tensor by tensor.
private struct ParameterCount {
    var all: Double
    var active: Double

    init(_ config: ConfigReader, _ model: ModelDescription, inner: Int) {
        let family = config.family
        let isOld = ["gpt2", "gpt_neo", "opt", "gpt_bigcode"].contains(family)
        let h = Double(model.hidden)
        let keys = Double(model.kvHeads) * Double(model.headWidth)
        let queries = model.attentionWidth
        // Queries, keys, values, output.
        var attention = h * queries + 2 * h * keys + queries * h
        if isOld || (config.flag("attention_bias") ?? false) {
            attention += queries + 2 * keys + h
        } else if family.hasPrefix("qwen2") {
            attention += queries + 2 * keys
        }
        if family.hasPrefix("qwen3") { attention += 2 * Double(model.headWidth) }
        // Gated: three matrices; before: two, with biases.
        func mlp(_ inner: Double) -> Double { isOld ? 2 * h * inner + inner + h : 3 * h * inner }
        let norms = isOld ? 4 * h : (family.hasPrefix("gemma2") || family.hasPrefix("gemma3") ? 4 * h : 2 * h)
        var block = mlp(Double(inner))
        var activeBlock = block
        if let experts = config.optional("num_local_experts", "num_experts", "n_routed_experts") {
            let chosen = config.optional("num_experts_per_tok", "num_experts_per_token") ?? 1
            let width = Double(config.optional("moe_intermediate_size") ?? inner)
            let shared =
                Double(config.optional("n_shared_experts") ?? 0) * mlp(width)
                + (config.optional("shared_expert_intermediate_size").map { mlp(Double($0)) + h } ?? 0)
            let router = h * Double(experts)
            block = Double(experts) * mlp(width) + router + shared
            activeBlock = Double(min(chosen, experts)) * mlp(width) + router + shared
        }
        let embedding = Double(model.vocabulary) * h
        let isTied = config.flag("tie_word_embeddings") ?? (isOld || family.hasPrefix("gemma"))
        let positions = isOld ? Double(model.context) * h : 0
        let rest = embedding * (isTied ? 1 : 2) + positions + (isOld ? 2 * h : h)
        all = Double(model.layers) * (attention + norms + block) + rest
        active = Double(model.layers) * (attention + norms + activeBlock) + rest
    }
}

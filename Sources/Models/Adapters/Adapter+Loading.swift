internal import JSON
internal import Kernels
internal import Tensors

extension Adapter {
    /// Reads a folder as PEFT writes it: adapter_config.json and adapter_model.safetensors.
    ///
    /// - Parameter configuration: the model that it changes; sizes must fit.
    /// - Throws: `ModelError` where a file is missing or foreign, where the adapter is more than low-rank changes (DoRA,
    ///   biases, whole layers), or where it was made for another model.
    public static func load(_ path: String, for configuration: ModelConfiguration) throws(ModelError) -> Adapter {
        let settings = try AdapterSettings(path)
        let file = try weights("\(path)/adapter_model.safetensors")
        var halves: [String: (a: String?, b: String?)] = [:]
        for name in file.names {
            guard let (module, isA) = AdapterSettings.module(name) else {
                throw ModelError(
                    file.path, problem: "\(name) is not a LoRA matrix of a linear layer",
                    remedy: "Merge the adapter with PEFT and open the merged model.")
            }
            if isA {
                halves[module, default: (nil, nil)].a = name
            } else {
                halves[module, default: (nil, nil)].b = name
            }
        }
        guard !halves.isEmpty else { throw ModelError(file.path, problem: "the adapter has no LoRA matrices") }
        let names = HuggingFaceNames(family: configuration.family)
        var changes: [String: LowRankChange] = [:]
        for (module, half) in halves {
            guard let a = half.a, let b = half.b else {
                throw ModelError(file.path, problem: "\(module) has only one of its two matrices")
            }
            guard let name = names.translated("\(module).weight"), let size = configuration.linearShape(name) else {
                throw ModelError(
                    file.path,
                    problem: "\(module) is not a linear layer of a \(configuration.family.name) model "
                        + "with \(configuration.layerCount) layers",
                    remedy: "Use the model that the adapter was trained for.")
            }
            changes[name] = try change(file, a, b, size, settings, module: module, configuration, name)
        }
        return Adapter(path: path, rank: settings.rank, alpha: settings.alpha, changes: changes)
    }

    private static func weights(_ path: String) throws(ModelError) -> TensorFile {
        do { return try TensorFile.open(path) } catch { throw ModelError(error) }
    }

    private static func change(
        _ file: TensorFile, _ a: String, _ b: String, _ size: (rows: Int, columns: Int), _ settings: AdapterSettings,
        module: String, _ configuration: ModelConfiguration, _ name: String
    ) throws(ModelError) -> LowRankChange {
        let (aShape, aValues) = try numbers(a, of: file)
        var (bShape, bValues) = try numbers(b, of: file)
        guard aShape.count == 2, bShape.count == 2, aShape[0] == bShape[1], aShape[0] > 0, aShape[1] == size.columns,
            bShape[0] == size.rows
        else {
            throw ModelError(
                file.path,
                problem:
                    "\(module): LoRA shapes \(aShape) and \(bShape) do not fit a matrix of \([size.rows, size.columns])",
                remedy: "Use the model that the adapter was trained for.")
        }
        let rank = aShape[0]
        if let heads = configuration.turnedHeads(name) { bValues = turned(bValues, heads: heads, rank: rank) }
        do {
            return try LowRankChange(
                a: aValues, b: bValues, rank: rank, inputs: size.columns, outputs: size.rows,
                scale: Float(settings.scale(of: module, rank: rank)))
        } catch {
            throw ModelError(file.path, error)
        }
    }

    private static func numbers(_ name: String, of file: TensorFile) throws(ModelError) -> ([Int], [Float]) {
        let tensor: AnyTensor
        do { tensor = try file.tensor(named: name) } catch { throw ModelError(error) }
        do {
            return (tensor.shape, try tensor.converted(to: Float.self).elements)
        } catch {
            throw ModelError(file.path, problem: error.problem)
        }
    }

    /// Rows in the order of GGUF's llama files, whose rotating pairs lie side by side: within each head row j of half i
    /// becomes row i of pair j.
    private static func turned(_ b: [Float], heads: Int, rank: Int) -> [Float] {
        let width = b.count / rank / heads
        var result = b
        for head in 0..<heads {
            for row in 0..<width {
                let (half, pair) = (row / (width / 2), row % (width / 2))
                let (from, to) = ((head * width + row) * rank, (head * width + 2 * pair + half) * rank)
                for column in 0..<rank { result[to + column] = b[from + column] }
            }
        }
        return result
    }
}

/// What adapter_config.json says.
struct AdapterSettings {
    let rank: Int
    let alpha: Double
    private let isStabilized: Bool
    /// Other alphas for some modules, by the end of their names.
    private let alphas: [(suffix: String, alpha: Double)]

    init(_ folder: String) throws(ModelError) {
        let path = "\(folder)/adapter_config.json"
        let document = try HuggingFaceConfiguration.document(path)
        self = try document.withRoot { (root) throws(ModelError) in
            try AdapterSettings(ConfigurationNode(node: root, path: path))
        }
    }

    private init(_ config: ConfigurationNode) throws(ModelError) {
        let remedy = "Merge the adapter with PEFT and open the merged model."
        guard config.string("peft_type") == "LORA" else {
            throw config.failure("not a LoRA adapter", remedy: "Use an adapter that PEFT saved with peft_type LORA.")
        }
        for feature in ["use_dora", "lora_bias", "use_qalora", "use_bdlora"] where config.bool(feature) == true {
            throw config.failure("\(feature) is not supported", remedy: remedy)
        }
        if let bias = config.string("bias"), bias != "none" {
            throw config.failure("adapters that change biases are not supported (bias \(bias))", remedy: remedy)
        }
        rank = try config.size("r", limit: 1 << 16)
        guard let alpha = config.double("lora_alpha"), alpha.isFinite else {
            throw config.failure("lora_alpha is missing", remedy: "Download adapter_config.json again.")
        }
        self.alpha = alpha
        isStabilized = config.bool("use_rslora") ?? false
        var alphas: [(String, Double)] = []
        if let pattern = config["alpha_pattern"], pattern.node.kind == .object {
            for (key, value) in pattern.node.members {
                if let name = key.string, let alpha = value.double, alpha.isFinite { alphas.append((name, alpha)) }
            }
        }
        self.alphas = alphas
    }

    /// s: alpha / r or alpha / √r, with the module's own numbers where it has such.
    func scale(of module: String, rank: Int) -> Double {
        let alpha = alphas.first { module == $0.suffix || module.hasSuffix(".\($0.suffix)") }?.alpha ?? alpha
        return alpha / (isStabilized ? Double(rank).squareRoot() : Double(rank))
    }

    /// `base_model.model.model.layers.0.mlp.up_proj.lora_A.weight` is A of `model.layers.0.mlp.up_proj`.
    static func module(_ tensor: String) -> (name: String, isA: Bool)? {
        var parts = tensor.split(separator: ".", omittingEmptySubsequences: false)[...]
        if parts.starts(with: ["base_model", "model"]) { parts = parts.dropFirst(2) }
        guard parts.popLast() == "weight" else { return nil }
        if parts.last == "default" { parts.removeLast() }
        guard let half = parts.popLast(), half == "lora_A" || half == "lora_B", !parts.isEmpty else { return nil }
        return (parts.joined(separator: "."), half == "lora_A")
    }
}

extension ModelConfiguration {
    /// Returns the rows and columns of a linear layer by its GGUF name; `nil` for any other tensor.
    func linearShape(_ name: String) -> (rows: Int, columns: Int)? {
        if name == "output.weight" { return (vocabularySize, width) }
        let parts = name.split(separator: ".")
        guard parts.count == 4, parts[0] == "blk", parts[3] == "weight", let layer = Int(parts[1]),
            (0..<layerCount).contains(layer)
        else { return nil }
        let (queries, keys, values) = (headCount * headWidth, kvHeadCount * headWidth, kvHeadCount * valueWidth)
        switch parts[2] {
        case "attn_q": return (queries, width)
        case "attn_k": return (keys, width)
        case "attn_v": return (values, width)
        case "attn_qkv": return (queries + keys + values, width)
        case "attn_output": return (width, headCount * valueWidth)
        case "ffn_gate": return (feedForwardWidth, width)
        case "ffn_up": return (family.fusesGateAndUp ? 2 * feedForwardWidth : feedForwardWidth, width)
        case "ffn_down": return (width, feedForwardWidth)
        case "ffn_gate_inp": return experts.map { ($0.count, width) }
        default: return nil
        }
    }

    /// Returns the number of heads whose rows are paired here but split into halves in an adapter; `nil` if both agree.
    func turnedHeads(_ name: String) -> Int? {
        guard case .rotary(let rotary) = positions, rotary.pairing == .adjacent else { return nil }
        if name.hasSuffix(".attn_q.weight") { return headCount }
        return name.hasSuffix(".attn_k.weight") ? kvHeadCount : nil
    }
}

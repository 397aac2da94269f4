internal import JSON
public import Models
internal import Tensors

extension TrainableTransformer {
    /// Writes the adapter as PEFT lays it out: adapter_config.json and adapter_model.safetensors.
    ///
    /// The folder appears whole or not at all; one that is there is replaced.
    ///
    /// - Parameter base: Name or path of the base model, for readers of the adapter.
    /// - Throws: `ModelError` if there is no adapter, or if the disk is full.
    public func writeAdapter(to path: String, base: String = "") throws(ModelError) {
        guard let adapter else {
            throw ModelError(path, problem: "the model has no adapter", remedy: "Attach one first.")
        }
        let folder = try StagedFolder(path)
        var tensors: [(name: String, tensor: AnyTensor)] = []
        do {
            for layer in adapter.layers {
                guard let change = adapter.changes[layer] else { continue }
                let module = "base_model.model.\(moduleName(layer))"
                let a = try change.a.value.contiguous().converted(to: Float.self)
                let b = try change.b.value.contiguous().converted(to: Float.self)
                tensors.append(("\(module).lora_A.weight", .float32(a)))
                tensors.append(("\(module).lora_B.weight", .float32(b)))
            }
        } catch {
            throw ModelError(path, problem: error.problem)
        }
        do {
            try TensorFile.write(
                tensors, metadata: ["format": "pt"], to: "\(folder.temporary)/adapter_model.safetensors")
        } catch {
            throw ModelError(path, problem: error.sentence)
        }
        var json = JSONWriter(style: .pretty)
        write(adapter, base: base, to: &json)
        json.endLine()
        try folder.write(json.bytes, as: "adapter_config.json")
        try folder.commit()
    }

    /// - Source: `LoraConfig` of PEFT 0.21.
    private func write(_ adapter: LowRankAdapter<Scalar>, base: String, to json: inout JSONWriter) {
        let settings = adapter.settings
        // Whole paths, so that PEFT changes these layers and no others of the same last name.
        let modules = adapter.layers.map(moduleName)
        json.object { json in
            json.member("peft_type", "LORA")
            json.member("task_type", configuration.isEncoder ? "FEATURE_EXTRACTION" : "CAUSAL_LM")
            json.member("base_model_name_or_path", base)
            json.member("inference_mode", true)
            json.member("r", settings.rank)
            json.member("lora_alpha", settings.alpha)
            json.member("lora_dropout", settings.dropout)
            json.member("target_modules", modules)
            json.member("bias", "none")
            json.member("fan_in_fan_out", configuration.family.transposesLinears)
            json.member("use_rslora", settings.isRankStabilized)
            json.member("use_dora", false)
            json.member("init_lora_weights", true)
            json.member("modules_to_save") { $0.null() }
            json.member("layers_to_transform") { $0.null() }
            json.member("rank_pattern") { $0.object { _ in } }
            json.member("alpha_pattern") { $0.object { _ in } }
        }
    }

    /// Puts on an adapter that PEFT, or `writeAdapter`, has written, to go on training it.
    ///
    /// - Throws: `ModelError` where a file is missing or foreign, the adapter is more than low-rank changes of one
    ///   rank, or it was made for another model.
    public func attachAdapter(from path: String) throws(ModelError) {
        guard adapter == nil else {
            throw ModelError(path, problem: "the model already has an adapter", remedy: "Remove or merge it first.")
        }
        // The runtime's reader checks everything that can be wrong with such a folder.
        _ = try Adapter.load(path, for: configuration)
        let settings = try Self.settings(path)
        let file: TensorFile
        do {
            file = try TensorFile.open("\(path)/adapter_model.safetensors")
        } catch {
            throw ModelError(path, problem: error.sentence)
        }
        var changes: [(String, LowRankChange<Scalar>)] = []
        for layer in adaptableLayers() {
            let module = moduleName(layer.name)
            guard let a = file.names.first(where: { Self.means($0, module, "lora_A") }),
                let b = file.names.first(where: { Self.means($0, module, "lora_B") })
            else { continue }
            do {
                let (a, b) = (try file.tensor(named: a), try file.tensor(named: b))
                guard a.shape[0] == settings.rank else {
                    throw ModelError(
                        path,
                        problem: "\(module) has rank \(a.shape[0]), but the other modules have rank \(settings.rank)",
                        remedy: "Use PEFT to merge this adapter into its base model, and train the merged model.")
                }
                let made = try change(
                    layer.name, a: a.converted(to: Float.self), b: b.converted(to: Float.self), settings)
                changes.append((layer.name, made))
            } catch let error as ModelError {
                throw error
            } catch {
                throw ModelError(path, problem: "\(error)")
            }
        }
        guard changes.count == file.names.count / 2 else {
            throw ModelError(
                path,
                problem: "the adapter changes \(file.names.count / 2) layers; only \(changes.count) can be trained",
                remedy: "Use PEFT to merge this adapter into its base model, and train the merged model.")
        }
        attach(LowRankAdapter(settings, changes))
    }

    /// Whether a tensor is one half of a module's change, whatever wraps the module.
    private static func means(_ tensor: String, _ module: String, _ half: String) -> Bool {
        let stem = tensor.replacing(".default.", with: ".")
        guard stem.hasSuffix(".\(half).weight") else { return false }
        let name = stem.dropLast(".\(half).weight".count)
        let bare = module.hasPrefix("model.") ? String(module.dropFirst("model.".count)) : module
        let own = bare.hasPrefix("transformer.") ? String(bare.dropFirst("transformer.".count)) : bare
        return name == own || name.hasSuffix(".\(own)")
    }

    private static func settings(_ folder: String) throws(ModelError) -> LowRankSettings {
        let path = "\(folder)/adapter_config.json"
        let document: JSONDocument
        do {
            let file = try MappedFile(path)
            document = try withExtendedLifetime(file) { () throws in try JSONDocument(parsing: file.bytes) }
        } catch {
            throw ModelError(path, problem: "cannot read the file: \(error)")
        }
        return try document.withRoot { (root) throws(ModelError) in
            guard let rank = root["r"]?.int, let alpha = root["lora_alpha"]?.double else {
                throw ModelError(path, problem: "r or lora_alpha is missing")
            }
            for key in ["rank_pattern", "alpha_pattern"] {
                guard root.member(named: key).map({ $0.isNull || $0.count == 0 }) ?? true else {
                    throw ModelError(
                        path, problem: "per-layer ranks and alphas (\(key)) are unsupported",
                        remedy: "Use PEFT to merge this adapter into its base model, and train the merged model.")
                }
            }
            return LowRankSettings(
                rank: Int(rank), alpha: alpha, dropout: root["lora_dropout"]?.double ?? 0,
                targets: root["target_modules"]?.elements.compactMap(\.string) ?? [],
                isRankStabilized: root["use_rslora"]?.bool ?? false)
        }
    }
}

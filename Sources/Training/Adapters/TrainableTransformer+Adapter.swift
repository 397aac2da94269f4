internal import Glibc
internal import Models
public import Tensors

extension TrainableTransformer {
    /// Puts low-rank changes on linear layers, and lets the model's own weights rest.
    ///
    /// A begins uniform in ±√(6 / ((1 + 5) · inputs)) (Kaiming with a = √5), B at zero: the model computes what it did.
    ///
    /// - Throws: `TensorError` where there is an adapter already, a target is none of the model, or a size makes no
    ///   sense.
    public func attach(_ settings: LowRankSettings, seed: UInt64) throws(TensorError) {
        func fail(_ problem: String) -> TensorError { TensorError("adapter", problem: problem) }
        guard adapter == nil else { throw fail("the model already has an adapter. Merge or remove it first") }
        guard settings.rank > 0, settings.rank <= 1 << 16, settings.alpha.isFinite, settings.dropout >= 0,
            settings.dropout < 1
        else {
            throw fail(
                "rank \(settings.rank), alpha \(settings.alpha), and dropout \(settings.dropout) are out of range")
        }
        let layers = adaptableLayers()
        var wanted: Set<String> = []
        for target in settings.targets {
            let found = layers.filter { matches($0.name, target) }
            guard !found.isEmpty else {
                let known = Set(layers.map { moduleName($0.name).split(separator: ".").last.map(String.init) ?? "" })
                throw fail(
                    "no layer is named \(target). Use \(known.sorted().joined(separator: ", ")) or all-linear")
            }
            wanted.formUnion(found.map { $0.name })
        }
        guard !wanted.isEmpty else { throw fail("no layers are selected. Set targets, or use all-linear") }
        var changes: [(String, LowRankChange<Scalar>)] = []
        for (number, layer) in layers.enumerated() where wanted.contains(layer.name) {
            let (outputs, inputs) = (layer.weight.shape[0], layer.weight.shape[1])
            let bound = 1 / Double(inputs).squareRoot()
            let a = try Tensor<Float>.uniform(
                [settings.rank, inputs], in: -bound..<bound, seed: seed, stream: UInt32(number))
            changes.append(
                (
                    layer.name,
                    try change(layer.name, a: a, b: Tensor(repeating: 0, shape: [outputs, settings.rank]), settings)
                ))
        }
        attach(LowRankAdapter(settings, changes))
    }

    func change(
        _ layer: String, a: Tensor<Float>, b: Tensor<Float>, _ settings: LowRankSettings
    ) throws(TensorError) -> LowRankChange<Scalar> {
        LowRankChange(
            a: Parameter("\(layer).lora_a", try a.converted(to: Scalar.self)),
            b: Parameter("\(layer).lora_b", try b.converted(to: Scalar.self)), scale: settings.scale,
            dropout: settings.dropout)
    }

    func attach(_ adapter: LowRankAdapter<Scalar>) {
        for parameter in parameters { parameter.isTrainable = false }
        self.adapter = adapter
    }

    /// Takes the adapter off; changes that were merged stay in the weights. The model's own weights learn again.
    public func detachAdapter() {
        adapter = nil
        joinedWeights.removeAll()
        for parameter in parameters { parameter.isTrainable = true }
    }

    /// Adds s B A to the weights: the model computes the same without the adapter's products.
    public func merge() throws(TensorError) {
        let adapter = try attached()
        guard !adapter.isMerged else { return }
        var merged: [(Parameter<Scalar>, Tensor<Scalar>)] = []
        for layer in adaptableLayers() {
            guard let change = adapter.changes[layer.name] else { continue }
            if layer.name == "output", byName["output.weight"] == nil {
                throw TensorError(
                    "adapter", problem: "the output matrix is also the token embedding, so merging would change both")
            }
            let product = try matmul(change.b.value, change.a.value) * Scalar(change.scale)
            merged.append((layer.weight, try layer.weight.value + product))
        }
        for (parameter, value) in merged {
            adapter.unmerged[parameter.name] = parameter.value
            parameter.value = value
        }
        adapter.isMerged = true
        joinedWeights.removeAll()
    }

    /// Puts the weights back that were there before the merge, bit for bit.
    public func unmerge() throws(TensorError) {
        let adapter = try attached()
        guard adapter.isMerged else { return }
        for (name, value) in adapter.unmerged { byName[name]?.value = value }
        adapter.unmerged.removeAll()
        adapter.isMerged = false
        joinedWeights.removeAll()
    }

    private func attached() throws(TensorError) -> LowRankAdapter<Scalar> {
        guard let adapter else { throw TensorError("adapter", problem: "the model has no adapter to merge") }
        return adapter
    }

    // MARK: Layers

    /// Linear layers that an adapter may change, in the order of the data.
    func adaptableLayers() -> [TransformerBlock<Scalar>.Linear] {
        var layers: [TransformerBlock<Scalar>.Linear] = []
        for block in blocks {
            layers += block.input + [block.output].compactMap { $0 }
            layers += [block.gate, block.up, block.down].compactMap { $0 }
        }
        if !configuration.isEncoder, let output = try? outputLayer() { layers.append(output) }
        return layers
    }

    /// `blk.0.attn_q` is `model.layers.0.self_attn.q_proj`.
    func moduleName(_ layer: String) -> String {
        HuggingFaceWeights(configuration).name("\(layer).weight").map { String($0.dropLast(".weight".count)) } ?? layer
    }

    /// Whether a target means a layer: PEFT's name of its module, our own, or a short one.
    private func matches(_ layer: String, _ target: String) -> Bool {
        if target == "all-linear" || target == "all" { return layer != "output" }
        let module = moduleName(layer)
        if module == target || module.hasSuffix(".\(target)") { return true }
        let own = layer.split(separator: ".").last.map(String.init) ?? layer
        if own == target { return true }
        let short = [
            "q": "attn_q", "k": "attn_k", "v": "attn_v", "o": "attn_output", "qkv": "attn_qkv",
            "gate": "ffn_gate", "up": "ffn_up", "down": "ffn_down",
        ]
        if let name = short[target] {
            // Query, key and value in one matrix answer to each of the three.
            return own == name || own == "attn_qkv" && ["q", "k", "v"].contains(target)
        }
        return false
    }
}

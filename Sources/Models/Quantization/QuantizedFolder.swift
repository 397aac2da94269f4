internal import Glibc
internal import JSON
internal import Kernels
internal import System
internal import Tensors

/// A folder of Hugging Face whose linear layers are quantized as bitsandbytes does it, so that transformers loads it.
///
/// Embeddings, the output matrix, norms and routers stay as they are. Everything but the weights is copied; config.json
/// gains `quantization_config`.
struct QuantizedFolder {
    private let target: QuantizationTarget
    private let source: HuggingFaceFolder
    private let encoder: TensorEncoder

    /// One tensor of the new file.
    private struct Output {
        var name: String
        var type: String
        var shape: [Int]
        var byteCount: Int
        /// From the start of the data.
        var offset = 0

        /// Wide numbers first, so that all are aligned.
        var width: Int { ["F64": 8, "I64": 8, "F32": 4, "I32": 4, "F16": 2, "BF16": 2, "I16": 2][type] ?? 1 }
    }

    init(_ target: QuantizationTarget, _ source: HuggingFaceFolder, _ encoder: TensorEncoder) {
        self.target = target
        self.source = source
        self.encoder = encoder
    }

    func write(to path: String, progress: (QuantizationProgress) -> Void) throws(ModelError) -> QuantizationReport {
        let folder = try PartialFolder(path)
        let (linear, kept) = try sorted()
        var outputs = kept.map { Output(name: $0.name, type: $0.spelling, shape: $0.shape, byteCount: $0.byteCount) }
        for layer in linear { outputs += self.outputs(of: layer) }
        outputs.sort { $0.width != $1.width ? $0.width > $1.width : $0.name < $1.name }
        var offset = 0
        for index in outputs.indices {
            outputs[index].offset = offset
            offset += outputs[index].byteCount
        }
        let header = Self.header(outputs)
        let file = try PartialFile(
            "\(folder.temporary)/model.safetensors", byteCount: header.count + offset, called: path)
        try file.write(header, at: 0)
        let places = Dictionary(uniqueKeysWithValues: outputs.map { ($0.name, header.count + $0.offset) })
        var report = QuantizationReport(path: path, target: target)
        for tensor in kept {
            try encoder.checkCancelled()
            try file.write(try tensor.bytes(), at: places[tensor.name] ?? 0)
            let copied = QuantizationSource(name: tensor.name, shape: tensor.shape, origin: .stored([tensor]))
            copied.forget()
            report.add(copied, to: tensor.spelling, bytes: tensor.byteCount, error: nil)
        }
        for (index, layer) in linear.enumerated() {
            progress(
                QuantizationProgress(
                    tensor: layer.name, format: target.rawValue, index: index, count: linear.count,
                    fraction: Double(index) / Double(linear.count)))
            try write(layer, places, file, &report)
            layer.forget()
        }
        try file.commit()
        try copyCompanions(to: folder.temporary)
        try folder.commit()
        return report
    }

    // MARK: Tensors

    /// Layers that are quantized, under their own names, and what is copied.
    private func sorted() throws(ModelError) -> (linear: [QuantizationSource], kept: [StoredWeights]) {
        var known: [String: String] = [:]
        for name in source.tensorNames { if let stored = source.stored(name) { known[stored.name] = name } }
        var linear: [QuantizationSource] = []
        var kept: [StoredWeights] = []
        for tensor in source.files.flatMap(\.tensors) where !BitsAndBytes.isCompanion(tensor.name) {
            let stored = known[tensor.name].flatMap { source.stored($0) }
            if let name = known[tensor.name], let stored, isLinear(name, stored) {
                linear.append(
                    QuantizationSource(name: tensor.name, shape: stored.logicalShape, origin: .stored([stored])))
            } else if stored?.scales != nil {
                throw tensor.failure(
                    "\(tensor.name) is already quantized", remedy: "Start from the original model folder.")
            } else {
                kept.append(tensor)
            }
        }
        return (linear, kept)
    }

    private func isLinear(_ name: String, _ stored: StoredWeights) -> Bool {
        guard stored.shape.count == 2, name.hasPrefix("blk."), name.hasSuffix(".weight"), stored.format != nil else {
            return false
        }
        guard !name.contains("norm"), !name.contains("ffn_gate_inp") else { return false }
        return target != .nf4 || stored.logicalShape[1] % 2 == 0
    }

    private func outputs(of layer: QuantizationSource) -> [Output] {
        let count = layer.elementCount
        let module = layer.name.dropLast(".weight".count)
        if target == .int8 {
            return [
                Output(name: layer.name, type: "I8", shape: layer.shape, byteCount: count),
                Output(name: module + ".SCB", type: "F32", shape: [layer.rows], byteCount: 4 * layer.rows),
                Output(name: module + ".weight_format", type: "U8", shape: [], byteCount: 1),
            ]
        }
        let blocks = (count + 63) / 64
        let state = self.state(layer).count
        return [
            Output(name: layer.name, type: "U8", shape: [count / 2, 1], byteCount: count / 2),
            Output(name: layer.name + ".absmax", type: "F32", shape: [blocks], byteCount: 4 * blocks),
            Output(name: layer.name + ".quant_map", type: "F32", shape: [16], byteCount: 64),
            Output(
                name: layer.name + BitsAndBytes.stateSuffix + "nf4", type: "U8", shape: [state], byteCount: state),
        ]
    }

    private func write(
        _ layer: QuantizationSource, _ places: [String: Int], _ file: PartialFile, _ report: inout QuantizationReport
    ) throws(ModelError) {
        let format = target.format
        let module = layer.name.dropLast(".weight".count)
        let place = places[layer.name] ?? 0
        let scales = places[target == .int8 ? module + ".SCB" : layer.name + ".absmax"] ?? 0
        let error = try encoder.encode(layer, as: format) { (bytes, part, firstRow) throws(ModelError) in
            let first = firstRow * layer.columns
            try file.write(bytes, at: place + first * format.bytesPerBlock / format.blockSize)
            try file.write(part, at: scales + 4 * (target == .int8 ? firstRow : first / 64))
        }
        if target == .int8 {
            // 0: rows one after the other.
            try file.write([0], at: places[module + ".weight_format"] ?? 0)
        } else {
            let map = NormalFloat4.codebook.flatMap { [UInt8](little: $0.bitPattern) }
            try file.write(map, at: places[layer.name + ".quant_map"] ?? 0)
            try file.write(state(layer), at: places[layer.name + BitsAndBytes.stateSuffix + "nf4"] ?? 0)
        }
        let bytes = outputs(of: layer).reduce(0) { $0 + $1.byteCount }
        report.add(layer, to: target.rawValue.uppercased(), bytes: bytes, error: error)
    }

    /// Returns the JSON stored with a weight that describes its quantization.
    private func state(_ layer: QuantizationSource) -> [UInt8] {
        let type = ["F16": "float16", "BF16": "bfloat16"][layer.spelling] ?? "float32"
        var json = JSONWriter()
        json.object {
            $0.member("quant_type", "nf4")
            $0.member("blocksize", 64)
            $0.member("dtype", type)
            $0.member("shape", layer.shape)
        }
        return json.bytes
    }

    private static func header(_ outputs: [Output]) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("__metadata__", ["format": "pt"])
            for output in outputs {
                json.member(output.name) { json in
                    json.object {
                        $0.member("dtype", output.type)
                        $0.member("shape", output.shape)
                        $0.member("data_offsets", [output.offset, output.offset + output.byteCount])
                    }
                }
            }
        }
        let padding = (8 - json.bytes.count % 8) % 8
        return [UInt8](little: UInt64(json.bytes.count + padding)) + json.bytes
            + [UInt8](repeating: UInt8(ascii: " "), count: padding)
    }

    // MARK: Other files

    private func copyCompanions(to folder: String) throws(ModelError) {
        let suffixes = [".json", ".jinja", ".txt", ".model"]
        for name in Folder.readableNames(in: source.folder) where suffixes.contains(where: name.hasSuffix) {
            guard name != "config.json", !name.hasSuffix(".index.json") else { continue }
            try Self.copy("\(source.folder)/\(name)", to: "\(folder)/\(name)")
        }
        let pooling = "1_Pooling/config.json"
        if FileNames.exists("\(source.folder)/\(pooling)") {
            guard mkdir("\(folder)/1_Pooling", 0o777) == 0 else {
                throw ModelError.system("create a folder in it", folder)
            }
            try Self.copy("\(source.folder)/\(pooling)", to: "\(folder)/\(pooling)")
        }
        let config = try configuration()
        let file = try PartialFile("\(folder)/config.json", byteCount: config.count)
        try file.write(config, at: 0)
        try file.commit()
    }

    private static func copy(_ source: String, to target: String) throws(ModelError) {
        let bytes = try TokenizerFiles.bytes(source)
        let file = try PartialFile(target, byteCount: bytes.count)
        try file.write(bytes, at: 0)
        try file.commit()
    }

    /// config.json with the words by which transformers knows how to load it.
    private func configuration() throws(ModelError) -> [UInt8] {
        let document = try HuggingFaceConfiguration.document("\(source.folder)/config.json")
        var json = JSONWriter(style: .pretty)
        document.withRoot { root in
            json.object { json in
                for (key, value) in root.members where !key.equals("quantization_config") {
                    json.key(key.string ?? "")
                    json.copy(value)
                }
                json.member("quantization_config") { json in
                    json.object { json in
                        json.member("quant_method", "bitsandbytes")
                        json.member("load_in_4bit", target == .nf4)
                        json.member("load_in_8bit", target == .int8)
                        if target == .nf4 {
                            json.member("bnb_4bit_quant_type", "nf4")
                            json.member("bnb_4bit_use_double_quant", false)
                            json.member("bnb_4bit_quant_storage", "uint8")
                            json.member("bnb_4bit_compute_dtype", "float32")
                        } else {
                            json.member("llm_int8_threshold", 6.0)
                        }
                    }
                }
            }
        }
        json.endLine()
        return json.bytes
    }
}

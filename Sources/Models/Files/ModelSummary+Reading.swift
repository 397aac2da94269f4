internal import JSON
internal import Tensors

extension Checkpoints {
    /// What is in a model's files, whether it can be run here or not: vocabularies, adapters and unknown architectures
    /// are listed too.
    ///
    /// - Throws: `ModelError` only where the files themselves cannot be read.
    public static func summary(_ path: String) throws(ModelError) -> ModelSummary {
        switch try Kind(path) {
        case .gguf: try gguf(path)
        case .folder: try folder(path, folder: path, file: nil)
        case .safetensors: try folder(path, folder: FileNames.folder(of: path), file: path)
        case .llama2c: try llama2c(path)
        }
    }

    private static func gguf(_ path: String) throws(ModelError) -> ModelSummary {
        let parts = try GGUFSplit.parts(path)
        let file = parts[0]
        var summary = ModelSummary(
            path: path, kind: "GGUF version \(file.version)",
            files: parts.map { ($0.path, $0.file.count) }, metadata: file.metadata.summary)
        for part in parts {
            for tensor in part.tensors { summary.add(part.stored(tensor), knownAs: tensor.name) }
        }
        summary.sortFormats()
        summary.tryConfiguration { () throws(ModelError) in try GGUFCheckpoint(path, parts: parts).configuration }
        return summary
    }

    private static func folder(_ path: String, folder: String, file: String?) throws(ModelError) -> ModelSummary {
        var summary: ModelSummary
        if let file, !FileNames.exists("\(folder)/config.json") {
            let tensors = try SafetensorsFile(file)
            let metadata = tensors.metadata.sorted { $0.key < $1.key }.map {
                ModelSummary.Entry(key: $0.key, type: "string", value: ModelSummary.shortened($0.value))
            }
            summary = ModelSummary(path: path, kind: "safetensors", files: [], metadata: metadata)
            summary.add(files: [tensors], names: [:])
            summary.problem = "\(folder) has no config.json."
        } else {
            let document = try HuggingFaceConfiguration.document("\(folder)/config.json")
            let metadata = document.withRoot { root in
                root.members.map { key, value in
                    ModelSummary.Entry(
                        key: key.string ?? "", type: "\(value.kind)",
                        value: ModelSummary.shortened(value.string ?? String(decoding: value.source, as: UTF8.self)))
                }
            }
            summary = ModelSummary(path: path, kind: "safetensors", files: [], metadata: metadata)
            do {
                let model = try HuggingFaceFolder(path, folder: folder, file: file)
                summary.configuration = model.configuration
                var names: [String: (String, StoredWeights)] = [:]
                for name in model.tensorNames {
                    if let stored = model.stored(name) { names[stored.name] = (name, stored) }
                }
                summary.add(files: model.files, names: names)
            } catch {
                summary.problem = error.sentence
                summary.add(files: try HuggingFaceFolder.files(folder: folder, file: file), names: [:])
            }
        }
        summary.sortFormats()
        return summary
    }

    private static func llama2c(_ path: String) throws(ModelError) -> ModelSummary {
        let model = try Llama2CFile(path)
        let names = model.tensorNames
        let bytes = names.first.flatMap { model.stored($0)?.file.count } ?? 0
        var summary = ModelSummary(path: path, kind: "llama2.c", files: [(path, bytes)], metadata: [])
        for name in names {
            if let stored = model.stored(name) { summary.add(stored, knownAs: name) }
        }
        summary.configuration = model.configuration
        return summary
    }
}

extension ModelSummary {
    fileprivate mutating func tryConfiguration(_ read: () throws(ModelError) -> ModelConfiguration) {
        do {
            configuration = try read()
            if tensors.isEmpty { problem = "The file has a vocabulary but no weights." }
        } catch {
            problem = error.sentence
        }
    }

    /// Tensors under their own names; those of bitsandbytes are counted with what belongs to them.
    fileprivate mutating func add(files all: [SafetensorsFile], names: [String: (String, StoredWeights)]) {
        for file in all {
            files.append((file.path, file.tensors.first?.file.count ?? 0))
            var companions: [String: Int] = [:]
            if !names.isEmpty {
                for tensor in file.tensors where BitsAndBytes.isCompanion(tensor.name) {
                    companions[BitsAndBytes.weight(of: tensor.name), default: 0] += tensor.byteCount
                }
            }
            for tensor in file.tensors {
                if !names.isEmpty, BitsAndBytes.isCompanion(tensor.name) { continue }
                let known = names[tensor.name]
                add(known?.1 ?? tensor, knownAs: known?.0, companionBytes: companions[tensor.name] ?? 0)
            }
        }
    }
}

extension GGUFMetadata {
    /// Every value as a line of text; of arrays the first few.
    fileprivate var summary: [ModelSummary.Entry] {
        entries.map { entry in
            let isArray = entry.type == .array
            let type = isArray ? "\(entry.elementType.name)[\(entry.count)]" : entry.type.name
            return ModelSummary.Entry(key: entry.key, type: type, value: text(entry))
        }
    }

    private func text(_ entry: Entry) -> String {
        guard entry.type == .array else {
            return switch self[entry.key] {
            case .string(let text): ModelSummary.shortened(text)
            case .integer(let value): "\(value)"
            case .number(let value): entry.type == .float32 ? "\(Float(value))" : "\(value)"
            case .bool(let value): "\(value)"
            case .array, nil: ""
            }
        }
        let shown = prefix(entry, 8).map { ModelSummary.shortened($0, to: 24) }
        return "[\(shown.joined(separator: ", "))\(entry.count > shown.count ? ", …" : "")]"
    }

    /// The first elements of an array as text.
    private func prefix(_ entry: Entry, _ count: Int) -> [String] {
        var texts: [String] = []
        var position = entry.range.lowerBound
        for _ in 0..<min(count, entry.count) {
            if let width = entry.elementType.width {
                switch GGUFValue(entry.elementType, file.bytes, at: position) {
                case .integer(let value): texts.append("\(value)")
                case .number(let value): texts.append(entry.elementType == .float32 ? "\(Float(value))" : "\(value)")
                case .bool(let value): texts.append("\(value)")
                case .string, .array, nil: break
                }
                position += width
            } else {
                let length = Int(
                    UInt64(littleEndian: file.bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
                texts.append(file.text(position + 8..<position + 8 + length))
                position += 8 + length
            }
        }
        return texts
    }
}

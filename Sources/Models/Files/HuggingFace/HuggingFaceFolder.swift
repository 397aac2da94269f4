internal import Glibc
internal import JSON
internal import System
internal import Tensors
package import Tokenizers

/// A folder as Hugging Face's libraries save it: config.json, safetensors (one file or several with an index), and what
/// belongs to the tokenizer.
package final class HuggingFaceFolder: WeightDirectory {
    package let path: String
    package let configuration: ModelConfiguration
    package let tensorNames: [String]
    /// Every tensor of the files under its own name, in their order.
    package let files: [SafetensorsFile]
    let folder: String
    private let weights: [String: StoredWeights]

    /// - Parameter file: weights that were named themselves; nil for those of the folder.
    package init(
        _ path: String, folder: String, file: String? = nil, architectures: Architectures = .standard
    ) throws(ModelError) {
        self.path = path
        self.folder = folder
        files = try Self.files(folder: folder, file: file)
        let document = try HuggingFaceConfiguration.document("\(folder)/config.json")
        let family = try document.withRoot { (root) throws(ModelError) in
            try HuggingFaceConfiguration.family(root, "\(folder)/config.json", among: architectures)
        }
        (tensorNames, weights) = try Self.named(files, family)
        configuration = try HuggingFaceConfiguration(folder: folder, family: family, tensors: weights).read(document)
    }

    package func stored(_ name: String) -> StoredWeights? { weights[name] }

    /// Tensors by the names of GGUF, those of bitsandbytes with their scales.
    static func named(
        _ files: [SafetensorsFile], _ family: ArchitectureDescriptor
    ) throws(ModelError) -> ([String], [String: StoredWeights]) {
        var own: [String: StoredWeights] = [:]
        for tensor in files.lazy.flatMap(\.tensors) {
            guard own.updateValue(tensor, forKey: tensor.name) == nil else {
                throw tensor.failure(
                    "two files contain \(tensor.name)", remedy: "Remove files that belong to other models.")
            }
        }
        let quantized = BitsAndBytes(tensors: own)
        let names = HuggingFaceNames(family: family)
        var order: [String] = []
        var weights: [String: StoredWeights] = [:]
        for tensor in files.lazy.flatMap(\.tensors) where !BitsAndBytes.isCompanion(tensor.name) {
            let own = tensor.name.hasSuffix(".CB") ? tensor.name.dropLast(2) + "weight" : tensor.name
            guard let name = names.translated(own) else { continue }
            var weight = tensor
            if let whole = try quantized.quantized(tensor) {
                // bitsandbytes turns Conv1D weights round before it quantizes them.
                weight = whole
            } else {
                weight.conversion = names.conversion(name)
            }
            guard weights.updateValue(weight, forKey: name) == nil else {
                throw tensor.failure(
                    "\(tensor.name) and another tensor both map to \(name)", remedy: "Save the model again.")
            }
            order.append(name)
        }
        return (order, weights)
    }

    // MARK: Files

    /// The weights of a folder, or those of one file of it.
    static func files(folder: String, file: String?) throws(ModelError) -> [SafetensorsFile] {
        var files: [SafetensorsFile] = []
        let names = if let file { [file] } else { try weightFiles(folder) }
        for name in names { files.append(try SafetensorsFile(name)) }
        return files
    }

    /// The safetensors files of a folder: those of the index, or the only one.
    private static func weightFiles(_ folder: String) throws(ModelError) -> [String] {
        let index = "\(folder)/model.safetensors.index.json"
        if FileNames.exists(index) { return try indexed(index, folder) }
        if FileNames.exists("\(folder)/model.safetensors") { return ["\(folder)/model.safetensors"] }
        let names = Folder.readableNames(in: folder)
        let candidates = names.filter { $0.hasSuffix(".safetensors") && !$0.hasPrefix("adapter_") }
        guard candidates.count <= 1 else {
            throw ModelError(
                folder,
                problem: "the folder has \(candidates.count) safetensors files but no model.safetensors.index.json",
                remedy: "Use the path of one file, or download the index.")
        }
        if let name = candidates.first { return ["\(folder)/\(name)"] }
        let pickled = names.contains { $0.hasSuffix(".bin") || $0.hasSuffix(".pt") || $0.hasSuffix(".pth") }
        throw ModelError(
            folder, problem: pickled ? "pickled weights are not supported" : "the folder has no safetensors file",
            remedy: pickled
                ? "Save the model with save_pretrained(path, safe_serialization=True)." : "Download the weights.")
    }

    private static func indexed(_ index: String, _ folder: String) throws(ModelError) -> [String] {
        let document = try HuggingFaceConfiguration.document(index)
        var names: Set<String> = []
        try document.withRoot { (root) throws(ModelError) in
            guard let map = root["weight_map"], map.kind == .object else {
                throw ModelError(index, problem: "weight_map is missing", remedy: "Download the index again.")
            }
            for (_, value) in map.members {
                // A name must not lead out of the folder.
                guard let name = value.string, !name.isEmpty, !name.contains("/"), !name.contains("\0"), name != ".."
                else {
                    throw ModelError(
                        index, offset: value.byteRange.lowerBound, problem: "a value of weight_map is not a file name",
                        remedy: "Download the index again.")
                }
                names.insert(name)
            }
        }
        guard !names.isEmpty else {
            throw ModelError(index, problem: "weight_map is empty", remedy: "Download the index again.")
        }
        return names.sorted().map { "\(folder)/\($0)" }
    }

    // MARK: Text

    package func tokenizer() throws(ModelError) -> Tokenizer? { try TokenizerFiles.tokenizer(folder: folder) }

    package var chatTemplateSource: String? { TokenizerFiles.chatTemplate(folder: folder) }
}

internal import Tensors

/// Opens models, whatever they are kept in.
///
/// ```swift
/// let model = try Checkpoints.open("stories260K.bin")
/// print(model.configuration.family, model.configuration.layerCount)
/// ```
public enum Checkpoints {
    /// Opens a GGUF file (any part of a split one), a folder with config.json and safetensors, a safetensors file with
    /// its config.json, or a llama2.c file. The format is detected from the content, not from the name.
    ///
    /// Only headers are read; weights are mapped and appear in memory as they are touched.
    ///
    /// - Parameter architectures: Architectures that the file can name.
    /// - Throws: `ModelError` with the file, the byte and the remedy.
    public static func open(
        _ path: String, architectures: Architectures = .standard
    ) throws(ModelError) -> any Checkpoint { try directory(path, architectures) }

    static func directory(
        _ path: String, _ architectures: Architectures = .standard
    ) throws(ModelError) -> any WeightDirectory {
        switch try Kind(path) {
        case .gguf: try GGUFCheckpoint(path, architectures: architectures)
        case .folder: try HuggingFaceFolder(path, folder: path, architectures: architectures)
        case .safetensors:
            try HuggingFaceFolder(
                path, folder: FileNames.folder(of: path), file: path, architectures: architectures)
        case .llama2c: try Llama2CFile(path)
        }
    }

    /// What a model is kept in.
    enum Kind {
        case gguf, folder, safetensors, llama2c

        init(_ path: String) throws(ModelError) {
            if FileNames.isFolder(path) {
                self = .folder
                return
            }
            let file = try MappedFile.opened(path)
            defer { withExtendedLifetime(file) {} }
            if file.bytes.prefix(4).elementsEqual(GGUFFile.magic) {
                self = .gguf
            } else if file.count >= 9, file.bytes[8] == UInt8(ascii: "{") {
                self = .safetensors
            } else if Llama2CHeader(file) != nil {
                self = .llama2c
            } else {
                throw ModelError(
                    path, offset: 0, problem: "not a GGUF, safetensors, or llama2.c file",
                    remedy: file.bytes.prefix(2).elementsEqual([0x50, 0x4B])
                        ? "Orrery never reads pickled weights. Save the model as safetensors."
                        : "Use a GGUF file, a folder with config.json, or a llama2.c file.")
            }
        }
    }
}

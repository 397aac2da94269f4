package import Tokenizers

/// A model in a GGUF file, or in the parts of a split one.
package final class GGUFCheckpoint: WeightDirectory {
    package let path: String
    package let configuration: ModelConfiguration
    package let tensorNames: [String]
    /// The first part: it holds the metadata.
    package let file: GGUFFile
    package let parts: [GGUFFile]
    private let weights: [String: StoredWeights]

    package convenience init(_ path: String, architectures: Architectures = .standard) throws(ModelError) {
        try self.init(path, parts: try GGUFSplit.parts(path), architectures: architectures)
    }

    package init(
        _ path: String, parts: [GGUFFile], architectures: Architectures = .standard
    ) throws(ModelError) {
        self.path = path
        self.parts = parts
        file = parts[0]
        let index = try GGUFSplit.index(parts)
        (tensorNames, weights) = index
        configuration = try GGUFConfiguration(path, file.metadata, architectures: architectures) { index.1[$0] }.read()
    }

    package func stored(_ name: String) -> StoredWeights? { weights[name] }

    package func tokenizer() throws(ModelError) -> Tokenizer? { try file.tokenizer() }

    package var chatTemplateSource: String? { file.metadata.string("tokenizer.chat_template") }
}

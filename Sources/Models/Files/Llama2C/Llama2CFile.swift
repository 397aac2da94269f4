internal import Kernels
internal import Tensors
package import Tokenizers

/// A model of llama2.c: float32 weights in a fixed order.
package final class Llama2CFile: WeightDirectory {
    package let path: String
    package let configuration: ModelConfiguration
    package let tensorNames: [String]
    private let weights: [String: StoredWeights]

    package init(_ path: String) throws(ModelError) {
        let file = try MappedFile.opened(path)
        guard let header = Llama2CHeader(file) else {
            throw ModelError(
                path, offset: 0, problem: "not a llama2.c file: the sizes in the header do not match the file length",
                remedy: "Use a model exported with version 0 of llama2.c.")
        }
        self.path = path
        (tensorNames, weights) = Self.weights(file, header)
        configuration = ModelConfiguration(
            family: .llama, name: FileNames.name(of: path), vocabularySize: header.vocabulary, width: header.width,
            layerCount: header.layers, headCount: header.heads, kvHeadCount: header.kvHeads,
            feedForwardWidth: header.feedForwardWidth, contextLength: header.contextLength, normEpsilon: 1e-5,
            positions: .rotary(RotaryEmbedding(base: 10_000, width: header.headWidth, pairing: .adjacent)),
            tiesEmbeddings: header.tiesEmbeddings, activation: .silu, beginToken: 1, endTokens: [2])
    }

    package func stored(_ name: String) -> StoredWeights? { weights[name] }

    static func weights(_ file: MappedFile, _ header: Llama2CHeader) -> ([String], [String: StoredWeights]) {
        var names: [String] = []
        var weights: [String: StoredWeights] = [:]
        var offset = Llama2CHeader.byteCount
        for array in header.arrays {
            let shape = array.isPerLayer ? Array(array.shape.dropFirst()) : array.shape
            let byteCount = 4 * shape.reduce(1, *)
            for layer in 0..<(array.isPerLayer ? header.layers : 1) {
                if let part = array.name {
                    let name = array.isPerLayer ? "blk.\(layer).\(part).weight" : "\(part).weight"
                    names.append(name)
                    weights[name] = StoredWeights(
                        name: name, spelling: "F32", format: .f32, shape: shape, file: file, offset: offset,
                        byteCount: byteCount)
                }
                offset += byteCount
            }
        }
        return (names, weights)
    }

    /// Returns the vocabulary next to the model: the one with its size in the name, `tok512.bin`, or tokenizer.bin.
    func vocabulary() throws(ModelError) -> VocabularyDescription? {
        let folder = FileNames.folder(of: path)
        let names = ["tok\(configuration.vocabularySize).bin", "tokenizer.bin"].map { "\(folder)/\($0)" }
        guard let name = names.first(where: FileNames.exists) else { return nil }
        return try Llama2CVocabulary.read(name, count: configuration.vocabularySize)
    }

    package func tokenizer() throws(ModelError) -> Tokenizer? {
        guard let vocabulary = try vocabulary() else { return nil }
        do {
            return try Tokenizer(vocabulary)
        } catch {
            throw ModelError(path, problem: String(error.sentence.dropLast()))
        }
    }
}

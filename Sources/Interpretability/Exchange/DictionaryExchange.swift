internal import Glibc
internal import Models
public import System
internal import Tensors

/// Dictionaries of every kind that sae-lens has, written for it with what they make of some rows, and those that it wrote.
public enum DictionaryExchange {
    private static let tableName = "inputs.safetensors"

    /// Writes one dictionary of each kind with random weights into its own folder, and a table with `inputs` and, for
    /// each dictionary, `NAME/features` and `NAME/reconstruction`.
    ///
    /// - Parameter folder: Existing folder.
    public static func write(to folder: String) throws(Problem) {
        let (rows, width, features) = (200, 24, 96)
        let inputs = try telling { try Tensor<Float>.normal([rows, width], seed: 1) * 2 }
        var table: [(name: String, tensor: AnyTensor)] = [("inputs", AnyTensor(inputs))]
        for (name, dictionary) in try dictionaries(width: width, features: features) {
            try DictionaryFile.write(dictionary, to: "\(folder)/\(name)")
            let codes = try dictionary.encode(inputs)
            table.append(("\(name)/features", AnyTensor(try codes.dense())))
            table.append(("\(name)/reconstruction", AnyTensor(try dictionary.reconstruct(inputs))))
        }
        let all = table
        try telling { try TensorFile.write(all, to: "\(folder)/\(tableName)") }
    }

    /// Opens every dictionary in a folder and compares its features and reconstructions with those of the table.
    ///
    /// - Throws: An error if the table or a dictionary that it names cannot be read.
    public static func compare(_ folder: String) throws(Problem) -> ExchangeReport {
        let file = try telling { try TensorFile.open("\(folder)/\(tableName)") }
        func tensor(_ name: String) throws(Problem) -> Tensor<Float> {
            try telling { try file.tensor(named: name, as: Float.self) }
        }
        let inputs = try tensor("inputs")
        var report = ExchangeReport()
        for key in file.names.sorted() where key.hasSuffix("/reconstruction") {
            let name = String(key.dropLast("/reconstruction".count))
            let dictionary = try DictionaryFile.open("\(folder)/\(name)")
            try report.take(try dictionary.encode(inputs).dense(), tensor("\(name)/features"), "\(name)/features")
            try report.take(try dictionary.reconstruct(inputs), tensor(key), key)
        }
        return report
    }

    private static func dictionaries(
        width: Int, features: Int
    ) throws(Problem) -> [(name: String, dictionary: SparseAutoencoder)] {
        func vector(_ seed: UInt64, _ scale: Float) throws -> Tensor<Float> {
            try Tensor<Float>.normal([features], seed: seed) * scale
        }
        return try telling {
            let encoder = try Tensor<Float>.normal([width, features], seed: 2) * 0.3
            let decoder = try Tensor<Float>.normal([features, width], seed: 3) * 0.2
            let decoderBias = try Tensor<Float>.normal([width], seed: 4) * 0.1
            let encoderBias = try vector(5, 0.2)
            let thresholds = try vector(6, 0.1) + 0.5
            let kinds: [(String, SparseAutoencoder.Activation, SparseAutoencoder.Normalization)] = [
                ("standard", .relu, .none), ("topk", .topK(8), .none), ("topk-layer-norm", .topK(8), .layerNorm),
                ("jumprelu", .jumpReLU(threshold: thresholds), .none),
                (
                    "gated",
                    .gated(
                        gateBias: try vector(7, 0.2), magnitudeScale: try vector(8, 0.1),
                        magnitudeBias: try vector(9, 0.2)), .none
                ),
            ]
            return try kinds.map { name, activation, normalization in
                let origin = SparseAutoencoder.Origin(
                    hook: "blocks.0.hook_resid_post", model: "random",
                    kind: name.split(separator: "-").first.map(String.init) ?? name)
                return (
                    name,
                    try SparseAutoencoder(
                        encoder: encoder, encoderBias: encoderBias, decoder: decoder, decoderBias: decoderBias,
                        activation: activation, normalization: normalization, origin: origin)
                )
            }
        }
    }
}

internal import JSON
internal import System
internal import Tensors

extension DictionaryFile {
    /// A folder of sae-lens: its configuration says what its weights mean.
    static func openFolder(_ folder: String) throws(Problem) -> SparseAutoencoder {
        let path = "\(folder)/\(configurationName)"
        let bytes = try text(path)
        let document: JSONDocument
        do {
            document = try JSONDocument(parsing: bytes, maximumDepth: 64)
        } catch {
            throw Problem(
                .invalid, path, "invalid JSON at byte \(error.offset): \(error.problem.sentence)",
                remedy: "Download or save the dictionary again.")
        }
        let configuration = try document.withRoot { (root) throws(Problem) in
            try DictionaryHeader(root, path: path)
        }
        let weights = try DictionaryWeights("\(folder)/\(weightsName)")
        try weights.check(width: configuration.inputWidth, features: configuration.featureCount)
        return try assemble(configuration, weights)
    }

    private static func assemble(
        _ configuration: DictionaryHeader, _ weights: DictionaryWeights
    ) throws(Problem) -> SparseAutoencoder {
        let features = weights.featureCount
        func dictionary(_ activation: SparseAutoencoder.Activation) throws(Problem) -> SparseAutoencoder {
            let isGated = if case .gated = activation { true } else { false }
            return try SparseAutoencoder(
                encoder: try weights.encoder(),
                encoderBias: try isGated ? weights.zeros() : weights.vector("b_enc"),
                decoder: try weights.decoder(scaled: configuration.isFinetuned), decoderBias: try weights.bias(),
                activation: activation, normalization: configuration.normalization,
                subtractsDecoderBias: configuration.subtractsDecoderBias, origin: configuration.origin)
        }
        switch configuration.architecture {
        case .standard: return try dictionary(.relu)
        case .topK(let k):
            guard k <= features else {
                throw Problem(
                    .invalid, weights.path, "k is \(k), but the dictionary has \(features) features",
                    remedy: "Check cfg.json.")
            }
            let plain = try dictionary(.topK(k))
            return configuration.rescalesByNorm ? try plain.foldingDecoderNorms(choosesAfterwards: true) : plain
        case .jumpReLU: return try dictionary(.jumpReLU(threshold: try weights.threshold()))
        case .batchTopK:
            // A checkpoint of training: the threshold is one number, in units of features times decoder norms.
            if weights.has("threshold") { return try dictionary(.jumpReLU(threshold: try weights.threshold())) }
            let threshold = try weights.number("topk_threshold")
            var plain = try dictionary(.relu)
            if configuration.rescalesByNorm { plain = try plain.foldingDecoderNorms() }
            plain.activation = try .jumpReLU(all: threshold, features: features)
            return plain
        case .gated:
            return try dictionary(
                .gated(
                    gateBias: try weights.vector("b_gate"), magnitudeScale: try weights.vector("r_mag"),
                    magnitudeBias: try weights.vector("b_mag")))
        }
    }
}

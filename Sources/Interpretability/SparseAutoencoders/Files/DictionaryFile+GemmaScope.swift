internal import System
internal import Tensors

extension DictionaryFile {
    /// Gemma Scope's parameters: JumpReLU, without b_dec taken from the input; what the path says is believed.
    ///
    /// - Source: Lieberum et al., "Gemma Scope", 2024: `gemma-scope-2b-pt-res/layer_20/width_16k/average_l0_71`.
    static func openGemmaScope(_ path: String) throws(Problem) -> SparseAutoencoder {
        let origin = try gemmaScopeOrigin(path)
        let weights = try DictionaryWeights(path)
        return try SparseAutoencoder(
            encoder: try weights.encoder(), encoderBias: try weights.vector("b_enc"),
            decoder: try weights.decoder(scaled: false), decoderBias: try weights.bias(),
            activation: weights.has("threshold") ? .jumpReLU(threshold: try weights.threshold()) : .relu,
            subtractsDecoderBias: false, origin: origin)
    }

    /// The hook and the model, by the folders above the file.
    private static func gemmaScopeOrigin(_ path: String) throws(Problem) -> SparseAutoencoder.Origin {
        let folders = path.split(separator: "/").dropLast().map(String.init)
        let place = folders.joined(separator: "/")
        guard !place.contains("transcoder"), !place.contains("clt") else {
            throw Problem(
                .unsupported, path, "transcoders are unsupported: they read one hook and write another",
                remedy: "Use a dictionary that reads and reconstructs a single hook.")
        }
        // A copy of the hub keeps the release within a longer name: models--google--gemma-scope-2b-pt-res.
        let release = folders.last { $0.contains("gemma-scope") }.map {
            $0.split(separator: "--").last.map(String.init) ?? $0
        }
        let words = (release ?? "").split(separator: "-").map(String.init)
        var origin = SparseAutoencoder.Origin(kind: "jumprelu")
        if let size = words.first(where: { ($0.hasSuffix("b") || $0.hasSuffix("m")) && $0.first?.isNumber == true }) {
            // The second Gemma Scope is of Gemma 3.
            let isSecond = words.dropFirst(2).first == "2"
            origin.model = (isSecond ? "gemma-3-" : "gemma-2-") + size + (words.contains("it") ? "-it" : "")
        }
        let layer = folders.last { $0.hasPrefix("layer_") }?.split(separator: "_").dropFirst().first.flatMap { Int($0) }
        let site =
            if words.last == "att" || folders.contains("attn_out") {
                "attn.hook_z"
            } else if words.last == "mlp" || folders.contains("mlp_out") {
                "hook_mlp_out"
            } else {
                "hook_resid_post"
            }
        if folders.contains("embedding") {
            origin.hook = "hook_embed"
        } else if let layer {
            origin.hook = "blocks.\(layer).\(site)"
        }
        return origin
    }
}

internal import Glibc
internal import JSON
internal import Models
public import System
internal import Tensors

extension DictionaryFile {
    /// Writes a dictionary as sae-lens 6 lays it out: `cfg.json` and `sae_weights.safetensors`.
    ///
    /// One scale of inputs goes into the weights. BatchTopK and Matryoshka dictionaries are the JumpReLU that they are
    /// after training; what they were trained as is kept in `metadata.training_architecture`, as sae-lens does. Other
    /// files of the folder stay.
    ///
    /// - Parameter folder: Created if missing; its parent folder must exist.
    public static func write(
        _ dictionary: SparseAutoencoder, to folder: String
    ) throws(Problem) {
        let folded = try dictionary.foldingScale()
        let folder = trimmed(folder)
        if mkdir(folder, 0o777) != 0, errno != EEXIST { throw system("create the folder", folder) }
        var tensors: [(name: String, tensor: AnyTensor)] = [
            ("W_enc", AnyTensor(folded.encoder)), ("W_dec", AnyTensor(folded.decoder)),
            ("b_dec", AnyTensor(folded.decoderBias)),
        ]
        if case .gated = folded.activation {} else { tensors.append(("b_enc", AnyTensor(folded.encoderBias))) }
        for (name, vector) in folded.activation.vectors { tensors.append((name, AnyTensor(vector))) }
        do {
            try TensorFile.write(tensors, to: "\(folder)/\(weightsName)")
        } catch {
            throw Problem(ModelError(error))
        }
        try replace("\(folder)/\(configurationName)", with: configuration(of: folded))
    }

    private static func configuration(of dictionary: SparseAutoencoder) -> [UInt8] {
        var json = JSONWriter(style: .pretty)
        json.object { json in
            json.member("architecture", architecture(of: dictionary.activation))
            json.member("d_in", dictionary.inputWidth)
            json.member("d_sae", dictionary.featureCount)
            json.member("dtype", "float32")
            json.member("device", "cpu")
            json.member("apply_b_dec_to_input", dictionary.subtractsDecoderBias)
            json.member("normalize_activations", normalization(of: dictionary.normalization))
            // Rows are heads side by side there; sae-lens then takes and gives [heads, width].
            json.member(
                "reshape_activations", dictionary.origin.hook.hasSuffix("attn.hook_z") ? "hook_z" : "none")
            if case .topK(let k) = dictionary.activation {
                json.member("k", k)
                json.member("rescale_acts_by_decoder_norm", false)
            }
            json.key("metadata")
            json.object { metadata(of: dictionary.origin, into: &$0) }
        }
        return json.bytes
    }

    private static func metadata(of origin: SparseAutoencoder.Origin, into json: inout JSONWriter) {
        // The version of the layout: from 6 on sae-lens reads it as it stands.
        json.member("sae_lens_version", "6.54.12")
        json.member("hook_name", origin.hook)
        json.member("model_name", origin.model)
        if !origin.kind.isEmpty {
            json.member(
                "training_architecture", origin.kind == "matryoshka" ? "matryoshka_batchtopk" : origin.kind)
        }
        json.member("training_tokens", ifPresent: origin.trainedTokens)
        if !origin.prefixes.isEmpty {
            json.key("training_architecture_details")
            json.object { json in
                json.key("matryoshka_widths")
                json.array { json in for prefix in origin.prefixes { json.integer(prefix) } }
            }
        }
        guard let notes = try? JSONDocument(parsing: origin.notes) else { return }
        notes.withRoot { root in
            for (key, value) in root.members {
                guard let name = key.string, !DictionaryHeader.placed.contains(name) else { continue }
                json.key(name)
                json.copy(value)
            }
        }
    }

    private static func architecture(of activation: SparseAutoencoder.Activation) -> String {
        switch activation {
        case .relu: "standard"
        case .topK: "topk"
        case .jumpReLU: "jumprelu"
        case .gated: "gated"
        }
    }

    private static func normalization(of normalization: SparseAutoencoder.Normalization) -> String {
        switch normalization {
        case .none, .scale: "none"
        case .rowNorm: "constant_norm_rescale"
        case .layerNorm: "layer_norm"
        }
    }

    /// Puts a small file in its place, whole or not at all.
    private static func replace(_ path: String, with bytes: [UInt8]) throws(Problem) {
        let temporary = "\(path).\(getpid()).partial"
        guard let file = fopen(temporary, "wbe") else { throw system("create a temporary file next to it", path) }
        let written = fwrite(bytes, 1, bytes.count, file)
        let isWhole = written == bytes.count && fflush(file) == 0 && fsync(fileno(file)) == 0
        guard fclose(file) == 0, isWhole, rename(temporary, path) == 0 else {
            let error = system("write the file", path)
            unlink(temporary)
            throw error
        }
    }

    private static func system(_ action: String, _ path: String) -> Problem {
        Problem(
            .failed, path, "cannot \(action): \(String(cString: strerror(errno)))",
            remedy: "Check the path and its permissions.")
    }
}

import Glibc
import Interpretability
import System
import Tensors
import TestFixtures
import Testing

@Suite("Dictionaries that cannot be opened")
struct DictionaryHostileFileTests {
    let folder = TemporaryFolder()

    static let configuration = #"{"architecture": "topk", "d_in": 4, "d_sae": 6, "dtype": "float32", "k": 2}"#

    static func weights() throws -> [String: AnyTensor] {
        [
            "W_enc": AnyTensor(try Tensor<Float>.normal([4, 6], seed: 1)),
            "W_dec": AnyTensor(try Tensor<Float>.normal([6, 4], seed: 2)),
            "b_enc": AnyTensor(try Tensor<Float>.normal([6], seed: 3)),
            "b_dec": AnyTensor(try Tensor<Float>.normal([4], seed: 4)),
        ]
    }

    /// The error sentence of a dictionary with this configuration and these weights; `nil` if it opens.
    func sentence(
        _ configuration: String = DictionaryHostileFileTests.configuration, _ changes: [String: AnyTensor?] = [:]
    ) throws -> String? {
        let place = folder.unique("dictionary")
        mkdir(place, 0o777)
        File.write(configuration, to: place + "/cfg.json")
        var weights = try Self.weights()
        for (name, tensor) in changes { weights[name] = tensor }
        let path = place + "/sae_weights.safetensors"
        try TensorFile.write(weights.map { (name: $0.key, tensor: $0.value) }, to: path)
        do {
            _ = try DictionaryFile.open(place)
            return nil
        } catch {
            return error.sentence.replacing(place + "/", with: "")
        }
    }

    @Test("what is whole opens")
    func opens() throws { #expect(try sentence() == nil) }

    @Test(
        "an invalid configuration is reported",
        arguments: [
            (#"[1]"#, "cfg.json: not a JSON object."),
            (#"{"architecture": "topk""#, "cfg.json: invalid JSON"),
            (#"{"architecture": "perpetual"}"#, "cfg.json: unknown architecture perpetual."),
            (#"{"architecture": "topk"}"#, "cfg.json: topk needs a valid k."),
            (#"{"architecture": "topk", "k": 0}"#, "cfg.json: topk needs a valid k."),
            (#"{"architecture": "topk", "k": 1e300}"#, "cfg.json: topk needs a valid k."),
            (
                #"{"architecture": "topk", "k": 7}"#,
                "sae_weights.safetensors: k is 7, but the dictionary has 6 features."
            ),
            (#"{"architecture": "jumprelu"}"#, "sae_weights.safetensors: missing threshold, which JumpReLU needs."),
            (#"{"architecture": "gated"}"#, "sae_weights.safetensors: missing b_gate."),
            (#"{"architecture": "batchtopk", "k": 3.5}"#, "sae_weights.safetensors: missing topk_threshold."),
            (#"{"architecture": "skip_transcoder"}"#, "cfg.json: transcoders are unsupported: they read one hook"),
            (#"{"d_in": 5, "d_sae": 6}"#, "sae_weights.safetensors: W_enc has shape [4, 6], but the conf"),
            (#"{"d_in": 4, "d_out": 8}"#, "cfg.json: output rows have width 8, which differs from the input width."),
            (#"{"d_in": -4}"#, "cfg.json: d_in is not a valid size."),
            (#"{"d_in": 9223372036854775807}"#, "cfg.json: d_in is not a valid size."),
            (
                #"{"normalize_activations": "covariance_whitening"}"#,
                "cfg.json: unsupported activation normalization covariance"
            ),
            (#"{"activation_fn_str": "tanh-relu"}"#, "cfg.json: unsupported activation tanh-relu."),
        ])
    func configurations(text: String, beginning: String) throws {
        let sentence = try #require(try sentence(text))
        #expect(sentence.hasPrefix(beginning), "\(sentence)")
        #expect(sentence.hasSuffix("."))
    }

    @Test("numbers that are not finite are reported with their place", arguments: [Float.nan, .infinity, -.infinity])
    func notFinite(value: Float) throws {
        var encoder = try Tensor<Float>.normal([4, 6], seed: 1)
        try encoder.set(value, at: [2, 3])
        let sentence = try sentence(Self.configuration, ["W_enc": AnyTensor(encoder)])
        #expect(
            sentence == """
                sae_weights.safetensors: element 15 of W_enc is not finite. The dictionary is \
                corrupt or its training diverged. Use a different checkpoint.
                """)
    }

    @Test("a threshold of infinity switches its feature off")
    func infiniteThreshold() throws {
        let threshold = try Tensor<Float>([.infinity, 0, 0, 0, 0, 0])
        #expect(try sentence(#"{"architecture": "jumprelu"}"#, ["threshold": AnyTensor(threshold)]) == nil)
        let strange = try Tensor<Float>([.nan, 0, 0, 0, 0, 0])
        #expect(try sentence(#"{"architecture": "jumprelu"}"#, ["threshold": AnyTensor(strange)]) != nil)
    }

    @Test("missing tensors, and tensors of unexpected shapes and types, are reported")
    func shapes() throws {
        let square = AnyTensor(try Tensor<Float>.normal([6, 6], seed: 1))
        #expect(
            try sentence(Self.configuration, ["W_dec": square])
                == "sae_weights.safetensors: W_enc has shape [4, 6] and W_dec [6, 6]. "
                + "Expected [d, F] and [F, d].")
        #expect(try sentence(Self.configuration, ["b_enc": square])?.contains("b_enc has shape [6, 6]") == true)
        let integers = AnyTensor(try Tensor<Int32>([1, 2, 3, 4, 5, 6]))
        #expect(try sentence(Self.configuration, ["b_enc": integers])?.contains("instead of floating-point") == true)
        #expect(try sentence(Self.configuration, ["b_dec": nil])?.contains("missing b_dec") == true)
        #expect(try sentence(Self.configuration, ["W_enc": nil])?.contains("missing W_enc") == true)
        let empty = AnyTensor(try Tensor<Float>(repeating: 0, shape: [4, 0]))
        #expect(try sentence(Self.configuration, ["W_enc": empty])?.contains("[4, 0]") == true)
    }

    @Test("a truncated file is reported at every length")
    func truncated() throws {
        let source = DictionaryGoldens.folder + "/gated"
        let bytes = try #require(File.bytes(source + "/sae_weights.safetensors"))
        let place = folder.file("short")
        mkdir(place, 0o777)
        File.copy(source + "/cfg.json", to: place + "/cfg.json")
        for length in stride(from: 0, to: bytes.count, by: 97) {
            File.write(Array(bytes[..<length]), to: place + "/sae_weights.safetensors")
            #expect(throws: Problem.self) { try DictionaryFile.open(place) }
        }
    }

    @Test("truncated Gemma Scope parameters are reported at every length")
    func truncatedParameters() throws {
        let source = DictionaryGoldens.folder + "/gemma-scope-2b-pt-res/layer_20/width_16k/average_l0_71/params.npz"
        let bytes = try #require(File.bytes(source))
        for length in stride(from: 0, to: bytes.count, by: 131) {
            File.write(Array(bytes[..<length]), to: folder.file("params.npz"))
            #expect(throws: Problem.self) { try DictionaryFile.open(folder.file("params.npz")) }
        }
    }

    @Test("a header that promises more than the file holds takes no memory")
    func promises() throws {
        let place = folder.file("huge")
        mkdir(place, 0o777)
        File.write(#"{"architecture": "standard"}"#, to: place + "/cfg.json")
        let header =
            #"{"W_enc":{"dtype":"F16","shape":[2000000000,2000000000],"data_offsets":[0,8000000000000000000]},"#
            + #""W_dec":{"dtype":"F16","shape":[2000000000,2000000000],"data_offsets":[0,8000000000000000000]}}"#
        let length = (0..<8).map { UInt8(truncatingIfNeeded: header.utf8.count >> (8 * $0)) }
        File.write(length + Array(header.utf8), to: place + "/sae_weights.safetensors")
        #expect(throws: Problem.self) { try DictionaryFile.open(place) }
    }

    @Test("errors for pickles and other layouts say what to do")
    func otherLayouts() throws {
        let place = folder.file("learned")
        mkdir(place, 0o777)
        #expect(throws: Problem.self) { try DictionaryFile.open(place) }
        File.write("x", to: place + "/ae.pt")
        for path in [place, place + "/ae.pt"] {
            let error = #expect(throws: Problem.self) { try DictionaryFile.open(path) }
            #expect(
                error?.sentence == """
                    \(path): pickle files are unsupported because loading one can run code. Load it in Python \
                    with sae_lens (converter dictionary_learning_1) and call save_model.
                    """)
        }
        let error = #expect(throws: Problem.self) { try DictionaryFile.open(folder.file("nowhere")) }
        #expect(error?.sentence.hasSuffix("No such file or directory. Check the path.") == true)
    }

    @Test("float16 weights open as float32, and the trained factors of older dictionaries are applied")
    func older() throws {
        let factors = try Tensor<Float>([2, 1, 1, 1, 1, 0.5])
        let flat = #"{"d_in": 4, "d_sae": 6, "finetuning_scaling_factor": true}"#
        let plain = try SparseAutoencoder(
            encoder: .normal([4, 6], seed: 1), encoderBias: .normal([6], seed: 3), decoder: .normal([6, 4], seed: 2),
            decoderBias: .normal([4], seed: 4), activation: .relu)
        let place = folder.file("older")
        mkdir(place, 0o777)
        File.write(flat, to: place + "/cfg.json")
        var weights = try Self.weights()
        weights["scaling_factor"] = AnyTensor(factors)
        weights["W_enc"] = AnyTensor(try Tensor<Float>.normal([4, 6], seed: 1).converted(to: Float16.self))
        try TensorFile.write(
            weights.map { (name: $0.key, tensor: $0.value) }, to: place + "/sae_weights.safetensors")
        let opened = try DictionaryFile.open(place)
        expectNear(opened.encoder, plain.encoder, within: 1e-3, "W_enc")
        expectNear(
            opened.decoder, try plain.decoder * factors.reshaped([6, 1]), within: 1e-6, "W_dec times its factors")
    }
}

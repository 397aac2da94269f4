import Glibc
import Interpretability
import System
import Tensors
import TestFixtures
import Testing

@Suite("Dictionaries of sae-lens")
struct DictionaryGoldenTests {
    @Test("features and reconstructions are sae-lens'", arguments: DictionaryGoldens.names)
    func agree(name: String) throws {
        let goldens = try DictionaryGoldens()
        let dictionary = try DictionaryGoldens.open(name)
        let inputs = try goldens.tensor("inputs")
        let codes = try dictionary.encode(inputs)
        expectNear(try codes.dense(), try goldens.tensor("\(name)/features"), within: 1e-5, "\(name), features")
        let reconstruction = try goldens.tensor("\(name)/reconstruction")
        expectNear(try dictionary.decode(codes, of: inputs), reconstruction, within: 1e-5, "\(name), decoded")
        expectNear(try dictionary.reconstruct(inputs), reconstruction, within: 1e-5, "\(name), reconstruction")
    }

    @Test("what is written opens with the same features and reconstructions", arguments: DictionaryGoldens.names)
    func roundTrip(name: String) throws {
        let folder = TemporaryFolder()
        let dictionary = try DictionaryGoldens.open(name)
        try DictionaryFile.write(dictionary, to: folder.file("copy"))
        let copy = try DictionaryFile.open(folder.file("copy"))
        #expect(copy.origin == dictionary.origin)
        let inputs = try DictionaryGoldens().tensor("inputs")
        #expect(try copy.encode(inputs) == (try dictionary.encode(inputs)))
        #expect(try copy.reconstruct(inputs) == (try dictionary.reconstruct(inputs)))
        #expect(TemporaryFolder.names(in: folder.file("copy")) == ["cfg.json", "sae_weights.safetensors"])
    }

    @Test("where it comes from is read of both kinds of configuration")
    func origins() throws {
        let matryoshka = try DictionaryGoldens.open("matryoshka").origin
        #expect(matryoshka.kind == "matryoshka")
        #expect(matryoshka.prefixes == [16, 32, 64])
        #expect(matryoshka.hook == "blocks.3.hook_resid_post")
        #expect(matryoshka.model == "tiny")
        #expect(matryoshka.notes.contains("\"neuronpedia_id\":\"tiny/3-res\""))
        let flat = try DictionaryGoldens.open("topk-flat")
        #expect(flat.origin.hook == "blocks.1.hook_mlp_out")
        #expect(flat.origin.kind == "topk")
        guard case .topK(7) = flat.activation else {
            Issue.record("k of the older configuration was not read")
            return
        }
    }

    @Test("Gemma Scope's parameters open as JumpReLU, with hook and model from the path")
    func gemmaScope() throws {
        let goldens = try DictionaryGoldens()
        let dictionary = try DictionaryGoldens.open("gemma-scope-2b-pt-res/layer_20/width_16k/average_l0_71")
        #expect(dictionary.origin.hook == "blocks.20.hook_resid_post")
        #expect(dictionary.origin.model == "gemma-2-2b")
        #expect(!dictionary.subtractsDecoderBias)
        let output = try dictionary.reconstruct(try goldens.tensor("inputs"))
        expectNear(output, try goldens.tensor("jumprelu/reconstruction"), within: 1e-5, "params.npz")
        let file = try DictionaryFile.open(
            DictionaryGoldens.folder + "/gemma-scope-2b-pt-res/layer_20/width_16k/average_l0_71/params.npz")
        #expect(file.encoder == dictionary.encoder)
    }

    @Test(
        "the path of Gemma Scope's parameters says where they are from",
        arguments: [
            ("gemma-scope-9b-it-res/layer_9/width_16k/canonical", "gemma-2-9b-it", "blocks.9.hook_resid_post"),
            ("gemma-scope-2b-pt-att/layer_3/width_16k/average_l0_40", "gemma-2-2b", "blocks.3.attn.hook_z"),
            ("models--google--gemma-scope-2b-pt-mlp/layer_0/width_16k/x", "gemma-2-2b", "blocks.0.hook_mlp_out"),
            ("gemma-scope-2b-pt-res/embedding/width_4k/x", "gemma-2-2b", "hook_embed"),
            ("gemma-scope-2-1b-pt/resid_post/layer_13_width_16k_l0_small", "gemma-3-1b", "blocks.13.hook_resid_post"),
            ("elsewhere", "", ""),
        ])
    func gemmaScopePaths(path: String, model: String, hook: String) throws {
        let folder = TemporaryFolder()
        var place = folder.path
        for name in path.split(separator: "/") {
            place += "/" + name
            mkdir(place, 0o777)
        }
        File.copy(
            DictionaryGoldens.folder + "/gemma-scope-2b-pt-res/layer_20/width_16k/average_l0_71/params.npz",
            to: place + "/params.npz")
        let origin = try DictionaryFile.open(place).origin
        #expect(origin.model == model)
        #expect(origin.hook == hook)
    }

    @Test("a dictionary can be written over the file that it was opened from")
    func overwrites() throws {
        let folder = TemporaryFolder()
        try DictionaryFile.write(try DictionaryGoldens.open("gated"), to: folder.file("own"))
        var dictionary = try DictionaryFile.open(folder.file("own") + "/")
        dictionary.origin.model = "another"
        try DictionaryFile.write(dictionary, to: folder.file("own"))
        let again = try DictionaryFile.open(folder.file("own") + "/cfg.json")
        #expect(again.origin.model == "another")
        #expect(again.encoder == dictionary.encoder)
        let error = #expect(throws: Problem.self) {
            try DictionaryFile.write(dictionary, to: folder.file("no/such/folder"))
        }
        #expect(error?.sentence.contains("cannot create the folder") == true)
    }

    @Test("measures are those of NumPy, however rows are cut into batches", arguments: DictionaryGoldens.names)
    func measures(name: String) throws {
        let goldens = try DictionaryGoldens()
        let inputs = try goldens.tensor("inputs")
        let dictionary = try DictionaryGoldens.open(name)
        for batch in [48, 7] {
            var accumulator = DictionaryAccumulator(for: dictionary)
            for first in stride(from: 0, to: 48, by: batch) {
                let rows = try inputs[first..<min(48, first + batch)]
                try accumulator.add(rows, through: dictionary)
            }
            let measures = accumulator.measures
            #expect(measures.rowCount == 48)
            let pairs: [(String, Double)] = [
                ("l0", measures.meanActive), ("l1", measures.meanSum), ("mse", measures.meanSquaredError),
                ("explained_variance", measures.explainedVariance), ("fvu", measures.unexplainedVariance),
                ("cosine", measures.cosine), ("l2_ratio", measures.lengthRatio),
                ("bias", measures.reconstructionBias), ("dead", Double(measures.deadCount)),
            ]
            for (measure, value) in pairs {
                let expected = try DictionaryGoldens.measure(measure, of: name)
                #expect(abs(value - expected) <= 1e-5 * max(1, abs(expected)), "\(name), \(measure), by \(batch)")
            }
            expectNear(
                try Tensor(measures.density.map { Float($0) }), try goldens.tensor("\(name)/density"), within: 1e-6,
                "\(name), density")
        }
    }

    @Test("loss recovered is the share of the ablated loss that comes back")
    func lossRecovered() throws {
        let file = try DictionaryGoldens().file
        func losses(_ name: String) throws -> [Double] {
            try file.tensor(named: "losses/\(name)", as: Double.self).elements
        }
        var recovered = LossRecovered()
        try recovered.add(
            clean: try losses("clean"), dictionary: try losses("dictionary"), ablated: try losses("ablated"))
        let expected = try DictionaryGoldens.measure("score", of: "losses")
        #expect(abs(recovered.score - expected) < 1e-12)
        #expect(recovered.tokenCount == 40)
    }
}

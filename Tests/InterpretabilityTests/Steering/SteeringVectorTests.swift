import Interpretability
import Models
import System
import Tensors
import TestFixtures
import Testing
import Tokenizers

@Suite("A steering vector")
struct SteeringVectorTests {
    static let hook = Hook.residualPost(layer: 0)

    private func model() throws -> HookedTransformer<Float> {
        try TransformerLensGolden.small().model("gpt", as: Float.self)
    }

    @Test("of two prompts is their difference, position by position or at the end")
    func pair() throws {
        let model = try model()
        let (wanted, unwanted): ([TokenID], [TokenID]) = ([1, 2, 3], [1, 5, 6])
        let difference = try model.run(wanted)[Self.hook] - model.run(unwanted)[Self.hook]
        let aligned = try SteeringVector.pair(model, wanted: wanted, unwanted: unwanted, hook: Self.hook)
        #expect(aligned.rows == difference)
        let changes = try aligned.adding(2, at: .from(4))
        #expect(changes.map(\.positions) == [.only(4), .only(5), .only(6)])
        let last = try SteeringVector.pair(
            model, wanted: wanted, unwanted: [5, 6], hook: Self.hook, isAligned: false)
        #expect(last.rows.shape == [1, 16])
        let error = #expect(throws: Problem.self) {
            try SteeringVector.pair(model, wanted: wanted, unwanted: [5, 6], hook: Self.hook)
        }
        #expect(
            error?.sentence
                == "prompt pair: the prompts have 3 and 2 tokens. Pad the shorter prompt with "
                + "spaces, or use only the last positions."
        )
    }

    @Test("of two sets is the difference of their means at the chosen positions")
    func contrast() throws {
        let model = try model()
        let (wanted, unwanted): ([[TokenID]], [[TokenID]]) = ([[1, 2, 3], [4, 2]], [[5, 6], [7, 8, 9, 1]])
        func rows(_ prompts: [[TokenID]]) throws -> [Tensor<Float>] {
            try prompts.map { try model.run($0)[Self.hook][-1] }
        }
        let (a, b) = (try rows(wanted), try rows(unwanted))
        let expected = try (a[0] + a[1]) * 0.5 - (b[0] + b[1]) * 0.5
        let vector = try SteeringVector.contrast(model, wanted: wanted, unwanted: unwanted, hook: Self.hook)
        #expect(misfit(try vector.direction(), try expected.converted(to: Double.self), within: 1e-5) <= 1)
        #expect(vector.method == "mean of 2 prompts minus mean of 2")
    }

    @Test("is measured in lengths of the stream, or in a feature's maximum")
    func units() throws {
        let model = try model()
        let plain = try SteeringVector(Tensor([3, 4] + [Float](repeating: 0, count: 14)), hook: Self.hook)
        #expect(plain.norm == 5 && plain.coefficient(2) == 2)
        let measured = try plain.inResidualNorms(of: model, over: [[1, 2, 3]])
        let rows = try model.run([1, 2, 3])[Self.hook]
        let mean = try (rows * rows).sum(1).elements.map { $0.squareRoot() }.reduce(0, +) / 3
        #expect(abs(measured.coefficient(2) * measured.norm - 2 * mean) < 1e-4)
        let dictionary = try SparseAutoencoder(
            encoder: .normal([16, 3], seed: 1), encoderBias: .zeros(3), decoder: .normal([3, 16], seed: 2),
            decoderBias: .zeros(16), activation: .relu, origin: .init(hook: Self.hook.name, model: "gpt"))
        let feature = try SteeringVector.feature(1, of: dictionary, maximum: 7)
        #expect(try feature.direction() == dictionary.decoder[1])
        #expect(feature.coefficient(0.5) == 3.5 && feature.hook == Self.hook)
    }

    @Test("adds to the stream, or sets its component whatever that was")
    func changes() throws {
        let model = try model()
        let tokens: [TokenID] = [1, 2, 3, 4]
        let vector = try SteeringVector(.normal([16], seed: 4), hook: Self.hook)
        let before = try model.run(tokens)[Self.hook]
        let added = try model.runWhole(tokens, vector.adding(1.5, at: .from(2)))[Self.hook]
        let expected = try before + Tensor<Float>([0, 0, 1.5, 1.5]).expanded(at: 1) * vector.direction()
        #expect(misfit(added, try expected.converted(to: Double.self), within: 1e-6) <= 1)
        let set = try model.runWhole(tokens, vector.setting(2))[Self.hook]
        let components = try matmul(set, vector.direction() / vector.norm).elements
        #expect(components.allSatisfy { abs($0 - 2 * vector.norm) < 1e-4 })
        // What is not along the direction stays.
        let rest = try set - before
        let unit = try vector.direction() / vector.norm
        let across = try rest - matmul(rest, unit).expanded(at: 1) * unit
        #expect(across.elements.allSatisfy { abs($0) < 1e-5 })
    }

    @Test("is kept in a file with its hook, unit and origin")
    func files() throws {
        let folder = TemporaryFolder()
        let units: [SteeringVector.Unit] = [.plain, .residualNorm(12.5), .featureMaximum(0.3)]
        for unit in units {
            let vector = try SteeringVector(
                .normal([2, 16], seed: 3), hook: Self.hook, unit: unit, model: "orrery-mini", method: "by hand")
            let path = folder.unique("vector") + ".safetensors"
            try vector.write(to: path)
            #expect(try SteeringVector.read(path) == vector)
        }
        let path = folder.file("other.safetensors")
        let tensor = AnyTensor(try Tensor<Float>.normal([16], seed: 3))
        let texts: [([String: String], String)] = [
            (
                [:],
                "the vector's hook is missing. Set hook in the metadata, such as blocks.3.hook_resid_post."
            ),
            (
                ["hook": Self.hook.name, "unit": "residual_norm", "unit_value": "-1"],
                "unit residual_norm is unknown or has no value above 0. Use plain, or residual_norm or feature_maximum "
                    + "with a unit_value."
            ),
        ]
        for (metadata, sentence) in texts {
            try TensorFile.write([("vector", tensor)], metadata: metadata, to: path)
            let error = #expect(throws: Problem.self) { try SteeringVector.read(path) }
            #expect(error?.sentence == "\(path): \(sentence)")
        }
        #expect(throws: Problem.self) { try SteeringVector.read(folder.file("none.safetensors")) }
        #expect(throws: Problem.self) {
            try SteeringVector(Tensor(repeating: 0, shape: [16]), hook: Self.hook)
        }
    }

    @Test("has controls of its length in other directions")
    func control() throws {
        let vector = try SteeringVector(.normal([16], seed: 4), hook: Self.hook, unit: .residualNorm(2))
        let (first, second) = (try vector.randomControl(seed: 1), try vector.randomControl(seed: 2))
        #expect(abs(first.norm - vector.norm) < 1e-4 && first.unit == vector.unit)
        #expect(first.rows != second.rows)
        #expect(try vector.randomControl(seed: 1) == first)
    }
}

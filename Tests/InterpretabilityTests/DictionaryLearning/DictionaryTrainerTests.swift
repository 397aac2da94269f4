import Interpretability
import Kernels
import System
import Tensors
import TestFixtures
import Testing

@Suite("Training of dictionaries")
struct DictionaryTrainerTests {
    private func configuration(
        _ kind: DictionaryConfiguration.Kind = .topK(3), steps: Int = 30
    ) -> DictionaryConfiguration {
        var configuration = DictionaryConfiguration(kind, features: 32, steps: steps)
        configuration.batchRows = 100
        configuration.learningRate = 5e-3
        configuration.deadRows = 500
        return configuration
    }

    private func toy() throws -> ToyFeatures { try ToyFeatures(width: 16, features: 24, active: 3) }

    private func same(_ a: SparseAutoencoder, _ b: SparseAutoencoder) -> Bool {
        a.encoder == b.encoder && a.decoder == b.decoder && a.encoderBias == b.encoderBias
            && a.decoderBias == b.decoderBias && a.normalization == b.normalization && a.origin == b.origin
    }

    @Test(
        "goes on from a checkpoint as if nothing had happened",
        arguments: [
            DictionaryConfiguration.Kind.topK(3), .batchTopK(3), .gated(lambda: 0.1),
            .jumpReLU(sparsity: .target(3, weight: 1), bandwidth: 0.1, threshold: 0.1),
        ])
    func resumes(kind: DictionaryConfiguration.Kind) throws {
        let folder = TemporaryFolder()
        let configuration = configuration(kind)
        let origin = SparseAutoencoder.Origin(hook: "blocks.3.hook_resid_post", model: "toy")
        let whole = try DictionaryTrainer(configuration, width: 16, origin: origin).run(on: try toy())

        let first = try DictionaryTrainer(configuration, width: 16, origin: origin)
        let checkpoints = DictionaryCheckpoints(folder: folder.file("run"), every: 5)
        #expect(throws: Problem.cancelled()) {
            _ = try first.run(on: try toy(), checkpoints: checkpoints) { _ in
            } isCancelled: {
                first.step == 17
            }
        }
        #expect(
            TemporaryFolder.names(in: folder.file("run"))
                == ["step-000000015.safetensors", "step-000000017.safetensors"])
        let second = try DictionaryTrainer(resuming: folder.file("run"))
        #expect(second.step == 17 && second.configuration == configuration)
        #expect(same(try second.run(on: try toy()), whole))
        #expect(whole.origin.kind == kind.name && whole.origin.trainedTokens == 3000)
        #expect(whole.origin.hook == "blocks.3.hook_resid_post")
    }

    @Test("reads and drops rows of a source that cannot skip")
    func passesRows() throws {
        final class Plain: ActivationSource {
            let toy: ToyFeatures
            let width = 16
            let rowCount: Int? = nil
            init(_ toy: ToyFeatures) { self.toy = toy }
            func next(rows: Int) throws(Problem) -> Tensor<Float> { try toy.next(rows: rows) }
        }
        let folder = TemporaryFolder()
        let whole = try DictionaryTrainer(configuration(steps: 10), width: 16).run(on: try toy())
        let trainer = try DictionaryTrainer(configuration(steps: 10), width: 16)
        let source = try toy()
        for _ in 0..<4 { try trainer.train(try source.next(rows: 100)) }
        try trainer.save(to: folder.file("four.safetensors"))
        let second = try DictionaryTrainer(resuming: folder.file("four.safetensors"))
        #expect(same(try second.run(on: Plain(try toy())), whole))
    }

    @Test("reports every few steps and at the end, densities in order")
    func reports() throws {
        var steps: [Int] = []
        _ = try DictionaryTrainer(configuration(steps: 25), width: 16).run(on: try toy(), every: 10) { progress in
            steps.append(progress.step)
            #expect(progress.densityQuantiles.count == DictionaryProgress.quantiles.count)
            #expect(progress.densityQuantiles == progress.densityQuantiles.sorted())
            #expect(progress.rowsPerSecond > 0 && progress.features == 32)
        }
        #expect(steps == [10, 20, 25])
    }

    @Test("Matryoshka and BatchTopK become JumpReLU with one threshold")
    func becomesJumpReLU() throws {
        for kind in [DictionaryConfiguration.Kind.batchTopK(3), .matryoshka(3, prefixes: [8, 32])] {
            let dictionary = try DictionaryTrainer(configuration(kind), width: 16).run(on: try toy())
            guard case .jumpReLU(let threshold) = dictionary.activation else {
                Issue.record("\(kind.name) became \(dictionary.activation)")
                continue
            }
            #expect(threshold.shape == [32] && Set(threshold.elements).count == 1 && threshold.elements[0] > 0)
        }
        let matryoshka = DictionaryConfiguration.Kind.matryoshka(3, prefixes: [8, 32])
        #expect(try DictionaryTrainer(configuration(matryoshka), width: 16).dictionary().origin.prefixes == [8, 32])
    }

    @Test("normalizes inputs as the dictionary says", arguments: DictionaryConfiguration.InputNormalization.allCases)
    func normalizes(normalization: DictionaryConfiguration.InputNormalization) throws {
        var scaling = InputScaling(normalization)
        var rows: [Float] = [3, 4, 0, 0, 0, 0, 0, 10]
        rows.withUnsafeMutableBufferPointer { scaling.apply(to: $0, width: 4) }
        func norm(_ row: ArraySlice<Float>) -> Float { row.reduce(0) { $0 + $1 * $1 }.squareRoot() }
        switch normalization {
        case .none: #expect(rows == [3, 4, 0, 0, 0, 0, 0, 10] && scaling.ofDictionary == .none)
        case .meanNorm:
            #expect(abs(norm(rows[0..<4]) + norm(rows[4..<8]) - 4) < 1e-5)
            #expect(scaling.ofDictionary == .scale(2 / 7.5))
        case .rowNorm: #expect(abs(norm(rows[0..<4]) - 2) < 1e-5 && abs(norm(rows[4..<8]) - 2) < 1e-5)
        case .layerNorm:
            #expect(abs(rows[0..<4].reduce(0, +)) < 1e-5 && abs(norm(rows[4..<8]) - Float(3).squareRoot()) < 1e-4)
        }
    }

    @Test("dead features are resampled in the direction of badly reconstructed rows")
    func resamples() throws {
        var configuration = configuration(.reluL1(lambda: 0.1), steps: 10)
        configuration.deadRows = 100
        let trainer = try DictionaryTrainer(configuration, width: 16)
        for feature in 0..<4 { trainer.engine.weights.encoderBias.values.pointer[feature] = -1e3 }
        let source = try toy()
        for _ in 0..<3 { try trainer.train(try source.next(rows: 100)) }
        #expect(trainer.deadCount == 4)
        trainer.engine.resample(step: 3)
        #expect(trainer.deadCount == 0)
        for feature in 0..<4 {
            #expect(trainer.engine.weights.encoderBias.values.pointer[feature] == 0)
            #expect(abs(trainer.engine.weights.decoderNorm(feature) - 1) < 1e-5)
            #expect(trainer.engine.weights.encoder.first.pointer[feature * 16] == 0)
        }
        try trainer.train(try source.next(rows: 100))
        #expect((0..<4).contains { trainer.engine.silentRows[$0] == 0 })
    }

    @Test("the geometric median minds distances, not squares")
    func median() {
        // One far point pulls the mean, not the median.
        let rows: [Float] = [0, 0, 1, 0, 0, 1, 1, 1, 0.5, 0.5, 1000, 1000]
        let median = rows.withUnsafeBufferPointer { GeometricMedian.of($0, width: 2) }
        #expect(abs(median[0] - 0.5) < 0.2 && abs(median[1] - 0.5) < 0.2)
    }

    @Test("bad wishes and bad rows get a sentence")
    func refuses() throws {
        func sentence(_ kind: DictionaryConfiguration.Kind) -> String {
            do {
                try configuration(kind).check(width: 16)
                return ""
            } catch { return error.sentence }
        }
        #expect(sentence(.topK(40)) == "dictionary settings: k is 40, with 32 features. Use 1 to 32.")
        #expect(sentence(.matryoshka(3, prefixes: [8, 4, 32])).contains("must increase to 32"))
        #expect(sentence(.reluL1(lambda: -1)) == "dictionary settings: λ is -1.0. Use 0 or more.")
        let trainer = try DictionaryTrainer(configuration(), width: 16)
        #expect(throws: Problem.self) {
            try trainer.train(try Tensor<Float>(repeating: 1, shape: [3, 16]))
        }
        #expect(throws: Problem.self) {
            try trainer.train(try Tensor<Float>(repeating: .nan, shape: [100, 16]))
        }
        #expect(throws: Problem.self) { try trainer.run(on: try ToyFeatures(width: 8, features: 9)) }
        #expect(throws: Problem.self) { try DictionaryTrainer(resuming: "/nowhere") }
    }
}

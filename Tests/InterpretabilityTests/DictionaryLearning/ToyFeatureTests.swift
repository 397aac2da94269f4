import Interpretability
import Kernels
import System
import Tensors
import Testing

@Suite("Dictionaries on features that are known")
struct ToyFeatureTests {
    private func configuration(_ kind: DictionaryConfiguration.Kind, steps: Int) -> DictionaryConfiguration {
        var configuration = DictionaryConfiguration(kind, features: 128, steps: steps)
        configuration.batchRows = 512
        configuration.learningRate = 2e-3
        configuration.warmUpSteps = 100
        configuration.sparsityWarmUpShare = 0.2
        configuration.normalization = .none
        configuration.clip = nil
        configuration.deadRows = 100 * 512
        return configuration
    }

    @Test("TopK with aux-k finds them: MMCS 0.98, 95 % of them, less than 1 % dead", arguments: [0, 1] as [UInt64])
    func topK(seed: UInt64) throws {
        var configuration = configuration(.topK(4), steps: 3000)
        configuration.seed = seed
        let toy = try ToyFeatures()
        let trainer = try DictionaryTrainer(configuration, width: toy.width)
        var last: DictionaryProgress?
        let dictionary = try trainer.run(on: toy) { last = $0 }
        let recovery = try FeatureRecovery(of: toy.truth, in: dictionary.decoder)
        #expect(recovery.meanMaxCosine >= 0.98)
        #expect(recovery.recovered(above: 0.95) >= 0.95)
        let progress = try #require(last)
        #expect(progress.step == 3000 && progress.steps == 3000 && progress.secondsLeft == 0)
        #expect(Double(progress.deadCount) / 128 < 0.01)
        #expect(abs(progress.loss.meanActive - 4) < 0.4)
        #expect(progress.loss.explainedVariance > 0.93)
    }

    @Test(
        "BatchTopK and JumpReLU have 4 of them active, as the data have",
        arguments: [
            (DictionaryConfiguration.Kind.batchTopK(4), 1500),
            (.jumpReLU(sparsity: .weight(0.04), bandwidth: 0.1, threshold: 0.1), 3000),
            (.jumpReLU(sparsity: .target(4, weight: 1), bandwidth: 0.1, threshold: 0.1), 1500),
        ])
    func active(kind: DictionaryConfiguration.Kind, steps: Int) throws {
        let toy = try ToyFeatures()
        let trainer = try DictionaryTrainer(configuration(kind, steps: steps), width: toy.width)
        let dictionary = try trainer.run(on: toy)
        let rows = try toy.next(rows: 4096)
        let active = try Self.meanActive(dictionary, rows)
        #expect(abs(active - 4) < 0.4, "\(active)")
        #expect(try FeatureRecovery(of: toy.truth, in: dictionary.decoder).meanMaxCosine > 0.9)
    }

    /// L0 of a dictionary with thresholds.
    private static func meanActive(_ dictionary: SparseAutoencoder, _ rows: Tensor<Float>) throws -> Double {
        guard case .jumpReLU(let threshold) = dictionary.activation else { return 0 }
        let pre = try matmul(rows - dictionary.decoderBias, dictionary.encoder) + dictionary.encoderBias
        let (all, thresholds) = (pre.elements, threshold.elements)
        let active = all.indices.count { all[$0] > thresholds[$0 % thresholds.count] }
        return Double(active) / Double(rows.shape[0])
    }

    @Test("the rows are sums of as many true features as are said, wherever they are read")
    func rows() throws {
        let toy = try ToyFeatures(width: 16, features: 20, active: 3, amplitudes: 1...1, seed: 5)
        let first = try toy.next(rows: 10).elements
        let again = try ToyFeatures(width: 16, features: 20, active: 3, amplitudes: 1...1, seed: 5)
        again.skip(rows: 4)
        #expect(try again.next(rows: 6).elements == Array(first[(4 * 16)...]))
        // Each row less some three of the directions is nothing.
        let truth = toy.truth.elements
        let row = Array(first[0..<16])
        var best = Float.infinity
        for a in 0..<20 {
            for b in a + 1..<20 {
                for c in b + 1..<20 {
                    let rest = (0..<16).reduce(Float(0)) { sum, i in
                        let left = row[i] - truth[a * 16 + i] - truth[b * 16 + i] - truth[c * 16 + i]
                        return sum + left * left
                    }
                    best = min(best, rest)
                }
            }
        }
        #expect(best < 1e-10)
    }

    @Test("recovery is the largest cosine of each true feature")
    func recovery() throws {
        let truth = try Tensor<Float>(rows: [[1, 0], [0, 2]])
        let decoder = try Tensor<Float>(rows: [[3, 0], [1, 1], [-1, -1]])
        let recovery = try FeatureRecovery(of: truth, in: decoder)
        #expect(abs(recovery.maxCosines[0] - 1) < 1e-6 && abs(recovery.maxCosines[1] - 0.5.squareRoot()) < 1e-6)
        #expect(recovery.recovered() == 0.5)
        #expect(throws: Problem.self) {
            try FeatureRecovery(of: truth, in: try Tensor<Float>(rows: [[1, 0, 0]]))
        }
    }
}

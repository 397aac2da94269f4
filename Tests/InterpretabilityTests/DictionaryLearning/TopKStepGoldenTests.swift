import Interpretability
import Kernels
import Tensors
import Testing

@Suite("Steps of a TopK dictionary")
struct TopKStepGoldenTests {
    private static let golden =
        #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/Goldens/topk_steps.safetensors"

    @Test("are torch's: losses, gradient norms and weights of twenty steps")
    func agreesWithTorch() throws {
        let file = try TensorFile.open(Self.golden)
        let rows = try file.tensor(named: "rows", as: Float.self)
        let start = try file.tensor(named: "start", as: Float.self)
        let losses = try file.tensor(named: "losses", as: Double.self).elements
        let norms = try file.tensor(named: "norms", as: Double.self).elements
        let (steps, batch, width, features) = (rows.shape[0], rows.shape[1], rows.shape[2], start.shape[0])
        #expect(losses.count == 20 && steps == 20)

        var configuration = DictionaryConfiguration(.topK(5, auxiliary: 0), features: features, steps: 1000)
        configuration.batchRows = batch
        configuration.learningRate = 1e-2
        (configuration.warmUpSteps, configuration.decayShare) = (0, 0)
        (configuration.normalization, configuration.decoderBias) = (.none, .zero)
        let trainer = try DictionaryTrainer(configuration, width: width, pool: ThreadPool(threads: 2))
        for matrix in [trainer.engine.weights.encoder, trainer.engine.weights.decoder] {
            _ = matrix.values.elements.update(fromContentsOf: start.elements)
        }
        let all = rows.elements
        for step in 0..<steps {
            let piece = Array(all[step * batch * width..<(step + 1) * batch * width])
            let loss = try trainer.train(try Tensor(piece, shape: [batch, width]))
            #expect(abs(loss.total - losses[step]) < 1e-4 * losses[step], "step \(step)")
            #expect(abs(trainer.engine.gradientNorm - norms[step]) < 1e-4 * norms[step], "step \(step)")
        }
        let dictionary = try trainer.dictionary()
        for (name, ours) in [
            ("encoder", dictionary.encoder), ("decoder", dictionary.decoder),
            ("encoder_bias", dictionary.encoderBias), ("decoder_bias", dictionary.decoderBias),
        ] {
            let theirs = try file.tensor(named: name, as: Float.self)
            #expect(ours.shape == theirs.shape)
            let worst = zip(ours.elements, theirs.elements).map { abs($0 - $1) }.max() ?? .infinity
            #expect(worst < 1e-3, "\(name): \(worst)")
        }
    }
}

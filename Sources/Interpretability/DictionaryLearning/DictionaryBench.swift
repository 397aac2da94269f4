internal import Kernels
public import System
internal import Tensors

/// How fast a step of a TopK dictionary is: d = 256, F = 2048, k = 16, 1,024 rows, without aux-k.
public enum DictionaryBench {
    /// Steps a second, after five steps that do not count: the median of blocks of 20 steps.
    public static func run(threads: Int, seconds: Double) throws(Problem) -> Double {
        var configuration = DictionaryConfiguration(.topK(16, auxiliary: 0), features: 2048, steps: 1 << 20)
        configuration.learningRate = 1e-3
        configuration.warmUpSteps = 0
        configuration.decayShare = 0
        configuration.normalization = .none
        configuration.decoderBias = .zero
        let source = try ToyFeatures(width: 256, features: 512, active: 8, noise: 0.02, seed: 3)
        let trainer = try DictionaryTrainer(configuration, width: 256, pool: ThreadPool(threads: threads))
        var batches: [Tensor<Float>] = []
        for _ in 0..<32 { batches.append(try source.next(rows: configuration.batchRows)) }
        func steps(_ count: Int) throws(Problem) {
            for _ in 0..<count { try trainer.train(batches[trainer.step % batches.count]) }
        }
        try steps(5)
        let clock = ContinuousClock()
        let begin = clock.now
        var rates: [Double] = []
        repeat {
            let start = clock.now
            try steps(20)
            rates.append(20 / ((clock.now - start) / .seconds(1)))
        } while (clock.now - begin) / .seconds(1) < seconds
        return rates.sorted()[rates.count / 2]
    }
}

internal import Glibc
internal import Tensors

/// One toy model while it is trained, in float64; gradients are written out.
package struct SuperpositionRun {
    private let configuration: SuperpositionConfiguration
    private let importance: [Double]
    private let start: Int
    private var random: PhiloxGenerator
    /// W_i of each feature, `[n, m]`, then b, `[n]`.
    package var parameters: [Double]
    package private(set) var gradient: [Double]
    private var first, second: [Double]
    private var lastLosses = (sum: 0.0, count: 0)

    package init(_ configuration: SuperpositionConfiguration, start: Int) {
        self.configuration = configuration
        self.start = start
        importance = configuration.importance
        let (n, m) = (configuration.features, configuration.dimensions)
        random = PhiloxGenerator(seed: configuration.seed, stream: UInt32(truncatingIfNeeded: start))
        let deviation = (2 / Double(n + m)).squareRoot()
        parameters = []
        for _ in 0..<n * m { parameters.append(deviation * random.normal()) }
        parameters += [Double](repeating: 0, count: n)
        gradient = [Double](repeating: 0, count: parameters.count)
        first = gradient
        second = gradient
    }

    var model: SuperpositionModel {
        let (n, m) = (configuration.features, configuration.dimensions)
        return SuperpositionModel(
            directions: (0..<n).map { Array(parameters[$0 * m..<($0 + 1) * m]) }, bias: Array(parameters[(n * m)...]),
            loss: lastLosses.sum / Double(max(1, lastLosses.count)), start: start)
    }

    /// One step of Adam on a new batch, the rate a cosine that falls to 0.
    mutating func step(_ step: Int) {
        let loss = differentiate(batch())
        if step >= configuration.steps - max(1, configuration.steps / 10) {
            lastLosses = (lastLosses.sum + loss, lastLosses.count + 1)
        }
        let turn = Double.pi * Double(step) / Double(configuration.steps)
        let rate = configuration.learningRate * (1 + cos(turn)) / 2
        let corrections = (1 - pow(0.9, Double(step + 1)), 1 - pow(0.999, Double(step + 1)))
        for i in parameters.indices {
            first[i] += 0.1 * (gradient[i] - first[i])
            second[i] += 0.001 * (gradient[i] * gradient[i] - second[i])
            parameters[i] -= rate * (first[i] / corrections.0) / ((second[i] / corrections.1).squareRoot() + 1e-8)
        }
    }

    /// `[B, n]`: one random word says whether a feature is there, and how much.
    private mutating func batch() -> [Double] {
        let sparsity = configuration.sparsity
        let count = configuration.batchRows * configuration.features
        var batch = [Double](repeating: 0, count: count)
        for i in 0..<count {
            let uniform = (Double(random.nextWord()) + 0.5) * 0x1p-32
            if uniform >= sparsity { batch[i] = (uniform - sparsity) / (1 - sparsity) }
        }
        return batch
    }

    /// The mean loss of a batch `[B, n]`, and its gradient.
    package mutating func differentiate(_ batch: [Double]) -> Double {
        let (n, m) = (configuration.features, configuration.dimensions)
        let rows = batch.count / n
        for i in gradient.indices { gradient[i] = 0 }
        var (hidden, back) = ([Double](repeating: 0, count: m), [Double](repeating: 0, count: m))
        var loss = 0.0
        for row in 0..<rows {
            for k in 0..<m { (hidden[k], back[k]) = (0, 0) }
            for i in 0..<n where batch[row * n + i] != 0 {
                for k in 0..<m { hidden[k] += batch[row * n + i] * parameters[i * m + k] }
            }
            for i in 0..<n {
                var sum = parameters[n * m + i]
                for k in 0..<m { sum += parameters[i * m + k] * hidden[k] }
                let error = max(0, sum) - batch[row * n + i]
                loss += importance[i] * error * error
                guard sum > 0 else { continue }
                let slope = 2 * importance[i] * error / Double(rows)
                gradient[n * m + i] += slope
                for k in 0..<m {
                    gradient[i * m + k] += slope * hidden[k]
                    back[k] += slope * parameters[i * m + k]
                }
            }
            for i in 0..<n where batch[row * n + i] != 0 {
                for k in 0..<m { gradient[i * m + k] += batch[row * n + i] * back[k] }
            }
        }
        return loss / Double(rows)
    }
}

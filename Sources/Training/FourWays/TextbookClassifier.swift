internal import Tensors

/// Loops over arrays, as a textbook writes them: every index is to be seen, and nothing is fast.
struct TextbookClassifier: ClassifierTrainer {
    static let name = "textbook"
    static let idea = "Swift loops over arrays"

    private let problem: ClassifierProblem
    private let x: [Float]
    private var w1: [Float], b1: [Float]
    private var w2: [Float], b2: [Float]

    init(_ problem: ClassifierProblem) throws(TensorError) {
        self.problem = problem
        x = problem.examples.elements
        w1 = problem.firstWeights.elements
        b1 = [Float](repeating: 0, count: problem.hidden)
        w2 = problem.secondWeights.elements
        b2 = [Float](repeating: 0, count: problem.classes)
    }

    mutating func step(from start: Int) throws(TensorError) -> Float {
        let (batch, inputs, width, classes) = (problem.batch, problem.inputs, problem.hidden, problem.classes)
        var hidden = [Float](repeating: 0, count: batch * width)
        var delta = [Float](repeating: 0, count: batch * classes)
        var loss: Float = 0
        for row in 0..<batch {
            for unit in 0..<width {
                var sum = b1[unit]
                for input in 0..<inputs { sum += x[(start + row) * inputs + input] * w1[input * width + unit] }
                hidden[row * width + unit] = max(0, sum)
            }
            var logits = b2
            for unit in 0..<width {
                for label in 0..<classes { logits[label] += hidden[row * width + unit] * w2[unit * classes + label] }
            }
            let largest = logits.max() ?? 0
            let total = logits.reduce(0) { $0 + Exponential.of($1 - largest) }
            let target = Int(problem.labels[start + row])
            loss += Exponential.logarithm(total) - (logits[target] - largest)
            // dloss/dlogits = (softmax - one-hot) / batch
            for label in 0..<classes {
                let probability = Exponential.of(logits[label] - largest) / total
                delta[row * classes + label] = (probability - (label == target ? 1 : 0)) / Float(batch)
            }
        }
        learn(from: start, hidden, delta)
        return loss / Float(batch)
    }

    private mutating func learn(from start: Int, _ hidden: [Float], _ delta: [Float]) {
        let (batch, inputs, width, classes) = (problem.batch, problem.inputs, problem.hidden, problem.classes)
        var inner = [Float](repeating: 0, count: batch * width)
        for row in 0..<batch {
            for unit in 0..<width where hidden[row * width + unit] > 0 {
                for label in 0..<classes {
                    inner[row * width + unit] += delta[row * classes + label] * w2[unit * classes + label]
                }
            }
        }
        let rate = problem.rate
        for row in 0..<batch {
            for label in 0..<classes { b2[label] -= rate * delta[row * classes + label] }
            for unit in 0..<width { b1[unit] -= rate * inner[row * width + unit] }
        }
        for unit in 0..<width {
            for label in 0..<classes {
                var sum: Float = 0
                for row in 0..<batch { sum += hidden[row * width + unit] * delta[row * classes + label] }
                w2[unit * classes + label] -= rate * sum
            }
        }
        for input in 0..<inputs {
            for unit in 0..<width {
                var sum: Float = 0
                for row in 0..<batch { sum += x[(start + row) * inputs + input] * inner[row * width + unit] }
                w1[input * width + unit] -= rate * sum
            }
        }
    }
}

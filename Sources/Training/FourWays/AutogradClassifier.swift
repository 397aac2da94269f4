internal import Tensors

/// Autograd: the loss is written down, the gradients follow.
struct AutogradClassifier: ClassifierTrainer {
    static let name = "autograd"
    static let idea = "only the loss; autograd derives the gradients"

    private let problem: ClassifierProblem
    /// `[hidden, inputs]` and `[classes, hidden]`, as layers hold them.
    private let w1, b1, w2, b2: Parameter<Float>
    private var optimizer: Optimizer<Float>

    init(_ problem: ClassifierProblem) throws(TensorError) {
        self.problem = problem
        w1 = Parameter("w1", try problem.firstWeights.transposed().contiguous())
        w2 = Parameter("w2", try problem.secondWeights.transposed().contiguous())
        b1 = Parameter("b1", try .zeros(problem.hidden))
        b2 = Parameter("b2", try .zeros(problem.classes))
        optimizer = try Optimizer(.sgd)
    }

    mutating func step(from start: Int) throws(TensorError) -> Float {
        let rows = start..<start + problem.batch
        let x = Variable(try problem.examples.sliced([.range(from: rows.lowerBound, to: rows.upperBound, step: 1)]))
        let labels = try Tensor<Int32>(Array(problem.labels[rows]))
        let hidden = try activated(linear(x, weight: w1.variable, bias: b1.variable), .relu)
        let loss = try crossEntropy(linear(hidden, weight: w2.variable, bias: b2.variable), labels)
        for parameter in [w1, b1, w2, b2] { parameter.gradient = nil }
        try loss.backward()
        try optimizer.step([w1, b1, w2, b2], rate: Double(problem.rate))
        return loss.scalar ?? .nan
    }
}

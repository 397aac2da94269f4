internal import Tensors

/// Tensors: no indices, gradients still by hand. The products run on the fast kernels, every operation makes a tensor.
struct TensorClassifier: ClassifierTrainer {
    static let name = "tensors"
    static let idea = "whole-array operations with hand-written gradients"

    private let problem: ClassifierProblem
    private var w1: Tensor<Float>, b1: Tensor<Float>
    private var w2: Tensor<Float>, b2: Tensor<Float>

    init(_ problem: ClassifierProblem) throws(TensorError) {
        self.problem = problem
        (w1, w2) = (problem.firstWeights, problem.secondWeights)
        b1 = try .zeros(problem.hidden)
        b2 = try .zeros(problem.classes)
    }

    mutating func step(from start: Int) throws(TensorError) -> Float {
        let batch = problem.batch
        let x = try problem.examples.sliced([.range(from: start, to: start + batch, step: 1)])
        let labels = try Tensor<Int32>(Array(problem.labels[start..<start + batch]))
        let hidden = try relu(matmul(x, w1) + b1)  // [batch, hidden]
        let logits = try matmul(hidden, w2) + b2  // [batch, classes]
        let logProbabilities = try logSoftmax(logits)
        let oneHot = try Tensors.oneHot(labels, problem.classes) as Tensor<Float>
        let loss = try -(logProbabilities * oneHot).sum() / Float(batch)
        let delta = try (exp(logProbabilities) - oneHot) / Float(batch)  // dloss/dlogits
        let isActive = try (hidden .> 0).converted(to: Float.self)
        let inner = try matmul(delta, w2.transposed()) * isActive  // dloss/d(x W₁ + b₁)
        let rate = problem.rate
        try w2 -= matmul(hidden.transposed(), delta) * rate
        try b2 -= delta.sum(0) * rate
        try w1 -= matmul(x.transposed(), inner) * rate
        try b1 -= inner.sum(0) * rate
        return loss.scalar ?? .nan
    }
}

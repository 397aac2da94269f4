public import Tensors

/// The step of AdamW alone, over parameters whose gradients are given.
public struct OptimizerJob: ComparisonJob {
    public static let name = "adamw"
    public static let contents = "p0, p1, ... of any shape, and g0, g1, ... of the same shapes"

    public let parameters: [Parameter<Float>]
    private let gradients: [Tensor<Float>]
    private var optimizer: Optimizer<Float>

    public init(_ file: ComparisonFile) throws(TensorError) {
        var (parameters, gradients): ([Parameter<Float>], [Tensor<Float>]) = ([], [])
        while let value = try? file.floats("p\(parameters.count)") {
            gradients.append(try file.floats("g\(parameters.count)", value.shape))
            parameters.append(Parameter("p\(parameters.count)", value))
        }
        guard !parameters.isEmpty else { throw TensorError("comparison", problem: "has no tensor p0") }
        self.parameters = parameters
        self.gradients = gradients
        optimizer = try Optimizer(.adamW, ["beta2": 0.99, "weight_decay": 0.1])
    }

    /// About 14 operations a number.
    public var flopsPerStep: Double { 14 * Double(parameters.reduce(0) { $0 + $1.count }) }

    public mutating func loss() throws(TensorError) -> Variable<Float> {
        throw TensorError("comparison", problem: "an optimizer comparison has no loss")
    }

    public mutating func learn() throws(TensorError) { try optimizer.step(parameters, rate: 1e-3) }

    public mutating func step() throws(TensorError) -> Float {
        for (parameter, gradient) in zip(parameters, gradients) { parameter.gradient = gradient }
        try learn()
        return 0
    }
}

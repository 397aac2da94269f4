public import Tensors

/// Batches of examples that go round.
struct ExampleBatches {
    let examples: Tensor<Float>
    let labels: Tensor<Int32>
    let size: Int
    private(set) var index = 0

    init(_ file: ComparisonFile, size: Int) throws(TensorError) {
        examples = try file.floats("x")
        labels = try file.integers("y", [examples.shape.first ?? 0])
        self.size = size
        guard labels.count >= size else {
            throw TensorError("comparison", examples.shape, problem: "has fewer examples than a batch of \(size)")
        }
    }

    mutating func next() throws(TensorError) -> (x: Variable<Float>, labels: Tensor<Int32>) {
        let first = index * size % labels.count
        index += 1
        let rows = AxisSelection.range(from: first, to: first + size, step: 1)
        return (Variable(try examples.sliced([rows])), try labels.sliced([rows]))
    }
}

/// An MLP of 784, 256 and 10 units with Adam.
public struct ClassifierJob: ComparisonJob {
    public static let name = "mlp"
    public static let contents = "x [n, 784], y [n], w1 [256, 784], b1, w2 [10, 256], b2"

    private let w1, b1, w2, b2: Parameter<Float>
    private var batches: ExampleBatches
    private var optimizer: Optimizer<Float>

    public init(_ file: ComparisonFile) throws(TensorError) {
        w1 = Parameter("w1", try file.floats("w1", [256, 784]))
        b1 = Parameter("b1", try file.floats("b1", [256]))
        w2 = Parameter("w2", try file.floats("w2", [10, 256]))
        b2 = Parameter("b2", try file.floats("b2", [10]))
        batches = try ExampleBatches(file, size: 128)
        optimizer = try Optimizer(.adam)
    }

    /// Both products forward, both gradients of weights, and the gradient of the hidden units.
    public var flopsPerStep: Double { 128 * Double(4 * (784 * 256 + 2560) + 2 * 2560) }
    public var parameters: [Parameter<Float>] { [w1, b1, w2, b2] }

    public mutating func loss() throws(TensorError) -> Variable<Float> {
        let (x, labels) = try batches.next()
        let hidden = try activated(linear(x, weight: w1.variable, bias: b1.variable), .relu)
        return try crossEntropy(linear(hidden, weight: w2.variable, bias: b2.variable), labels)
    }

    public mutating func learn() throws(TensorError) { try optimizer.step(parameters, rate: 1e-3) }
}

/// Two convolutions with pools and a linear layer over images of 28 x 28, with Adam.
public struct ConvolutionJob: ComparisonJob {
    public static let name = "conv"
    public static let contents = "x [n, 1, 28, 28], y [n], c1 [16, 1, 3, 3], d1, c2 [32, 16, 3, 3], d2, w [10, 1568], b"

    private let c1, d1, c2, d2, w, b: Parameter<Float>
    private var batches: ExampleBatches
    private var optimizer: Optimizer<Float>

    public init(_ file: ComparisonFile) throws(TensorError) {
        c1 = Parameter("c1", try file.floats("c1", [16, 1, 3, 3]))
        d1 = Parameter("d1", try file.floats("d1", [16]))
        c2 = Parameter("c2", try file.floats("c2", [32, 16, 3, 3]))
        d2 = Parameter("d2", try file.floats("d2", [32]))
        w = Parameter("w", try file.floats("w", [10, 1568]))
        b = Parameter("b", try file.floats("b", [10]))
        batches = try ExampleBatches(file, size: 64)
        optimizer = try Optimizer(.adam)
    }

    public var flopsPerStep: Double {
        let (first, second, last) = (28.0 * 28 * 16 * 9, 14.0 * 14 * 32 * 144, 1568.0 * 10)
        return 64 * (2 * (first + second + last) + 2 * first + 4 * (second + last))
    }

    public var parameters: [Parameter<Float>] { [c1, d1, c2, d2, w, b] }

    public mutating func loss() throws(TensorError) -> Variable<Float> {
        let (x, labels) = try batches.next()
        let padded = Window(padding: 1)
        let first = try reluMaxPool2d(conv2d(x, c1.variable, bias: d1.variable, padded), (2, 2))
        let second = try reluMaxPool2d(conv2d(first, c2.variable, bias: d2.variable, padded), (2, 2))
        let flat = try second.reshaped([64, 1568])
        return try crossEntropy(linear(flat, weight: w.variable, bias: b.variable), labels)
    }

    public mutating func learn() throws(TensorError) { try optimizer.step(parameters, rate: 1e-3) }
}

public import Tensors

/// One small problem for four programs: examples of Gaussian noise, labeled by a fixed linear teacher, and the weights
/// from which all of them begin.
///
///     hidden = relu(x W₁ + b₁)              x [batch, inputs], W₁ [inputs, hidden]
///     logits = hidden W₂ + b₂               W₂ [hidden, classes]
///     loss   = mean over the batch of -log softmax(logits)[label]
///     W     -= rate · dloss/dW
public struct ClassifierProblem: Sendable {
    public let inputs: Int
    public let hidden: Int
    public let classes: Int
    public let batch: Int
    /// The learning rate of plain gradient descent.
    public let rate: Float
    /// `[examples, inputs]`.
    public let examples: Tensor<Float>
    /// `[examples]`.
    public let labels: [Int32]
    /// `[inputs, hidden]` and `[hidden, classes]`; biases begin at zero.
    public let firstWeights: Tensor<Float>
    public let secondWeights: Tensor<Float>

    public init(
        inputs: Int = 784, hidden: Int = 256, classes: Int = 10, batch: Int = 128, count: Int = 2048,
        rate: Float = 0.05,
        seed: UInt64 = 1
    ) throws(TensorError) {
        self.inputs = inputs
        self.hidden = hidden
        self.classes = classes
        self.batch = batch
        self.rate = rate
        examples = try .normal([count, inputs], seed: seed, stream: 0)
        let teacher = try Tensor<Float>.normal([inputs, classes], seed: seed, stream: 1)
        labels = try matmul(examples, teacher).argmax(-1).elements
        firstWeights =
            try .normal([inputs, hidden], seed: seed, stream: 2) * (2 / Float(inputs)).squareRoot()
        secondWeights =
            try .normal([hidden, classes], seed: seed, stream: 3) * (1 / Float(hidden)).squareRoot()
    }

    /// The first example of a step's batch; batches go round.
    public func start(ofStep step: Int) -> Int { step * batch % (labels.count - batch + 1) }

    /// Multiplications and additions of one step: two products forward, three backward.
    public var flopsPerStep: Double {
        Double(batch) * (4 * Double(inputs) * Double(hidden) + 6 * Double(hidden) * Double(classes))
    }
}

/// One of the four programs: the same mathematics, written another way.
public protocol ClassifierTrainer: SendableMetatype {
    static var name: String { get }
    /// What this way of writing it buys, in a few words.
    static var idea: String { get }

    init(_ problem: ClassifierProblem) throws(TensorError)
    /// One step of gradient descent on examples from `start` on; the loss before the change.
    mutating func step(from start: Int) throws(TensorError) -> Float
}

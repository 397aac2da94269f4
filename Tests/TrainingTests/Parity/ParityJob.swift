import Models
import Tensors
import Training

/// A small training job of Goldens/parity/parity.py in our operations.
protocol ParityJob {
    static var name: String { get }
    static var steps: Int { get }
    var parameters: [Parameter<Float>] { get }
    /// The loss of the next batch, recorded.
    mutating func loss() throws -> Variable<Float>
    /// Changes the parameters by their gradients.
    mutating func learn() throws
    init() throws
}

/// A GPT over characters with fused operations, clipping and AdamW.
struct ParityGPT: ParityJob {
    static let name = "gpt"
    static let steps = 40
    static let (symbols, width, context, batch) = (33, 64, 32, 4)

    let model: TrainableTransformer<Float>
    private var optimizer: Optimizer<Float>
    private var starts = ParityNumbers("gpt/starts")
    private let text: [Int32]

    init() throws {
        model = try Self.model()
        for parameter in model.parameters {
            parameter.value = try ParityNumbers.parameter(Self.name, parameter.name, parameter.shape).value
        }
        optimizer = try Optimizer(.adamW, ["beta2": 0.99, "weight_decay": 0.1], decaying: .matrices)
        text = ParityNumbers.text(4000, symbols: Self.symbols)
    }

    static func model() throws -> TrainableTransformer<Float> {
        try TrainableTransformer(
            ModelConfiguration(
                family: .gpt2, vocabularySize: symbols, width: width, layerCount: 2, headCount: 4,
                feedForwardWidth: 4 * width, contextLength: context, normEpsilon: 1e-5, positions: .learned,
                tiesEmbeddings: true, activation: .geluTanh), seed: 0)
    }

    var parameters: [Parameter<Float>] { model.parameters }

    mutating func tokens() throws -> (inputs: Tensor<Int32>, targets: Tensor<Int32>) {
        var (inputs, targets): ([Int32], [Int32]) = ([], [])
        for _ in 0..<Self.batch {
            let start = Int(starts.word()) % (text.count - Self.context - 1)
            inputs += text[start..<start + Self.context]
            targets += text[start + 1..<start + Self.context + 1]
        }
        let shape = [Self.batch, Self.context]
        return (try Tensor(inputs, shape: shape), try Tensor(targets, shape: shape))
    }

    mutating func loss() throws -> Variable<Float> {
        let (inputs, targets) = try tokens()
        return try model.loss(inputs, targets: targets, Pass(isTraining: true))
    }

    mutating func learn() throws {
        _ = try clipGradients(of: parameters, toNorm: 1)
        try optimizer.step(parameters, rate: 1e-3)
    }
}

/// Examples that go round in batches.
struct ParityBatches {
    private let examples: Tensor<Float>
    private let labels: Tensor<Int32>
    private let size: Int
    private var step = 0

    init(_ job: String, count: Int, _ shape: [Int], size: Int) throws {
        (examples, labels) = try ParityNumbers.examples(job, count, shape)
        self.size = size
    }

    mutating func next() throws -> (x: Variable<Float>, labels: Tensor<Int32>) {
        let first = step * size % labels.count
        step += 1
        return (Variable(try examples[first..<first + size]), try labels[first..<first + size])
    }
}

/// Two linear layers with Adam.
struct ParityMLP: ParityJob {
    static let name = "mlp"
    static let steps = 100

    let parameters: [Parameter<Float>]
    private var batches: ParityBatches
    private var optimizer: Optimizer<Float>

    init() throws {
        parameters = try [("w1", [48, 64]), ("b1", [48]), ("w2", [10, 48]), ("b2", [10])].map {
            try ParityNumbers.parameter(Self.name, $0.0, $0.1)
        }
        batches = try ParityBatches(Self.name, count: 256, [64], size: 32)
        optimizer = try Optimizer(.adam)
    }

    mutating func loss() throws -> Variable<Float> {
        let (x, labels) = try batches.next()
        let w = parameters.map(\.variable)
        let hidden = try activated(linear(x, weight: w[0], bias: w[1]), .relu)
        return try crossEntropy(linear(hidden, weight: w[2], bias: w[3]), labels)
    }

    mutating func learn() throws { try optimizer.step(parameters, rate: 1e-3) }
}

/// Two convolutions with pools and a linear layer, with Adam.
struct ParityConvolution: ParityJob {
    static let name = "conv"
    static let steps = 40

    let parameters: [Parameter<Float>]
    private var batches: ParityBatches
    private var optimizer: Optimizer<Float>

    init() throws {
        let shapes = [
            ("c1", [6, 1, 3, 3]), ("d1", [6]), ("c2", [12, 6, 3, 3]), ("d2", [12]), ("w", [10, 108]), ("b", [10]),
        ]
        parameters = try shapes.map { try ParityNumbers.parameter(Self.name, $0.0, $0.1) }
        batches = try ParityBatches(Self.name, count: 64, [1, 12, 12], size: 16)
        optimizer = try Optimizer(.adam)
    }

    mutating func loss() throws -> Variable<Float> {
        let (x, labels) = try batches.next()
        let w = parameters.map(\.variable)
        let padded = Window(padding: 1)
        let first = try reluMaxPool2d(conv2d(x, w[0], bias: w[1], padded), (2, 2))
        let second = try reluMaxPool2d(conv2d(first, w[2], bias: w[3], padded), (2, 2))
        return try crossEntropy(linear(second.flattened(from: 1), weight: w[4], bias: w[5]), labels)
    }

    mutating func learn() throws { try optimizer.step(parameters, rate: 1e-3) }
}

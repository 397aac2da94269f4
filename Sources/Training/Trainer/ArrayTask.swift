internal import System
internal import Tensors

/// A network that learns classes or numbers from arrays.
final class ArrayTask: LearningTask {
    private let configuration: TrainingConfiguration
    private let data: ArrayData
    private let network: Sequential<Float>
    private var order: DataOrder

    var parameters: [Parameter<Float>] { network.parameters }
    var parameterCount: Int { parameters.reduce(0) { $0 + $1.count } }
    let unit = "examples"
    private var rows: Int { min(configuration.training.batch, data.train.count) }
    private var parts: Int { configuration.training.accumulation }
    var unitsPerStep: Int { rows * parts }
    var stepsPerEpoch: Double { Double(data.train.count) / Double(unitsPerStep) }
    let flopsPerStep: Double
    var lastWork: (units: Int, flops: Double) { (unitsPerStep, flopsPerStep) }
    let notes: [String]
    var dataDigest: UInt64 { data.digest }

    init(_ configuration: TrainingConfiguration) throws(Problem) {
        self.configuration = configuration
        data = try ArrayData(configuration)
        let builder = NetworkBuilder(configuration, data)
        do {
            network = try builder.network()
        } catch { throw Problem(error, in: configuration.path) }
        order = DataOrder(
            count: data.train.count, isShuffled: configuration.data.order == .shuffled, seed: configuration.run.seed)
        let rows = min(configuration.training.batch, data.train.count) * configuration.training.accumulation
        flopsPerStep = 6 * builder.multiplications * Double(rows)
        var notes: [String] = []
        if data.validation.isEmpty, configuration.evaluation.every > 0 {
            notes.append("no validation: no examples are held out.")
        }
        if !configuration.evaluation.prompts.isEmpty {
            notes.append("evaluation.prompts is ignored: models for arrays do not generate text.")
        }
        self.notes = notes
    }

    func learn(step: Int, isCancelled: () -> Bool) throws -> Double? {
        var loss = 0.0
        for part in 0..<parts {
            if part > 0, isCancelled() { throw StepCancelled() }
            let first = (step * parts + part) * rows
            let indices = (0..<rows).map { data.train[order.item(first + $0).item] }
            let pass = Pass(isTraining: true, seed: configuration.run.seed, step: step * parts + part)
            let output = try network(Variable(try inputs(indices)), pass)
            let result = try self.loss(output, indices) * (1 / Float(parts))
            try result.backward()
            loss += Double(result.scalar ?? 0)
        }
        return loss
    }

    func evaluate() throws -> [(series: String, value: Double)] {
        guard !data.validation.isEmpty else { return [] }
        let trained = parameters.filter(\.isTrainable)
        for parameter in trained { parameter.isTrainable = false }
        defer { for parameter in trained { parameter.isTrainable = true } }
        var (sum, right, count) = (0.0, 0, 0)
        var rest = data.validation[...]
        while !rest.isEmpty {
            let indices = Array(rest.prefix(max(rows, 256)))
            rest = rest.dropFirst(indices.count)
            let output = try network(Variable(try inputs(indices)), .evaluation)
            sum += Double(try loss(output, indices).scalar ?? 0) * Double(indices.count)
            count += indices.count
            if case .classes(let classes, _) = data.targets {
                let (numbers, width) = (output.value.elements, data.outputs)
                for (row, index) in indices.enumerated() {
                    let logits = numbers[row * width..<(row + 1) * width]
                    let best = logits.indices.max { logits[$0] < logits[$1] }.map { $0 - logits.startIndex }
                    if best == Int(classes[index]) { right += 1 }
                }
            }
        }
        var curves = [(series: RunSeries.validationLoss, value: sum / Double(count))]
        if case .classes = data.targets { curves.append((Self.accuracy, Double(right) / Double(count))) }
        return curves
    }

    static let accuracy = "validation/accuracy"

    /// Networks over arrays write nothing.
    func samples(step: Int) -> [(prompt: String, text: String)] { [] }

    func export(to folder: String) throws {
        try FileBytes.makeFolder(folder)
        try TensorFile.write(
            network.parameters.map { ($0.name, AnyTensor($0.value)) },
            metadata: ["format": "pt", "model": configuration.model.kind.rawValue], to: folder + "/model.safetensors")
    }

    private func inputs(_ indices: [Int]) throws(TensorError) -> Tensor<Float> {
        let rows = try data.rows(indices)
        return configuration.model.kind == .mlp
            ? try rows.reshaped([indices.count, rows.count / indices.count])
            : try rows.reshaped([indices.count] + NetworkBuilder(configuration, data).image)
    }

    private func loss(_ output: Variable<Float>, _ indices: [Int]) throws(TensorError) -> Variable<Float> {
        switch data.targets {
        case .classes(let classes, _):
            return try crossEntropy(output, try Tensor(indices.map { classes[$0] }))
        case .numbers(let numbers):
            let targets = try numbers.selecting(try Tensor(indices.map { Int32($0) }), axis: 0)
            return try meanSquaredError(output, Variable(targets))
        }
    }
}

/// The layers that a configuration asks for.
struct NetworkBuilder {
    private let model: TrainingConfiguration.Model
    private let dropout: Double
    private let seed: UInt64
    private let example: [Int]
    private let outputs: Int

    init(_ configuration: TrainingConfiguration, _ data: ArrayData) {
        model = configuration.model
        dropout = configuration.training.dropout
        seed = configuration.run.seed
        example = Array(data.inputs.shape.dropFirst())
        outputs = data.outputs
    }

    /// [channels, rows, columns] of one example.
    var image: [Int] {
        if !model.image.isEmpty { return model.image }
        return example.count == 2 ? [1] + example : example
    }

    func network() throws -> Sequential<Float> {
        var random = RandomStreams(seed: seed)
        var layers: [any Layer<Float>] = []
        var width = example.reduce(1, *)
        if model.kind == .conv {
            guard image.count == 3, image.reduce(1, *) == width else {
                let given = "examples of \(example)"
                throw Problem(
                    .invalid, "",
                    model.image.isEmpty
                        ? "\(given) are not images [channels, height, width]. Set model.image to their shape."
                        : "model.image \(model.image) does not match \(given): expected [channels, height, width] with "
                            + "\(width) values in total.")
            }
            var shape = image
            for (index, channels) in model.channels.enumerated() {
                layers.append(
                    try Conv2d(
                        "conv.\(index)", inputs: shape[0], outputs: channels, size: (3, 3), window: Window(padding: 1),
                        random: &random))
                layers.append(Activated<Float>(activation))
                shape[0] = channels
                if shape[1] >= 2, shape[2] >= 2 {
                    layers.append(MaxPool<Float>((2, 2)))
                    shape = [channels, shape[1] / 2, shape[2] / 2]
                }
            }
            layers.append(Flatten<Float>(from: 1))
            width = shape.reduce(1, *)
        }
        for (index, size) in (model.sizes + [outputs]).enumerated() {
            layers.append(
                try Linear<Float>("mlp.\(index)", inputs: width, outputs: size, random: &random))
            if index < model.sizes.count {
                layers.append(Activated<Float>(activation))
                if dropout > 0 { layers.append(try Dropout<Float>(dropout)) }
            }
            width = size
        }
        return Sequential(layers)
    }

    /// Multiplications of one example on its way forward.
    var multiplications: Double {
        var width = example.reduce(1, *)
        var sum = 0.0
        if model.kind == .conv, image.count == 3 {
            var shape = image
            for channels in model.channels {
                sum += 9 * Double(shape[0]) * Double(channels) * Double(shape[1]) * Double(shape[2])
                shape = [channels, max(1, shape[1] / 2), max(1, shape[2] / 2)]
            }
            width = shape.reduce(1, *)
        }
        for size in model.sizes + [outputs] {
            sum += Double(width) * Double(size)
            width = size
        }
        return sum
    }

    private var activation: Activation {
        switch model.activation {
        case .relu: .relu
        case .gelu: .gelu
        case .tanh: .tanh
        }
    }
}

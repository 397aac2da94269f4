internal import Models
internal import Tensors
internal import Training

/// The experiment in which induction heads form: a small attention-only transformer learns to continue random tokens
/// that repeat.
///
/// Two layers find the general solution: one head attends to the previous token, and another to what followed the last
/// occurrence. One layer cannot. If every row repeats after the same number of tokens, there is a shortcut: copying by
/// position, which one layer finds at once. It looks like success in training but fails on other periods.
///
/// - Source: Olsson et al., "In-context learning and induction heads", 2022; Elhage et al., "A mathematical framework for
///   transformer circuits", 2021.
public struct InductionExperiment: Sendable {
    public struct Configuration: Hashable, Sendable {
        public var layers = 2
        public var steps = 2000
        /// Range of periods, drawn for each row. A single value is the trap.
        public var periods: ClosedRange<Int> = 8...32
        public var vocabulary = 64
        /// Tokens of a row, and positions of the model.
        public var context = 64
        public var width = 64
        public var heads = 4
        public var batch = 32
        public var rate = 2e-3
        public var warmUp = 100
        public var weightDecay = 0.01
        /// With some seeds two heads of the first layer share the look at the previous token, and none of them does it
        /// alone; with this one a single head does.
        public var seed: UInt64 = 2
        /// Steps between two measurements of the loss on text it has not seen.
        public var measuredEvery = 20

        public init(layers: Int = 2, steps: Int = 2000, periods: ClosedRange<Int> = 8...32, seed: UInt64 = 2) {
            self.layers = layers
            self.steps = steps
            self.periods = periods
            self.seed = seed
        }

        /// Every row repeats after half of its tokens.
        public static func trap(layers: Int = 1, steps: Int = 2000, seed: UInt64 = 2) -> Configuration {
            Configuration(layers: layers, steps: steps, periods: 32...32, seed: seed)
        }
    }

    /// How far a run is.
    public struct Progress: Hashable, Sendable {
        /// Steps done.
        public var step: Int
        public var steps: Int
        /// Of this step's rows, over all tokens, in nats.
        public var loss: Double
        /// Of unseen repeated prompts, over the tokens that can be foreseen.
        public var secondCopyLoss: Double
    }

    public let configuration: Configuration

    /// - Throws: An error if numbers are out of range or do not fit one another.
    public init(_ configuration: Configuration = Configuration()) throws(InterpretabilityError) {
        let c = configuration
        let isSound =
            c.layers > 0 && c.steps > 0 && c.vocabulary > 1 && c.batch > 0 && c.heads > 0 && c.width % c.heads == 0
            && c.width > 0 && c.periods.lowerBound > 0 && c.periods.upperBound < c.context && c.context <= 4096
            && c.measuredEvery > 0 && c.rate > 0
        guard isSound else {
            throw InterpretabilityError(
                "induction experiment", problem: "inconsistent sizes",
                remedy:
                    "Periods must be shorter than the \(c.context) tokens of a row, and the width \(c.width) must be divisible "
                    + "by the \(c.heads) heads.")
        }
        self.configuration = configuration
    }

    /// Trains from the beginning. The same configuration gives the same model.
    ///
    /// - Parameters:
    ///   - progress: Called after every measurement, on this thread.
    ///   - isCancelled: Checked before every step.
    /// - Throws: `.cancelled`; an error if memory is short.
    public func run(
        progress: (Progress) -> Void = { _ in }, isCancelled: () -> Bool = { false }
    ) throws(InterpretabilityError) -> InductionResult {
        let c = configuration
        let model = try telling { try freshModel() }
        var history: [Progress] = []
        try telling {
            var optimizer = try Optimizer<Float>(.adamW, ["beta2": 0.98, "weight_decay": c.weightDecay])
            let schedule = ConstantSchedule(c.rate, warmUp: c.warmUp)
            let parameters = model.trainableParameters
            let unseen = try InductionPrompts(configuration, count: 16, stream: 2)
            var rows = InductionRows(configuration)
            for step in 0..<c.steps {
                if isCancelled() { throw InterpretabilityError.cancelled }
                let (tokens, targets) = try rows.next()
                let loss = try model.loss(tokens, targets: targets, Pass(isTraining: true, seed: c.seed, step: step))
                try loss.backward()
                try optimizer.step(parameters, rate: schedule.rate(at: step))
                clearGradients(of: parameters)
                guard (step + 1) % c.measuredEvery == 0 || step + 1 == c.steps else { continue }
                let point = Progress(
                    step: step + 1, steps: c.steps, loss: Double(loss.scalar ?? .nan),
                    secondCopyLoss: try unseen.losses(of: model).secondCopy)
                history.append(point)
                progress(point)
            }
        }
        return try InductionResult(configuration, model, history)
    }

    /// Attention alone in the clothes of GPT-2: a feed-forward of one number that is zero and stays so, and no biases but
    /// those of norms.
    private func freshModel() throws -> TrainableTransformer<Float> {
        let model = try TrainableTransformer<Float>(configuration.model, seed: configuration.seed)
        for (stream, parameter) in model.parameters.enumerated() {
            let (shape, name) = (parameter.shape, parameter.name)
            let isNorm = name.contains("norm")
            if name.contains(".ffn_") || (name.hasSuffix(".bias") && !isNorm) {
                parameter.value = isNorm ? parameter.value : try Tensor(repeating: 0, shape: shape)
                parameter.isTrainable = false
            } else if name.hasSuffix("_embd.weight") {
                parameter.value = try .normal(
                    shape, deviation: 0.1, seed: configuration.seed, stream: UInt32(16 + stream))
            } else if !isNorm {
                // Uniform within 1/√inputs, as linear layers usually begin.
                let bound = 1 / Double(configuration.width).squareRoot()
                parameter.value = try .uniform(
                    shape, in: -bound..<bound, seed: configuration.seed, stream: UInt32(16 + stream))
            }
        }
        return model
    }
}

extension InductionExperiment.Configuration {
    /// GPT-2 with an output matrix of its own.
    var model: ModelConfiguration {
        ModelConfiguration(
            family: .gpt2, name: "induction-\(layers)-layer", vocabularySize: vocabulary, width: width,
            layerCount: layers, headCount: heads, feedForwardWidth: 1, contextLength: context, normEpsilon: 1e-5,
            positions: .learned, tiesEmbeddings: false, activation: .geluTanh)
    }
}

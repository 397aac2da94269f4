internal import Tensors
internal import Tokenizers
internal import Training

/// Rows to learn from: random tokens that repeat after a period of their own.
struct InductionRows {
    private let configuration: InductionExperiment.Configuration
    private var random: PhiloxGenerator

    init(_ configuration: InductionExperiment.Configuration) {
        self.configuration = configuration
        random = PhiloxGenerator(seed: configuration.seed, stream: 1)
    }

    /// `[batch, context]` tokens, and what comes next; nothing after the last one.
    mutating func next() throws -> (tokens: Tensor<Int32>, targets: Tensor<Int32>) {
        let (batch, context, periods) = (configuration.batch, configuration.context, configuration.periods)
        var tokens: [Int32] = []
        var targets: [Int32] = []
        for _ in 0..<batch {
            let period = random.integer(in: periods.lowerBound..<periods.upperBound + 1)
            let copy = (0..<period).map { _ in Int32(random.integer(in: 0..<configuration.vocabulary)) }
            let row = (0..<context).map { copy[$0 % period] }
            tokens += row
            targets += row.dropFirst() + [-1]
        }
        return (try Tensor(tokens, shape: [batch, context]), try Tensor(targets, shape: [batch, context]))
    }
}

/// Unseen prompts of two copies of random tokens, three eighths of the context each.
struct InductionPrompts {
    let prompts: [RepeatedPrompt]
    let period: Int
    private let tokens: Tensor<Int32>

    init(_ configuration: InductionExperiment.Configuration, count: Int, stream: UInt64) throws {
        let period = max(2, 3 * configuration.context / 8)
        self.period = period
        prompts = try (0..<count).map { number in
            try RepeatedPrompt.random(
                period: period, from: 0..<TokenID(configuration.vocabulary), beginning: nil,
                seed: configuration.seed &+ stream << 32 &+ UInt64(number))
        }
        tokens = try Tensor(prompts.flatMap { $0.tokens.map { Int32($0) } }, shape: [count, 2 * period])
    }

    /// Returns mean losses within both copies, and the accuracy in the second copy, whose first token is unpredictable.
    func losses(
        of model: TrainableTransformer<Float>
    ) throws -> (firstCopy: Double, secondCopy: Double, accuracy: Double) {
        let logits = try model.logits(tokens, .evaluation)
        let best = try logits.value.argmax(1).elements
        let losses = try logSoftmax(logits.value)
        var (first, second, right) = (0.0, 0.0, 0)
        for (row, prompt) in prompts.enumerated() {
            for place in 0..<2 * period - 1 where place != period - 1 {
                let (at, target) = (row * 2 * period + place, Int(prompt.tokens[place + 1]))
                let loss = -Double(try losses.element(at: [at, target]))
                if place < period {
                    first += loss
                } else {
                    second += loss
                    right += Int(best[at]) == target ? 1 : 0
                }
            }
        }
        let count = Double(prompts.count * (period - 1))
        return (first / count, second / count, Double(right) / count)
    }
}

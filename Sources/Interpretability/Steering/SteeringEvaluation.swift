internal import Models
public import System
public import Tensors
public import Tokenizers

/// Whether a steering vector does what it is said to do, over many prompts, and what it costs.
///
/// ```swift
/// let evaluation = SteeringEvaluation(model, prompts: prompts, answering: runtime.greedyAnswers(tokens: 40)) {
///     tokenizer.decode($0).contains("dragon")
/// }
/// let report = try evaluation.report(vector, multiple: 2)
/// ```
public struct SteeringEvaluation {
    /// The answer to a prompt while something is changed, without the prompt.
    public typealias Answering = (
        _ prompt: [TokenID], _ changes: [Intervention<Float>]
    ) throws(Problem) -> [TokenID]

    public let model: any HookedModel<Float>
    public let prompts: [[TokenID]]
    /// Whether to steer the prompt too; `false` steers only the generation, starting at the prompt's last token.
    public var steersPrompt: Bool
    private let answering: Answering
    private let isSatisfied: ([TokenID]) -> Bool

    /// - Parameters:
    ///   - model: Model for measuring distributions.
    ///   - answering: Returns a generation; `greedyAnswers` of a model, or a sampler.
    ///   - isSatisfied: Returns whether a generation is as wanted.
    public init(
        _ model: any HookedModel<Float>, prompts: [[TokenID]], steersPrompt: Bool = true,
        answering: @escaping Answering, isSatisfied: @escaping ([TokenID]) -> Bool
    ) {
        self.model = model
        self.prompts = prompts
        self.steersPrompt = steersPrompt
        self.answering = answering
        self.isSatisfied = isSatisfied
    }

    /// Answers all prompts untouched, steered, and with random vectors.
    ///
    /// - Parameters:
    ///   - controlSeeds: Seeds of random directions, one each.
    ///   - progress: Called with the number of generations so far and their total.
    public func report(
        _ vector: SteeringVector, multiple: Float, controlSeeds: [UInt64] = [0],
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }, isCancelled: () -> Bool = { false }
    ) throws(Problem) -> SteeringReport {
        guard !prompts.isEmpty, prompts.allSatisfy({ !$0.isEmpty }) else {
            throw Problem(
                .missing, "steering evaluation", "no prompts, or an empty prompt",
                remedy: "Add prompts that are not empty.")
        }
        let controls = try controlSeeds.map { seed throws(Problem) in
            try vector.randomControl(seed: seed)
        }
        var sums = (untouched: SteeringSums(), steered: SteeringSums(), control: SteeringSums())
        let total = prompts.count * (2 + controls.count)
        var done = 0
        for prompt in prompts {
            let base = try Baseline(self, prompt)
            func run(
                _ vector: SteeringVector?, _ sums: inout SteeringSums
            ) throws(Problem) {
                if isCancelled() { throw .cancelled() }
                try measure(base, vector, multiple, &sums)
                done += 1
                progress(done, total)
            }
            try run(nil, &sums.untouched)
            try run(vector, &sums.steered)
            for control in controls { try run(control, &sums.control) }
        }
        return SteeringReport(
            untouched: sums.untouched.measure("untouched"), steered: sums.steered.measure(vector.method),
            control: sums.control.measure("random directions of the same length"), multiple: multiple)
    }

    /// A prompt, its untouched answer, and the distributions on the way.
    private struct Baseline {
        let prompt: [TokenID]
        let answer: [TokenID]
        let rows: [MetricLogits]

        init(_ evaluation: SteeringEvaluation, _ prompt: [TokenID]) throws(Problem) {
            self.prompt = prompt
            answer = try evaluation.answering(prompt, [])
            rows = try evaluation.rows(prompt, answer, [])
        }
    }

    private func measure(
        _ base: Baseline, _ vector: SteeringVector?, _ multiple: Float, _ sums: inout SteeringSums
    ) throws(Problem) {
        let positions: PositionSelection = steersPrompt ? .all : .from(base.prompt.count - 1)
        let changes =
            try vector.map { vector throws(Problem) in
                try vector.adding(multiple, at: positions)
            } ?? []
        let rows = vector == nil ? base.rows : try rows(base.prompt, base.answer, changes)
        for (index, token) in base.answer.enumerated() {
            sums.divergence += base.rows[index].divergence(to: rows[index])
            sums.loss -= rows[index].logProbabilities[Int(token)]
        }
        sums.tokens += base.answer.count
        let answer = vector == nil ? base.answer : try answering(base.prompt, changes)
        let own = vector == nil ? base.rows : try self.rows(base.prompt, answer, [])
        for (row, token) in zip(own, answer) { sums.answerLoss -= row.logProbabilities[Int(token)] }
        sums.answerTokens += answer.count
        sums.answers.append(answer)
        sums.hits += isSatisfied(answer) ? 1 : 0
    }

    /// What is foretold for each token of an answer.
    private func rows(
        _ prompt: [TokenID], _ answer: [TokenID], _ changes: [Intervention<Float>]
    ) throws(Problem) -> [MetricLogits] {
        guard !answer.isEmpty else { return [] }
        let text = prompt + answer.dropLast()
        let logits = try model.run(text, changes, keeping: .only([.logits]))[.logits]
        return try answer.indices.map { index throws(Problem) in
            try MetricLogits(logits, at: prompt.count - 1 + index)
        }
    }
}

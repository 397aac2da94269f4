import Glibc
import Interpretability
import Models
import System
import Tensors
import TestFixtures
import Testing
import Tokenizers
import Training

@Suite("An evaluation of steering")
struct SteeringEvaluationTests {
    static let wanderer =
        #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 } + "/sample-data/models/wanderer"

    /// Answers of three tokens, each the most probable, by whole runs.
    private static func greedy(
        _ model: any HookedModel<Float>, tokens: Int = 3
    ) -> SteeringEvaluation.Answering {
        { prompt, changes throws(Problem) in
            var text = prompt
            for _ in 0..<tokens {
                let logits = try model.run(text, changes, keeping: .only([.logits]))[.logits]
                let row = logits.elements.suffix(logits.shape[1])
                text.append(TokenID((row.indices.max { row[$0] < row[$1] } ?? 0) - row.startIndex))
            }
            return Array(text.dropFirst(prompt.count))
        }
    }

    @Test("finds that a push toward a token's own direction makes it said, and that random pushes do not")
    func push() throws {
        let model = try TransformerLensGolden.small().model("gpt", as: Float.self)
        let direction = try model.weights.unembedding[.all, 5].contiguous()
        let prompts: [[TokenID]] = (0..<8).map { [1, $0, 10 - $0] }
        let vector = try SteeringVector(direction, hook: .residualPost(layer: 1), method: "toward 5")
            .inResidualNorms(of: model, over: prompts)
        var told: [Int] = []
        let evaluation = SteeringEvaluation(model, prompts: prompts, answering: Self.greedy(model)) {
            $0.filter { $0 == 5 }.count >= 2
        }
        let report = try evaluation.report(vector, multiple: 3, controlSeeds: [1, 2]) { done, total in
            told.append(done)
            #expect(total == 32)
        }
        #expect(told == Array(1...32))
        #expect(report.steered.satisfied == Proportion(hits: 8, count: 8))
        #expect(report.control.satisfied.count == 16)
        #expect(report.isAboveControl)
        #expect(report.untouched.divergence == 0)
        #expect(report.steered.divergence > 0 && report.control.divergence > 0)
        #expect(report.untouched.perplexity == report.untouched.answerPerplexity)
        #expect(report.steered.answerPerplexity > report.untouched.answerPerplexity)
        #expect(report.csv().split(separator: "\n").count == 4)
    }

    @Test("measures divergence and perplexity on the untouched answer")
    func measures() throws {
        let model = try TransformerLensGolden.small().model("llama", as: Float.self)
        let vector = try SteeringVector(.normal([16], seed: 2), hook: .residualPost(layer: 0))
        let prompt: [TokenID] = [1, 4, 2]
        let answer = try Self.greedy(model)(prompt, [])
        for steersPrompt in [true, false] {
            var evaluation = SteeringEvaluation(model, prompts: [prompt], answering: Self.greedy(model)) { _ in true }
            evaluation.steersPrompt = steersPrompt
            let report = try evaluation.report(vector, multiple: 1)
            let changes = try vector.adding(1, at: steersPrompt ? .all : .from(2))
            let text = prompt + answer
            func logProbabilities(_ changes: [Intervention<Float>]) throws -> Tensor<Double> {
                let logits = try model.run(text, changes, keeping: .only([.logits]))[.logits]
                return try logSoftmax(logits.converted(to: Double.self))[2..<5]
            }
            let (before, after) = (try logProbabilities([]), try logProbabilities(changes))
            let (p, q) = (before.elements, after.elements)
            let divergence = zip(p, q).reduce(0) { $0 + exp($1.0) * ($1.0 - $1.1) } / 3
            let loss = -answer.enumerated().reduce(0) { $0 + q[$1.offset * 11 + Int($1.element)] } / 3
            #expect(abs(report.steered.divergence - divergence) < 1e-5)
            #expect(abs(report.steered.perplexity - exp(loss)) < 1e-4)
        }
    }

    @Test("can be ended, and needs prompts")
    func endings() throws {
        let model = try TransformerLensGolden.small().model("gpt", as: Float.self)
        let vector = try SteeringVector(.normal([16], seed: 2), hook: .residualPost(layer: 0))
        let evaluation = SteeringEvaluation(model, prompts: [[1]], answering: Self.greedy(model)) { _ in true }
        let cancelled = #expect(throws: Problem.self) {
            try evaluation.report(vector, multiple: 1, isCancelled: { true })
        }
        #expect(cancelled?.kind == .cancelled)
        let empty = SteeringEvaluation(model, prompts: [], answering: Self.greedy(model)) { _ in true }
        let error = #expect(throws: Problem.self) { try empty.report(vector, multiple: 1) }
        #expect(
            error?.sentence == "steering evaluation: no prompts, or an empty prompt. Add prompts that are not empty.")
    }

    @Test(
        "answers on a kept cache as by whole runs, steered and not",
        .enabled(if: File.bytes(wanderer + "/config.json") != nil, "\(wanderer) is not on this machine"))
    func keptCache() throws {
        let model = try RuntimeModel(Checkpoints.open(Self.wanderer))
        let vector = try SteeringVector(.normal([model.width], seed: 2), hook: .residualPost(layer: 0))
        let prompt: [TokenID] = [5, 9, 12, 7]
        for multiple: Float in [0, 2] {
            for positions in [PositionSelection.all, .from(3)] {
                let changes = try vector.adding(multiple, at: positions)
                let answer = try model.greedyAnswers(tokens: 8)(prompt, changes)
                #expect(try Self.greedy(model, tokens: 8)(prompt, changes) == answer)
                if let third = answer.dropFirst(2).first, !answer.prefix(2).contains(third) {
                    let ended = try model.greedyAnswers(tokens: 8, ends: [third])(prompt, changes)
                    #expect(ended == Array(answer.prefix(2)))
                }
            }
        }
    }
}

import EvalLogs
import Evals
import JSON
import LanguageModels
import Providers
import System
import TestFixtures
import Testing

@Suite("Recorded answers")
struct RecordedAnswerTests {
    let folder = TemporaryFolder()

    private func task(_ confidence: String) throws -> EvalTask {
        let path = folder.unique("t") + ".toml"
        File.write(
            """
            kind = "recorded"
            answer = "{{ said }}"
            confidence = "{{ sure }}"
            target = "{{ right }}"
            [data]
            rows = [{ said = "yes", right = "yes", sure = \(confidence) }]
            [[scorers]]
            kind = "label"
            labels = ["yes", "no"]
            """, to: path)
        return try #require(try TaskFormats.load(path).first)
    }

    @Test("recorded answers are scored with their confidence, without a model")
    func judged() throws {
        let task = try task("0.75")
        let solution = try Solvers.recorded.solve(task.samples[0], SolvingAttempt())
        let score = try Scorers.make(task.scorers[0]).score(solution, of: task.samples[0], in: ScoringRoom()).first
        #expect(solution.answers == ["yes"] && solution.steps.isEmpty)
        #expect(score?.value == 1 && score?.confidence == 0.75 && score?.label == "yes")
    }

    @Test("an invalid confidence is an error", arguments: ["1.5", "\"much\"", "nan"])
    func refused(confidence: String) { #expect(throws: Problem.self) { try task(confidence) } }

    @Test("a repeated sample has as many requests")
    func repeats() throws {
        let model = ScriptedModel([.text("1"), .text("2"), .text("3")])
        var sample = TaskSample(
            id: "a", request: .generation(ModelRequest(.text("x"), sampling: Sampling(temperature: 1))))
        sample.repeats = 3
        let solution = try ModelSolver(model).solve(sample, SolvingAttempt(seed: 8))
        #expect(solution.answers == ["1", "2", "3"])
        let seeds = solution.steps.compactMap { step -> UInt64? in
            if case .model(let call) = step { call.request.sampling.seed } else { nil }
        }
        #expect(Set(seeds).count == 3, "each draw has a seed of its own")
    }
}

import Interpretability
import Models
import System
import Tensors
import TestFixtures
import Testing
import Tokenizers

@Suite("The induction experiment")
struct InductionExperimentTests {
    /// Small enough to learn in seconds.
    private var small: InductionExperiment.Configuration {
        var configuration = InductionExperiment.Configuration(steps: 320, periods: 4...12, seed: 1)
        configuration.vocabulary = 32
        configuration.context = 32
        configuration.width = 32
        configuration.heads = 2
        configuration.rate = 6e-3
        configuration.warmUp = 50
        configuration.measuredEvery = 40
        return configuration
    }

    @Test("teaches two layers what one does not learn")
    func learns() throws {
        let two = try InductionExperiment(small).run()
        var oneLayer = small
        oneLayer.layers = 1
        let one = try InductionExperiment(oneLayer).run()
        #expect(two.secondCopyLoss < 0.6)
        #expect(two.accuracy > 0.8)
        #expect(one.secondCopyLoss > 1.5)
        #expect(one.accuracy < 0.6)
        #expect(two.best(HeadScoreDefinition(.induction)) > 0.5)
        #expect(two.best(HeadScoreDefinition(.previousToken)) > 0.35)
        #expect(one.best(HeadScoreDefinition(.induction)) < 0.3)
        #expect(two.history.map(\.step) == Array(stride(from: 40, through: 320, by: 40)))
        #expect(two.firstStep(below: 1.5) != nil)
        #expect(two.headScores[HeadScoreDefinition(.induction, .product)]?.map(\.count) == [2, 2])
    }

    @Test("gives the same model for the same seed, and stops when canceled")
    func seedsAndCancellation() throws {
        var configuration = small
        configuration.steps = 20
        configuration.measuredEvery = 5
        let (a, b) = (try InductionExperiment(configuration).run(), try InductionExperiment(configuration).run())
        #expect(a.history == b.history)
        #expect(a.model.weights.embedding == b.model.weights.embedding)
        var (steps, seen) = (0, 0)
        do {
            _ = try InductionExperiment(configuration).run(progress: { _ in seen += 1 }) {
                steps += 1
                return steps > 12
            }
            Issue.record("it went on")
        } catch {
            #expect(error.kind == .cancelled)
        }
        #expect(seen == 2)
    }

    @Test("writes a folder that the runtime opens and that computes the same")
    func export() throws {
        var configuration = small
        configuration.steps = 10
        let result = try InductionExperiment(configuration).run()
        let folder = TemporaryFolder()
        try result.export(to: folder.file("induction"))
        let checkpoint = try Checkpoints.open(folder.file("induction"))
        let runtime = try RuntimeModel(checkpoint)
        let tokens: [TokenID] = [3, 1, 4, 1, 5, 9, 2, 6]
        let hooks = Set(result.model.hooks)
        let (a, b) = (try result.model.run(tokens), try runtime.run(tokens, keeping: .only(hooks)))
        for hook in result.model.hooks {
            let expected = try a[hook].converted(to: Double.self)
            #expect(misfit(try b[hook], expected, within: 1e-4) <= 1, "\(hook.name)")
        }
        let tokenizer = try #require(try checkpoint.tokenizer())
        #expect(tokenizer.encode("ABBA", addingSpecialTokens: false).map { Int($0) } == [0, 1, 1, 0])
    }

    @Test("refuses sizes that do not fit")
    func refusals() {
        var configuration = InductionExperiment.Configuration()
        configuration.periods = 8...64
        #expect(throws: Problem.self) { _ = try InductionExperiment(configuration) }
        configuration = InductionExperiment.Configuration()
        configuration.heads = 5
        #expect(throws: Problem.self) { _ = try InductionExperiment(configuration) }
    }
}

import Console
import Formatting
import Foundation
import JSON
import LanguageModels
import ModelLab
import TestFixtures
import Testing
import Workbench

/// Figures that are seen in several places are written by one formatter, and so agree.
@Suite("The figures of a generation")
struct TokenFigureTests {
    let made: TestWorkspace
    let driver: ShellDriver

    init() throws {
        made = try TestWorkspace.conversed()
        driver = .tokens(made.workspace, size: Size(200, 60), opening: Reference(.generation, [1], title: ""))
        try driver.type("<tab>")
    }

    @Test("the probability above the alternatives, in their table, in the list of surprises, and in JSON is the same")
    func probabilities() throws {
        let generation = try #require(try made.generations.generation(1))
        let json = try Self.steps(of: generation)
        try driver.type("gg" + String(repeating: "l", count: generation.prompt.count))
        for (index, step) in json.enumerated() {
            let written = Format.probability(exp(step.logProbability))
            let screen = driver.text
            #expect(screen.contains("Token \(index + 1) ──"))
            #expect(screen.contains("│ p \(written)  entropy"), "token \(index + 1)")
            let chosen = try #require(driver.rows(with: "▸  ").first { $0.contains("%") })
            #expect(chosen.contains(" \(written) "), "token \(index + 1): \(chosen)")
            for listed in driver.rows(with: " \(index + 1) ") where listed.contains("least probable") {
                #expect(listed.contains(written))
            }
            for alternative in step.alternatives {
                #expect(screen.contains(Format.probability(exp(alternative))))
            }
            try driver.type("l")
        }
    }

    @Test("the counts and means of a generation follow from its tokens")
    func sums() throws {
        let generation = try #require(try made.generations.generation(1))
        let logs = try Self.steps(of: generation).map(\.logProbability)
        let sum = logs.reduce(0, +)
        #expect(driver.rows(with: "log p ").contains { $0.contains(Format.fixed(sum, digits: 3)) })
        let perplexity = Format.fixed(exp(-sum / Double(logs.count)), digits: 3)
        #expect(driver.rows(with: "perplexity").contains { $0.contains(perplexity) })
        let rate = Format.rate(try #require(generation.tokensPerSecond), "tokens")
        #expect(driver.row(1).contains(rate) && driver.rows(with: "speed ").contains { $0.contains(rate) })
        #expect(driver.row(1).contains("\(logs.count) output tokens"))
        #expect(driver.rows(with: "generation ").contains { $0.contains("\(logs.count) tokens") })
    }

    @Test("generated text has the same probability as when it is scored")
    func scores() throws {
        let made = try TestWorkspace()
        let house = ModelHouse(made.workspace)
        let model = try house.model("orrery-mini")
        var document = PromptDocument(model: "orrery-mini", input: .text("Story: One winter a"))
        document.sampling.temperature = 0
        document.sampling.maximumTokens = 12
        let session = try made.session("story", document)
        let run = GenerationRun(GenerationStore(made.workspace), model: model, now: Place.now)
        let generation = try run.run(
            Generation(session: session.id, document: document, model: "orrery-mini", started: Place.now()),
            isCancelled: { false })
        // Read by the attention page, which computes every token of the text at once.
        let driver = ShellDriver(
            made.workspace, size: Size(200, 60), panels: [PanelEntry(AttentionPage.self)],
            opening: Reference(.token, [generation.id, 0], title: ""))
        driver.finishJobs()
        for step in generation.steps {
            let expected = exp(try #require(step.logProbability))
            let line = try #require(driver.rows(with: "   p ").first { $0.contains("entropy") })
            let written = try #require(line.firstMatch(of: /p ([0-9.<]+) %/)).output.1
            let shown = try #require(Double(written.replacing("<", with: "")))
            // Two decimals of a percentage.
            #expect(abs(shown - 100 * expected) < 0.011, "\(step.text): \(line)")
            try driver.type("l")
        }
    }

    @Test("each operation of a model has one row in the Live pane, with its share of the time")
    func operations() throws {
        let made = try TestWorkspace()
        var document = PromptDocument(model: "orrery-mini", input: .text("Story: One winter a"))
        document.sampling.maximumTokens = 12
        let session = try made.session("story", document)
        let driver = ShellDriver.tokens(made.workspace, opening: Reference(.session, [session.id], title: ""))
        try driver.ask("r")
        #expect(driver.text.contains("Live ──"))
        for operation in ["attention ", "attn q k v", "norms"] {
            #expect(driver.rows(with: "│  \(operation)").count == 1, "\(operation)")
        }
        #expect(driver.rows(with: "  share").count == 1)
    }

    private struct Step {
        var logProbability: Double
        var alternatives: [Double]
    }

    /// What `--json` prints of the tokens.
    private static func steps(of generation: Generation) throws -> [Step] {
        let data = Data(generation.json(.compact).utf8)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let steps = try #require(object["steps"] as? [[String: Any]])
        return try steps.map { step in
            let alternatives = step["alternatives"] as? [[String: Any]] ?? []
            return Step(
                logProbability: try #require(step["log_probability"] as? Double),
                alternatives: alternatives.compactMap { $0["log_probability"] as? Double })
        }
    }
}

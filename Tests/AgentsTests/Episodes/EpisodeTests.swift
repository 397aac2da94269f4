import Agents
import LanguageModels
import Testing
import Training

/// What the corpus of orrery-mini shows is what a run looks like: the same prompts, and the same observations from the
/// real tools.
@Suite("Episodes of the corpus, with the real tools in the loop")
struct EpisodeTests {
    private static func recipe() throws -> SyntheticRecipe {
        let root = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
        return try SyntheticRecipe(contentsOf: root + "/sample-data/training/orrery-mini.toml")
    }

    @Test("go as they are written, byte for byte")
    func evaluation() throws {
        var set = try EvaluationSet(Self.recipe())
        set.keep(60)
        #expect(set.episodes.count == 60)
        for episode in set.episodes {
            // Every turn as the corpus has it, and every text that the model is given before one.
            var text = episode.prompt
            var (turns, prompts): ([Script.Answer], [String]) = ([], [])
            for step in episode.steps {
                let turn = "Thought: \(step.thought)\nAction: \(step.action)"
                turns.append(.text(turn))
                prompts.append(text)
                text += "\(turn)\nObservation: \(step.observation)\n"
            }
            turns.append(.text("Thought: \(episode.thought)\nAnswer: \(episode.answer)\n"))
            prompts.append(text)

            let table = try LookupTable(episode.world.table.map { (key: $0.key, value: $0.value) })
            let tools = try ToolBox([Calculator(), LookupTool(table), SearchTool(episode.world.documents)])
            let model = Script(turns)
            let run = ReActAgent(model, tools: tools, options: .init(form: .text))
                .run(episode.question, documents: episode.documents)
            #expect(run.outcome == .answered(episode.answer), "\(text)")
            #expect(model.prompts == prompts)
            #expect(run.steps.flatMap(\.observations).map(\.text) == episode.steps.map(\.observation))
        }
        // All that tools are used for is among them.
        #expect(Set(set.episodes.map(\.kind)) == Set(Episode.Kind.allCases).subtracting([.repair]))
    }

    @Test("of mistakes and their repair have the tools' own errors")
    func repairs() throws {
        let recipe = try Self.recipe()
        let source = try #require(recipe.sources.firstIndex { if case .episodes = $0.source { true } else { false } })
        var generator = SyntheticGenerator(recipe)
        let tools = try ToolBox([Calculator(), LookupTool(), SearchTool()])
        var errors: Set<String> = []
        for number in 0..<400 {
            let text = try generator.document(source: source, number: number).text
            guard text.contains("\nThought: That was an error.") else { continue }
            let start = try #require(text.firstRange(of: "Question: "))
            let lines = text[start.upperBound...].split(separator: "\n")
            let turns = lines.indices.filter { lines[$0].hasPrefix("Action: ") }.map { place in
                // A mistake stands without a thought where the corpus has it so.
                let thought = place > 0 && lines[place - 1].hasPrefix("Thought: ") ? "\(lines[place - 1])\n" : ""
                return Script.Answer.text(thought + lines[place])
            }
            let model = Script(turns + [.text(lines.suffix(2).joined(separator: "\n"))])
            _ = ReActAgent(model, tools: tools, options: .init(form: .text)).run(String(lines[0]))
            // What the model has read in the end is the document up to its last turn.
            #expect(model.prompts.last.map { $0 + lines.suffix(2).joined(separator: "\n") + "\n" } == text)
            let observations = lines.filter { $0.hasPrefix("Observation: error: ") }
            errors.formUnion(observations.map { $0.contains("unknown tool") ? "tool" : "expression" })
        }
        #expect(errors == ["tool", "expression"])
    }
}

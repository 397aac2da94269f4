import Agents
import ArgumentParser
import CommandSupport
import Console
import Glibc
import Inference
import JSON
import LanguageModels
import Models
import Providers
import Tokenizers
import Traces
import Training
import Workspace

extension TrainCommand {
    struct Card: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "card",
            abstract: "Evaluate a model on its recipe's held-out data, and write a card.",
            discussion: """
                The evaluation measures perplexity on stories, and accuracy on questions about documents with unseen \
                names, on the same questions with other documents, and on episodes solved with the real tools. All data \
                is regenerated from the recipe.
                """)

        @Argument(help: "Model folder or file.", completion: .file())
        var model: String

        @Argument(help: "Recipe of the model's training corpus.", completion: .file(extensions: ["toml"]))
        var recipe: String

        @OptionGroup var options: LocalModelOptions

        @Option(help: "Maximum questions, episodes, and stories; skips writing the card.")
        var limit: Int?

        @Option(help: "Output file (default: next to the model).", completion: .file(extensions: ["md"]))
        var output: String?

        @OptionGroup var format: JSONOption

        func validate() throws {
            guard (limit ?? 1) > 0 else { throw ValidationError("--limit must be at least 1.") }
        }

        func run() throws {
            try answering {
                let recipe = try SyntheticRecipe(contentsOf: recipe)
                var set = try EvaluationSet(recipe)
                if let limit { set.keep(limit) }
                let opened = try options.open(model, workspace: nil)
                let line = FractionLine("measuring")
                let cancellation = Cancellation()
                let score = opened.local.map { local in
                    { (text: String) throws in try Self.score(text, local) }
                }
                let figures = try Interruption.cancelling(cancellation) {
                    try set.figures(
                        of: opened.model, score: score, solve: { try Self.solve($0, opened.model, cancellation) },
                        progress: { line.show($0, "") }, isCancelled: { cancellation.isCancelled })
                }
                line.end()
                let summary = opened.local == nil ? nil : try? Checkpoints.summary(model)
                let card = ModelCard(
                    name: opened.local?.name ?? model, parameters: summary?.parameters, recipe: recipe, figures: figures
                )
                if limit == nil || output != nil {
                    let path = output ?? Self.place(beside: model)
                    try ExportFile.write(path) { try $0(card.markdown) }
                    Output.note("wrote \(path)")
                }
                if format.json { return Output.json(figures) }
                Output.result(card.markdown)
            }
        }

        /// Returns the path of the card: next to a model file, or in a model folder.
        static func place(beside model: String) -> String {
            var status = stat()
            if stat(model, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return model + "/MODEL_CARD.md" }
            return model + ".card.md"
        }

        /// Returns the score of a story. The first token has no context and is not scored.
        static func score(_ text: String, _ local: LocalModel) throws -> (logProbability: Double, tokens: Int) {
            let ids = local.tokenizer.encode(text, addingSpecialTokens: true)
            let scores = try local.withGenerator { generator, _ in
                try generator.score(ids, from: 1, isCancelled: { false })
            }
            return (scores.logLikelihood, scores.count)
        }

        /// Runs an episode with the real tools.
        static func solve(
            _ episode: Episode, _ model: any LanguageModel, _ cancellation: Cancellation
        ) throws -> (answer: String?, text: String) {
            let table = try LookupTable(episode.world.table.map { (key: $0.key, value: $0.value) })
            let tools = try ToolBox([Calculator(), LookupTool(table), SearchTool(episode.world.documents)])
            // Limit only tokens and steps: results must not depend on the load of the machine.
            let limits = AgentLimits(steps: 8, tokens: 4_000, seconds: .infinity, tokensPerTurn: 120)
            let agent = ReActAgent(model, tools: tools, options: .init(limits: limits, form: .text))
            let run = agent.run(
                episode.question, documents: episode.documents, isCancelled: { cancellation.isCancelled })
            return (run.outcome.answer, run.transcript)
        }
    }
}

extension AgentRun {
    /// Generated text and tool results, line by line.
    fileprivate var transcript: String {
        var lines: [String] = []
        for step in steps {
            if let thought = step.thought { lines.append("Thought: \(thought)") }
            for (index, call) in step.calls.enumerated() {
                lines.append("Action: \(call.name) \(call.arguments)")
                if index < step.observations.count { lines.append("Observation: \(step.observations[index].text)") }
            }
        }
        lines.append(outcome.answer.map { "Answer: \($0)" } ?? "\(outcome.name): \(outcome.problem ?? "")")
        return lines.joined(separator: "\n")
    }
}

import Agents
import ArgumentParser
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
            abstract: "Measure a model on what its recipe holds out, and write the model card beside it.",
            discussion: """
                Story perplexity, questions on documents with names never seen, the same questions with other documents, \
                and episodes solved with the real tools in the loop. All of it is made anew from the recipe.
                """)

        @Argument(help: "The model: a folder or a file.", completion: .file())
        var model: String

        @Argument(help: "The recipe of its corpus.", completion: .file(extensions: ["toml"]))
        var recipe: String

        @OptionGroup var options: LocalModelOptions

        @Option(help: "How many questions, episodes and stories at most, for a quick look; then no card is written.")
        var limit: Int?

        @Option(help: "Where the card is written, rather than beside the model.", completion: .file(extensions: ["md"]))
        var output: String?

        @OptionGroup var format: JSONOption

        func validate() throws {
            guard (limit ?? 1) > 0 else { throw ValidationError("--limit takes 1 or more.") }
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
                    Output.note("\(path) was written")
                }
                if format.json { return Output.json(figures) }
                Output.result(card.markdown)
            }
        }

        /// Beside a file, or in a folder.
        static func place(beside model: String) -> String {
            var status = stat()
            if stat(model, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return model + "/MODEL_CARD.md" }
            return model + ".card.md"
        }

        /// A story begins a text: its first token is not predicted from anything, and is not scored.
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
            // Tokens and steps alone: what is solved must not depend on how busy the machine is.
            let limits = AgentLimits(steps: 8, tokens: 4_000, seconds: .infinity, tokensPerTurn: 120)
            let agent = ReActAgent(model, tools: tools, options: .init(limits: limits, form: .text))
            let run = agent.run(
                episode.question, documents: episode.documents, isCancelled: { cancellation.isCancelled })
            return (run.outcome.answer, run.transcript)
        }
    }
}

extension AgentRun {
    /// What was written and what the tools answered, line by line.
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

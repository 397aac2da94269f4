import ArgumentParser
import CommandSupport
import Console
import Glibc
import JSON
import System
import Training
import Workspace

extension TrainCommand {
    struct Data: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "data",
            abstract: "Generate a synthetic corpus from a recipe: tokens, tokenizer, held-out sets.",
            discussion: """
                A recipe defines a grammar, the kinds of documents, their shares, and the held-out sets. Equal recipes \
                produce equal bytes. The folder also gets a data card.
                """)

        @Argument(help: "Recipe file.", completion: .file(extensions: ["toml"]))
        var recipe: String

        @Argument(help: "Folder to write; created if missing.", completion: .directory)
        var output: String

        @Option(help: "Training tokens (default: from the recipe).")
        var tokens: Int?

        @Option(help: "Seed (default: from the recipe).")
        var seed: UInt64?

        @Flag(help: "Overwrite an existing corpus.")
        var force = false

        @OptionGroup var format: JSONOption

        func validate() throws {
            guard (1_000...2_000_000_000).contains(tokens ?? 1_000) else {
                throw ValidationError("--tokens must be 1000 to 2000000000.")
            }
        }

        func run() throws {
            try answering {
                var recipe = try SyntheticRecipe(contentsOf: recipe)
                if let tokens { recipe.tokens = tokens }
                if let seed { recipe.seed = seed }
                guard force || access(output + "/train.tokens", F_OK) != 0 else {
                    throw Problem(
                        .invalid, "", "\(output) already contains a corpus",
                        remedy: "Overwrite it with --force, or choose another folder.")
                }
                let line = FractionLine("writing")
                let cancellation = Cancellation()
                let card = try Interruption.cancelling(cancellation) {
                    try SyntheticCorpus(recipe).write(
                        to: output, progress: { line.show($0, "") }, isCancelled: { cancellation.isCancelled })
                }
                line.end()
                if format.json { return Output.json(card) }
                Output.result(card.markdown)
            }
        }
    }
}

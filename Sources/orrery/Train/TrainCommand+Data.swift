import ArgumentParser
import Console
import Glibc
import JSON
import Training
import Workspace

extension TrainCommand {
    struct Data: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "data",
            abstract: "Make a synthetic corpus from a recipe: tokens, tokenizer, held-out sets and data card.",
            discussion: """
                A recipe names a grammar, the kinds of documents, their shares and what is held out. The same recipe gives \
                the same bytes.
                """)

        @Argument(help: "The recipe.", completion: .file(extensions: ["toml"]))
        var recipe: String

        @Argument(help: "The folder to write; it is made where there is none.", completion: .directory)
        var output: String

        @Option(help: "Tokens of the training set, rather than those of the recipe.")
        var tokens: Int?

        @Option(help: "The seed, rather than that of the recipe.")
        var seed: UInt64?

        @Flag(help: "Replace a corpus that is there.")
        var force = false

        @OptionGroup var format: JSONOption

        func validate() throws {
            guard (1_000...2_000_000_000).contains(tokens ?? 1_000) else {
                throw ValidationError("--tokens takes 1000 to 2000000000.")
            }
        }

        func run() throws {
            try answering {
                var recipe = try SyntheticRecipe(contentsOf: recipe)
                if let tokens { recipe.tokens = tokens }
                if let seed { recipe.seed = seed }
                guard force || access(output + "/train.tokens", F_OK) != 0 else {
                    throw Failure(
                        "\(output): there is a corpus already. Replace it with --force, or choose another folder.")
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

import ArgumentParser
import Retrieval
import Workspace

/// `orrery corpus`: documents that are searched, and how they are found.
struct CorpusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "corpus", abstract: "Add documents, search them, and see why something is found or is not.",
        discussion: """
            orrery corpus add docs/ makes a corpus of a folder; orrery corpus search "..." asks it through a pipeline, by \
            default words and vectors fused; orrery corpus explain "..." --doc ID says what every stage did with a document.
            """,
        subcommands: [
            Add.self, List.self, Show.self, Search.self, Explain.self, Evaluate.self, Embed.self, Spaces.self,
            Duplicates.self, Questions.self, Pipeline.self, Foreign.self, Push.self, Server.self, Check.self,
            Export.self, Rename.self,
            Remove.self, Delete.self, Undo.self, Bench.self,
        ])
}

/// Which corpus a command works on.
struct CorpusOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: "The corpus (default: your only corpus, or else the sample).")
    var corpus: String?

    /// Returns the named or default corpus.
    func find(in store: CorpusStore) throws -> Corpus { try store.chosenCorpus(corpus) }
}

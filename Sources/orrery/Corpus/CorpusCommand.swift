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
    @Option(name: .shortAndLong, help: "The corpus by name; without it the only one there is.")
    var corpus: String?

    /// The corpus that is meant.
    func find(in store: CorpusStore) throws -> Corpus {
        if let corpus { return try store.corpus(named: corpus) }
        let all = try store.corpora()
        guard let only = all.first else {
            throw Failure("there is no corpus in this workspace yet: orrery corpus add FOLDER makes one.")
        }
        guard all.count == 1 else {
            let names = all.prefix(8).map(\.name).joined(separator: ", ")
            throw Failure("there are \(all.count) corpora (\(names)): name one with --corpus.")
        }
        return only
    }
}

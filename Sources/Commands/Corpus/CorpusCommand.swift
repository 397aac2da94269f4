import ArgumentParser

/// The `orrery corpus` command: searchable documents.
struct CorpusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "corpus", abstract: "Add documents, search them, and explain results.",
        discussion: """
            orrery corpus add docs/ creates a corpus from a folder. orrery corpus search "..." searches it with a \
            pipeline (default: words and vectors, fused). orrery corpus explain "..." --doc ID explains each stage for \
            a document.
            """,
        subcommands: [
            Add.self, List.self, Show.self, Search.self, Explain.self, Evaluate.self, Embed.self, Spaces.self,
            Duplicates.self, Questions.self, Pipeline.self, Foreign.self, Push.self, Server.self, Check.self,
            Export.self, Rename.self,
            Remove.self, Delete.self, Undo.self,
        ])
}

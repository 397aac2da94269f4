import ArgumentParser
import CommandSupport
import Console
import Formatting
import JSON
import Retrieval
import SearchIndexes
import System
import Workspace

extension CorpusCommand {
    struct Spaces: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "spaces",
            abstract: "List, select, or remove the embeddings of a corpus.",
            discussion: "Each embedding has its own index. A pipeline can select another embedding with dense.space."
        )

        @Option(help: "Make embedding NUMBER the active one.")
        var use: Int64?

        @Option(help: "Remove embedding NUMBER.")
        var remove: Int64?

        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let store = CorpusStore(
                    try use == nil && remove == nil ? place.openForReading() : place.openExisting())
                let found = try corpus.find(in: store)
                let spaces = try store.spaces(of: found.id)
                for number in [use, remove].compactMap(\.self) where !spaces.contains(where: { $0.id == number }) {
                    let known = spaces.map { String($0.id) }.joined(separator: ", ")
                    throw Problem(
                        .missing, "", "\(found.name) has no embedding \(number)",
                        remedy: known.isEmpty ? nil : "Available: \(known).")
                }
                if let use { try store.activate(use) }
                if let remove { try store.remove(space: remove) }
                try show(store.spaces(of: found.id))
            }
        }

        private func show(_ spaces: [VectorSpace]) {
            if output.json {
                var json = JSONWriter(style: .pretty)
                json.object { $0.member("spaces", spaces) }
                return Output.result(json.text)
            }
            if spaces.isEmpty { return Output.note("no embeddings yet. To create one, run: orrery corpus embed") }
            var table = TextTable(
                ["", "number", "embedder", "index", "metric", "dimensions", "vectors"], rightAligned: [1, 5, 6])
            for space in spaces {
                table.add([
                    space.isActive ? "•" : "", String(space.id), Printable.line(space.embedder),
                    space.isReady ? space.index : "\(space.index), incomplete", space.metric.rawValue,
                    Format.count(space.dimension), Format.count(space.vectorCount),
                ])
            }
            Output.result(table.text)
        }
    }
}

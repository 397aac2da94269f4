import ArgumentParser
import CommandSupport
import Console
import Formatting
import Retrieval
import SearchIndexes
import System
import Tables
import Workspace

extension CorpusCommand {
    struct Spaces: ReadingCommand {
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
        @OptionGroup var reading: WorkspaceTable

        func result(in options: WorkspaceTable) throws -> Listing<VectorSpace> {
            let isReading = use == nil && remove == nil
            let store = CorpusStore(try isReading ? options.place.openForReading() : options.place.openExisting())
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
            return Listing(
                try store.spaces(of: found.id), "spaces",
                empty: "no embeddings yet. To create one, run: orrery corpus embed", isEmptyNote: true
            ) { table in
                table.text("") { $0.isActive ? "•" : "" }
                table.text("number", json: nil, align: .right, \.id)
                table.text("embedder", \.embedder)
                table.text("index") { $0.isReady ? $0.index : "\($0.index), incomplete" }
                table.text("metric", \.metric.rawValue)
                table.text("dimensions", json: nil, align: .right, \.dimension) { Format.count($0) }
                table.text("vectors", json: nil, align: .right, \.vectorCount) { Format.count($0) }
            }
        }
    }
}

import ArgumentParser
import CommandSupport
import Console
import Formatting
import JSON
import Retrieval
import System
import Tables
import Workspace

extension CorpusCommand {
    struct Check: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Verify every segment of a corpus's indexes.")

        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var reading: WorkspaceTable

        func result(in options: WorkspaceTable) throws -> some Presentable {
            let retriever = Retriever(try options.place.openForReading())
            let found = try corpus.find(in: retriever.store)
            let cancellation = Cancellation()
            let (indexes, problems) = try Interruption.cancelling(cancellation) {
                try retriever.indexes(of: found, until: cancellation)
            }
            var listing = Listing(
                indexes, "indexes", notes: problems, status: problems.isEmpty ? 0 : 1,
                members: { $0.member("problems", problems) }
            ) { table in
                table.text("index", json: "name", \.name)
                table.text("kind", json: "kind", \.kind)
                table.text("entries", json: "entries", align: .right, \.entries) { Format.count($0) }
                table.text("bytes", json: "bytes", align: .right, \.bytes) { Format.bytes($0) }
                table.member("active", \.isActive)
            }
            listing.leading = { $0.member("corpus", found.name) }
            if problems.isEmpty { listing.footing = "all segments are intact" }
            return listing
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Export a corpus as JSON Lines, one document or chunk per line.")

        @Flag(help: "Write chunks with their byte ranges instead of documents.")
        var chunks = false

        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let store = CorpusStore(try place.openForReading())
                let found = try corpus.find(in: store)
                var after: Int64 = 0
                while true {
                    let page = try store.documents(of: found.id, limit: 256, after: after)
                    guard let last = page.last else { break }
                    for document in page { try write(document, store) }
                    after = last.id
                }
            }
        }

        private func write(_ document: DocumentRow, _ store: CorpusStore) throws {
            if chunks {
                for chunk in try store.chunks(of: document.id) where chunk.isIndexed {
                    var json = JSONWriter()
                    try json.object {
                        $0.member("_id", "\(document.name)#\(chunk.ordinal + 1)")
                        $0.member("title", document.title)
                        $0.member("text", try store.text(of: chunk))
                        $0.member("document", document.name)
                        $0.member("start", chunk.range.lowerBound)
                        $0.member("end", chunk.range.upperBound)
                    }
                    Output.result(json.text)
                }
                return
            }
            var json = JSONWriter()
            try json.object { json in
                json.member("_id", document.name)
                json.member("title", document.title)
                json.member("text", try store.text(of: document.id))
                let metadata = try store.metadata(of: document.id)
                if !metadata.isEmpty {
                    json.member("metadata") { json in
                        json.object { json in for (key, value) in metadata { json.member(key, value.shown) } }
                    }
                }
            }
            Output.result(json.text)
        }
    }

    struct Rename: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "rename", abstract: "Rename a corpus.")

        @Argument(help: "New name.")
        var name: String

        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let store = CorpusStore(try place.openExisting())
                let found = try corpus.find(in: store)
                try store.rename(found.id, to: name)
                Output.result("renamed \(Printable.line(found.name)) to \(Printable.line(name))")
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove documents from a corpus.")

        @Argument(help: "Document ids.")
        var documents: [String]

        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let store = CorpusStore(try place.openExisting())
                let found = try corpus.find(in: store)
                var ids: [Int64] = []
                for name in documents {
                    let rows = try store.documents(named: name, of: found.id)
                    guard !rows.isEmpty else {
                        throw Problem(
                            .missing, "", "\(found.name) has no document \(name), so no document was removed",
                            remedy: try store.remedy(forDocument: name, of: found.id))
                    }
                    ids += rows.map(\.id)
                }
                try store.remove(documents: ids, from: found.id)
                Output.result("removed \(Format.count(ids.count)) documents")
            }
        }
    }

    struct Undo: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "undo",
            abstract: "Undo the last change to a corpus: add, remove, delete, or rename.",
            discussion: """
                Added documents are removed, and changed or removed documents are restored. The command reports \
                documents that cannot be restored. Each further undo reverts one earlier change, until orrery \
                workspace prune.
                """)

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let store = CorpusStore(try place.openExisting())
                let cancellation = Cancellation()
                let undone = try Interruption.cancelling(cancellation) {
                    try CorpusAdding(store).undo(until: cancellation)
                }
                if output.json {
                    var json = JSONWriter(style: .pretty)
                    json.object { $0.member("undone", ifPresent: undone) }
                    return Output.result(json.text)
                }
                guard let undone else {
                    throw Problem(
                        .invalid, "", "nothing to undo",
                        remedy: "Only adds, removals, deletions, and renames can be undone.")
                }
                Output.result(Printable.line(undone))
            }
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Delete a corpus; --undo restores it until workspace prune.")

        @Flag(help: "Undo the last delete or rename.")
        var undo = false

        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let store = CorpusStore(try place.openExisting())
                if undo {
                    return Output.result(try CorpusAdding(store).undo() ?? "nothing to undo")
                }
                guard corpus.corpus != nil else { throw Problem(.invalid, "", "--corpus is required") }
                let found = try corpus.find(in: store)
                try store.delete(found.id)
                Output.result(
                    "deleted \(Printable.line(found.name)). To restore the corpus, run: orrery corpus delete --undo")
            }
        }
    }
}

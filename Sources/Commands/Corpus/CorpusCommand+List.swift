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
    struct List: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the corpora and their search methods.")

        @OptionGroup var reading: WorkspaceTable

        func result(in options: WorkspaceTable) throws -> Listing<Corpus> {
            let store = try options.workspace().map { CorpusStore($0) }
            let corpora = try store?.corpora() ?? []
            var searches: [Int64: String] = [:]
            for corpus in corpora {
                let spaces = try store?.spaces(of: corpus.id).map { "\($0.embedder) (\($0.index))" } ?? []
                searches[corpus.id] = (["words"] + spaces).joined(separator: ", ")
            }
            return Listing(
                corpora, "corpora", empty: "no corpora yet. To create one, run: orrery corpus add FOLDER",
                isEmptyNote: true
            ) { table in
                table.text("corpus", \.name)
                table.text("documents", json: nil, align: .right, \.documentCount) { Format.count($0) }
                table.text("chunks", json: nil, align: .right, \.chunkCount) { Format.count($0) }
                table.text("texts", json: nil, align: .right, \.byteCount) { Format.bytes(Int($0)) }
                table.text("search by") { [searches] in searches[$0.id] ?? "" }
            }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "List a corpus's documents, or show one document with its chunks.")

        @Argument(help: "Document id (default: list documents).")
        var document: String?

        @Option(
            help: "Metadata filter: kind = \"manual\" and year >= 2020.")
        var filter: String?

        @Option(help: "Maximum number of documents.")
        var limit = 100

        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let store = CorpusStore(try place.openForReading())
                let found = try corpus.find(in: store)
                if let document { try show(document, of: found, store) } else { try list(found, store) }
            }
        }

        private func list(_ corpus: Corpus, _ store: CorpusStore) throws {
            let documents =
                try filter.map {
                    try store.documents(of: corpus.id, matching: MetadataFilter(parsing: $0), limit: limit)
                }
                ?? store.documents(of: corpus.id, limit: limit)
            if output.json {
                var json = JSONWriter(style: .pretty)
                json.object {
                    $0.member("corpus", corpus)
                    $0.member("documents", documents)
                }
                return Output.result(json.text)
            }
            var table = TextTable(["document", "kind", "language", "bytes", "chunks"], rightAligned: [3, 4])
            for row in documents {
                table.add([
                    Printable.line(row.name), row.kind, row.language, Format.count(row.byteCount),
                    Format.count(row.chunkCount) + (row.duplicate == nil ? "" : "  duplicate"),
                ])
            }
            Output.result(table.text)
            if corpus.documentCount > documents.count, filter == nil {
                Output.note(
                    "\(documents.count) of \(Format.count(corpus.documentCount)) documents: raise --limit to list more")
            }
        }

        private func show(_ name: String, of corpus: Corpus, _ store: CorpusStore) throws {
            guard let document = try store.documents(named: name, of: corpus.id).first else {
                throw Problem(
                    .missing, "", "\(corpus.name) has no document \(name)",
                    remedy: try store.remedy(forDocument: name, of: corpus.id))
            }
            let text = try store.text(of: document.id)
            let chunks = try store.chunks(of: document.id)
            let metadata = try store.metadata(of: document.id)
            if output.json {
                var json = JSONWriter(style: .pretty)
                json.object { json in
                    json.member("document", document)
                    json.member("metadata") { json in
                        json.object { json in for (key, value) in metadata { json.member(key, value.shown) } }
                    }
                    json.member("text", text)
                    json.member("chunks", chunks)
                }
                return Output.result(json.text)
            }
            Output.result("\(Printable.line(document.name))  \(Printable.line(document.title))")
            for (key, value) in metadata { Output.result("  \(Printable.line(key)): \(Printable.line(value.shown))") }
            for chunk in chunks {
                let role = chunk.isIndexed ? "" : "  context only"
                Output.result(
                    "\n── \(chunk.ordinal + 1)  bytes \(chunk.range.lowerBound)–\(chunk.range.upperBound)  "
                        + "\(Printable.line(chunk.heading))\(role)"
                )
                Output.result(Printable.text(try store.text(of: chunk)))
            }
        }
    }
}

import ArgumentParser
import CommandSupport
import Console
import Formatting
import JSON
import Retrieval
import SearchIndexes
import System
import Tables
import Workspace

extension CorpusCommand {
    struct Push: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "push",
            abstract: "Copy a corpus's vectors and texts to PostgreSQL with pgvector, or Qdrant.",
            discussion: """
                Only changes since the last push are sent. If the command is interrupted, pushed data is saved, and \
                the same command resumes. To search pushed data, use orrery corpus server URL "...". Store passwords \
                in PGPASSWORD, ~/.pgpass, or QDRANT_API_KEY.
                """)

        @Argument(help: "postgresql://user@host/database, or http://host:6333 for Qdrant.")
        var url: String

        @Option(help: "Collection name on the server (default: corpus name).")
        var name: String?

        @Option(help: "Embedder of the vectors (default: the active space's).")
        var space: String?

        @Option(help: "Namespaces, separated by commas (default: the corpus's own).")
        var namespaces: String?

        @Option(help: "Neighbors per node of the server's graph.")
        var m = 16

        @Option(help: "Candidates during construction of the server's graph.")
        var efConstruction = 64

        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            guard (2...100).contains(m), (4...1_000).contains(efConstruction), efConstruction >= 2 * m else {
                throw ValidationError("--m must be 2 to 100, and --ef-construction 4 to 1000 and at least twice --m.")
            }
        }

        func run() throws {
            try answering {
                let store = CorpusStore(try place.openForReading())
                let found = try corpus.find(in: store)
                var settings = CorpusPush.Settings(
                    name: name, space: space, namespaces: namespaces.map { $0.split(separator: ",").map(String.init) })
                settings.m = m
                settings.efConstruction = efConstruction
                let server = try VectorServers.server(at: url)
                let cancellation = Cancellation()
                let line = StatusLine()
                defer { line.end() }
                let report = try Interruption.cancelling(cancellation) {
                    try CorpusPush(store, to: server)(found, settings: settings, until: cancellation) {
                        line.show("\($0.phase.rawValue) \(Format.count($0.done)) of \(Format.count($0.total)) chunks")
                    }
                }
                line.end()
                show(report, on: server.name)
                if report.isCancelled { throw ExitCode(1) }
            }
        }

        private func show(_ report: PushReport, on server: String) {
            if output.json {
                var json = JSONWriter(style: .pretty)
                json.object {
                    $0.member("server", server)
                    $0.member("collection", report.collection)
                    $0.member("pushed", report.pushed)
                    $0.member("unchanged", report.unchanged)
                    $0.member("removed", report.removed)
                    $0.member("seconds", report.seconds)
                    $0.member("cancelled", report.isCancelled)
                    $0.member("notes", report.notes)
                }
                return Output.result(json.text)
            }
            let counts = [(report.pushed, "pushed"), (report.unchanged, "unchanged"), (report.removed, "removed")]
                .filter { $0.0 > 0 }.map { "\(Format.count($0.0)) \($0.1)" }
            Output.result(
                "\(report.collection) at \(Printable.line(server)): "
                    + (counts.isEmpty ? "no changes" : counts.joined(separator: ", ")))
            for note in report.notes { Output.note(note) }
            if report.isCancelled {
                Output.note("orrery: canceled. Pushed chunks are saved; run the same command to resume.")
            }
        }
    }

    struct Server: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "server", abstract: "List or search collections on a server.",
            discussion: """
                The command never changes the server. A question needs the embedder that computed the vectors: \
                select a corpus of the workspace with --corpus, or use --embedder.
                """)

        @Argument(help: "postgresql://user@host/database, or http://host:6333 for Qdrant.")
        var url: String

        @Argument(help: "Question (default: list collections).")
        var query: String?

        @Option(help: "Collection to search.")
        var collection: String?

        @Option(help: "Question embedder: model folder or URL MODEL (default: the corpus's).")
        var embedder: String?

        @Option(name: .shortAndLong, help: "Number of passages to print.")
        var k = 10

        @Flag(help: "Print ranks and scores of every stage.")
        var explain = false

        @OptionGroup var pipeline: PipelineOptions
        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let server = try VectorServers.server(at: url)
                guard let query else { return try list(server) }
                let workspace = try place.openForReading()
                let retriever = Retriever(workspace, resources: PipelineResources(of: workspace))
                let opened: any Embedder
                var name = collection
                if let embedder {
                    opened = try EmbedderSpecification(embedder).open()
                } else {
                    let found = try corpus.find(in: retriever.store)
                    opened = try retriever.source(of: found).embedder()
                    name = name ?? VectorCollection.name(for: found.name)
                }
                guard let name else {
                    throw Problem(
                        .invalid, "", "--collection is required with a question",
                        remedy: "To list collections, omit the question.")
                }
                let source = try ExternalSource(server, collection: name, embedder: opened)
                let definition = try pipeline.find(retriever).definition
                let cancellation = Cancellation()
                let record = try Interruption.cancelling(cancellation) {
                    let run = PipelineRun(definition, over: source, resources: PipelineResources(of: workspace))
                    return try run(query, isCancelled: { cancellation.isCancelled })
                }
                if output.json { return Output.json(record) }
                Output.result(RetrievalText(record).passages(k))
                if explain { Output.result("\n" + RetrievalText(record).stages) }
                if let answer = record.answer { Output.result("\n" + Printable.text(answer.text)) }
                for note in record.notes { Output.note(note) }
            }
        }

        private func list(_ server: any VectorServer) throws {
            let found = try server.collections()
            let counts = try Dictionary(
                found.map { ($0.name, output.form == .json ? 0 : try server.count($0)) }, uniquingKeysWith: { $1 })
            var listing = Listing(
                found, "collections",
                empty: "no collections on \(server.name). To push a corpus, run: orrery corpus push URL",
                isEmptyNote: true
            ) { table in
                table.text("collection", json: "name", \.name)
                table.text("rows", align: .right) { Format.count(counts[$0.name] ?? 0) }
                table.text("dimensions", json: "dimension", align: .right, \.dimension)
                table.text("metric", json: "metric", \.metric.rawValue)
                table.text("corpus") { $0.origin?.corpus ?? "" }
                table.text("embedder") { $0.origin?.embedder ?? "" }
                table.member("origin", ifPresent: \.origin)
            }
            listing.leading = { $0.member("server", server.name) }
            try listing.print(as: output.form)
        }
    }
}

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
    struct Embed: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "embed",
            abstract:
                "Embed and index a corpus. Searches then use the new index.",
            discussion: """
                The embedder is hashed (no download), hashed-512, the folder of a model such as MiniLM, or \
                https://host/v1#MODEL for an endpoint. It can also be a file of vectors (.npy, .fvecs, .bvecs, .ivecs) \
                or an hnswlib or faiss index with one vector per chunk, in chunk order. Existing vectors are reused. \
                An index of another kind over the same vectors is built alongside the existing one.
                """)

        @Argument(help: "Embedder.")
        var embedder = "hashed"

        @Option(
            help: "Index: \(VectorIndexTable.standard.names.joined(separator: ", "))."
        )
        var index: String?

        @Option(help: "Index settings, such as m=16 efConstruction=200.")
        var parameters = ""

        @Option(help: "File with one document id per line, in vector order.", completion: .file())
        var ids: String?

        @Option(help: "Embedder for questions, if vectors come from a file.")
        var questionEmbedder: String?

        @Option(help: "Metric: cosine, l2, or inner-product.")
        var metric = "cosine"

        @Option(help: "Maximum number of threads.")
        var threads: Int?

        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            guard Metric(rawValue: metric) != nil else {
                throw ValidationError(
                    "--metric must be one of \(Metric.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
        }

        func run() throws {
            try answering {
                let metric = Metric(rawValue: metric) ?? .cosine
                let workspace = try place.openExisting()
                let store = CorpusStore(workspace)
                let found = try corpus.find(in: store)
                guard found.chunkCount > 0 else {
                    throw Problem(
                        .missing, "", "\(found.name) has no chunks to embed",
                        remedy: "To add documents, run: orrery corpus add PATH")
                }
                var settings = VectorSpaceSettings()
                settings.metric = metric
                if let index { settings.index = index }
                settings.parameters = parameters
                if let threads { settings.threads = max(1, threads) }
                let line = StatusLine()
                defer { line.end() }
                let cancellation = Cancellation()
                let sentences = try Interruption.cancelling(cancellation) {
                    if embedder.hasPrefix("file:") || CorpusStore.isVectorFile(embedder) {
                        if let questionEmbedder { settings.specification = questionEmbedder }
                        let space = try store.importVectors(
                            embedder, into: found.id, by: order(), settings: settings, cancellation: cancellation)
                        return [
                            "\(Format.count(space.vectorCount)) vectors from \(space.embedder) in a \(space.index) index"
                        ]
                    }
                    if ids != nil || questionEmbedder != nil {
                        throw Problem(
                            .invalid, "",
                            "--ids and --question-embedder require a file of vectors, but \(embedder) is an embedder")
                    }
                    return try CorpusAdding(store).embed(found, with: embedder, settings: settings, until: cancellation)
                    {
                        line.show("\($0.phase.rawValue) \(Format.count($0.done)) of \(Format.count($0.total)) chunks")
                    }
                }
                line.end()
                if output.json {
                    var json = JSONWriter(style: .pretty)
                    json.object { $0.member("spaces", try? store.spaces(of: found.id)) }
                    return Output.result(json.text)
                }
                for sentence in sentences { Output.result(sentence) }
            }
        }

        private func order() throws -> CorpusStore.VectorOrder {
            guard let ids else { return .chunks }
            let lines = try SmallFile.text(ids).split(whereSeparator: \.isNewline)
            return .documents(lines.map(String.init))
        }
    }

    struct Duplicates: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "duplicates",
            abstract:
                "Find exact and near duplicates; --drop keeps one per cluster in search."
        )

        @Flag(help: "Exclude all but the longest of each cluster from search.")
        var drop = false

        @Option(help: "Maximum number of clusters to list.")
        var limit = 50

        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let workspace = try drop ? place.openExisting() : place.openForReading()
                let retriever = Retriever(workspace)
                let found = try corpus.find(in: retriever.store)
                let cancellation = Cancellation()
                let report = try Interruption.cancelling(cancellation) {
                    try retriever.duplicates(of: found, until: cancellation)
                }
                let names = try retriever.names(of: report, in: found)
                let dropped = try drop ? retriever.store.mark(report, in: found.id) : 0
                if output.json { return Output.result(json(report, names, dropped)) }
                Output.result(
                    "\(Format.count(report.clusters.count)) clusters: \(Format.count(report.exactCount)) documents are "
                        + "exact copies, \(Format.count(report.nearCount)) near-duplicates")
                for cluster in report.clusters.prefix(limit) {
                    Output.result("  \(Printable.line(names[cluster.representative] ?? ""))")
                    for member in cluster.members {
                        Output.result(
                            "    \(Format.fixed(member.similarity, digits: 3))  "
                                + "\(Printable.line(names[member.label] ?? ""))"
                        )
                    }
                }
                if report.clusters.count > limit {
                    Output.note("and \(report.clusters.count - limit) more: raise --limit to list them")
                }
                if drop { Output.result("excluded \(Format.count(dropped)) documents from search") }
            }
        }

        private func json(_ report: DuplicateReport, _ names: [Int64: String], _ dropped: Int) -> String {
            var json = JSONWriter(style: .pretty)
            json.object { json in
                json.member("compared", report.count)
                json.member("exact", report.exactCount)
                json.member("near", report.nearCount)
                json.member("dropped", dropped)
                json.member("clusters") { json in
                    json.array { json in
                        for cluster in report.clusters {
                            json.object { json in
                                json.member("document", names[cluster.representative] ?? "")
                                json.member("members") { json in
                                    json.array { json in
                                        for member in cluster.members {
                                            json.object {
                                                $0.member("document", names[member.label] ?? "")
                                                $0.member("similarity", member.similarity)
                                                $0.member("exact", member.isExact)
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            return json.text
        }
    }
}

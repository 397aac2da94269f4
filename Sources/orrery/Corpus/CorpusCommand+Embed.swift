import ArgumentParser
import Console
import JSON
import Retrieval
import SearchIndexes
import Workspace

extension CorpusCommand {
    struct Embed: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "embed",
            abstract:
                "Give the chunks of a corpus vectors by an embedder, and index them; searches switch when it is done.",
            discussion: """
                The embedder is hashed (nothing to download), hashed-512, the folder of a model such as MiniLM, \
                https://host/v1#MODEL for an endpoint, or a file of vectors (.npy, .fvecs, .bvecs, .ivecs) or an index of \
                hnswlib or faiss, a vector a chunk in their order. What is embedded already is not embedded again. An \
                index of another kind over the same vectors is built beside the old one.
                """)

        @Argument(help: "The embedder.")
        var embedder = "hashed"

        @Option(
            help:
                "flat, hnsw, ivf, ivf-pq, pq, int8, binary, lsh or vamana; by default flat below 10,000 chunks, else hnsw."
        )
        var index: String?

        @Option(help: "Settings of the index, such as m=16 efConstruction=200.")
        var parameters = ""

        @Option(help: "A file with a document's id a line, for vectors in that order.", completion: .file())
        var ids: String?

        @Option(help: "The embedder that questions need, for a file of vectors that it made.")
        var questionEmbedder: String?

        @Option(help: "cosine, l2 or inner-product.")
        var metric = "cosine"

        @Option(help: "How many threads may work.")
        var threads: Int?

        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            guard Metric(rawValue: metric) != nil else {
                throw ValidationError("--metric takes \(Metric.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
        }

        func run() throws {
            try answering {
                let metric = Metric(rawValue: metric) ?? .cosine
                let workspace = try place.openExisting()
                let store = CorpusStore(workspace)
                let found = try corpus.find(in: store)
                guard found.chunkCount > 0 else {
                    throw Failure("\(found.name) has nothing to embed yet: orrery corpus add PATH adds documents.")
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
                            "\(Format.count(space.vectorCount)) vectors of \(space.embedder) in an index of kind \(space.index)"
                        ]
                    }
                    if ids != nil || questionEmbedder != nil {
                        throw Failure(
                            "--ids and --question-embedder go with a file of vectors, which \(embedder) is not.")
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
                "Show documents that say the same, exactly or nearly; --drop takes all but one of each out of searches."
        )

        @Flag(help: "Leave all but the longest of each cluster out of searches; the documents stay.")
        var drop = false

        @Option(help: "How many clusters are listed.")
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
                        + "exact copies, \(Format.count(report.nearCount)) nearly")
                for cluster in report.clusters.prefix(limit) {
                    Output.result("  \(Printable.line(names[cluster.representative] ?? ""))")
                    for member in cluster.members {
                        Output.result(
                            "    \(Format.fixed(member.similarity, digits: 3))  \(Printable.line(names[member.label] ?? ""))"
                        )
                    }
                }
                if report.clusters.count > limit {
                    Output.note("and \(report.clusters.count - limit) more: --limit shows them")
                }
                if drop { Output.result("\(Format.count(dropped)) are left out of searches now") }
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

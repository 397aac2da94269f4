import ArgumentParser
import Console
import JSON
import Retrieval
import Workspace

/// Which pipeline a command asks.
struct PipelineOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: "A pipeline by name, NAME@VERSION, or a .toml file. Without it words and vectors, fused.")
    var pipeline = "hybrid"

    @Option(help: "KEY=VALUE that the pipeline says otherwise, such as dense.k=24; may be given several times.")
    var set: [String] = []

    func validate() throws {
        for pair in set where !pair.contains("=") {
            throw ValidationError("--set takes KEY=VALUE; there is no value in \(pair).")
        }
    }

    func find(_ retriever: Retriever) throws -> NamedPipeline {
        var found = try retriever.pipeline(named: pipeline)
        for pair in set {
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            found.definition = try found.definition.changing(parts[0], to: parts.count == 2 ? parts[1] : "")
        }
        return found
    }
}

extension CorpusCommand {
    struct Search: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "search", abstract: "Ask a corpus, and see what every stage found.",
            discussion: "The run is kept as a trace. --explain adds what each term and stage contributed.")

        @Argument(help: "The question.")
        var query: String

        @Option(name: .shortAndLong, help: "How many passages are printed.")
        var k = 10

        @Flag(help: "Print every stage with ranks and scores.")
        var explain = false

        @Option(help: "Namespaces that are seen, by commas.")
        var namespaces: String?

        @Flag(help: "Keep no trace of it.")
        var noTrace = false

        @OptionGroup var pipeline: PipelineOptions
        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            if k < 1 { throw ValidationError("-k takes a number from 1 on.") }
        }

        func run() throws {
            try answering {
                let workspace = try noTrace ? place.openForReading() : place.openExisting()
                let retriever = Retriever(
                    workspace, resources: PipelineResources(of: workspace),
                    namespaces: namespaces.map { $0.split(separator: ",").map(String.init) })
                let found = try corpus.find(in: retriever.store)
                try requireNamespaces(of: found, retriever.store)
                let cancellation = Cancellation()
                let record = try Interruption.cancelling(cancellation) {
                    try retriever.ask(
                        query, pipeline.find(retriever), of: found, keepingTrace: !noTrace, until: cancellation)
                }
                if output.json { return Output.json(record) }
                Output.result(RetrievalText(record).passages(k))
                if explain { Output.result("\n" + RetrievalText(record).stages(k)) }
                if let answer = record.answer { Output.result("\n" + Printable.text(answer.text)) }
                for note in record.notes { Output.note(note) }
            }
        }

        private func requireNamespaces(of corpus: Corpus, _ store: CorpusStore) throws {
            guard let namespaces else { return }
            let known = try store.namespaces(of: corpus.id).map(\.name)
            for name in namespaces.split(separator: ",").map(String.init) where !known.contains(name) {
                let names = known.isEmpty ? "no documents" : known.joined(separator: ", ")
                throw Failure("\(corpus.name) has no namespace \(name); it has \(names).")
            }
        }
    }

    struct Explain: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain",
            abstract:
                "Say why a document was found or was not: what every stage did with it, and what would bring it in.",
            discussion: "Changes that bring it in are tried before they are named.")

        @Argument(help: "The question.")
        var query: String

        @Option(help: "The document's id, or the number of a chunk.")
        var doc: String

        @OptionGroup var pipeline: PipelineOptions
        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let workspace = try place.openForReading()
                let retriever = Retriever(workspace, resources: PipelineResources(of: workspace))
                let found = try corpus.find(in: retriever.store)
                let choice = try pipeline.find(retriever)
                let cancellation = Cancellation()
                let explanation = try Interruption.cancelling(cancellation) {
                    let record = try retriever.ask(query, choice, of: found, keepingTrace: false, until: cancellation)
                    return try retriever.explain(
                        target(found, retriever.store), record, choice, of: found, until: cancellation)
                }
                if output.json { return Output.json(explanation) }
                Output.result(ExplanationText(explanation).text)
            }
        }

        /// A document of that id, else a chunk of that number.
        private func target(_ corpus: Corpus, _ store: CorpusStore) throws -> Retriever.Target {
            if try !store.documents(named: doc, of: corpus.id).isEmpty { return .document(doc) }
            if let number = Int64(doc), try store.chunk(number) != nil { return .chunk(number) }
            throw Failure("\(corpus.name) has no document \(doc). \(try store.remedy(forDocument: doc, of: corpus.id))")
        }
    }

    struct Foreign: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "recorded",
            abstract: "Show a retrieval that another system recorded in a trace, as far as it was recorded.",
            discussion: "Documents are matched with the corpora of the workspace by id, source or text.")

        @Argument(help: "The trace: its number, or the beginning of its id.")
        var trace: String

        @Option(help: "The number of a span; without it the first retrieval.")
        var span: Int?

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let workspace = try place.openForReading()
                let record = try Retriever(workspace).recorded(inTrace: trace, span: span)
                if output.json { return Output.json(record) }
                Output.result(RetrievalText(record).stages)
                if let answer = record.answer { Output.result("\n" + Printable.text(answer.text)) }
                for note in record.notes { Output.note(note) }
            }
        }
    }
}

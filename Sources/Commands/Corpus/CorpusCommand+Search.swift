import ArgumentParser
import CommandSupport
import Console
import JSON
import Retrieval
import System
import Workspace

/// Options that select a pipeline.
struct PipelineOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: "Pipeline: NAME, NAME@VERSION, or .toml file.")
    var pipeline = "hybrid"

    @Option(help: "Pipeline setting KEY=VALUE, such as dense.k=24; repeatable.")
    var set: [String] = []

    func validate() throws {
        for pair in set where !pair.contains("=") {
            throw ValidationError("--set requires KEY=VALUE, but \"\(pair)\" has no \"=\".")
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
            commandName: "search", abstract: "Search a corpus, and show what each stage found.",
            discussion: "The run is saved as a trace. --explain adds the contribution of each term and stage.")

        @Argument(help: "Question.")
        var query: String

        @Option(name: .shortAndLong, help: "Number of passages to print.")
        var k = 10

        @Flag(help: "Print ranks and scores of every stage.")
        var explain = false

        @Option(help: "Namespaces to search, separated by commas.")
        var namespaces: String?

        @Flag(help: "Do not save a trace.")
        var noTrace = false

        @OptionGroup var pipeline: PipelineOptions
        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            if k < 1 { throw ValidationError("-k must be at least 1.") }
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
                throw Problem(.missing, "", "\(corpus.name) has no namespace \"\(name)\"; it has \(names)")
            }
        }
    }

    struct Explain: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain",
            abstract:
                "Explain why a document was found or not, stage by stage.",
            discussion: "Suggested changes are tested before they are printed.")

        @Argument(help: "Question.")
        var query: String

        @Option(help: "Document id or chunk number.")
        var doc: String

        @OptionGroup var pipeline: PipelineOptions
        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var reading: JSONOption

        func result(in options: JSONOption) throws -> some Presentable {
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
            return Report(explanation) { ExplanationText(explanation).text }
        }

        /// Returns the document with this id, or else the chunk with this number.
        private func target(_ corpus: Corpus, _ store: CorpusStore) throws -> Retriever.Target {
            if try !store.documents(named: doc, of: corpus.id).isEmpty { return .document(doc) }
            if let number = Int64(doc), try store.chunk(number) != nil { return .chunk(number) }
            throw Problem(
                .missing, "", "\(corpus.name) has no document \(doc)",
                remedy: try store.remedy(forDocument: doc, of: corpus.id))
        }
    }

    struct Foreign: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "recorded",
            abstract: "Show a retrieval that another system recorded in a trace.",
            discussion: "Documents are matched with the corpora of the workspace by id, source, or text.")

        @Argument(help: "Trace number or start of its id.")
        var trace: String

        @Option(help: "Span number (default: the first retrieval).")
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

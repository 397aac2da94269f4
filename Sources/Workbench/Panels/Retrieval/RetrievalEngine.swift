internal import Console
internal import Glibc
internal import JSON
internal import ModelLab
internal import Retrieval
internal import System
internal import Traces
internal import Workspace

/// Searches, explanations, and the corpora and pipelines of a workspace, as the page requests them.
package struct RetrievalEngine: Sendable {
    let retriever: Retriever
    let foreign: ForeignRetrieval
    let traces: TraceStore
    let now: @Sendable () -> Int64

    init(_ workspace: Workspace, now: @escaping @Sendable () -> Int64) {
        retriever = Retriever(workspace, resources: PipelineResources(of: workspace))
        traces = TraceStore(workspace)
        foreign = ForeignRetrieval(traces)
        self.now = now
    }

    var store: CorpusStore { retriever.store }
    /// Whether jobs and traces can be saved.
    var canWrite: Bool { store.workspace.access == .readWrite }

    // MARK: Corpora and pipelines

    func catalog() throws -> RetrievalCatalog {
        RetrievalCatalog(
            corpora: try store.corpora(), pipelines: try retriever.pipelineNames(),
            versions: try retriever.pipelineVersions(), lastChange: try store.lastChange())
    }

    /// Returns the question sets and documents of a corpus.
    func contents(of corpus: Int64) throws -> CorpusContents {
        CorpusContents(
            sets: try store.questionSets(of: corpus).map(\.name),
            documents: try store.documents(of: corpus, limit: 20_000).map(\.name))
    }

    /// Returns the names of models that can answer.
    func models() throws -> [String] { try ModelHouse(store.workspace).registry.entries().map(\.name) }

    func pipeline(named name: String) throws -> PipelineChoice { PipelineChoice(try retriever.pipeline(named: name)) }

    func save(_ choice: PipelineChoice, as name: String) throws -> PipelineChoice {
        PipelineChoice(try retriever.save(choice.definition, as: name))
    }

    // MARK: Searching

    /// Searches for a question. The results are the same whether it is typed, submitted, or restored.
    ///
    /// - Parameter model: Model that answers in place of the pipeline's own.
    /// - Returns: The record and the trace that contains it.
    func search(
        _ query: String, _ choice: PipelineChoice, answeringWith model: String? = nil, in corpus: Corpus,
        models: Retriever.Models, savesTrace: Bool = false, until cancellation: Cancellation
    ) throws -> (record: RetrievalRecord, trace: Int64?) {
        var named = choice.named
        if let model { named.definition = try named.definition.changing("answer.model", to: model) }
        let start = now()
        var record = try retriever.ask(
            query, named, of: corpus, models: models, keepingTrace: savesTrace, until: cancellation)
        if now() == start {
            // A stopped clock measures nothing. Without times, a screen is the same whenever it is drawn.
            record.seconds = nil
            for stage in record.stages.indices { record.stages[stage].seconds = nil }
        }
        return (record, try record.trace.map { try traces.find($0).id })
    }

    func truth(
        _ record: RetrievalRecord, _ choice: PipelineChoice, in corpus: Corpus, until cancellation: Cancellation
    ) throws -> SearchTruth {
        let start = now()
        var truth = try retriever.truth(of: record, choice.named, of: corpus, until: cancellation)
        if now() == start { truth.seconds = .nan }
        return truth
    }

    /// Returns the search recorded at a span or trace, with its documents matched to the corpora of the workspace.
    func recorded(at place: Reference) throws -> RecordedSearch {
        let matcher = try CorpusMatcher(retriever)
        guard let trace = place.path.first,
            let record = try foreign.record(ofTrace: trace, span: place.span, matching: matcher)
        else { throw Problem(.missing, "", "no retrieval was recorded at this step of the trace") }
        let own = try OwnSearch(trace: trace, span: place.span, in: traces)
        return RecordedSearch(record: record, place: place, own: own)
    }

    /// Returns the current corpus and pipeline of a recorded search, to repeat it.
    ///
    /// - Throws: `Problem` if the corpus or the pipeline was deleted.
    func again(_ search: OwnSearch) throws -> (corpus: Corpus, pipeline: PipelineChoice) {
        guard let corpus = try store.corpora().first(where: { $0.name == search.corpus }) else {
            throw Problem(
                .missing, "", "corpus \(search.corpus) no longer exists: only the recorded search is available")
        }
        return (corpus, try pipeline(named: search.pipeline))
    }

    // MARK: Reading

    /// Reads the passage of a question from its document, and explains it if the question asks for that.
    func read(
        _ question: PassageQuestion, of record: RetrievalRecord, until cancellation: Cancellation
    ) throws -> (open: OpenPassage, explanation: Explanation?) {
        let ranked = question.passage.map { record[$0] }
        let chunk = question.aside ?? ranked?.chunk
        guard let chunk, var open = try open(chunk) else {
            guard question.aside == nil, let ranked else { throw Self.gone(chunk ?? 0) }
            return (OpenPassage(passage: ranked, text: ranked.text), nil)
        }
        if question.aside == nil, let ranked { open.passage = ranked }
        open.gold = question.gold.filter { $0.document == open.passage.document }.compactMap(\.range)
        guard let corpus = question.corpus else { return (open, nil) }
        let explanation =
            question.isExplained
            ? try retriever.explain(
                .chunk(chunk), record, question.pipeline.named, of: corpus, isThorough: false, until: cancellation)
            : nil
        open.words =
            try explanation?.stages.first { $0.kind == .lexical }
            ?? words(record.query, of: chunk, question.pipeline, in: corpus)
        return (open, explanation)
    }

    /// Returns the contributions of the query words to a chunk's score, from the first stage that searches words.
    private func words(
        _ query: String, of chunk: Int64, _ choice: PipelineChoice, in corpus: Corpus
    ) throws -> StageExplanation? {
        guard let lexical = choice.definition.lexical.first else { return nil }
        let source = try retriever.source(of: corpus)
        guard source.isLexical else { return nil }
        let request = LexicalRequest(
            query: query, k: lexical.k, fields: lexical.fields, k1: lexical.k1, b: lexical.b, phrases: lexical.phrases)
        let found = try source.explainLexically(chunk, request)
        return StageExplanation(
            stage: lexical.name, kind: .lexical, cause: .kept, score: found.score, terms: found.terms)
    }

    /// Returns a chunk opened from another page, with its corpus.
    func passage(chunk id: Int64) throws -> (open: OpenPassage, corpus: Corpus) {
        guard let open = try open(id), let row = try store.chunk(id), let document = try store.document(row.document)
        else { throw Self.gone(id) }
        return (open, try store.corpus(document.corpus))
    }

    private static func gone(_ chunk: Int64) -> Problem {
        Problem(.missing, "", "chunk \(chunk) is no longer in the workspace: its document was changed or removed")
    }

    private func open(_ chunk: Int64) throws -> OpenPassage? {
        guard let row = try store.chunk(chunk), let document = try store.document(row.document) else { return nil }
        let chunks = try store.chunks(of: document.id).filter(\.isIndexed)
        let place = chunks.count > 1 ? chunks.firstIndex { $0.id == chunk }.map { " #\($0 + 1)" } ?? "" : ""
        return OpenPassage(
            passage: Passage(
                chunk: chunk, document: document.name, label: document.name + place, text: try store.text(of: row),
                range: row.range),
            title: document.title, source: document.path,
            metadata: try store.metadata(of: document.id).map { Stage.Parameter($0.key, $0.value.shown) },
            text: try store.text(of: document.id), range: row.range, chunks: chunks.map(\.range))
    }

    // MARK: Judging

    /// Returns a question set of the workspace, or one in a file or folder.
    func questions(named name: String, of corpus: Corpus) throws -> QuestionSet {
        let known = try store.questionSets(of: corpus.id).map(\.name)
        guard known.contains(name) || name.contains("/") || name.hasSuffix(".jsonl") else {
            throw Problem(
                .unknown, "", "unknown question set \(name)",
                remedy: known.isEmpty
                    ? "Press K to save a question in a set." : "Sets: \(known.joined(separator: ", ")).")
        }
        return try retriever.questions(name, of: corpus)
    }

    /// Compares two pipelines over a question set.
    ///
    /// - Parameter typed: A pipeline by name, which becomes A if `choice` is a changed version of it, and B otherwise; or
    ///   settings such as `dense.k = 20, fusion.k = 10`, which turn `choice` into B.
    func compare(
        _ choice: PipelineChoice, with typed: String, over set: String, in corpus: Corpus,
        until cancellation: Cancellation, progress: (Int, Int) -> Void = { _, _ in }
    ) throws -> PipelineContrast {
        let before, after: PipelineChoice
        if typed.contains("=") {
            (before, after) = (choice, try choice.changing(PipelineChoice.settings(typed)))
        } else {
            let other = try pipeline(named: typed)
            let isBase = choice.isChanged && other.named.name == choice.named.name
            (before, after) = isBase ? (other, choice) : (choice, other)
        }
        let questions = try questions(named: set, of: corpus)
        let comparison = try retriever.compare(
            before.named, after.named, over: questions, of: corpus, until: cancellation
        ) { progress($0, questions.cases.count * 2) }
        return PipelineContrast(before: before, after: after, comparison: comparison)
    }

    /// Runs both pipelines of a comparison on one question, side by side.
    func both(_ question: ContrastQuestion, until cancellation: Cancellation) throws -> RetrievalRecord {
        func search(_ choice: PipelineChoice) throws -> RetrievalRecord {
            try self.search(
                question.text, choice, in: question.corpus, models: .allButAnswer, until: cancellation
            ).record
        }
        return PipelineContrast.joined(try search(question.before), try search(question.after))
    }

    // MARK: Files

    /// Returns the corpora that files can be added to.
    ///
    /// - Throws: `Problem` if nothing exists at the path.
    func targets(for path: String, current: Corpus?) throws -> [AddTarget] {
        guard access(path, R_OK) == 0 else {
            throw Problem(.missing, path, String(cString: strerror(errno)), remedy: "Nothing was added.")
        }
        return try CorpusAdding(store).targets(for: [path], current: current?.id)
    }

    /// Writes a ranking as Markdown or JSON, depending on the ending of the path.
    func export(_ record: RetrievalRecord, to path: String) throws {
        try ExportFile.write(path, replacing: false) { write in
            try write(path.hasSuffix(".md") ? record.markdown : record.json(.pretty) + "\n")
        }
    }
}

/// The corpora and pipelines of a workspace.
struct RetrievalCatalog: Sendable {
    var corpora: [Corpus] = []
    var pipelines: [String] = []
    /// Newest saved version of each pipeline.
    var versions: [String: Int] = [:]
    /// Last change of the corpora, by any process.
    var lastChange: UndoableChange?
}

/// Names of a corpus's question sets and documents.
struct CorpusContents: Sendable {
    var sets: [String] = []
    var documents: [String] = []
}

internal import Console
internal import Glibc
internal import JSON
internal import ModelLab
internal import Retrieval
internal import System
internal import Traces
internal import Workspace

/// What the panel asks of the engine: corpora, pipelines, records of other systems.
struct RetrievalEngine: Sendable {
    let retriever: Retriever
    let foreign: ForeignRetrieval
    let traces: TraceStore
    let now: @Sendable () -> Int64

    init(_ workspace: Workspace, resources: PipelineResources, now: @escaping @Sendable () -> Int64) {
        retriever = Retriever(workspace, resources: resources)
        traces = TraceStore(workspace)
        foreign = ForeignRetrieval(traces)
        self.now = now
    }

    private var store: CorpusStore { retriever.store }

    // MARK: Corpora and pipelines

    func corpora() throws -> [Corpus] { try store.corpora() }

    func pipelines() throws -> [String] { try retriever.pipelineNames() }

    func pipelineVersions() throws -> [String: Int] { try retriever.pipelineVersions() }

    func corpus(_ id: Int64) throws -> CorpusBox {
        CorpusBox(
            corpus: try store.corpus(id), pipelines: try pipelines(), sets: try sets(of: id),
            documents: try store.documents(of: id, limit: Self.mostNamed).map(\.name))
    }

    /// Documents whose names complete what is typed.
    private static let mostNamed = 20_000

    /// Names of models that can answer.
    func models() throws -> [String] { try ModelHouse(store.workspace).registry.entries().map(\.name) }

    /// Whether jobs and traces can be kept.
    var canWrite: Bool { store.workspace.access == .readWrite }

    func sets(of corpus: Int64) throws -> [String] { try store.questionSets(of: corpus).map(\.name) }

    func pipeline(named name: String) throws -> PipelineChoice { PipelineChoice(try retriever.pipeline(named: name)) }

    func save(_ choice: PipelineChoice, as name: String) throws -> PipelineChoice {
        PipelineChoice(try retriever.save(choice.definition, as: name))
    }

    // MARK: Asking

    /// Searches for a question. The results are the same whether it is typed, submitted, or restored.
    ///
    /// - Parameter model: Answers with what was found, in place of the pipeline's own.
    func search(
        _ query: String, _ choice: PipelineChoice, answeringWith model: String? = nil, in corpus: Corpus,
        models: Retriever.Models = .all, keepingTrace: Bool = false, until cancellation: Cancellation
    ) throws -> RetrievalRecord {
        var named = choice.named
        if let model { named.definition = try named.definition.changing("answer.model", to: model) }
        return try timed {
            try retriever.ask(
                query, named, of: corpus, models: models, keepingTrace: keepingTrace, until: cancellation)
        }
    }

    /// A clock that stands measures nothing: then times are left out, and a screen is the same whenever it is drawn.
    private func timed(_ work: () throws -> RetrievalRecord) rethrows -> RetrievalRecord {
        let began = now()
        var record = try work()
        guard now() == began else { return record }
        record.seconds = nil
        for stage in record.stages.indices { record.stages[stage].seconds = nil }
        return record
    }

    func explain(
        _ target: Retriever.Target, _ record: RetrievalRecord, _ choice: PipelineChoice, in corpus: Corpus,
        isThorough: Bool = true, until cancellation: Cancellation
    ) throws -> Explanation {
        try retriever.explain(
            target, record, choice.named, of: corpus, isThorough: isThorough, until: cancellation)
    }

    func truth(
        _ record: RetrievalRecord, _ choice: PipelineChoice, in corpus: Corpus, until cancellation: Cancellation
    ) throws -> SearchTruth {
        let began = now()
        var truth = try retriever.truth(of: record, choice.named, of: corpus, until: cancellation)
        if now() == began { truth.seconds = .nan }
        return truth
    }

    /// The retrieval that a span of a trace belongs to, its documents matched with the corpora of the workspace.
    func record(trace: Int64, span: Int?) throws -> (record: RetrievalRecord, matches: [PassageID: String]) {
        let matcher = try CorpusMatcher(retriever)
        guard let record = try foreign.record(ofTrace: trace, span: span, matching: matcher) else {
            throw Problem(.missing, "", "no retrieval was recorded at this step of the trace")
        }
        var matches: [PassageID: String] = [:]
        for (index, passage) in record.passages.enumerated() {
            guard let chunk = passage.chunk, let found = try opened(chunk: chunk) else { continue }
            matches[PassageID(index)] = found.passage.label
        }
        return (record, matches)
    }

    /// The number of a trace of this workspace.
    func trace(of id: String) throws -> Int64 { try traces.find(id).id }

    // MARK: Reading

    /// A passage with what lies around it.
    func read(_ id: PassageID, of record: RetrievalRecord, gold: [QuestionSet.Gold]) throws -> OpenPassage {
        let passage = record[id]
        guard let chunk = passage.chunk, var open = try opened(chunk: chunk) else {
            return OpenPassage(passage: passage, text: passage.text)
        }
        open.passage = passage
        open.gold = gold.filter { $0.document == passage.document }.compactMap(\.range)
        return open
    }

    /// Contributions of the query words to a chunk's score, from the first stage that searches words.
    func words(
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

    /// A chunk that was opened from elsewhere, with its corpus.
    func passage(chunk id: Int64) throws -> PassageBox {
        guard let open = try opened(chunk: id), let row = try store.chunk(id),
            let document = try store.document(row.document)
        else {
            throw Problem(
                .missing, "", "chunk \(id) is no longer in the workspace: its document was changed or removed")
        }
        return PassageBox(passage: open, corpus: try corpus(document.corpus))
    }

    private func opened(chunk id: Int64) throws -> OpenPassage? {
        guard let row = try store.chunk(id), let document = try store.document(row.document) else { return nil }
        let text = try store.text(of: document.id)
        let chunks = try store.chunks(of: document.id).filter(\.isIndexed)
        let place = chunks.count > 1 ? chunks.firstIndex { $0.id == id }.map { " #\($0 + 1)" } ?? "" : ""
        return OpenPassage(
            passage: Passage(
                chunk: id, document: document.name, label: document.name + place, text: try store.text(of: row),
                range: row.range),
            title: document.title, source: document.path,
            metadata: try store.metadata(of: document.id).map { Stage.Parameter($0.key, $0.value.shown) },
            text: text, range: row.range, chunks: chunks.map(\.range))
    }

    // MARK: Judging

    func questions(named name: String, of corpus: Corpus) throws -> QuestionList {
        QuestionList(name: name, cases: try set(named: name, of: corpus).cases)
    }

    /// A question set of the workspace, or one in a file or folder.
    private func set(named name: String, of corpus: Corpus) throws -> QuestionSet {
        let known = try sets(of: corpus.id)
        guard known.contains(name) || name.contains("/") || name.hasSuffix(".jsonl") else {
            throw Problem(
                .unknown, "", "unknown question set \(name)",
                remedy: known.isEmpty
                    ? "Press K to save a question in a set." : "Sets: \(known.joined(separator: ", ")).")
        }
        return try retriever.questions(name, of: corpus)
    }

    func keep(_ question: String, answeredBy passage: Passage, in set: String, of corpus: Corpus) throws -> String {
        let one = try retriever.keep(question, answeredBy: passage, in: set, of: corpus)
        return "saved as case \(one.id) in \(set)"
    }

    /// Two pipelines over a set.
    ///
    /// - Parameter typed: another pipeline by name, which is A where this one is a change of it, else B; or settings such
    ///   as `dense.k = 20, fusion.k = 10` that make B of this one.
    func compare(
        _ choice: PipelineChoice, with typed: String, over set: String, in corpus: Corpus,
        until cancellation: Cancellation, progress: (Int, Int) -> Void
    ) throws -> PipelineContrast {
        let (before, after) = try sides(choice, typed)
        let questions = try self.set(named: set, of: corpus)
        let comparison = try retriever.compare(
            before.named, after.named, over: questions, of: corpus, until: cancellation
        ) { progress($0, questions.cases.count * 2) }
        return PipelineContrast(before: before, after: after, comparison: comparison)
    }

    private func sides(_ choice: PipelineChoice, _ typed: String) throws -> (
        before: PipelineChoice, after: PipelineChoice
    ) {
        guard typed.contains("=") else {
            let other = PipelineChoice(try retriever.pipeline(named: typed))
            let isBase = choice.isChanged && other.named.name == choice.named.name
            return isBase ? (other, choice) : (choice, other)
        }
        return (choice, try choice.changing(PipelineChoice.settings(typed, of: choice.definition)))
    }

    /// Both pipelines of a comparison on one question, side by side.
    func both(
        _ question: String, _ contrast: PipelineContrast, in corpus: Corpus, until cancellation: Cancellation
    ) throws -> RetrievalRecord {
        PipelineContrast.joined(
            try search(question, contrast.before, in: corpus, models: .allButAnswer, until: cancellation),
            try search(question, contrast.after, in: corpus, models: .allButAnswer, until: cancellation))
    }

    func health(_ corpus: Corpus, until cancellation: Cancellation) throws -> CorpusHealth {
        try retriever.health(of: corpus, until: cancellation)
    }

    // MARK: Files

    /// Returns the corpora that files can be added to.
    ///
    /// - Throws: `Problem` if nothing exists at the path.
    func targets(for path: String, current: Corpus?) throws -> TargetsBox {
        guard access(path, R_OK) == 0 else {
            throw Problem(.missing, path, String(cString: strerror(errno)), remedy: "Nothing was added.")
        }
        return TargetsBox(path: path, targets: try CorpusAdding(store).targets(for: [path], current: current?.id))
    }

    /// - Returns: A sentence, and the row of the edit for undo.
    func add(
        _ path: String, to target: AddTarget, analyzer: String?, job: JobHandle
    ) throws -> (sentence: String, edit: Int64?) {
        let adding = CorpusAdding(store)
        var settings = CorpusSettings()
        if let analyzer { settings.analyzer = analyzer }
        return try adding.add([path], to: adding.corpus(target, settings: settings), job: job)
    }

    /// The next change to undo; `nil` if there is none.
    func lastChange() throws -> UndoableChange? { try store.lastChange() }

    /// - Returns: A sentence.
    func undo(_ row: Int64, until cancellation: Cancellation) throws -> String {
        try CorpusAdding(store).undo(only: row, until: cancellation) ?? "there is nothing to undo"
    }

    /// - Returns: A sentence.
    func export(_ record: RetrievalRecord, to path: String) throws -> String {
        try ExportFile.write(path, replacing: false) { write in
            try write(path.hasSuffix(".md") ? RankingText(record).markdown : record.json(.pretty) + "\n")
        }
        return "written to \(path)"
    }
}

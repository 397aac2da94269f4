internal import Console
internal import Retrieval
internal import SearchIndexes
internal import Workspace

extension RetrievalPanel {
    // MARK: Asking

    /// The trigger of a search, which does not affect its results.
    package enum Asking: Sendable {
        /// The user submitted the question: all models are called, and the search is recorded.
        case person
        /// The panel returns to a submitted question.
        case again
        /// The user is typing, or the panel restores its screen: stages that call a model wait.
        case typing, restored

        var models: Retriever.Models { self == .person || self == .again ? .all : .none }
    }

    mutating func ask(_ question: String) -> [Effect<RetrievalAnswer>] {
        query = question
        isExample = false
        filling = nil
        guard !question.isEmpty else {
            return showNothing()
        }
        return search()
    }

    /// Clears the stages, the chunk, and its explanation, and cancels their requests.
    private mutating func showNothing() -> [Effect<RetrievalAnswer>] {
        columns.show(nil)
        open = nil
        explanation = nil
        target = nil
        why.show([])
        layoutPanes()
        return [.cancel(key: "search"), .cancel(key: "why"), .cancel(key: "passage")] + readSelected()
    }

    /// Runs the pipeline; what is under way for an older question ends.
    ///
    /// - Parameter model: Answers this once, in place of the pipeline's own.
    mutating func search(answeringWith model: String? = nil, by asking: Asking = .person) -> [Effect<RetrievalAnswer>] {
        search(query, answeringWith: model, by: asking)
    }

    private mutating func search(
        _ question: String, answeringWith model: String? = nil, by asking: Asking
    ) -> [Effect<RetrievalAnswer>] {
        guard let corpus, !question.isEmpty else { return [] }
        isSearching = true
        fault = nil
        let (engine, pipeline) = (engine, pipeline)
        return [
            // Reading for the previous question would only delay this one.
            .cancel(key: "passage"),
            .ask(key: "search") { cancellation in
                let record = try engine.search(
                    question, pipeline, answeringWith: model, in: corpus, models: asking.models,
                    keepingTrace: asking == .person, until: cancellation)
                let trace = try record.trace.map { try engine.trace(of: $0) }
                return .found(
                    RecordBox(record: record, recordedIn: trace, answeredIn: record.tracesAnswer ? trace : nil),
                    by: asking)
            },
        ]
    }

    /// Searches for the text typed so far.
    mutating func sketch(_ typed: String) -> [Effect<RetrievalAnswer>] {
        typing = typed
        let question = typed.trimmed
        guard !question.isEmpty else {
            // Results of the previous text do not apply to an empty one.
            isSearching = false
            return showNothing()
        }
        return search(question, by: .typing)
    }

    /// Back to the question that was asked before.
    mutating func stopTyping() -> [Effect<RetrievalAnswer>] {
        typing = nil
        // Nothing was typed: keep what is shown, including records of another system.
        if isForeign || record?.query == query { return [.cancel(key: "search")] }
        guard !query.isEmpty else { return ask("") }
        return search(by: .again)
    }

    /// Both sides of a comparison on the question under the cursor.
    mutating func contrastSelected() -> [Effect<RetrievalAnswer>] {
        guard let row = questions.selected, let comparison, let corpus else { return [] }
        let engine = engine
        return [
            .ask(key: "search") { cancellation in
                .contrasted(PairBox(record: try engine.both(row.question, comparison, in: corpus, until: cancellation)))
            }
        ]
    }

    // MARK: Why

    /// - Parameters:
    ///   - isPinned: Whether the explanation stays while the cursor moves.
    ///   - isAsked: Whether the user requested it, so the panel shows it now.
    func explain(_ target: Retriever.Target, isPinned: Bool, isAsked: Bool = true) -> [Effect<RetrievalAnswer>] {
        guard let corpus, let record else { return [] }
        let (engine, pipeline) = (engine, pipeline)
        if isForeign {
            guard let own else { return [] }
            return [.ask(key: "opening") { _ in .again(try engine.again(own, asking: target)) }]
        }
        return [
            .ask(key: "why") { cancellation in
                let found = try engine.explain(target, record, pipeline, in: corpus, until: cancellation)
                return .explained(
                    ExplanationBox(explanation: found, target: target, isPinned: isPinned, isAsked: isAsked))
            }
        ]
    }

    func measure() -> [Effect<RetrievalAnswer>] {
        guard let corpus, let record else { return [] }
        let (engine, pipeline) = (engine, pipeline)
        return [
            .ask(key: "truth") { cancellation in
                .measured(TruthBox(truth: try engine.truth(record, pipeline, in: corpus, until: cancellation)))
            }
        ]
    }

    // MARK: The pipeline

    mutating func set(_ changes: [Remedy.Change]) -> [Effect<RetrievalAnswer>] {
        do {
            pipeline = try pipeline.changing(changes)
            return search()
        } catch {
            return [.notify("\(error)", .failure)]
        }
    }

    func choosePipeline(_ name: String) -> [Effect<RetrievalAnswer>] {
        let engine = engine
        return [.ask(key: "pipeline") { _ in .pipeline(PipelineBox(choice: try engine.pipeline(named: name))) }]
    }

    func savePipeline(_ name: String) -> [Effect<RetrievalAnswer>] {
        let (engine, pipeline) = (engine, pipeline)
        return [
            .ask(key: "pipeline") { _ in .saved(PipelineBox(choice: try engine.save(pipeline, as: name))) }
        ]
    }

    /// Asks before a pipeline that others use gets another meaning.
    func askSave(_ name: String) -> [Effect<RetrievalAnswer>] {
        guard pipelines.contains(name) else { return savePipeline(name) }
        // Saving keeps the built-in pipeline as version 1.
        let version = pipelineVersions[name] ?? 1
        let users = name == Retriever.standardName ? "\(name) or no pipeline" : name
        return [
            .question(
                Question(
                    "Replace \(name)?",
                    lines: [
                        "Changed: \(pipeline.changes.map(\.text).joined(separator: ", ")).",
                        "Searches that name \(users) will use version \(version + 1).",
                        "The current version remains available as \(name)@\(version).",
                    ], [.init("s", "save as version \(version + 1) of \(name)", value: .save(name))]))
        ]
    }

    /// Names of pipelines, each followed by its former versions, such as `hybrid@1`.
    var pipelineChoices: [String] {
        pipelines.flatMap { name in
            [name] + (1..<max(1, pipelineVersions[name] ?? 1)).reversed().map { "\(name)@\($0)" }
        }
    }

    // MARK: Question sets

    func chooseQuestions(_ name: String) -> [Effect<RetrievalAnswer>] {
        guard let corpus else { return [] }
        let engine = engine
        let isFile = !sets.contains(name)
        return [
            .ask(key: "questions") { _ in
                .questions(
                    QuestionListBox(list: try engine.questions(named: name, of: corpus), isFromFile: isFile))
            }
        ]
    }

    /// The question becomes a case whose answer is the chunk under the cursor.
    func keepCase() -> [Effect<RetrievalAnswer>] {
        guard let corpus, let record, let passage = columns.selected else { return [] }
        let engine = engine
        // Questions read from a file stay as they are.
        let set = questions.name.flatMap { sets.contains($0) ? $0 : nil } ?? "questions"
        return [
            .ask(key: "case") { _ in
                .kept(try engine.keep(record.query, answeredBy: record[passage], in: set, of: corpus), set: set)
            }
        ]
    }

    func compare(with name: String) -> [Effect<RetrievalAnswer>] {
        guard let corpus, let set = questions.name else { return [] }
        let (engine, pipeline) = (engine, pipeline)
        // A job is kept in the workspace; where that cannot be written, the comparison is made all the same.
        guard engine.canWrite else {
            return [
                .ask(key: "compare") { cancellation in
                    let contrast = try engine.compare(
                        pipeline, with: name, over: set, in: corpus, until: cancellation, progress: { _, _ in })
                    return .compared(ComparisonBox(contrast: contrast))
                }
            ]
        }
        return [
            .job(
                JobRequest("retrieval compare", title: "compare \(pipeline.named.name) with \(name)") { job in
                    var done = 0
                    let contrast = try engine.compare(
                        pipeline, with: name, over: set, in: corpus, until: job.cancellation
                    ) { now, all in
                        try? job.advance(by: Int64(now - done), of: Int64(all), unit: "questions")
                        done = now
                    }
                    return .compared(ComparisonBox(contrast: contrast))
                })
        ]
    }

    // MARK: Files

    /// Asks which corpus takes the files.
    func add(_ path: String) -> [Effect<RetrievalAnswer>] {
        let (engine, corpus) = (engine, corpus)
        return [.ask(key: "targets") { _ in .targets(try engine.targets(for: path, current: corpus)) }]
    }

    /// Asks for the analyzer of a new corpus, which its index keeps using.
    func analyzerForm(_ path: String, _ name: String) -> Effect<RetrievalAnswer> {
        let field = Form.Field(
            "analyzer", value: CorpusSettings().analyzer, choices: Analyzer.names,
            help: "How text is split into words: a language, words (any language), or cjk (Chinese, Japanese, Korean). "
                + "This choice is permanent.")
        return .fill(
            FormRequest("New corpus \(name)", verb: "add", field) { .create(path: path, name: name, analyzer: $0) })
    }

    /// - Parameter analyzer: The analyzer of a new corpus; `nil` means the default.
    mutating func add(_ path: String, to target: AddTarget, analyzer: String? = nil) -> [Effect<RetrievalAnswer>] {
        let engine = engine
        let name = path.split(separator: "/").last.map(String.init) ?? path
        if case .new(let made) = target { filling = made }
        return [
            .job(
                JobRequest("corpus add", title: "add \(name) to \(target.name)") { job in
                    let (sentence, edit) = try engine.add(path, to: target, analyzer: analyzer, job: job)
                    return .added(sentence + (edit == nil ? "." : ". u undoes it."), edit: edit)
                })
        ]
    }

    /// Whether this page made the last change of the corpora.
    var ownsLastChange: Bool { lastChange?.edit.map(ownEdits.contains) ?? false }

    func askUndo() -> [Effect<RetrievalAnswer>] {
        guard ownsLastChange, let change = lastChange else { return [] }
        let deleted = change.createdCorpus.map { ["This also deletes the corpus \($0), which was empty before."] } ?? []
        return [
            .question(
                Question(
                    "Undo \(change.phrase)?",
                    lines: ["This removes new documents and restores the previous text of changed ones."] + deleted,
                    [.init("u", "undo \(change.phrase)", value: .undo(change.row))]))
        ]
    }

    func undo(_ row: Int64) -> [Effect<RetrievalAnswer>] {
        let engine = engine
        return [
            .job(
                JobRequest("corpus undo", title: "undo \(lastChange?.phrase ?? "the last change")") { job in
                    .done(try engine.undo(row, until: job.cancellation))
                })
        ]
    }

    func export(to path: String) -> [Effect<RetrievalAnswer>] {
        guard let record else { return [] }
        let engine = engine
        return [.ask(key: "export") { _ in .copied(try engine.export(record, to: path)) }]
    }
}

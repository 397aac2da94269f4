internal import Console
internal import Retrieval
internal import Workspace

extension RetrievalPanel {
    // MARK: Asking

    mutating func ask(_ question: String) -> [Effect<RetrievalAnswer>] {
        query = question
        guard !question.isEmpty else {
            columns.show(nil)
            open = nil
            return [.cancel(key: "search")] + readSelected()
        }
        return search()
    }

    /// Runs the pipeline; what is under way for an older question ends.
    ///
    /// - Parameter model: answers this once, in place of the pipeline's own.
    mutating func search(answeringWith model: String? = nil) -> [Effect<RetrievalAnswer>] {
        guard let corpus, !query.isEmpty else { return [] }
        isSearching = true
        fault = nil
        let (engine, pipeline, query) = (engine, pipeline, query)
        return [
            .ask(key: "search") { cancellation in
                let record = try engine.run(query, pipeline, answeringWith: model, in: corpus, until: cancellation)
                let trace = try record.trace.map { try engine.trace(of: $0) }
                return .found(RecordBox(record: record, answeredIn: trace), isSketch: false)
            }
        ]
    }

    /// What the question finds so far: the stages that need no model.
    mutating func sketch(_ typed: String) -> [Effect<RetrievalAnswer>] {
        let question = typed.trimmed
        typing = typed
        guard let corpus, question.count > 1 else { return [.cancel(key: "search")] }
        let (engine, pipeline) = (engine, pipeline)
        return [
            .ask(key: "search") { cancellation in
                .found(
                    RecordBox(record: try engine.sketch(question, pipeline, in: corpus, until: cancellation)),
                    isSketch: true)
            }
        ]
    }

    /// Back to the question that was asked before.
    mutating func stopTyping() -> [Effect<RetrievalAnswer>] {
        typing = nil
        // Nothing was typed: what is shown, also what another system recorded, stays.
        guard let record, !isForeign, record.query != query else { return [.cancel(key: "search")] }
        return ask(query)
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

    func explain(_ target: Retriever.Target) -> [Effect<RetrievalAnswer>] {
        guard let corpus, let record else { return [] }
        let (engine, pipeline) = (engine, pipeline)
        if isForeign {
            guard let own else { return [] }
            return [.ask(key: "opening") { _ in .again(try engine.again(own, asking: target)) }]
        }
        return [
            .ask(key: "why") { cancellation in
                let found = try engine.explain(target, record, pipeline, in: corpus, until: cancellation)
                return .explained(ExplanationBox(explanation: found, target: target))
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

    mutating func savePipeline(_ name: String) -> [Effect<RetrievalAnswer>] {
        let (engine, pipeline) = (engine, pipeline)
        return [
            .ask(key: "pipeline") { _ in
                .pipeline(PipelineBox(choice: try engine.save(pipeline, as: name)))
            }
        ]
    }

    // MARK: Question sets

    func chooseQuestions(_ name: String) -> [Effect<RetrievalAnswer>] {
        guard let corpus else { return [] }
        let engine = engine
        return [
            .ask(key: "questions") { _ in
                .questions(QuestionListBox(list: try engine.questions(named: name, of: corpus)))
            }
        ]
    }

    /// The question becomes a case whose answer is the chunk under the cursor.
    func keepCase() -> [Effect<RetrievalAnswer>] {
        guard let corpus, let record, let passage = columns.selected else { return [] }
        let engine = engine
        let set = questions.name ?? "questions"
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

    func add(_ path: String) -> [Effect<RetrievalAnswer>] {
        let (engine, corpus) = (engine, corpus)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return [
            .job(
                JobRequest("corpus add", title: "add \(name)") { job in
                    .done(try engine.add(path, to: corpus, job: job))
                })
        ]
    }

    func export(to path: String) -> [Effect<RetrievalAnswer>] {
        guard let record else { return [] }
        let engine = engine
        return [.ask(key: "export") { _ in .copied(try engine.export(record, to: path)) }]
    }
}

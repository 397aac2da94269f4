internal import Console
internal import Retrieval

extension RetrievalPanel {
    // MARK: Asking

    mutating func ask(_ question: String) -> [Effect<RetrievalAnswer>] {
        query = question
        guard !question.isEmpty else {
            columns.show(nil)
            return readSelected()
        }
        return search()
    }

    /// Runs the pipeline; what is under way for an older question ends.
    mutating func search() -> [Effect<RetrievalAnswer>] {
        guard let corpus, !query.isEmpty else { return [] }
        isSearching = true
        fault = nil
        let (engine, pipeline, query) = (engine, pipeline, query)
        return [
            .ask(key: "search") { cancellation in
                .found(
                    RecordBox(
                        record: try engine.run(
                            query, pipeline, in: corpus, until: cancellation)), isSketch: false)
            }
        ]
    }

    /// What the question finds so far: the stages that need no model.
    mutating func sketch(_ typed: String) -> [Effect<RetrievalAnswer>] {
        let typed = typed.trimmed
        guard let corpus, typed.count > 1 else { return [.cancel(key: "search")] }
        let (engine, pipeline) = (engine, pipeline)
        return [
            .ask(key: "search") { cancellation in
                .found(
                    RecordBox(record: try engine.sketch(typed, pipeline, in: corpus, until: cancellation)),
                    isSketch: true)
            }
        ]
    }

    // MARK: Why

    func explain(_ target: Retriever.Target) -> [Effect<RetrievalAnswer>] {
        guard let corpus, let record else { return [] }
        let (engine, pipeline) = (engine, pipeline)
        return [
            .ask(key: "why") { cancellation in
                .explained(
                    ExplanationBox(
                        explanation: try engine.explain(target, record, pipeline, in: corpus, until: cancellation)))
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
                .saved(try engine.keep(record.query, answeredBy: record[passage], in: set, of: corpus))
            }
        ]
    }

    func compare(with name: String) -> [Effect<RetrievalAnswer>] {
        guard let corpus, let set = questions.name else { return [] }
        let (engine, pipeline) = (engine, pipeline)
        return [
            .job(
                JobRequest("retrieval compare", title: "compare \(pipeline.named.name) with \(name)") { job in
                    .compared(
                        ComparisonBox(contrast: try engine.compare(pipeline, with: name, over: set, in: corpus, job: job)))
                })
        ]
    }

    // MARK: Files

    func add(_ path: String) -> [Effect<RetrievalAnswer>] {
        let (engine, corpus) = (engine, corpus)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return [
            .job(JobRequest("corpus add", title: "add \(name)") { job in .done(try engine.add(path, to: corpus, job: job)) })
        ]
    }

    func export(to path: String) -> [Effect<RetrievalAnswer>] {
        guard let record else { return [] }
        let engine = engine
        return [.ask(key: "export") { _ in .copied(try engine.export(record, to: path)) }]
    }
}

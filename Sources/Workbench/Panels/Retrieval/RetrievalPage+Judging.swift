internal import Console
internal import Formatting
internal import Retrieval
internal import Workspace

/// Question sets, comparisons of pipelines, and the health of the corpus.
extension RetrievalPage {
    func askQuestions() -> Work<Self> {
        guard !contents.sets.isEmpty else {
            return .browse("Read questions: a .jsonl file or a BEIR folder", .fileOrFolder) {
                $0.chooseQuestions($1.trimmed)
            }
        }
        let choices = contents.sets.map { Choice($0, isCurrent: $0 == questions.name) }
        return Self.choose("Questions", choices, typed: "Read questions from") { $0.chooseQuestions($1) }
    }

    /// - Parameter typed: Name of a question set, or the path of a file or folder.
    func chooseQuestions(_ typed: String) -> Work<Self> {
        guard let corpus, !typed.isEmpty else { return [] }
        let name = typed.contains("/") ? PathCompletion.expanded(typed) : typed
        let isFile = !contents.sets.contains(name)
        return read("questions", { try $0.questions(named: name, of: corpus).cases }) { page, cases in
            guard page.corpus?.id == corpus.id else { return [] }
            page.questions = QuestionList(name: name, cases: cases)
            page.comparison = nil
            let wasComparison = page.mode == .comparison
            if wasComparison { page.mode = .stages }
            if let first = cases.first, page.wantsExample {
                (page.isFirstVisit, page.isExample, page.query) = (false, true, first.question)
                return page.search(by: .restored)
            }
            // The pane of questions may have no room for the name of the file.
            let note = "read \(Format.count(cases.count, "question")) from \(Self.name(of: name))"
            return [isFile ? .notify(note, .success) : [], wasComparison ? page.search(by: .again) : []]
        }
    }

    /// Whether to search for a sample question: on the sample corpus, at the first visit.
    private var wantsExample: Bool {
        isFirstVisit && corpus?.isSample == true && query.isEmpty && typing == nil && record == nil && !isOpening
    }

    /// Saves the question as a case whose answer is the chunk under the cursor.
    func keepCase() -> Work<Self> {
        guard let corpus, let record, let passage = columns.selected else { return [] }
        // Questions that were read from a file stay unchanged.
        let set = questions.name.flatMap { contents.sets.contains($0) ? $0 : nil } ?? "questions"
        return write {
            try $0.retriever.keep(record.query, answeredBy: record[passage], in: set, of: corpus).id
        } then: { page, id in
            let note = Work<Self>.notify("saved as case \(id) in \(set)", .success)
            guard page.corpus?.id == corpus.id else { return note }
            page.contents.sets += page.contents.sets.contains(set) ? [] : [set]
            return [note, page.chooseQuestions(set), .again("corpus")]
        } failed: { _, _ in
            .again("corpus")
        }
    }

    // MARK: Comparing

    /// Asks for the other side of a comparison: another pipeline, or the current one with a changed setting.
    func chooseComparison() -> Work<Self> {
        let definition = pipeline.definition
        // Comparing a pipeline with itself shows nothing.
        var choices = catalog.pipelines.filter { pipeline.isChanged || $0 != pipeline.named.name }.map {
            Choice($0, isCurrent: pipeline.isChanged && $0 == pipeline.named.name)
        }
        if !definition.lexical.isEmpty, !definition.dense.isEmpty {
            choices.append(Choice("dense.enabled = false", facts: ["words only"]))
            choices.append(Choice("lexical.enabled = false", facts: ["vectors only"]))
        }
        let half = max(1, definition.fusion.keep / 2)
        choices.append(Choice("fusion.keep = \(half)", facts: ["half as many passages"]))
        return Self.choose("Compare with a pipeline", choices, typed: "Change one setting:") { $0.compare(with: $1) }
    }

    private func compare(with name: String) -> Work<Self> {
        guard let corpus, let set = questions.name else { return [] }
        // A read-only workspace stores no jobs.
        guard engine.canWrite else {
            return read(
                "compare",
                cancellable: { [pipeline] in try $0.compare(pipeline, with: name, over: set, in: corpus, until: $1) }
            ) { $0.show($1) }
        }
        return job("retrieval compare", title: "compare \(pipeline.named.name) with \(name)") {
            [pipeline] engine, job in
            var done = 0
            return try engine.compare(pipeline, with: name, over: set, in: corpus, until: job.cancellation) {
                now, all in
                try? job.advance(by: Int64(now - done), of: Int64(all), unit: "questions")
                done = now
            }
        } then: {
            $0.show($1)
        }
    }

    private mutating func show(_ contrast: PipelineContrast) -> Work<Self> {
        comparison = contrast
        mode = .comparison
        questions.show(contrast.comparison)
        columns.show(nil)
        (recorded, explanation, target) = (nil, nil, nil)
        screen.focus = .questions
        screen.isZoomed = false
        isSearching = false
        return .cancel("search")
    }

    /// The question under the cursor, for both pipelines.
    var contrastQuestion: ContrastQuestion? {
        guard mode == .comparison, !isSearching, let row = questions.rows.selected, let comparison, let corpus else {
            return nil
        }
        return ContrastQuestion(
            text: row.question, before: comparison.before, after: comparison.after, corpus: corpus)
    }

    // MARK: Health

    mutating func showHealth() -> Work<Self> {
        mode = .health
        screen.focus = .stages
        health.show([TextSection(StyledLine("reading all texts and segments", .dim))])
        return .again("health")
    }
}

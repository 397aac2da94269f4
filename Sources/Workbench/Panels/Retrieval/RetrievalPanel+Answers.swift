internal import Console
internal import Retrieval

extension RetrievalPanel {
    mutating func start(_ saved: String?) -> [Effect<RetrievalAnswer>] {
        if let screen = saved.flatMap(RetrievalScreen.init(text:)) { screen.apply(to: &self) }
        layoutPanes()
        return reload()
    }

    func reload() -> [Effect<RetrievalAnswer>] {
        let engine = engine
        return [
            .ask(key: "corpora") { _ in
                .corpora(CorpusListBox(corpora: try engine.corpora(), pipelines: try engine.pipelines()))
            }
        ]
    }

    mutating func receive(_ answer: RetrievalAnswer) -> [Effect<RetrievalAnswer>] {
        switch answer {
        case .corpora(let box): return list(box)
        case .chosen(let box):
            isOpening = false
            know(box)
            return choose(box.corpus)
        case .known(let box):
            know(box)
            if questions.name == nil, let name = sets.first { return chooseQuestions(name) }
            return []
        case .typed(let text): return sketch(text)
        case .asked(let text):
            typing = nil
            return ask(text.trimmed)
        case .cancelledTyping: return stopTyping()
        case .found(let box, let isSketch):
            // The same answer to the same prompt comes from what was asked before.
            let isSame = box.record.answer == record?.answer && box.record.context == record?.context
            answeredIn = box.answeredIn ?? (isSame ? answeredIn : nil)
            return show(box.record, isSketch: isSketch)
        case .recorded(let box, let reference): return showRecorded(box, at: reference)
        case .read(let box): return read(box)
        case .opened(let box): return showOpened(box)
        case .explained(let box):
            explanation = box.explanation
            target = box.target
            remedy = 0
            reveal(.why)
            return showWhy() + readExplained()
        case .again(let box): return searchAgain(box)
        case .measured(let box):
            truth = box.truth
            return [.notify(box.truth.line.text)]
        case .pipeline(let box):
            pipeline = box.choice
            return query.isEmpty ? [] : search()
        case .kept(let sentence, let set):
            return [.notify(sentence, .success)] + chooseQuestions(set) + refreshNames()
        case .done(let sentence): return [.notify(sentence, .success), .changed]
        case .questions(let box):
            questions = box.list
            comparison = nil
            let wasComparison = mode == .comparison
            if wasComparison { mode = .stages }
            if let record, !wasComparison { columns.mark(goldPassages(of: record)) }
            layoutPanes()
            return wasComparison && !query.isEmpty ? search() : readSelected()
        case .compared(let box): return show(box.contrast)
        case .contrasted(let box):
            isSearching = false
            columns.show(box.record, gold: goldPassages(of: box.record))
            layoutPanes()
            return readSelected()
        case .health(let box):
            health = box.health
            healthText.show(HealthReading(health: box.health).sections)
            layoutPanes()
            return advanceText()
        case .line(let purpose, let typed): return accept(purpose, typed)
        case .models(let names):
            models = names
            return [.prompt(line(.answerModel, "answer with ", text: usualModel, completing: names))]
        case .advanceText: return advanceText()
        case .copied(let sentence): return [.notify(sentence, .success)]
        }
    }

    mutating func fail(_ key: String, _ sentence: String) -> [Effect<RetrievalAnswer>] {
        switch key {
        case "search":
            isSearching = false
            fault = sentence
        case "opening":
            isSearching = false
            isOpening = false
            fault = sentence
            // What was here before stays, or comes back.
            if record == nil, !query.isEmpty { return search() }
        default: break
        }
        return []
    }

    // MARK: Corpora

    private mutating func know(_ box: CorpusBox) {
        pipelines = box.pipelines
        sets = box.sets
        documents = box.documents
    }

    func refreshNames() -> [Effect<RetrievalAnswer>] {
        guard let corpus else { return [] }
        let engine = engine
        return [.ask(key: "corpus") { _ in .known(try engine.corpus(corpus.id)) }]
    }

    private mutating func list(_ box: CorpusListBox) -> [Effect<RetrievalAnswer>] {
        corpora = box.corpora
        pipelines = box.pipelines
        if let corpus {
            guard let now = corpora.first(where: { $0.id == corpus.id }) else {
                self.corpus = nil
                columns.show(nil)
                open = nil
                return corpora.first.map { choose($0) } ?? []
            }
            let hasChanged = now.revision != corpus.revision
            self.corpus = now
            guard hasChanged, !isForeign, mode == .stages else { return hasChanged ? refreshNames() : [] }
            return refreshNames() + (query.isEmpty ? [] : search())
        }
        let named = wanted.flatMap { name in corpora.first { $0.name == name } }
        wanted = nil
        return (named ?? corpora.first).map { choose($0) } ?? []
    }

    /// Takes a corpus. What was opened from elsewhere stays where it does not belong to another.
    mutating func choose(_ corpus: Corpus) -> [Effect<RetrievalAnswer>] {
        let isOther = self.corpus?.id != corpus.id
        let keeps = isOpening || isForeign || self.corpus == nil && open != nil
        self.corpus = corpus
        guard isOther else { return [] }
        questions = QuestionList()
        comparison = nil
        health = nil
        if !keeps {
            columns.show(nil)
            open = nil
            explanation = nil
            target = nil
            truth = nil
            mode = .stages
            text.show([])
        }
        layoutPanes()
        return refreshNames() + (keeps || query.isEmpty ? [] : search())
    }

    // MARK: Results

    private mutating func show(_ record: RetrievalRecord, isSketch: Bool) -> [Effect<RetrievalAnswer>] {
        isSearching = false
        fault = nil
        mode = .stages
        truth = nil
        recordedAt = nil
        if explanation?.query != record.query {
            explanation = nil
            target = nil
        }
        if !isSketch, let awaited {
            target = awaited
            self.awaited = nil
        }
        columns.show(record, gold: goldPassages(of: record))
        if case .chunk(let chunk)? = target { columns.follow(chunk: chunk) }
        if record.answer != nil { view = .answer }
        layoutPanes()
        // The answer is of the question, not of the chunk under the cursor.
        let answer = view == .answer ? showText() : []
        // A pipeline that was changed says something else of the same chunk.
        let again = isSketch ? [] : target.map { explain($0) } ?? []
        return answer + readSelected() + again + (isSketch ? [] : record.notes.prefix(1).map { .notify($0, .warning) })
    }

    private mutating func showRecorded(_ box: MatchedBox, at reference: Reference) -> [Effect<RetrievalAnswer>] {
        let record = box.record
        isOpening = false
        answeredIn = nil
        explanation = nil
        target = nil
        let effects = show(record, isSketch: true)
        recordedAt = reference
        own = box.own
        matches = box.matches
        why.show(MatchReading(record: record, matches: matches).sections)
        if record.answer != nil { view = .answer }
        pane = .stages
        isZoomed = false
        layoutPanes()
        return effects
    }

    /// The recorded search is made again with the pipeline as it is now; then the passage is asked about.
    private mutating func searchAgain(_ box: AgainBox) -> [Effect<RetrievalAnswer>] {
        guard let record, isForeign else { return [] }
        isOpening = false
        let isOther = corpus?.id != box.corpus.corpus.id
        know(box.corpus)
        corpus = box.corpus.corpus
        pipeline = box.choice
        query = record.query
        awaited = box.target
        if isOther { (questions, comparison, health) = (QuestionList(), nil, nil) }
        mode = .stages
        return search()
    }

    /// A chunk that was opened from elsewhere: its source, at the chunk.
    private mutating func showOpened(_ box: PassageBox) -> [Effect<RetrievalAnswer>] {
        var effects: [Effect<RetrievalAnswer>] = []
        if let corpus = box.corpus {
            let isElsewhere = record == nil || corpus.corpus.id != self.corpus?.id || !holds(box.passage.passage)
            if isElsewhere {
                columns.show(nil)
                mode = .stages
            }
            open = box.passage
            effects = choose(corpus.corpus)
            know(corpus)
        }
        isOpening = false
        open = box.passage
        view = .source
        if let chunk = box.passage.passage.chunk { columns.follow(chunk: chunk) }
        reveal(.passage)
        return effects + showText()
    }

    func holds(_ passage: Passage) -> Bool {
        record?.passages.contains { $0.chunk == passage.chunk } ?? false
    }

    private mutating func show(_ contrast: PipelineContrast) -> [Effect<RetrievalAnswer>] {
        comparison = contrast
        mode = .comparison
        let texts = Dictionary(questions.rows.map { ($0.id, $0.question) }, uniquingKeysWith: { one, _ in one })
        questions.show(
            contrast.comparison.rows.map { row in
                QuestionList.Row(
                    id: row.query, question: texts[row.query] ?? row.query, before: row.before, after: row.after)
            })
        questions.list.moveToStart()
        columns.show(nil)
        explanation = nil
        target = nil
        pane = .questions
        isZoomed = false
        layoutPanes()
        return contrastSelected()
    }
}

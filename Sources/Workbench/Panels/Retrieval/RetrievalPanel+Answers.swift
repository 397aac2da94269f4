internal import Console
internal import Formatting
internal import Retrieval

extension RetrievalPanel {
    mutating func start(_ saved: String?) -> [Effect<RetrievalAnswer>] {
        if let screen = saved.flatMap(RetrievalScreen.init(text:)) { screen.apply(to: &self) }
        isFirstSight = saved == nil
        layoutPanes()
        return reload()
    }

    func reload() -> [Effect<RetrievalAnswer>] {
        let engine = engine
        return [
            .ask(key: "corpora") { _ in
                .corpora(
                    CorpusListBox(
                        corpora: try engine.corpora(), pipelines: try engine.pipelines(),
                        pipelineVersions: try engine.pipelineVersions(), lastChange: try engine.lastChange()))
            }
        ]
    }

    mutating func receive(_ answer: RetrievalAnswer) -> [Effect<RetrievalAnswer>] {
        switch answer {
        case .corpora(let box): return list(box)
        case .chosen(let box):
            isOpening = false
            know(box)
            return choose(box.corpus, by: .restored)
        case .known(let box):
            know(box)
            if questions.name == nil, let name = sets.first { return chooseQuestions(name) }
            return []
        case .typed(let text): return sketch(text)
        case .asked(let text):
            typing = nil
            return ask(text.trimmed)
        case .cancelledTyping: return stopTyping()
        case .found(let box, let asking):
            // The same answer to the same prompt comes from what was asked before.
            let isSame = box.record.answer == record?.answer && box.record.context == record?.context
            answeredIn = box.answeredIn ?? (isSame ? answeredIn : nil)
            recordedIn = box.recordedIn ?? (asking == .again && isSame ? recordedIn : nil)
            return show(box.record, by: asking)
        case .recorded(let box, let reference): return showRecorded(box, at: reference)
        case .read(let box): return read(box)
        case .opened(let box): return showOpened(box)
        case .explained(let box):
            explanation = box.explanation
            isThorough = true
            target = box.isPinned ? box.target : nil
            remedy = 0
            if box.isAsked {
                // Enter applies the shown change.
                if box.explanation.remedies.isEmpty { reveal(.why) } else { pane = .why }
                layoutPanes()
            }
            let shown = showWhy() + (box.isAsked || box.isPinned ? readExplained() : [])
            guard box.isAsked, box.explanation.droppedBy == nil else { return shown }
            return shown + [.notify("\(box.explanation.passage.label) is in the context: no change is needed")]
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
        case .added(let sentence, let edit):
            if let edit { ownEdits.insert(edit) }
            return [.notify(sentence, .success), .changed]
        case .create(let path, let name, let analyzer): return add(path, to: .new(name), analyzer: analyzer)
        case .undo(let row): return undo(row)
        case .save(let name): return savePipeline(name)
        case .saved(let box):
            pipeline = box.choice
            return (query.isEmpty ? [] : search()) + [.notify("saved \(box.choice.title)", .success), .changed]
        case .targets(let box):
            adding = (box.path, box.targets)
            return [targetChooser(box)]
        case .questions(let box):
            questions = box.list
            comparison = nil
            let wasComparison = mode == .comparison
            if wasComparison { mode = .stages }
            if let record, !wasComparison { columns.mark(goldPassages(of: record)) }
            layoutPanes()
            if let example = askExample() { return example }
            return confirmation(box) + (wasComparison && !query.isEmpty ? search(by: .again) : readSelected())
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
        case .changed(let box): return box.changes.isEmpty ? [] : set(box.changes)
        case .models(let names):
            models = names
            return [
                .choose(
                    ModelChoices.request("Answer with", names: names, current: usualModel) { .line(.answerModel, $0) })
            ]
        case .advanceText: return advanceText()
        case .copied(let sentence): return [.notify(sentence, .success)]
        }
    }

    /// The pane of questions may not show the name of the file.
    private func confirmation(_ box: QuestionListBox) -> [Effect<RetrievalAnswer>] {
        guard box.isFromFile else { return [] }
        let name = box.list.name?.split(separator: "/").last ?? ""
        return [.notify("read \(Format.count(box.list.rows.count, "question")) from \(name)", .success)]
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
            if record == nil, !query.isEmpty { return search(by: .again) }
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
        pipelineVersions = box.pipelineVersions
        lastChange = box.lastChange
        if let filled = filling.flatMap({ name in corpora.first { $0.name == name && $0.documentCount > 0 } }) {
            filling = nil
            return choose(filled, by: .restored)
        }
        if let corpus {
            guard let now = corpora.first(where: { $0.id == corpus.id }) else {
                self.corpus = nil
                columns.show(nil)
                open = nil
                return corpora.first.map { choose($0, by: .restored) } ?? []
            }
            let hasChanged = now.revision != corpus.revision
            self.corpus = now
            guard hasChanged, !isForeign, mode == .stages else { return hasChanged ? refreshNames() : [] }
            return refreshNames() + search(by: .restored)
        }
        let named = wanted.flatMap { name in corpora.first { $0.name == name } }
        wanted = nil
        return (named ?? corpora.first).map { choose($0, by: .restored) } ?? []
    }

    /// On the sample corpus, the first visit shows the first sample question, answered.
    private mutating func askExample() -> [Effect<RetrievalAnswer>]? {
        guard isFirstSight, corpus?.isSample == true, query.isEmpty, typing == nil, record == nil, !isOpening,
            let first = questions.rows.first
        else { return nil }
        isFirstSight = false
        isExample = true
        query = first.question
        return search(by: .restored)
    }

    /// Takes a corpus. What was opened from elsewhere stays where it does not belong to another.
    mutating func choose(_ corpus: Corpus, by asking: Asking) -> [Effect<RetrievalAnswer>] {
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
        if isExample { (isExample, query) = (false, "") }
        return refreshNames() + (keeps ? [] : search(by: asking))
    }

    // MARK: Results

    private mutating func show(_ record: RetrievalRecord, by asking: Asking?) -> [Effect<RetrievalAnswer>] {
        isSearching = false
        fault = nil
        mode = .stages
        truth = nil
        recordedAt = nil
        if self.record?.query != record.query { target = nil }
        let isAwaited = asking == .person && awaited != nil
        if isAwaited { (target, awaited) = (awaited, nil) }
        // Verdicts on the previous ranking do not apply to this one.
        isThorough = false
        if target == nil { explanation = nil }
        columns.show(record, gold: goldPassages(of: record))
        if case .chunk(let chunk)? = target { columns.follow(chunk: chunk) }
        if record.answer != nil { view = .answer }
        if explanation == nil { why.show([]) }
        layoutPanes()
        // The answer is of the question, not of the chunk under the cursor.
        let answer = view == .answer ? showText() : []
        // A pipeline that was changed says something else of the same chunk.
        let again = target.map { explain($0, isPinned: true, isAsked: isAwaited) } ?? []
        let notes: [Effect<RetrievalAnswer>] =
            asking == .person || asking == .again ? record.notes.prefix(1).map { .notify($0, .warning) } : []
        return answer + readSelected() + again + notes
    }

    private mutating func showRecorded(_ box: MatchedBox, at reference: Reference) -> [Effect<RetrievalAnswer>] {
        let record = box.record
        isOpening = false
        answeredIn = nil
        explanation = nil
        target = nil
        let effects = show(record, by: nil)
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
            effects = choose(corpus.corpus, by: .restored)
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

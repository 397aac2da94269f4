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

    private func holds(_ passage: Passage) -> Bool {
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

    // MARK: The passage under the cursor

    mutating func readSelected() -> [Effect<RetrievalAnswer>] {
        guard let passage = columns.selected, let record else {
            // A chunk that was opened from elsewhere stays without a question.
            if record != nil { open = nil }
            return showText(keeping: true)
        }
        let (engine, corpus, choice) = (engine, corpus, pipeline)
        let isForeign = isForeign
        let gold = gold(of: record.query)
        return [
            .ask(key: "passage") { _ in
                var open = try engine.read(passage, of: record, gold: gold)
                if let corpus, let chunk = open.passage.chunk, !isForeign {
                    open.terms = try engine.terms(record.query, of: chunk, choice, in: corpus)
                }
                return .read(PassageBox(passage: open, corpus: nil))
            }
        ]
    }

    /// Goes to the chunk that was explained, and reads it also where no stage ranks it.
    private mutating func readExplained() -> [Effect<RetrievalAnswer>] {
        guard let explanation, let chunk = explanation.passage.chunk, let record, let corpus else { return [] }
        columns.follow(chunk: chunk)
        if holds(explanation.passage) { return readSelected() }
        let (engine, choice, gold) = (engine, pipeline, gold(of: record.query))
        return [
            .ask(key: "passage") { _ in
                var found = try engine.passage(chunk: chunk).passage
                found.gold = gold.filter { $0.document == found.passage.document }.compactMap(\.range)
                found.terms = try engine.terms(record.query, of: chunk, choice, in: corpus)
                return .read(PassageBox(passage: found, corpus: nil))
            }
        ]
    }

    private func gold(of question: String) -> [QuestionSet.Gold] {
        let row = questions.rows.first { $0.question == question }
        return row.flatMap { questions.gold[$0.id] } ?? []
    }

    /// The passages that answer the question, where a question set says so.
    private func goldPassages(of record: RetrievalRecord) -> Set<PassageID> {
        let gold = gold(of: record.query)
        guard !gold.isEmpty, !isForeign else { return [] }
        let places = record.passages.indices.filter { index in
            let passage = record.passages[index]
            return gold.contains { one in
                guard one.document == passage.document else { return false }
                guard let range = one.range, let place = passage.range else { return true }
                return range.overlaps(place)
            }
        }
        return Set(places.map(PassageID.init))
    }

    private mutating func read(_ box: PassageBox) -> [Effect<RetrievalAnswer>] {
        let isOther = open?.passage != box.passage.passage
        guard isOther || open != box.passage else { return [] }
        open = box.passage
        return view == .answer ? [] : showText(keeping: !isOther)
    }

    mutating func showText(keeping: Bool = false) -> [Effect<RetrievalAnswer>] {
        var sections: [TextSection] = []
        var anchor: Int?
        if let record, view == .answer {
            sections = AnswerReading(record).sections
        } else if let open {
            let record = record ?? RetrievalRecord(query: "", origin: .trace(id: "", span: ""))
            let reading = PassageReading(open: open, record: record)
            sections = reading.sections(view)
            if view == .source { anchor = reading.sourceAnchor }
        }
        let top = text.top
        text.show(sections)
        if keeping {
            text.scroll(to: top)
        } else if let anchor {
            text.reveal(TextPosition(section: anchor, offset: 0))
        }
        return advanceText()
    }

    mutating func showWhy(keeping: Bool = false) -> [Effect<RetrievalAnswer>] {
        let top = why.top
        why.show(explanation.map { WhyReading(explanation: $0, remedy: remedy).sections } ?? [])
        why.scrollToTop()
        if keeping { why.scroll(to: top) }
        layoutPanes()
        return advanceText()
    }

    mutating func advanceText() -> [Effect<RetrievalAnswer>] {
        var isMore = text.advance()
        isMore = why.advance() || isMore
        isMore = healthText.advance() || isMore
        return isMore ? [.wait(key: "text", for: .zero, then: .advanceText)] : []
    }
}

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
            pipelines = box.pipelines
            sets = box.sets
            return choose(box.corpus)
        case .known(let box):
            sets = box.sets
            if let name = questions.name ?? sets.first, questions.name == nil { return chooseQuestions(name) }
            return []
        case .typed(let text): return sketch(text)
        case .asked(let text): return ask(text.trimmed)
        case .cancelledTyping: return query.isEmpty ? [] : search()
        case .found(let box, let isSketch): return show(box.record, isSketch: isSketch)
        case .recorded(let box): return showRecorded(box.record)
        case .read(let box): return read(box)
        case .explained(let box):
            explanation = box.explanation
            remedy = 0
            reveal(.why)
            return showWhy()
        case .measured(let box):
            truth = box.truth
            return [.notify(box.truth.line.text)]
        case .pipeline(let box):
            pipeline = box.choice
            return query.isEmpty ? [] : search()
        case .saved(let sentence): return [.notify(sentence, .success)] + reload()
        case .done(let sentence): return [.notify(sentence, .success), .changed]
        case .questions(let box):
            questions = box.list
            comparison = nil
            layoutPanes()
            return []
        case .compared(let box): return show(box.contrast)
        case .contrasted(let box):
            isSearching = false
            columns.show(box.record)
            layoutPanes()
            return readSelected()
        case .health(let box):
            health = box.health
            healthText.show(HealthReading(health: box.health).sections(.unicode))
            layoutPanes()
            return advanceText()
        case .line(let purpose, let typed): return accept(purpose, typed)
        case .advanceText: return advanceText()
        case .copied(let sentence): return [.notify(sentence, .success)]
        }
    }

    mutating func fail(_ key: String, _ sentence: String) -> [Effect<RetrievalAnswer>] {
        if key == "search" {
            isSearching = false
            fault = sentence
        }
        return []
    }

    // MARK: Corpora

    private mutating func list(_ box: CorpusListBox) -> [Effect<RetrievalAnswer>] {
        corpora = box.corpora
        pipelines = box.pipelines
        if let corpus {
            guard let now = corpora.first(where: { $0.id == corpus.id }) else {
                self.corpus = nil
                columns.show(nil)
                return []
            }
            let hasChanged = now.revision != corpus.revision
            self.corpus = now
            return hasChanged && !query.isEmpty && !isForeign && mode == .stages ? search() : []
        }
        if case .corpus(let name) = wanted, let found = corpora.first(where: { $0.name == name }) {
            wanted = nil
            return choose(found)
        }
        return corpora.first.map { choose($0) } ?? []
    }

    mutating func choose(_ corpus: Corpus) -> [Effect<RetrievalAnswer>] {
        let isOther = self.corpus?.id != corpus.id
        self.corpus = corpus
        var effects: [Effect<RetrievalAnswer>] = []
        if isOther {
            questions = QuestionList()
            columns.show(nil)
            open = nil
            explanation = nil
            truth = nil
            comparison = nil
            mode = .stages
            text.show([])
            let engine = engine
            effects.append(.ask(key: "corpus") { _ in .known(try engine.corpus(corpus.id)) })
        }
        if !query.isEmpty { effects += search() }
        return effects
    }

    // MARK: Results

    private mutating func show(_ record: RetrievalRecord, isSketch: Bool) -> [Effect<RetrievalAnswer>] {
        isSearching = false
        fault = nil
        mode = .stages
        truth = nil
        if explanation?.query != record.query { explanation = nil }
        columns.show(record)
        if record.answer != nil { view = .answer }
        layoutPanes()
        return readSelected() + (isSketch ? [] : record.notes.prefix(1).map { .notify($0, .warning) })
    }

    private mutating func showRecorded(_ record: RetrievalRecord) -> [Effect<RetrievalAnswer>] {
        explanation = nil
        let effects = show(record, isSketch: false)
        if record.answer != nil { view = .answer }
        pane = .stages
        layoutPanes()
        return effects
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
        pane = .questions
        layoutPanes()
        return perform(.open)
    }

    // MARK: The passage under the cursor

    mutating func readSelected() -> [Effect<RetrievalAnswer>] {
        guard let passage = columns.selected, let record else {
            open = nil
            return showText()
        }
        let (engine, corpus, choice) = (engine, corpus, pipeline)
        let isForeign = isForeign
        let row = questions.rows.first { $0.question == record.query }
        let gold = row.flatMap { questions.gold[$0.id] } ?? []
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

    private mutating func read(_ box: PassageBox) -> [Effect<RetrievalAnswer>] {
        var effects: [Effect<RetrievalAnswer>] = []
        if let corpus = box.corpus, corpus.id != self.corpus?.id { effects = choose(corpus) }
        if box.corpus != nil {
            view = .source
            reveal(.passage)
        }
        let isOther = open?.passage != box.passage.passage
        open = box.passage
        return effects + showText(keeping: !isOther)
    }

    mutating func showText(keeping: Bool = false) -> [Effect<RetrievalAnswer>] {
        var sections: [TextSection] = []
        if let record, view == .answer {
            sections = AnswerReading(record).sections
        } else if let open {
            let record = record ?? RetrievalRecord(query: "", origin: .trace(id: "", span: ""))
            sections = PassageReading(open: open, record: record).sections(view, .unicode)
        }
        let top = text.top
        text.show(sections)
        if keeping { text.scroll(to: top) }
        return advanceText()
    }

    mutating func showWhy(keeping: Bool = false) -> [Effect<RetrievalAnswer>] {
        let top = why.top
        why.show(explanation.map { WhyReading(explanation: $0, remedy: remedy).sections(.unicode) } ?? [])
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

internal import Console
internal import Retrieval

/// The passage under the cursor: read, explained, shown.
extension RetrievalPanel {
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
    mutating func readExplained() -> [Effect<RetrievalAnswer>] {
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
    func goldPassages(of record: RetrievalRecord) -> Set<PassageID> {
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

    mutating func read(_ box: PassageBox) -> [Effect<RetrievalAnswer>] {
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

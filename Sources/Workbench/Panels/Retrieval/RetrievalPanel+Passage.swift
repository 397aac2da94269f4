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
        let (engine, corpus, choice) = (engine, isForeign ? nil : corpus, pipeline)
        // An explanation that the user requested stays.
        let isExplained = mode == .stages && target == nil
        let gold = gold(of: record.query)
        return [
            .ask(key: "passage") { cancellation in
                var open = try engine.read(passage, of: record, gold: gold)
                guard let corpus, let chunk = open.passage.chunk else { return .read(PassageBox(passage: open)) }
                let explanation =
                    isExplained
                    ? try engine.explain(
                        .chunk(chunk), record, choice, in: corpus, isThorough: false, until: cancellation) : nil
                open.words =
                    try explanation?.stages.first { $0.kind == .lexical }
                    ?? engine.words(record.query, of: chunk, choice, in: corpus)
                return .read(PassageBox(passage: open, explanation: explanation))
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
                found.words = try engine.words(record.query, of: chunk, choice, in: corpus)
                return .read(PassageBox(passage: found))
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
        let effects = follow(box.explanation)
        let isOther = open?.passage != box.passage.passage
        guard isOther || open != box.passage else { return effects }
        open = box.passage
        return effects + (view == .answer ? [] : showText(keeping: !isOther))
    }

    /// Shows the explanation of the passage under the cursor, unless a more complete one is shown.
    private mutating func follow(_ found: Explanation?) -> [Effect<RetrievalAnswer>] {
        guard let found, target == nil, found.query == record?.query else { return [] }
        if isThorough, explanation?.passage.chunk == found.passage.chunk { return [] }
        (explanation, isThorough, remedy) = (found, false, 0)
        return showWhy()
    }

    mutating func showText(keeping: Bool = false) -> [Effect<RetrievalAnswer>] {
        var sections: [TextSection] = []
        var anchor: Int?
        if let record, view == .answer {
            sections = AnswerReading(record).sections
        } else if let open {
            let record = record ?? RetrievalRecord(query: "", origin: .trace(id: "", span: ""))
            let reading = PassageReading(open: open, record: record, changes: isForeign ? [] : pipeline.changes)
            sections = reading.sections(view)
            if view == .source { anchor = reading.sourceAnchor }
        }
        let top = text.top
        text.show(sections)
        layoutPanes()
        if keeping {
            text.scroll(to: top)
        } else if let anchor {
            text.reveal(TextPosition(section: anchor, offset: 0))
        }
        return advanceText()
    }

    mutating func showWhy(keeping: Bool = false) -> [Effect<RetrievalAnswer>] {
        let top = why.top
        why.show(
            explanation.map { WhyReading(explanation: $0, remedy: remedy, isThorough: isThorough).sections } ?? [])
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

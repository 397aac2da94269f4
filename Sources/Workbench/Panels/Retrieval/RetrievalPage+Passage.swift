internal import Console
internal import Retrieval

/// The passage under the cursor, its text, and its explanation.
extension RetrievalPage {
    var passageQuestion: PassageQuestion? {
        // The passage of the previous search would only delay the current one.
        guard !isSearching, record != nil, aside != nil || columns.selected != nil else { return nil }
        return PassageQuestion(
            generation: columns.generation, passage: columns.selected, aside: aside, gold: gold, pipeline: pipeline,
            corpus: isForeign ? nil : corpus, isExplained: mode == .stages && target == nil && aside == nil)
    }

    func readPassage(_ question: PassageQuestion?) -> Work<Self> {
        guard let question, let record else { return .cancel("passage") }
        return read("passage", cancellable: { try $0.read(question, of: record, until: $1) }) { page, read in
            page.open = read.open
            if let explanation = read.explanation { page.follow(explanation) }
            return []
        }
    }

    mutating func followCursor() {
        aside = nil
        // A chunk opened from another page stays until a question is asked.
        if record != nil, columns.selected == nil { open = nil }
    }

    /// Gold passages of the question, if the question set contains it.
    private var gold: [QuestionSet.Gold] {
        questions.rows.rows.first { $0.question == record?.query }?.gold ?? []
    }

    /// Passages that answer the question, according to the question set.
    var goldPassages: Set<PassageID> {
        let gold = gold
        guard let record, !gold.isEmpty, !isForeign else { return [] }
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

    // MARK: The text

    /// Everything that the text depends on. The answer is the same for every passage.
    var textSources: [AnyHashable] { [view, view == .answer ? nil : open, columns.generation, pipeline] }

    mutating func showText() {
        let reading = open.map { open in
            PassageReading(
                open: open, record: record ?? RetrievalRecord(query: "", origin: .trace(id: "", span: "")),
                changes: isForeign ? [] : pipeline.changes)
        }
        let place = [view.rawValue, record?.query ?? "", view == .answer ? "" : open?.passage.label ?? ""]
        let top = text.top
        if let record, view == .answer {
            text.show(AnswerReading(record: record).sections)
        } else {
            text.show(reading?.sections(view) ?? [])
        }
        if place == textPlace {
            text.scroll(to: top)
        } else if view == .source, let anchor = reading?.sourceAnchor {
            text.reveal(TextPosition(section: anchor, offset: 0))
        }
        textPlace = place
    }

    /// Shows the source at the chunk, even after the user scrolled away from it.
    mutating func showPlace() -> Work<Self> {
        (view, textPlace) = (.source, [])
        screen.reveal(.passage)
        return .again("text")
    }

    mutating func nextView() {
        view = view.next
        screen.reveal(.passage)
    }

    // MARK: Why

    mutating func showWhy() {
        let top = why.top
        if let explanation {
            why.show(WhyReading(explanation: explanation, remedy: remedy, isThorough: isThorough).sections)
        } else {
            why.show(recorded.map { MatchReading(record: $0.record).sections } ?? [])
        }
        if explanation == whyShown { why.scroll(to: top) }
        whyShown = explanation
    }

    /// Shows the explanation of the passage under the cursor, unless a more complete one is visible.
    mutating func follow(_ found: Explanation) {
        guard target == nil, found.query == record?.query else { return }
        if isThorough, explanation?.passage.chunk == found.passage.chunk { return }
        (explanation, isThorough, remedy) = (found, false, 0)
    }
}

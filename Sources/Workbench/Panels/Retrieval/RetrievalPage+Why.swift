internal import Console
internal import Retrieval

/// Explanations, remedies, and the comparison with exact search.
extension RetrievalPage {
    /// - Parameters:
    ///   - isPinned: Whether the explanation stays while the cursor moves.
    ///   - isAsked: Whether the user requested it, so that the page shows it now.
    mutating func explain(_ target: Retriever.Target, isPinned: Bool, isAsked: Bool = true) -> Work<Self> {
        guard let corpus, let record else { return [] }
        if isForeign { return recorded?.own.map { repeatSearch($0, explaining: target) } ?? [] }
        return read(
            "why",
            cancellable: { [pipeline] in try $0.retriever.explain(target, record, pipeline.named, of: corpus, until: $1)
            }
        ) { page, found in
            (page.explanation, page.isThorough, page.remedy) = (found, true, 0)
            page.target = isPinned ? target : nil
            if isAsked {
                // Enter applies the visible change.
                if found.remedies.isEmpty { page.screen.reveal(.why) } else { page.screen.focus = .why }
            }
            if isAsked || isPinned { page.goToExplained() }
            guard isAsked, found.droppedBy == nil else { return [] }
            return .notify("\(found.passage.label) is in the context: no change is needed")
        }
    }

    /// Explains the pinned target in new results.
    mutating func explainPinned() -> Work<Self> {
        guard let target else { return [] }
        let isAsked = target == awaited
        if isAsked { awaited = nil }
        return explain(target, isPinned: true, isAsked: isAsked)
    }

    /// Moves the cursor to the explained chunk, or shows the chunk if no stage ranks it.
    private mutating func goToExplained() {
        guard let chunk = explanation?.passage.chunk, let record else { return }
        columns.follow(chunk: chunk)
        aside = record.passages.contains { $0.chunk == chunk } ? nil : chunk
    }

    /// Repeats a recorded search with the current pipeline, and then explains a target.
    private mutating func repeatSearch(_ own: OwnSearch, explaining target: Retriever.Target) -> Work<Self> {
        load {
            try $0.again(own)
        } then: { page, found in
            guard let record = page.record, page.isForeign else { return [] }
            (page.corpus, page.pipeline, page.query) = (found.corpus, found.pipeline, record.query)
            page.awaited = target
            page.mode = .stages
            page.starting = .person
            return .again("start")
        }
    }

    mutating func explainSelected() -> Work<Self> {
        guard let passage = columns.selected, let chunk = record?[passage].chunk else { return [] }
        return explain(.chunk(chunk), isPinned: false)
    }

    /// Asks which document to explain; of a sample of an eval, it proposes the first document that was not found.
    func chooseDocument() -> Work<Self> {
        var names = contents.documents
        if names.isEmpty {
            var seen: Set<String> = []
            names = (record?.passages ?? []).map(\.document).filter { seen.insert($0).inserted }
        }
        let proposed = isForeign ? recorded?.own?.missing.first : nil
        return Self.choose(
            "Why was it not found?", names.map { Choice($0, isCurrent: $0 == proposed) }, typed: "Explain the document"
        ) { $0.explain(.document($1), isPinned: true) }
    }

    mutating func changeRemedy(by step: Int) {
        guard let count = explanation?.remedies.count, count > 0 else { return }
        remedy = (remedy + step + count) % count
    }

    mutating func applyRemedy() -> Work<Self> {
        guard let explanation, explanation.remedies.indices.contains(remedy) else { return [] }
        // Once the pipeline has run, the chunk is explained again, which shows whether the change was enough.
        if let chunk = explanation.passage.chunk { target = .chunk(chunk) }
        return set(explanation.remedies[remedy].changes.map { ($0.key, $0.after) })
    }

    func measure() -> Work<Self> {
        guard let corpus, let record else { return [] }
        return read("truth", cancellable: { [pipeline] in try $0.truth(record, pipeline, in: corpus, until: $1) }) {
            page, truth in
            page.truth = truth
            return .notify(truth.line.text)
        }
    }
}

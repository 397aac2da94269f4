internal import Retrieval

extension RetrievalPage {
    /// The trigger of a search, which does not affect its results.
    enum Asking: Sendable {
        /// The user submitted the question: all models are called, and the search is recorded.
        case person
        /// The page returns to a submitted question.
        case again
        /// The user is typing, or the page restores its screen: stages that call a model wait.
        case typing, restored
    }

    /// Opens the question line; results update while the user types.
    func prompt() -> Work<Self> {
        .prompt(
            "ask ", text: query, history: "retrieval-questions", live: { $0.sketch($1) },
            cancelled: { $0.stopTyping() }
        ) { page, typed in
            page.typing = nil
            return page.ask(typed.trimmed)
        }
    }

    mutating func ask(_ question: String) -> Work<Self> {
        query = question
        isExample = false
        filling = nil
        return question.isEmpty ? clear() : search()
    }

    /// Clears the stages, the chunk, and its explanation, and cancels their requests.
    mutating func clear() -> Work<Self> {
        isSearching = false
        columns.show(nil)
        (recorded, open, explanation, target) = (nil, nil, nil, nil)
        return [.cancel("search"), .cancel("why")]
    }

    /// Runs the pipeline, which cancels an earlier search.
    ///
    /// - Parameters:
    ///   - text: Question (default: the submitted one).
    ///   - model: Model that answers this question instead of the pipeline's own.
    mutating func search(
        _ text: String? = nil, answeringWith model: String? = nil, by asking: Asking = .person
    ) -> Work<Self> {
        let question = text ?? query
        guard let corpus, !question.isEmpty else { return [] }
        isSearching = true
        fault = nil
        let callsModels = asking == .person || asking == .again
        return read(
            "search",
            cancellable: { [pipeline] in
                try $0.search(
                    question, pipeline, answeringWith: model, in: corpus, models: callsModels ? .all : .none,
                    savesTrace: asking == .person, until: $1)
            }, then: { $0.show($1.record, in: $1.trace, by: asking) },
            failed: { page, sentence in
                page.isSearching = false
                page.fault = sentence
                return []
            })
    }

    /// Searches for the text typed so far.
    private mutating func sketch(_ typed: String) -> Work<Self> {
        typing = typed
        let question = typed.trimmed
        // Results of the previous text do not apply to an empty one.
        return question.isEmpty ? clear() : search(question, by: .typing)
    }

    /// Returns to the submitted question.
    private mutating func stopTyping() -> Work<Self> {
        typing = nil
        // Nothing was typed: keep the results, including those of another system.
        if isForeign || record?.query == query {
            isSearching = false
            return .cancel("search")
        }
        return query.isEmpty ? ask("") : search(by: .again)
    }

    // MARK: Results

    private mutating func show(_ record: RetrievalRecord, in trace: Int64?, by asking: Asking) -> Work<Self> {
        // The same answer to the same prompt comes from an earlier search.
        let isSame = record.answer == self.record?.answer && record.context == self.record?.context
        answeredIn = (record.tracesAnswer ? trace : nil) ?? (isSame ? answeredIn : nil)
        recordedIn = trace ?? (asking == .again && isSame ? recordedIn : nil)
        let isAwaited = asking == .person && awaited != nil
        show(record, explaining: isAwaited ? awaited : nil)
        let note = asking == .person || asking == .again ? record.notes.first : nil
        return [.again("pinned"), note.map { .notify($0, .warning) } ?? []]
    }

    /// Shows a record; a pinned explanation stays if the question is the same.
    private mutating func show(_ record: RetrievalRecord, explaining awaited: Retriever.Target? = nil) {
        isSearching = false
        fault = nil
        mode = .stages
        truth = nil
        recorded = nil
        if self.record?.query != record.query { target = nil }
        target = awaited ?? target
        // Verdicts on the previous ranking do not apply to this one.
        isThorough = false
        if target == nil { explanation = nil }
        columns.show(record)
        if case .chunk(let chunk)? = target { columns.follow(chunk: chunk) }
        if record.answer != nil { view = .answer }
    }

    /// Shows a search that was recorded in a trace.
    mutating func show(_ found: RecordedSearch) -> Work<Self> {
        isOpening = false
        (answeredIn, explanation, target) = (nil, nil, nil)
        show(found.record)
        recorded = found
        screen.focus = .stages
        screen.isZoomed = false
        return []
    }

    // MARK: Leaving

    package mutating func back() -> Work<Self>? {
        guard screen.focus == .stages else { return nil }
        if mode != .stages { return showStages() }
        if target != nil {
            // Why follows the cursor again.
            (target, aside) = (nil, nil)
            isThorough = false
            return []
        }
        return isForeign && corpus != nil && !query.isEmpty ? [.back, search(by: .again)] : nil
    }

    mutating func showStages() -> Work<Self> {
        let wasComparison = mode == .comparison
        mode = .stages
        return wasComparison ? search(by: .again) : []
    }
}

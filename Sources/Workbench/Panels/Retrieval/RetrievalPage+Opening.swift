internal import Console
internal import Formatting
internal import Retrieval

/// Objects of other pages: opening, previews, and the selection.
extension RetrievalPage {
    package mutating func open(_ reference: Reference) -> Work<Self>? {
        guard let number = reference.path.first else { return nil }
        switch reference.kind {
        // Users who come back find the page as they left it.
        case .citation where reference == citedPassage: return []
        case .corpus:
            return load {
                try $0.store.corpus(number)
            } then: { page, corpus in
                page.isOpening = false
                return page.choose(corpus, by: .restored)
            }
        case .chunk:
            return load {
                try $0.passage(chunk: number)
            } then: {
                $0.show($1.open, of: $1.corpus)
            }
        case .span, .trace, .citation:
            isSearching = true
            return [
                .cancel("search"),
                load {
                    try $0.recorded(at: reference)
                } then: {
                    $0.show($1)
                },
            ]
        default: return nil
        }
    }

    /// Loads something to show. If that fails, earlier results stay or return.
    mutating func load<Value: Sendable>(
        _ work: @escaping @Sendable (RetrievalEngine) throws -> Value,
        then: @escaping (inout Self, Value) -> Work<Self>
    ) -> Work<Self> {
        isOpening = true
        return read("opening", work) { page, value in
            defer { page.isOpening = false }
            page.isSearching = false
            return then(&page, value)
        } failed: { page, sentence in
            (page.isSearching, page.isOpening, page.fault) = (false, false, sentence)
            return page.record == nil && !page.query.isEmpty ? page.search(by: .again) : []
        }
    }

    /// Shows the source of a chunk, at the chunk.
    private mutating func show(_ open: OpenPassage, of corpus: Corpus) -> Work<Self> {
        let isRanked = record?.passages.contains { $0.chunk == open.passage.chunk } == true
        if !isRanked || corpus.id != self.corpus?.id {
            columns.show(nil)
            (recorded, mode) = (nil, .stages)
        }
        self.open = open
        let work = choose(corpus, by: .restored)
        if let chunk = open.passage.chunk { columns.follow(chunk: chunk) }
        return [work, showPlace()]
    }

    package func preview(of reference: Reference) -> Preview.Work {
        { [engine = engine] _ in
            guard let number = reference.path.first else { return .unplaced }
            switch reference.kind {
            case .corpus: return .shows("the corpus \(try engine.store.corpus(number).name)")
            case .chunk:
                return .shows("the chunk in its document \(try engine.passage(chunk: number).open.passage.document)")
            default:
                guard let record = try engine.foreign.record(ofTrace: number, span: reference.span) else {
                    return .nothing("no retrieval was recorded at this step")
                }
                let passages = Format.count(record.passages.count, "passage")
                return .shows("\(passages) found for \"\(record.query.truncated(toColumns: 40))\"")
            }
        }
    }

    // MARK: Selection

    package var selection: Reference? {
        if let cited = citedInFocus { return cited }
        if let recorded { return recorded.place }
        guard let passage = columns.selected, let record else {
            return corpus.map { Reference(.corpus, [$0.id], title: $0.name) }
        }
        return record[passage].chunk.map { Reference(.chunk, [$0], title: record[passage].label) }
    }

    /// The object that `o` opens on another page: the passage cited by the answer, or the recorded search.
    var elsewhere: Reference? {
        if var cited = citedInFocus {
            cited.barred.insert(Self.about.identifier)
            return cited
        }
        let trace = recordedIn.map { Reference(.trace, [$0], title: record?.query ?? "the search") }
        guard var found = isForeign ? recorded?.place : trace, [.trace, .span].contains(found.kind) else { return nil }
        // Other pages open spans of models, not of searches.
        found.panels = [TracePage.about.identifier]
        return found
    }

    private var citedInFocus: Reference? { screen.focus == .passage && view == .answer ? citedPassage : nil }

    /// Passage of the prompt with the chunk under the cursor, or the first passage that the answer cites, as a reference
    /// into the prompt of the model that answered.
    private var citedPassage: Reference? {
        guard let record, let answer = record.answer, let pieces = record.context?.passages else { return nil }
        let first = answer.citations.first?.passage
        let selected = columns.selected.flatMap { selected in
            pieces.first { $0.passage == selected || $0.merged.contains(selected) }
        }
        guard let piece = selected ?? pieces.first(where: { $0.passage == first }) else { return nil }
        guard let trace = isForeign ? recorded?.place.path.first : answeredIn else { return nil }
        let passage = record[piece.passage]
        return CitedPassage(
            trace: trace, span: isForeign ? recorded?.place.span ?? 0 : 0,
            passage: passage.chunk.map { .chunk($0) } ?? .place(piece.passage.index)
        ).reference(title: "\(piece.mark) \(passage.label) in the answer")
    }
}

extension LexicalIndex {
    /// Explains the score and rank of a document, or why it is not found.
    ///
    /// - Parameters:
    ///   - k: How many documents a search would bring.
    ///   - texts: The document's texts, one a field, for the places of words in them.
    ///   - allowed: What the search may find.
    /// - Complexity: That of scoring every document that has a term of the query.
    public func explain(
        _ query: LexicalQuery, label: Int64, k: Int = 10, texts: [String]? = nil, allowed: LabelFilter? = nil
    ) throws(SegmentError) -> LexicalExplanation {
        try withSession { (session) throws(SegmentError) in
            let compiled = try session.compile(query)
            var explanation = LexicalExplanation(
                label: label, isMatch: false, score: 0, rank: nil, matches: 0, scoreAtRank: nil, contributions: [],
                missing: [], analysis: query.texts.flatMap(settings.analyzer.analyze), expansions: [], refusal: nil)
            for unit in compiled.scored {
                if case .prefix(let prefix, let taken, let all) = unit.entry.source {
                    explanation.expansions.append((prefix, taken, all))
                }
            }
            let place = session.snapshot.find(label)
            if let place { try contribute(compiled, place, texts, session, to: &explanation) }
            try miss(compiled, &explanation)
            try rank(compiled, k, allowed, session, &explanation)
            explanation.refusal = try refusal(compiled, place, allowed, session, explanation)
            explanation.isMatch = explanation.refusal == nil
            if !explanation.isMatch { explanation.rank = nil }
            return explanation
        }
    }

    /// Fills in what each term gives.
    private func contribute(
        _ compiled: SearchSession.Compiled, _ place: (segment: Int, document: Int), _ texts: [String]?,
        _ session: SearchSession, to explanation: inout LexicalExplanation
    ) throws(SegmentError) {
        let snapshot = session.snapshot
        let segment = snapshot.segments[place.segment].segment
        var words: [Int: [AnalyzedWord]] = [:]
        for unit in compiled.scored {
            for field in settings.fields.indices where unit.field == nil || unit.field == field {
                guard
                    let found = try occurrences(unit.entry.source, segment, field, UInt32(place.document)),
                    found.frequency > 0
                else { continue }
                let lengths = segment.table.lengths[field]
                let norm = snapshot.norms[place.segment][field][Int(lengths.codes[place.document])]
                let scale = unit.entry.idfs[field] * settings.fields[field].boost
                let weight = BM25.weight(scale, Double(found.frequency), norm)
                var bytes: [Range<Int>] = []
                if let texts, texts.indices.contains(field) {
                    let analyzed = words[field] ?? settings.analyzer.analyze(texts[field])
                    words[field] = analyzed
                    for position in found.positions where Int(position) < analyzed.count {
                        let last = min(Int(position) + unit.entry.source.span, analyzed.count - 1)
                        bytes.append(analyzed[Int(position)].bytes.lowerBound..<analyzed[last].bytes.upperBound)
                    }
                }
                explanation.contributions.append(
                    .init(
                        term: unit.entry.source.shown, field: settings.fields[field].name, frequency: found.frequency,
                        documents: unit.entry.frequencies[field], idf: unit.entry.idfs[field],
                        length: lengths[place.document], averageLength: snapshot.averageLengths[field],
                        boost: settings.fields[field].boost, count: unit.factor, score: weight * unit.factor,
                        positions: found.positions.map(Int.init), bytes: bytes))
            }
        }
        explanation.score = explanation.contributions.reduce(0) { $0 + $1.score }
    }

    private func occurrences(
        _ source: TermEntry.Source, _ segment: LexicalSegment, _ field: Int, _ document: UInt32
    ) throws(SegmentError) -> (frequency: Int, positions: [UInt32])? {
        switch source {
        case .term(let term):
            guard var walker = try PositionWalker(segment, field: field, term: term) else { return nil }
            return try walker.find(document)
        case .prefix(_, let taken, _):
            var sum = (frequency: 0, positions: [UInt32]())
            for term in taken {
                guard var walker = try PositionWalker(segment, field: field, term: term),
                    let found = try walker.find(document)
                else { continue }
                sum.frequency += found.frequency
                sum.positions += found.positions
            }
            sum.positions.sort()
            return sum
        case .phrase(let terms):
            guard var walker = try PhraseWalker(segment, field: field, terms: terms) else { return nil }
            let starts = try walker.find(document)
            return (starts.count, starts)
        }
    }

    private func miss(
        _ compiled: SearchSession.Compiled, _ explanation: inout LexicalExplanation
    ) throws(SegmentError) {
        let there = Set(explanation.contributions.map(\.term))
        var told: Set<String> = []
        for unit in compiled.scored {
            let term = unit.entry.source.shown
            guard !there.contains(term), told.insert(term).inserted else { continue }
            let word = explanation.analysis.first { $0.term == term }?.word ?? ""
            explanation.missing.append(
                .init(term: term, word: word, documents: unit.entry.frequencies.max() ?? 0))
        }
    }

    private func rank(
        _ compiled: SearchSession.Compiled, _ k: Int, _ allowed: LabelFilter?, _ session: SearchSession,
        _ explanation: inout LexicalExplanation
    ) throws(SegmentError) {
        var counter = RankCounter(LexicalHit(label: explanation.label, score: explanation.score))
        try session.search(compiled, allowed: allowed, into: &counter)
        explanation.matches = counter.all
        explanation.rank = counter.before + 1
        guard k > 0, counter.all >= k else { return }
        var top = TopHits(k)
        try session.search(compiled, allowed: allowed, into: &top)
        explanation.scoreAtRank = top.sorted().last?.score
    }

    private func refusal(
        _ compiled: SearchSession.Compiled, _ place: (segment: Int, document: Int)?, _ allowed: LabelFilter?,
        _ session: SearchSession, _ explanation: LexicalExplanation
    ) throws(SegmentError) -> String? {
        let label = explanation.label
        guard let place else {
            return contains(label)
                ? "Document \(label) was added but is not committed yet." : "Document \(label) is not in the index."
        }
        if let field = compiled.unknownField, compiled.scored.isEmpty { return "The index has no field \(field)." }
        let segment = session.snapshot.segments[place.segment].segment
        func has(_ unit: SearchSession.Unit) throws(SegmentError) -> Bool {
            for field in settings.fields.indices where unit.field == nil || unit.field == field {
                let found = try occurrences(unit.entry.source, segment, field, UInt32(place.document))
                if let found, found.frequency > 0 { return true }
            }
            return false
        }
        for unit in compiled.excluded where try has(unit) {
            return "The document contains \(unit.entry.source.shown), which the query excludes."
        }
        for unit in compiled.required where try !has(unit) {
            return "The document lacks \(unit.entry.source.shown), which the query requires."
        }
        if compiled.scored.isEmpty {
            return explanation.analysis.isEmpty
                ? "The query has no words." : "Analysis removed every word of the query."
        }
        if explanation.score <= 0 { return "The document contains none of the query's terms." }
        if let allowed, !allowed.allows(label) { return "The filter excludes the document." }
        return nil
    }
}

extension TermEntry.Source {
    /// Words from the first to the last of an occurrence, less one.
    var span: Int {
        if case .phrase(let terms) = self { terms.last?.offset ?? 0 } else { 0 }
    }
}

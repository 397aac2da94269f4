internal import System

extension Investigation {
    /// Explains what a search stage did with the chunk, and its rank if the stage had not excluded it.
    func searched(
        _ question: PipelineWork.Asker.Question, _ stage: Stage
    ) throws(Problem) -> (StageExplanation, Guest?) {
        switch question.kind {
        case .lexical: try searchedLexically(question, stage)
        case .dense(let settings, let space): try searchedDensely(question, stage, settings, space)
        }
    }

    private func searchedLexically(
        _ question: PipelineWork.Asker.Question, _ stage: Stage
    ) throws(Problem) -> (StageExplanation, Guest?) {
        guard let request = asker.lexicalRequest(question, exclusions.isEmpty ? filter : nil) else {
            return (StageExplanation(stage: stage.name, kind: .lexical, cause: .kept), nil)
        }
        let finding = try source.explainLexically(chunk, request)
        let kept = kept(by: stage)
        let needed = kept.count >= question.k ? kept.last?.score : nil
        var told = StageExplanation(
            stage: stage.name, kind: .lexical, cause: .kept, score: finding.score, scoreNeeded: needed,
            terms: finding.terms)
        if let entry = entry(in: stage), entry.verdict.isKept {
            told.rank = entry.rank
            told.score = entry.score ?? finding.score
            told.findings = ["rank \(entry.rank) of \(kept.count)"] + Self.unmatched(finding)
            return (told, nil)
        }
        let found: ChunkPlace?
        if let entry = entry(in: stage) {
            found = ChunkPlace(rank: entry.rank, score: entry.score ?? finding.score)
        } else {
            found = try source.placeLexically(of: chunk, request, isCancelled: asker.isCancelled)
        }
        told.rank = found?.rank
        guard exclusions.isEmpty else {
            return excluded(told, found, kept, question)
        }
        guard let found else {
            told.cause = .analysis
            told.score = nil
            if let phrase = finding.missingPhrase {
                told.findings = ["the chunk does not contain the phrase \"\(phrase)\""] + Self.unmatched(finding)
            } else {
                let advice = source.analyzer.flatMap { AnalyzerAdvice(request.query, content.text, analyzer: $0) }
                told.findings =
                    advice?.findings
                    ?? ["no match: the chunk contains no term of the query"] + Self.unmatched(finding)
            }
            return (told, nil)
        }
        told.cause = .k
        told.score = found.score
        told.findings = ["rank \(found.rank) (\(kept.count) kept)" + Self.margin(found.score, needed, .lexical)]
        told.findings += Self.unmatched(finding)
        return (told, Guest(rank: found.rank, score: found.score, isWithin: false))
    }

    private func searchedDensely(
        _ question: PipelineWork.Asker.Question, _ stage: Stage, _ settings: PipelineDefinition.Dense,
        _ space: DenseSpace
    ) throws(Problem) -> (StageExplanation, Guest?) {
        var told = StageExplanation(stage: stage.name, kind: .dense, cause: .kept)
        let kept = kept(by: stage)
        told.scoreNeeded = kept.count >= question.k ? kept.last?.score : nil
        let entry = entry(in: stage)
        if let entry, entry.verdict.isKept {
            told.rank = entry.rank
            told.score = entry.score
            told.findings = ["rank \(entry.rank) of \(kept.count)"]
            return (told, nil)
        }
        guard let request = try asker.denseRequest(question, exclusions.isEmpty ? filter : nil) else {
            return (told, nil)
        }
        let exact = try source.placeExactly(of: chunk, request, isCancelled: asker.isCancelled)
        told.rank = entry?.rank ?? exact?.rank
        told.score = entry?.score ?? exact?.score
        guard let exact else {
            told.cause = exclusions.isEmpty ? .missedBySearch : .filter
            told.findings = Self.filtered(exclusions) + ["no vector in \(space.name): embed the chunk first"]
            return (told, nil)
        }
        guard exclusions.isEmpty else {
            return excluded(told, exact, kept, question)
        }
        if entry == nil, exact.rank <= question.k {
            told.cause = .missedBySearch
            told.findings = [
                "missed by the index: exact search ranks it \(exact.rank), within the first \(question.k)"
            ]
            if let key = space.effortKey {
                let effort = try smallestEffort(request, space)
                told.findings.append(effort.map { "\(key) \($0) finds it" } ?? "no value of \(key) finds it")
            }
            return (told, guest(exact, kept, question))
        }
        told.cause = .k
        let place = entry.map { ChunkPlace(rank: $0.rank, score: $0.score ?? exact.score) } ?? exact
        let score = Self.margin(place.score, told.scoreNeeded, .dense)
        told.findings = ["rank \(place.rank) (\(kept.count) kept)" + score]
        if entry != nil {
            told.findings.append("found by the index but cut off by k")
        } else {
            told.findings.append("the rank is from exact search")
        }
        return (told, Guest(rank: place.rank, score: place.score, isWithin: false))
    }

    /// Explains a chunk that the filter excludes, with its rank without the filter.
    private func excluded(
        _ stage: StageExplanation, _ place: ChunkPlace?, _ kept: [ChunkHit], _ question: PipelineWork.Asker.Question
    ) -> (StageExplanation, Guest?) {
        var told = stage
        told.cause = .filter
        told.isHypothetical = true
        told.findings = Self.filtered(exclusions)
        guard let place else {
            told.rank = nil
            told.score = nil
            told.findings.append("it would not be found here without the filter either")
            return (told, nil)
        }
        let behind = place.rank > question.k ? ", below the first \(question.k)" : ""
        told.findings.append("it would be rank \(place.rank) without the filter\(behind)")
        let guest = guest(place, kept, question)
        return (told, guest.isWithin ? guest : nil)
    }

    /// Where a chunk goes in among those that were kept, by its score.
    private func guest(
        _ place: ChunkPlace, _ kept: [ChunkHit], _ question: PipelineWork.Asker.Question
    ) -> Guest {
        let better = kept.count { hit in
            if hit.score == place.score { return hit.chunk < chunk }
            return question.higherIsBetter ? hit.score > place.score : hit.score < place.score
        }
        return Guest(rank: better + 1, score: place.score, isWithin: better < question.k)
    }

    /// Returns the smallest effort with which the index finds the chunk among the first k; `nil` if none does.
    ///
    /// It doubles until one finds it, then closes in: about 2 log₂ n searches. Indexes hardly ever lose with more
    /// effort what they found with less; where one does, the result finds it, but is perhaps not the very smallest.
    func smallestEffort(_ request: DenseRequest, _ space: DenseSpace) throws(Problem) -> Int? {
        func finds(_ effort: Int) throws(Problem) -> Bool {
            try goOn()
            var harder = request
            harder.effort = effort
            let hits = try source.searchDensely(harder, isCancelled: asker.isCancelled).hits
            return hits.prefix(request.k).contains { $0.chunk == chunk }
        }
        let most = min(max(space.count, 1), PipelineKeys.mostKept)
        var low = 0
        var high = space.effortKey == "ef" ? min(max(request.k, 1), most) : 1
        while try !finds(high) {
            guard high < most else { return nil }
            low = high
            high = min(high * 2, most)
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if try finds(middle) { high = middle } else { low = middle }
        }
        return high
    }

    static func filtered(_ exclusions: [FilterExclusion]) -> [String] {
        exclusions.map { "the filter excludes it: \($0.clause), but \($0.actual)" }
    }

    private static func margin(_ score: Double, _ needed: Double?, _ kind: Stage.Kind) -> String {
        let score = kind.text(score)
        return needed.map { ": \(score), but \(kind.text($0)) was needed" } ?? ": \(score)"
    }

    /// Returns the query words that contribute nothing; the other contributions are in ``StageExplanation/sum``.
    private static func unmatched(_ finding: LexicalFinding) -> [String] {
        let lost = finding.terms.filter { $0.term == nil }.map { "\($0.word) (\($0.lost ?? "lost"))" }
        let absent = finding.terms.filter { $0.term != nil && $0.frequency == 0 }.map(\.word)
        return [
            absent.isEmpty ? nil : "missing from the chunk: \(absent.joined(separator: ", "))",
            lost.isEmpty ? nil : "dropped by analysis: \(lost.joined(separator: ", "))",
        ].compactMap { $0 }
    }
}

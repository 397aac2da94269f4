internal import Console
internal import Retrieval

/// What the pane of verdicts says about the passage that is asked about.
struct WhyReading {
    var explanation: Explanation
    /// The remedy under the cursor.
    var remedy: Int?

    private let glyphs = Glyphs.unicode

    init(explanation: Explanation, remedy: Int?) {
        self.explanation = explanation
        self.remedy = remedy
    }

    /// What can be done comes before why: it is what one is here for.
    var sections: [TextSection] {
        [TextSection(head)] + remedies + explanation.stages.map { TextSection(stage($0)) }
    }

    private var head: StyledText {
        var text = StyledText()
        text.append(explanation.passage.label, .strong)
        if let droppedBy = explanation.droppedBy {
            text.append(" is not in the context: ", .dim)
            text.append(droppedBy, .failure)
            text.append(" let it go", .dim)
        } else {
            text.append(" is in the context", .success)
        }
        return text
    }

    private func stage(_ stage: StageExplanation) -> StyledText {
        let cause = RetrievalFigure.cause(stage.cause)
        let isCulprit = stage.stage == explanation.droppedBy
        var text = StyledText()
        text.append(stage.stage.paddedToColumns(max(10, DisplayWidth.of(stage.stage))), isCulprit ? .failure : .title)
        text.append(" ")
        text.append(cause.word, cause.role)
        // Findings begin with the rank; without any it stands here.
        if stage.findings.isEmpty, let rank = stage.rank {
            text.append(stage.isHypothetical ? "  would be rank \(rank)" : "  rank \(rank)", .strong)
        }
        if stage.findings.isEmpty, let score = stage.score {
            text.append("  \(RetrievalFigure.score(score, stage.kind))", .number)
            if let needed = stage.scoreNeeded, stage.cause != .kept {
                text.append(" of \(RetrievalFigure.score(needed, stage.kind)) needed", .dim)
            }
        }
        for finding in stage.findings { text.append("\n  \(finding)", isCulprit ? .text : .dim) }
        if stage.findings.isEmpty { for term in stage.terms { append(term, to: &text) } }
        return text
    }

    /// `bolts → bolt   not in the chunk` or `the   lost: stop word`.
    private func append(_ term: StageExplanation.TermFinding, to text: inout StyledText) {
        text.append("\n  ")
        guard let analyzed = term.term else {
            text.append(term.word.paddedToColumns(18), .faint)
            return text.append("lost: \(term.lost ?? "by analysis")", .warning)
        }
        let name = analyzed == term.word ? term.word : "\(term.word) → \(analyzed)"
        text.append(name.paddedToColumns(18), term.frequency > 0 ? .match : .dim)
        guard term.frequency > 0 else { return text.append("not in the chunk", .warning) }
        text.append("\(term.frequency) ×  ".paddedToColumns(7, .right), .dim)
        text.append("+\(Format.fixed(term.contribution, digits: 3))", .number)
    }

    private var remedies: [TextSection] {
        guard !explanation.remedies.isEmpty else {
            guard explanation.droppedBy != nil else { return [] }
            return [TextSection(StyledLine("no single setting brings it in", .warning))]
        }
        return explanation.remedies.enumerated().map { index, remedy in
            var line = StyledLine()
            let isHere = index == self.remedy
            line.append("\(glyphs.right) ", isHere ? .accent : .faint)
            line.append(remedy.sentence, isHere ? .strong : .text)
            line.append("   was \(remedy.before ?? "not said")", .dim)
            if isHere { line.append("   Enter applies", .dim) }
            return TextSection(line)
        }
    }
}

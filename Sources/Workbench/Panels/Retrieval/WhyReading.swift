internal import Console
internal import Retrieval

/// What the pane of verdicts says about the passage that is asked about.
struct WhyReading {
    var explanation: Explanation
    /// The remedy under the cursor.
    var remedy: Int?

    func sections(_ glyphs: Glyphs) -> [TextSection] {
        [TextSection(head)] + explanation.stages.map { TextSection(stage($0, glyphs)) } + remedies(glyphs)
    }

    private var head: StyledText {
        var text = StyledText()
        text.append(explanation.passage.label, .strong)
        if let droppedBy = explanation.droppedBy {
            text.append("  is not in the context: ", .dim)
            text.append(droppedBy, .failure)
            text.append(" let it go", .dim)
        } else {
            text.append("  is in the context", .success)
        }
        text.append("\n")
        return text
    }

    private func stage(_ stage: StageExplanation, _ glyphs: Glyphs) -> StyledText {
        let cause = RetrievalFigure.cause(stage.cause)
        var text = StyledText()
        text.append(stage.stage.paddedToColumns(10), stage.stage == explanation.droppedBy ? .failure : .title)
        text.append(" ")
        if let rank = stage.rank {
            text.append(stage.isHypothetical ? "would be rank \(rank)" : "rank \(rank)", .strong)
            text.append("  ")
        }
        if let score = stage.score {
            text.append(RetrievalFigure.score(score, stage.kind), .number)
            if let needed = stage.scoreNeeded, stage.cause != .kept {
                text.append(" of \(RetrievalFigure.score(needed, stage.kind)) needed", .dim)
            }
            text.append("  ")
        }
        text.append(cause.word, cause.role)
        text.append("\n")
        for finding in stage.findings {
            text.append("           ")
            text.append("\(finding)\n", .text)
        }
        for term in stage.terms { append(term, to: &text) }
        return text
    }

    /// `bolts → bolt   0   –` or `the   lost: stop word`.
    private func append(_ term: StageExplanation.TermFinding, to text: inout StyledText) {
        text.append("           ")
        guard let analyzed = term.term else {
            text.append(term.word.paddedToColumns(18), .faint)
            text.append("lost: \(term.lost ?? "by analysis")\n", .warning)
            return
        }
        let name = analyzed == term.word ? term.word : "\(term.word) → \(analyzed)"
        text.append(name.paddedToColumns(18), term.frequency > 0 ? .match : .dim)
        if term.frequency == 0 {
            text.append("not in the chunk\n", .warning)
        } else {
            text.append("\(term.frequency) ×  ".paddedToColumns(7, .right), .dim)
            text.append("+\(Format.fixed(term.contribution, digits: 3))\n", .number)
        }
    }

    private func remedies(_ glyphs: Glyphs) -> [TextSection] {
        guard !explanation.remedies.isEmpty else {
            guard explanation.droppedBy != nil else { return [] }
            return [TextSection(StyledLine("\nNo single setting brings it in.", .dim))]
        }
        return explanation.remedies.enumerated().map { index, remedy in
            var line = StyledLine()
            if index == 0 { line.append("\n") }
            let isHere = index == self.remedy
            line.append(isHere ? "\(glyphs.right) " : "  ", .accent)
            line.append(remedy.sentence, isHere ? .strong : .text)
            line.append("   \(remedy.key) \(remedy.before ?? "–") → \(remedy.after)", .dim)
            return TextSection(line)
        }
    }
}

internal import Console
internal import Formatting
internal import Retrieval

/// The text of the Why pane about a passage.
struct WhyReading {
    var explanation: Explanation
    /// Index of the remedy under the cursor.
    var remedy: Int
    /// Whether remedies were looked for.
    var isThorough: Bool

    private let glyphs = Glyphs.unicode

    /// Sections of the text: what can be done, and then why.
    var sections: [TextSection] {
        [TextSection(head)] + remedies + explanation.stages.flatMap(stage)
    }

    private var head: StyledText {
        var text = StyledText()
        text.append(explanation.passage.label, .strong)
        if let droppedBy = explanation.droppedBy {
            text.append(" is not in the context: ", .dim)
            text.append(droppedBy, .failure)
            text.append(" dropped it", .dim)
        } else if explanation.stages.last?.kind == .context {
            text.append(" is in the context", .success)
        } else {
            text.append(" was found; later stages have not run yet", .dim)
        }
        return text
    }

    /// Returns `lexical    kept  rank 2 of 50  6.45`, followed by the parts of the score.
    private func stage(_ stage: StageExplanation) -> [TextSection] {
        let cause = stage.cause.words
        let isCulprit = stage.stage == explanation.droppedBy
        var line = StyledLine()
        line.append(stage.stage.paddedToColumns(max(10, DisplayWidth.of(stage.stage))), isCulprit ? .failure : .title)
        line.append(" ")
        line.append(cause.word, cause.role)
        if let first = stage.findings.first {
            line.append("  \(first)", isCulprit ? .text : .dim)
        } else if let rank = stage.rank {
            line.append(stage.isHypothetical ? "  would be rank \(rank)" : "  rank \(rank)", .strong)
        }
        if stage.cause == .kept, let score = stage.score {
            line.append("  \(stage.kind.text(score))", .number)
        }
        var details: [StyledLine] = []
        if let sum = stage.sum { details.append(Self.line(sum)) }
        details += stage.findings.dropFirst().map { StyledLine($0, isCulprit ? .text : .dim) }
        return [TextSection(line)] + details.map { TextSection($0, margin: StyledLine("  ")) }
    }

    /// Returns `torque 2.12 + bolts 1.98 = 4.10`.
    private static func line(_ sum: ScoreSum) -> StyledLine {
        var line = StyledLine()
        for (index, addend) in sum.addends.enumerated() {
            if index > 0 { line.append(" + ", .faint) }
            line.append("\(addend.name) ", .dim)
            line.append(addend.figure, .number)
        }
        if sum.addends.count > 1 {
            line.append(" = ", .faint)
            line.append(sum.total, .strong)
        }
        return line
    }

    private var remedies: [TextSection] {
        guard !explanation.remedies.isEmpty else {
            guard explanation.droppedBy != nil else { return [] }
            return [
                TextSection(
                    isThorough
                        ? StyledLine("no change to a single setting includes the chunk", .warning)
                        : StyledLine("Enter looks for a change that includes the chunk", .dim))
            ]
        }
        return explanation.remedies.enumerated().map { index, remedy in
            var line = StyledLine()
            let isHere = index == self.remedy
            for (place, change) in remedy.changes.enumerated() {
                if place > 0 { line.append(", ", .dim) }
                line.append(change.text, isHere ? .strong : .text)
            }
            line.append("   \(remedy.outcome)", .dim)
            return TextSection(line, margin: StyledLine("\(glyphs.right) ", isHere ? .accent : .faint))
        }
    }
}

extension SearchTruth {
    /// `recall@50 of dense  0.96   missed 2: manual-7 §4, exactly rank 12`.
    var line: StyledLine {
        var line = StyledLine("recall@\(k) of \(stage)  ", .dim)
        line.append(Format.fixed(recall, digits: 2), recall == 1 ? .success : recall >= 0.9 ? .warning : .failure)
        if let first = missed.first {
            line.append("   missed \(missed.count): \(first.label), exact rank \(first.rank)", .warning)
        } else {
            line.append("   nothing missed", .dim)
        }
        if seconds.isFinite { line.append("   exact in \(Format.duration(seconds: seconds))", .dim) }
        return line
    }
}

/// The local chunks that contain the documents of a recorded search, and what was not recorded.
struct MatchReading {
    var record: RetrievalRecord

    var sections: [TextSection] {
        let found = record.passages.count { $0.matchedLabel != nil }
        let count = "\(found) of \(Format.count(record.passages.count)) documents are in a local corpus"
        let width = min(32, record.passages.map { DisplayWidth.of($0.label) }.max() ?? 0)
        let lines = record.passages.map { passage in
            let label = PassageLabel.fitting(passage.label, columns: width, .unicode)
            var line = StyledLine(label.paddedToColumns(width), .text)
            if let match = passage.match, let chunk = passage.matchedLabel {
                line.append("  \(Character(Glyphs.unicode.right)) ", .dim)
                line.append(chunk, .accent)
                line.append("  by \(match.rawValue)", .dim)
            } else {
                line.append("  not in a corpus", .faint)
            }
            return line
        }
        let notes = record.notes.map { StyledLine($0, .warning) }
        return ([StyledLine(count, found == 0 ? .warning : .dim)] + lines + notes).map { TextSection($0) }
    }
}

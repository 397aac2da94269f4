import CommandSupport
import Console
import Formatting
import Retrieval

/// A retrieval as printed by a command.
struct RetrievalText {
    let record: RetrievalRecord

    init(_ record: RetrievalRecord) { self.record = record }

    /// Returns the best passages of the last ranking, each with a preview.
    func passages(_ most: Int) -> String {
        guard let stage = record.stages.last(where: { $0.kind != .context }), !stage.entries.isEmpty else {
            return "no passages found"
        }
        let context = record.stages.last { $0.kind == .context }
        let preview = PassagePreview(query: record.query)
        var lines: [String] = []
        for entry in stage.entries.prefix(max(0, most)) {
            let passage = record[entry.passage]
            let isHeld = context?.entries.contains { $0.passage == entry.passage && $0.verdict.isKept } ?? true
            let score = entry.score.map { stage.kind.text($0) } ?? ""
            lines.append(
                "\(String(entry.rank).paddedToColumns(3, .right))  \(score.paddedToColumns(8, .right))  "
                    + "\(Printable.line(passage.label))\(isHeld ? "" : "   not in the context")")
            if let text = passage.text {
                lines.append("      " + preview.line(text, columns: 100))
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Every passage with its ranks and scores.
    var stages: String { stages(.max) }

    /// Returns a line per passage and a column per stage, with rank and score, ordered by the last ranking stage.
    ///
    /// - Parameter most: Maximum number of passages; the number of omitted passages is reported.
    func stages(_ most: Int) -> String {
        var table = TextTable(
            ["passage"] + record.stages.map(\.name), rightAligned: Set(1...max(1, record.stages.count)))
        let rows = inOrder
        for id in rows.prefix(max(0, most)) {
            table.add(
                [Printable.line(record[id].label).truncated(toColumns: 44)] + record.stages.map { Self.cell($0, id) })
        }
        let more =
            rows.count > most ? ["and \(Format.count(rows.count - max(0, most))) more: raise -k to list them"] : []
        let settings =
            matches(of: rows.prefix(max(0, most)))
            + record.stages.compactMap { stage -> String? in
                let words = stage.parameters.map { "\($0.name) \($0.value)" } + (stage.note.map { [$0] } ?? [])
                return words.isEmpty ? nil : "\(stage.name): \(words.joined(separator: ", "))"
            }
        return ([table.text.trimmingEnd] + more + settings).joined(separator: "\n")
    }

    /// Returns the corpus documents that match recorded documents, and by which property.
    private func matches(of rows: some Sequence<PassageID>) -> [String] {
        rows.compactMap { id in
            guard let match = record[id].match, let label = record[id].matchedLabel, label != record[id].label else {
                return nil
            }
            return "\(Printable.line(record[id].label)) is \(Printable.line(label)), matched by \(match.rawValue)"
        }
    }

    /// Passages of the last ranking, best first, then passages only in earlier stages.
    private var inOrder: [PassageID] {
        var order: [PassageID] = []
        var seen: Set<PassageID> = []
        for stage in record.stages.reversed() where stage.kind != .context {
            for entry in stage.entries.sorted(by: { $0.rank < $1.rank }) where seen.insert(entry.passage).inserted {
                order.append(entry.passage)
            }
        }
        return order + record.passages.indices.map { PassageID($0) }.filter { !seen.contains($0) }
    }

    private static func cell(_ stage: Stage, _ passage: PassageID) -> String {
        guard let entry = stage.entries.first(where: { $0.passage == passage }) else { return "" }
        let score = entry.score.map { " (\(stage.kind.text($0)))" } ?? ""
        return switch entry.verdict {
        case .kept: "\(entry.rank)\(score)"
        case .cut: "[\(entry.rank)]\(score)"
        case .dropped(.budget): "over budget"
        case .dropped(.duplicate): "duplicate"
        case .dropped(.filter): "filtered"
        case .dropped(.threshold): "below threshold"
        }
    }
}

extension String {
    fileprivate var trimmingEnd: String {
        var text = self
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }
}

/// Explanation of a passage's rank or absence, as printed by a command.
struct ExplanationText {
    let explanation: Explanation

    init(_ explanation: Explanation) { self.explanation = explanation }

    var text: String {
        var lines = [Printable.line(explanation.passage.label)]
        lines.append(explanation.droppedBy.map { "  not in the context: dropped by \($0)" } ?? "  in the context")
        for stage in explanation.stages {
            var line = "\n\(stage.stage.paddedToColumns(12))"
            if let rank = stage.rank { line += stage.isHypothetical ? "would be rank \(rank)  " : "rank \(rank)  " }
            if let score = stage.score {
                line += stage.kind.text(score)
                if let needed = stage.scoreNeeded, stage.cause != .kept {
                    line += " (\(stage.kind.text(needed)) needed)"
                }
                line += "  "
            }
            lines.append(line + stage.cause.sentence)
            for finding in stage.findings { lines.append("            \(Printable.line(finding))") }
            lines += Self.addends(of: stage).map { "            \($0)" }
        }
        if !explanation.remedies.isEmpty { lines.append("") }
        for remedy in explanation.remedies {
            lines.append("→ \(remedy.changes.map(\.text).joined(separator: ", "))   \(remedy.outcome)")
        }
        if explanation.droppedBy != nil, explanation.remedies.isEmpty {
            lines.append("\nNo change to a single setting finds this document.")
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the query words or fused rankings with their contributions, and the sum.
    private static func addends(of stage: StageExplanation) -> [String] {
        let sum = stage.sum
        var figures = Dictionary(
            (sum?.addends ?? []).map { ($0.name, $0.figure) }, uniquingKeysWith: { first, _ in first })
        var lines: [String] = []
        for term in stage.terms {
            let figure = figures.removeValue(forKey: term.word)
            lines.append(line(term, figure ?? stage.kind.text(term.contribution)))
        }
        lines += stage.parts.isEmpty ? [] : (sum?.addends ?? []).map { row($0.name, "", $0.figure) }
        if let sum, sum.addends.count > 1 { lines.append(row("sum", "", sum.total)) }
        return lines
    }

    private static func line(_ term: StageExplanation.TermFinding, _ figure: String) -> String {
        let word = Printable.line(term.word)
        guard let analyzed = term.term else { return "\(word.paddedToColumns(20)) lost: \(term.lost ?? "by analysis")" }
        let name = analyzed == term.word ? word : "\(word) → \(Printable.line(analyzed))"
        guard term.frequency > 0 else { return "\(name.paddedToColumns(20)) not in the chunk" }
        return row(name, "\(term.frequency) ×", figure)
    }

    private static func row(_ name: String, _ count: String, _ figure: String) -> String {
        "\(name.paddedToColumns(20)) \(count.paddedToColumns(5, .right)) \(figure.paddedToColumns(9, .right))"
    }
}

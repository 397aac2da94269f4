internal import Console
internal import Retrieval

/// A retrieval as text that can be pasted: a table of ranks, a column a stage.
struct RankingText {
    private let record: RetrievalRecord

    init(_ record: RetrievalRecord) { self.record = record }

    var markdown: String {
        let names = record.stages.map(\.name)
        var lines = ["## \(Self.cell(record.query))", ""]
        lines.append("| passage | " + names.map(Self.cell).joined(separator: " | ") + " |")
        lines.append("|---|" + names.map { _ in "---:|" }.joined())
        for (index, passage) in record.passages.enumerated() {
            let cells = record.stages.map { stage -> String in
                guard let entry = stage.entries.first(where: { $0.passage == PassageID(index) }) else { return "" }
                let score = RetrievalFigure.score(entry.score, stage.kind)
                let text = stage.kind == .context ? (entry.verdict.isKept ? "kept" : "left out") : "\(entry.rank)"
                return score.isEmpty || stage.kind == .context ? text : "\(text) (\(score))"
            }
            lines.append("| \(Self.cell(passage.label)) | " + cells.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What a terminal or Markdown would act on is shown instead.
    private static func cell(_ text: String) -> String {
        Escape.printable(text).map { $0 == "|" ? "\\|" : $0 == "`" ? "'" : String($0) }.joined()
    }
}

internal import Console
internal import Retrieval
internal import Tables

extension RetrievalRecord {
    /// A heading and a table of ranks in Markdown, with a column per stage.
    var markdown: String {
        let table = Columns<PassageID> { columns in
            columns.text("passage") { self[$0].label }
            for stage in stages {
                columns.text(stage.name, align: .right) { passage in
                    guard let entry = stage.entries.first(where: { $0.passage == passage }) else { return "" }
                    if stage.kind == .context { return entry.verdict.isKept ? "kept" : "left out" }
                    return "\(entry.rank)" + (entry.score.map { " (\(stage.kind.text($0)))" } ?? "")
                }
            }
        }
        let title = Escape.printable(query).replacing("`", with: "'")
        return "## \(title)\n\n" + table.text(passages.indices.map(PassageID.init), .markdown)
    }
}

internal import Console
internal import Formatting
internal import Retrieval
internal import Tables

extension Stage {
    /// Settings for the stage's head, the most important first: `rrf 60`, `ef 64`.
    var headline: [String] {
        func value(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
        func named(_ name: String) -> String? { value(name).map { "\(name) \($0)" } }
        let words: [String?]
        switch kind {
        case .fused:
            let k = value("k").map { " " + ($0.hasSuffix(".0") ? String($0.dropLast(2)) : $0) }
            words = [value("method").map { $0 + (k ?? "") }]
        case .dense: words = [value("index"), named("ef"), named("nprobe")]
        case .reranked: words = [value("method"), value("model")]
        case .lexical, .retrieved: words = [named("k")]
        case .context: words = []
        }
        return words.compactMap(\.self)
    }

    /// Returns the text at the right of an entry: its score, its size in the context, or why it was left out.
    func figure(of entry: Entry, in record: RetrievalRecord) -> String {
        switch entry.verdict {
        case .dropped(.budget): return "over the budget"
        case .dropped(.duplicate(let other)):
            return entries.first { $0.passage == other }.map { "same as \($0.rank)" } ?? "duplicate"
        case .dropped(.filter): return "filtered"
        case .dropped(.threshold): return "below threshold"
        case .kept where kind == .context:
            let piece = record.context?.passages.first { $0.passage == entry.passage }
            return piece.map { Format.count($0.size) } ?? ""
        case .kept, .cut: return entry.score.map { kind.text($0) } ?? ""
        }
    }
}

extension StageExplanation.Cause {
    /// Words for the cause, with their color.
    var words: (word: String, role: Role) {
        switch self {
        case .kept: ("kept", .success)
        case .filter: ("excluded by the filter", .failure)
        case .analysis: ("no term matches", .failure)
        case .missedBySearch: ("missed by the search", .failure)
        case .k: ("ranked below the cutoff", .warning)
        case .fusion: ("ranked below the cutoff", .warning)
        case .reranker: ("demoted by the reranker", .warning)
        case .budget: ("over the budget", .warning)
        case .duplicate: ("duplicate text", .warning)
        case .neverArrived: ("did not reach this stage", .dim)
        }
    }
}

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

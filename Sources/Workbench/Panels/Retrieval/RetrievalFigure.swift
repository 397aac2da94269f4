internal import Console
internal import Formatting
internal import Retrieval

/// How figures of a retrieval are written.
enum RetrievalFigure {
    /// A score in the digits of its kind of stage; empty without a score.
    static func score(_ score: Double?, _ kind: Stage.Kind) -> String {
        score.map { kind.text($0) } ?? ""
    }

    /// What a stage's head says of its settings, the most telling first: `rrf 60`, `ef 64`.
    static func headline(_ stage: Stage) -> [String] {
        let values = Dictionary(stage.parameters.map { ($0.name, $0.value) }, uniquingKeysWith: { one, _ in one })
        switch stage.kind {
        case .fused:
            let k = values["k"].map { $0.hasSuffix(".0") ? String($0.dropLast(2)) : $0 }
            return values["method"].map { method in [k.map { "\(method) \($0)" } ?? method] } ?? []
        case .dense:
            return [values["index"], values["ef"].map { "ef \($0)" }, values["nprobe"].map { "nprobe \($0)" }]
                .compactMap(\.self)
        case .lexical: return values["k"].map { ["k \($0)"] } ?? []
        case .reranked: return [values["method"], values["model"]].compactMap(\.self)
        case .retrieved: return values["k"].map { ["k \($0)"] } ?? []
        case .context: return []
        }
    }

    /// What stands before an entry of the context.
    static func mark(_ entry: Stage.Entry, of stage: Stage, _ glyphs: Glyphs) -> String {
        String(Character(entry.verdict.isKept ? glyphs.check : glyphs.failed))
    }

    /// What stands at the right of an entry: its score, its size in the context, or why it was left out.
    static func figure(_ entry: Stage.Entry, of stage: Stage, in record: RetrievalRecord) -> String {
        switch entry.verdict {
        case .dropped(.budget): return "over the budget"
        case .dropped(.duplicate(let other)):
            guard let rank = stage.entries.first(where: { $0.passage == other })?.rank else { return "duplicate" }
            return "same as \(rank)"
        case .dropped(.filter): return "filtered"
        case .dropped(.threshold): return "below threshold"
        case .kept where stage.kind == .context:
            let piece = record.context?.passages.first { $0.passage == entry.passage }
            return piece.map { Format.count($0.size) } ?? ""
        case .kept, .cut: return score(entry.score, stage.kind)
        }
    }

    /// `✓ kept`, and in which color.
    static func cause(_ cause: StageExplanation.Cause) -> (word: String, role: Role) {
        switch cause {
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

public import EvalLogs
internal import JSON
internal import Retrieval
public import System
internal import Traces

/// A ranking measure of the passages: nDCG, recall, reciprocal rank, or any other `Retrieval.Measure`.
///
/// Relevant documents are the targets, or the names in a field of the sample; a field with a table gives grades. A
/// document that is found twice counts at its first rank.
public struct RankingScorer: Scorer {
    public static let kind = ScorerKind(
        "ranking", "ranking measure of the passages found",
        settings: [
            ScorerSetting("measure", "such as nDCG@10, R@5, MRR, AP, P@3, or Success@1", standard: .string("nDCG@10")),
            ScorerSetting(
                "relevant", "sample field with the relevant documents", standard: .null, replacesTargets: true),
        ], needsTargets: true)
    private let measure: Measure
    private let field: String?

    public init(_ settings: ScorerSettings) throws(Problem) {
        let name = try settings.string("measure", "nDCG@10")
        guard let measure = Measure(name) else {
            throw settings.error(
                "unknown ranking measure \"\(name)\"", "Use nDCG@k, R@k, MRR, AP, P@k, or Success@k.")
        }
        self.measure = measure
        field = try settings.string("relevant")
    }

    public var scores: [EvalScoreKind] { [EvalScoreKind(measure.name, passesAt: 0.5)] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        var judged: [String: Int] = [:]
        if let field {
            let value = sample.fields[field]
            for name in value?.elements ?? [] { if let name = name.plainText { judged[name] = 1 } }
            for member in value?.members ?? [] { judged[member.key] = member.value.int ?? 1 }
            if let name = value?.string { judged[name] = 1 }
        } else {
            for target in sample.targets { judged[target] = 1 }
        }
        guard judged.values.contains(where: { $0 > 0 }) else {
            return [EvalScore(measure.name, value: nil, problem: "the sample names no relevant document")]
        }
        var seen = Set<String>()
        let documents = solution.passages.map(\.document).filter { seen.insert($0).inserted }
        let value = GradedRanking(documents, judged: judged).value(of: measure)
        let missing = judged.filter { $0.value > 0 && !seen.contains($0.key) }.keys.sorted()
        return [
            EvalScore(
                measure.name, value: value,
                explanation: missing.isEmpty ? nil : Self.lead + missing.joined(separator: Self.comma))
        ]
    }

    private static let lead = "not found: "
    private static let comma = ", "

    /// Returns the documents that an explanation of such a score lists as not found; empty for other explanations.
    package static func missing(in explanation: String) -> [String] {
        guard explanation.hasPrefix(lead) else { return [] }
        return explanation.dropFirst(lead.count).split(separator: comma).map(String.init)
    }
}

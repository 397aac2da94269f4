public import EvalLogs
internal import JSON
public import System
internal import Traces

/// Edit distance of two sequences: insertions, deletions, replacements.
enum Levenshtein {
    /// Returns the Levenshtein distance. O(n·m) time, O(m) memory. Source: Levenshtein, Soviet Physics Doklady 10,
    /// 1966.
    static func distance<Element: Equatable>(_ one: [Element], _ other: [Element]) -> Int {
        if one.isEmpty || other.isEmpty { return max(one.count, other.count) }
        var row = Array(0...other.count)
        for i in 1...one.count {
            var diagonal = row[0]
            row[0] = i
            for j in 1...other.count {
                let above = row[j]
                row[j] = min(above + 1, row[j - 1] + 1, diagonal + (one[i - 1] == other[j - 1] ? 0 : 1))
                diagonal = above
            }
        }
        return row[other.count]
    }
}

/// Similarity by edits: 1 − distance / length of the longer text, in characters; 1 for two empty texts.
public struct EditDistanceScorer: Scorer {
    public static let kind = ScorerKind(
        "levenshtein", "1 − edits / length of the longer text, in characters",
        settings: [ScorerSetting("ignore_case", "whether case is ignored", standard: .bool(false))], needsTargets: true)
    /// Maximum length of a text: time grows with the product of the lengths.
    private static let longest = 20_000
    private let ignoresCase: Bool

    public init(_ settings: ScorerSettings) throws(Problem) {
        ignoresCase = try settings.bool("ignore_case", false)
    }

    public var scores: [EvalScoreKind] { [EvalScoreKind("levenshtein", passesAt: 0.8)] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        let answer = Array((ignoresCase ? solution.answer.lowercased() : solution.answer).unicodeScalars)
        guard answer.count <= Self.longest, sample.targets.allSatisfy({ $0.utf8.count <= 4 * Self.longest }) else {
            let problem = "the texts are longer than \(Self.longest) characters"
            return [EvalScore("levenshtein", value: nil, answer: solution.answer, problem: problem)]
        }
        return [
            BestTarget.score("levenshtein", solution.answer, sample) { target in
                let target = Array((ignoresCase ? target.lowercased() : target).unicodeScalars)
                let longer = max(answer.count, target.count)
                return longer == 0 ? 1 : 1 - Double(Levenshtein.distance(answer, target)) / Double(longer)
            }
        ]
    }
}

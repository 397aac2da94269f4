public import EvalLogs
internal import JSON
public import System
internal import Traces

/// Sentence BLEU of the answer, 0 to 1; its parts give the corpus figure.
public struct BLEUScorer: Scorer {
    public static let kind = ScorerKind("bleu", "sentence BLEU with effective order, 0 to 1", needsTargets: true)

    public init(_ settings: ScorerSettings) throws(Problem) {}

    public var scores: [EvalScoreKind] { [EvalScoreKind("bleu", passesAt: 0.5)] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        if let problem = ComparedTexts.problem(solution.answer, sample.targets) {
            return [EvalScore("bleu", value: nil, problem: problem)]
        }
        guard let statistics = BLEU.Statistics(solution.answer, references: sample.targets) else {
            return [EvalScore("bleu", value: nil, problem: "the sample has no target")]
        }
        let value = statistics.score(effectiveOrder: true) / 100
        return [EvalScore("bleu", value: value, answer: solution.answer, parts: statistics.parts)]
    }
}

/// Sentence chrF of the answer, 0 to 1; its parts give the corpus figure.
public struct ChrFScorer: Scorer {
    public static let kind = ScorerKind(
        "chrf", "sentence chrF, 0 to 1",
        settings: [ScorerSetting("word_order", "0 for chrF, 2 for chrF++", standard: .integer(0))], needsTargets: true)
    private let chrF: ChrF

    public init(_ settings: ScorerSettings) throws(Problem) {
        chrF = ChrF(wordOrders: try settings.int("word_order", 0, in: 0...6))
    }

    public var scores: [EvalScoreKind] { [EvalScoreKind("chrf", passesAt: 0.5)] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        if let problem = ComparedTexts.problem(solution.answer, sample.targets) {
            return [EvalScore("chrf", value: nil, problem: problem)]
        }
        guard let statistics = chrF.statistics(solution.answer, references: sample.targets) else {
            return [EvalScore("chrf", value: nil, problem: "the sample has no target")]
        }
        let parts = statistics.counts.map { Double($0) }
        return [EvalScore("chrf", value: statistics.score / 100, answer: solution.answer, parts: parts)]
    }
}

/// Translation edit rate of the answer, 0 if it equals a target; its parts give the corpus figure.
public struct TERScorer: Scorer {
    public static let kind = ScorerKind(
        "ter", "translation edit rate, 0 if the answer equals a target", needsTargets: true)

    public init(_ settings: ScorerSettings) throws(Problem) {}

    public var scores: [EvalScoreKind] { [EvalScoreKind("ter", higherIsBetter: false, passesAt: 0.5)] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        if let problem = ComparedTexts.problem(solution.answer, sample.targets) {
            return [EvalScore("ter", value: nil, problem: problem)]
        }
        guard let statistics = TER.statistics(solution.answer, references: sample.targets) else {
            let problem = sample.targets.isEmpty ? "the sample has no target" : "a text has over \(TER.longest) words"
            return [EvalScore("ter", value: nil, problem: problem)]
        }
        let parts = [statistics.edits, statistics.words]
        return [EvalScore("ter", value: statistics.score / 100, answer: solution.answer, parts: parts)]
    }
}

/// ROUGE F-score of the answer and its best-matching target.
public struct ROUGEScorer: Scorer {
    public static let kind = ScorerKind(
        "rouge", "ROUGE F-score of the answer and its best-matching target",
        settings: ROUGE.settings, needsTargets: true)
    private let rouge: ROUGE
    private let name: String

    public init(_ settings: ScorerSettings) throws(Problem) {
        (name, rouge) = try ROUGE.chosen(by: settings)
    }

    public var scores: [EvalScoreKind] { [EvalScoreKind(name, passesAt: 0.5)] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        if let problem = ComparedTexts.problem(solution.answer, sample.targets) {
            return [EvalScore(name, value: nil, problem: problem)]
        }
        var score = BestTarget.score(name, solution.answer, sample) {
            rouge.score(solution.answer, reference: $0)?.f
        }
        if score.value == nil, !sample.targets.isEmpty { score.problem = "the texts are too long to compare" }
        return [score]
    }
}

/// Cosine similarity of the vectors of answer and target.
public struct EmbeddingScorer: Scorer {
    public static let kind = ScorerKind(
        "similar", "cosine similarity of the vectors of answer and target", needsTargets: true)

    public init(_ settings: ScorerSettings) throws(Problem) {}

    public var scores: [EvalScoreKind] { [EvalScoreKind("similar", passesAt: 0.8)] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        func unscored(_ problem: String) -> [EvalScore] {
            [EvalScore("similar", value: nil, answer: solution.answer, problem: problem)]
        }
        guard let embed = room.embed else { return unscored("no embedder was chosen") }
        guard !sample.targets.isEmpty else { return unscored("the sample has no target") }
        do {
            let vectors = try embed([solution.answer] + sample.targets)
            guard vectors.count == sample.targets.count + 1, let own = vectors.first else {
                return unscored("the embedder returned \(vectors.count) vectors for \(sample.targets.count + 1) texts")
            }
            let best = vectors.dropFirst().compactMap { VectorLikeness.cosine(own, $0) }.max()
            guard let best else { return unscored("a vector is zero, or the vectors differ in length") }
            return [EvalScore("similar", value: best, answer: solution.answer)]
        } catch {
            return unscored("\(error)")
        }
    }
}

enum VectorLikeness {
    /// Returns x·y / (|x| |y|); `nil` if a vector is 0, contains a NaN, or has another length.
    static func cosine(_ one: [Float], _ other: [Float]) -> Double? {
        guard one.count == other.count else { return nil }
        var product = 0.0
        var square = 0.0
        var otherSquare = 0.0
        for (x, y) in zip(one, other) {
            product += Double(x) * Double(y)
            square += Double(x) * Double(x)
            otherSquare += Double(y) * Double(y)
        }
        let cosine = product / (square * otherSquare).squareRoot()
        return cosine.isFinite ? max(-1, min(1, cosine)) : nil
    }
}

extension ROUGE {
    /// Settings of the scorer and the metric.
    static let settings = [
        ScorerSetting("type", "rouge1 to rouge9, rougeL, or rougeLsum", standard: .string("rougeL")),
        ScorerSetting("stem", "whether to stem words", standard: .bool(true)),
    ]

    /// Returns the chosen kind with its name.
    static func chosen(by settings: ScorerSettings) throws(Problem) -> (name: String, rouge: ROUGE) {
        let name = try settings.string("type", "rougeL")
        guard let rouge = ROUGE(name: name, stems: try settings.bool("stem", true)) else {
            throw settings.error("unknown value \"\(name)\" of \"type\"", "Use rouge1 to rouge9, rougeL, or rougeLsum.")
        }
        return (name, rouge)
    }
}

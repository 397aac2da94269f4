public import JSON
public import LanguageModels
public import Traces

/// Judges one answer. A new one is one file with one such type, and one line in `Scorers.all`.
///
/// ```swift
/// struct Contains: Scorer {
/// static let kind = ScorerKind("contains", "1 if the answer contains a target", settings: [
///         ScorerSetting("ignore_case", "whether case is ignored", standard: .bool(false))])
///     init(_ settings: ScorerSettings) throws(TaskError) { ... }
///     func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] { ... }
/// }
/// ```
public protocol Scorer: Sendable {
    static var kind: ScorerKind { get }

    /// - Throws: `TaskError` for settings that it does not know or cannot use, with their line.
    init(_ settings: ScorerSettings) throws(TaskError)

    /// Kinds of the scores, whatever the answer is; the first decides whether a sample passes.
    var scores: [EvalScoreKind] { get }

    /// Judges on the calling thread. What cannot be judged is a score without a value and with a problem.
    func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore]
}

/// The name, explanation, and settings of a scorer.
public struct ScorerKind: Hashable, Sendable {
    /// The word in task files: `exact`, `bleu`, `judge`.
    public var name: String
    /// One sentence without its full stop.
    public var summary: String
    /// Settings in a task file.
    public var settings: [ScorerSetting]
    /// Whether it needs a model that judges.
    public var needsJudge: Bool
    /// Whether it can judge nothing of a sample without a target.
    public var needsTargets: Bool

    public init(
        _ name: String, _ summary: String, settings: [ScorerSetting] = [], needsJudge: Bool = false,
        needsTargets: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.settings = settings
        self.needsJudge = needsJudge
        self.needsTargets = needsTargets
    }
}

/// One setting of a scorer.
public struct ScorerSetting: Hashable, Sendable {
    /// Its key in task files.
    public var name: String
    /// Meaning as a phrase without a full stop.
    public var explanation: String
    /// Default value; `nil` if the setting is required.
    public var standard: JSONValue?
    /// Whether it is compared with instead of the targets.
    public var replacesTargets: Bool

    public init(
        _ name: String, _ explanation: String, standard: JSONValue? = nil, replacesTargets: Bool = false
    ) {
        self.name = name
        self.explanation = explanation
        self.standard = standard
        self.replacesTargets = replacesTargets
    }
}

/// A scorer as a task file chose it.
public struct ScorerChoice: Hashable, Sendable {
    /// `ScorerKind.name`.
    public var kind: String
    /// Name of the score (default: the scorer's own).
    public var name: String?
    /// Settings from the task file, with their position for error messages.
    public var settings: ScorerSettings
    /// Its part in a weighted sum of a sample's checks.
    public var weight: Double
    /// Minimum passing value (default: the scorer's own).
    public var threshold: Double?
    /// Whether passing and failing change places; a scorer that could not judge never passes by this.
    public var isNegated: Bool

    public init(
        _ kind: String, name: String? = nil, settings: ScorerSettings = ScorerSettings(), weight: Double = 1,
        threshold: Double? = nil, isNegated: Bool = false
    ) {
        self.kind = kind
        self.name = name
        self.settings = settings
        self.weight = weight
        self.threshold = threshold
        self.isNegated = isNegated
    }
}

/// Settings as a task file has them, with the place for sentences.
public struct ScorerSettings: Hashable, Sendable {
    /// Settings in the order of the file; of duplicate keys, the last one counts.
    public var values: [JSONValue.Member]
    /// Path of the file with the settings, for error messages; empty if there is none.
    public var path: String
    /// Line number, starting at 1; `nil` if unknown.
    public var line: Int?

    public init(_ values: [JSONValue.Member] = [], path: String = "", line: Int? = nil) {
        self.values = values
        self.path = path
        self.line = line
    }

    /// The value of a key; `nil` if it is not set.
    public subscript(name: String) -> JSONValue? { values.last { $0.key == name }?.value }

    /// Returns an error at this position.
    public func error(_ problem: String, _ remedy: String = "") -> TaskError {
        TaskError(path: path, line: line, problem: problem, remedy: remedy)
    }
}

/// Resources of scorers.
public struct ScoringRoom: Sendable {
    /// Model that judges; `nil` if none was chosen.
    public var judge: (any LanguageModel)?
    /// Specification that opens the judge again.
    public var judgeSpecification: String?
    /// Returns one vector per text, all of the same length; `nil` if no embedder was chosen.
    public var embed: (@Sendable ([String]) throws -> [[Float]])?
    /// Takes what a judge was asked, so that it becomes part of the sample's trace.
    public var note: @Sendable (SolutionStep) -> Void
    /// Asked while something slow goes on; what is cut off has no score.
    public var isCancelled: @Sendable () -> Bool
    /// Seed of the sample, sent to judges so that they repeat their verdict if possible.
    public var seed: UInt64
    /// Time limit of a user's program per sample, instead of the scorer's own.
    public var programSeconds: Double?
    /// Takes why a judge, an embedder or a program gave nothing: where that may pass, the answer is judged again later.
    public var failed: @Sendable (LanguageModelError) -> Void
    /// Called where every other sample would meet the failure too: the run ends with its sentence.
    public var endRun: @Sendable () -> Void

    public init(
        judge: (any LanguageModel)? = nil, judgeSpecification: String? = nil,
        embed: (@Sendable ([String]) throws -> [[Float]])? = nil,
        note: @escaping @Sendable (SolutionStep) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }, seed: UInt64 = 0,
        failed: @escaping @Sendable (LanguageModelError) -> Void = { _ in },
        endRun: @escaping @Sendable () -> Void = {}
    ) {
        self.judge = judge
        self.judgeSpecification = judgeSpecification
        self.embed = embed
        self.note = note
        self.isCancelled = isCancelled
        self.seed = seed
        self.failed = failed
        self.endRun = endRun
    }
}

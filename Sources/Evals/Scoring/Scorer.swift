public import EvalLogs
public import JSON
public import LanguageModels
public import System
internal import Traces

/// Judges one answer. A new one is one file with one such type, and one line in `Scorers.all`.
///
/// ```swift
/// struct Contains: Scorer {
/// static let kind = ScorerKind("contains", "1 if the answer contains a target", settings: [
///         ScorerSetting("ignore_case", "whether case is ignored", standard: .bool(false))])
///     init(_ settings: ScorerSettings) throws(Problem) { ... }
///     func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] { ... }
/// }
/// ```
public protocol Scorer: Sendable {
    static var kind: ScorerKind { get }

    /// - Throws: `Problem` with the line of an unknown or invalid setting.
    init(_ settings: ScorerSettings) throws(Problem)

    /// Kinds of the scores, whatever the answer is; the first decides whether a sample passes.
    var scores: [EvalScoreKind] { get }

    /// Scores an answer on the calling thread. An answer that cannot be scored gets a score with a problem and no
    /// value.
    func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore]
}

/// The name, explanation, and settings of a scorer.
public struct ScorerKind: Hashable, Sendable {
    /// Name in task files: `exact`, `bleu`, `judge`.
    public var name: String
    /// One sentence without a full stop.
    public var summary: String
    /// Settings in a task file.
    public var settings: [ScorerSetting]
    /// Whether the scorer needs a judge.
    public var needsJudge: Bool
    /// Whether the scorer cannot score a sample without a target.
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

/// A setting of a scorer.
public struct ScorerSetting: Hashable, Sendable {
    /// Key in task files.
    public var name: String
    /// Meaning as a phrase without a full stop.
    public var explanation: String
    /// Default value; `nil` if the setting is required.
    public var standard: JSONValue?
    /// Whether the setting replaces the targets.
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

/// A scorer chosen in a task file.
public struct ScorerChoice: Hashable, Sendable {
    /// Kind: `ScorerKind.name`.
    public var kind: String
    /// Name of the score (default: the scorer's own).
    public var name: String?
    /// Settings from the task file, with their position for error messages.
    public var settings: ScorerSettings
    /// Weight in a weighted sum of a sample's checks.
    public var weight: Double
    /// Minimum passing value (default: the scorer's own).
    public var threshold: Double?
    /// Whether to swap passing and failing; an unscored sample never passes by this.
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

/// Settings from a task file, with their position for error messages.
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
    public func error(_ problem: String, _ remedy: String = "") -> Problem {
        Problem(.failed, path, line: line, problem, remedy: remedy)
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
    /// Records a judge's call as a step of the sample's trace.
    public var note: @Sendable (SolutionStep) -> Void
    /// Polled during slow work; a canceled scorer returns no score.
    public var isCancelled: @Sendable () -> Bool
    /// Seed of the sample, sent to judges so that they repeat their verdict if possible.
    public var seed: UInt64
    /// Time limit of a user's program per sample, instead of the scorer's own.
    public var programSeconds: Double?
    /// Called with the failure of a judge, an embedder, or a program; after a temporary failure, the answer is judged
    /// again later.
    public var failed: @Sendable (LanguageModelError) -> Void
    /// Called if every other sample would fail too: the run ends with the error.
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

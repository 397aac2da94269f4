public import JSON
public import LanguageModels
public import Traces

/// Judges one answer. A new one is one file with one such type, and one line in `Scorers.all`.
///
/// ```swift
/// struct Contains: Scorer {
///     static let kind = ScorerKind("contains", "1 where the answer contains a target", settings: [
///         ScorerSetting("ignore_case", "whether case is ignored", standard: .bool(false))])
///     init(_ settings: ScorerSettings) throws(TaskError) { ... }
///     func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] { ... }
/// }
/// ```
public protocol Scorer: Sendable {
    static var kind: ScorerKind { get }

    /// - Throws: `TaskError` for settings that it does not know or cannot use, with their line.
    init(_ settings: ScorerSettings) throws(TaskError)

    /// The scores that it gives, whatever the answer is; the first is the one that counts.
    var scores: [EvalScoreKind] { get }

    /// Judges on the calling thread. What cannot be judged is a score without a value and with a problem.
    func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore]
}

/// What a scorer is called and how it is set.
public struct ScorerKind: Hashable, Sendable {
    /// The word in task files: `exact`, `bleu`, `judge`.
    public var name: String
    /// One sentence without its full stop.
    public var summary: String
    /// What a task file may set of it.
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
    /// What it means, as a phrase without a full stop.
    public var explanation: String
    /// What it is where nobody says; nil where somebody has to.
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
    /// What its score is called; nil takes the scorer's own name.
    public var name: String?
    /// What the task file set, with its place for sentences.
    public var settings: ScorerSettings
    /// Its part in a weighted sum of a sample's checks.
    public var weight: Double
    /// The value from which on the check passes; nil takes the scorer's own.
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
    /// In the order of the file; of a key that stands twice the last one counts.
    public var values: [JSONValue.Member]
    /// The file that they stand in, for sentences; empty where there is none.
    public var path: String
    /// From 1; nil where it is not known.
    public var line: Int?

    public init(_ values: [JSONValue.Member] = [], path: String = "", line: Int? = nil) {
        self.values = values
        self.path = path
        self.line = line
    }

    /// The value of a key; nil where it is not set.
    public subscript(name: String) -> JSONValue? { values.last { $0.key == name }?.value }

    /// An error at this place.
    public func error(_ problem: String, _ remedy: String = "") -> TaskError {
        TaskError(path: path, line: line, problem: problem, remedy: remedy)
    }
}

/// What scorers find where they work.
public struct ScoringRoom: Sendable {
    /// The model that judges; nil where none was chosen.
    public var judge: (any LanguageModel)?
    /// What opens the judge again.
    public var judgeSpecification: String?
    /// Vectors of texts, one a text, of one length; nil where no embedder was chosen.
    public var embed: (@Sendable ([String]) throws -> [[Float]])?
    /// Takes what a judge was asked, so that it becomes part of the sample's trace.
    public var note: @Sendable (SolutionStep) -> Void
    /// Asked while something slow goes on; what is cut off has no score.
    public var isCancelled: @Sendable () -> Bool
    /// Of the sample: judges are asked with it, so that they say the same again where they can.
    public var seed: UInt64
    /// How long a program of the user's may take for a sample, instead of what the scorer says.
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

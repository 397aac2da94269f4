public import EvalLogs
public import JSON
public import Statistics
internal import System
internal import Traces

/// A task: requests, and scorers of the answers, in whatever format its file has.
///
/// Every task format (`TaskFormats.all`) produces this value; running, scoring, and display are independent of formats.
public struct EvalTask: Sendable {
    /// Name that identifies the task in runs, together with the version.
    public var name: String
    /// Version of the task.
    public var version: String
    /// Summary in one sentence.
    public var summary: String
    /// Format: `orrery`, `lm-eval`, `promptfoo`, `openai-evals`.
    public var format: String
    /// Path of the task file.
    public var path: String?
    /// Samples in order.
    public var samples: [TaskSample]
    /// Scorers of every sample, in order; the first score of the first scorer decides whether a sample failed.
    public var scorers: [ScorerChoice]
    /// Metrics to compute from the scores.
    public var metrics: [MetricChoice]
    /// Number of epochs per sample.
    public var epochs: Int
    /// Reducer of a sample's scores over epochs.
    public var reducer: EpochReducer
    /// Properties to group samples by.
    public var slices: [String]
    /// Chosen settings: prompt, few-shot count, answer length.
    public var settings: [EvalSetting]
    /// Text of the definition, stored with each run.
    public var source: String
    /// Notes for the user, such as ignored parts of the file.
    public var notes: [String]
    /// Lines of its file by key, as far as the format records them.
    public var lines: [String: Int] = [:]
    /// Whether people rate the answers, so that no scorer is needed.
    public var isJudgedByPeople = false
    /// Time limit per sample of a program that answers (default: the usual limit).
    public var programSeconds: Double?

    public init(
        name: String, version: String = "", summary: String = "", format: String, path: String? = nil,
        samples: [TaskSample], scorers: [ScorerChoice] = [], metrics: [MetricChoice] = [], epochs: Int = 1,
        reducer: EpochReducer = .mean, slices: [String] = [], settings: [EvalSetting] = [], source: String = "",
        notes: [String] = []
    ) {
        self.name = name
        self.version = version
        self.summary = summary
        self.format = format
        self.path = path
        self.samples = samples
        self.scorers = scorers
        self.metrics = metrics
        self.epochs = epochs
        self.reducer = reducer
        self.slices = slices
        self.settings = settings
        self.source = source
        self.notes = notes
    }
}

/// A sample of a task, ready to run.
public struct TaskSample: Hashable, Sendable {
    /// Name, unique in the task and stable between runs.
    public var id: String
    /// Request to the model.
    public var request: EvalRequest
    /// Correct answers; any of them counts.
    public var targets: [String]
    /// Answers to choose from; empty for a free answer.
    public var choices: [String]
    /// Index of the correct choice in `choices`.
    public var rightChoice: Int?
    /// Cluster of dependent samples, such as questions on one document.
    public var cluster: String?
    /// Slices in the order of `EvalTask.slices`.
    public var slices: [String]
    /// Row of the dataset.
    public var fields: JSONValue
    /// Scorers for this sample alone, in addition to the task's.
    public var checks: [ScorerChoice]
    /// Number of answers to request at once, for filters that vote; the solution has this many.
    public var repeats = 1
    /// Data of the task's format for its own scorers and exports.
    public var details = JSONValue.null

    public init(
        id: String, request: EvalRequest, targets: [String] = [], choices: [String] = [], rightChoice: Int? = nil,
        cluster: String? = nil, slices: [String] = [], fields: JSONValue = .null, checks: [ScorerChoice] = []
    ) {
        self.id = id
        self.request = request
        self.targets = targets
        self.choices = choices
        self.rightChoice = rightChoice
        self.cluster = cluster
        self.slices = slices
        self.fields = fields
        self.checks = checks
    }
}

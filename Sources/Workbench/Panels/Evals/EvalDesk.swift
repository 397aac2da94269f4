package import EvalLogs
package import Evals
package import ModelLab
package import Workspace

/// Engine of the evals page: runs and logs, work on them, and ratings.
package protocol EvalDesk: Sendable {
    /// Returns the runs of the workspace, newest first.
    func runs() throws -> [EvalRun]
    /// Returns the log of a run of the workspace.
    func log(_ run: Int64) throws -> any EvalLog
    /// Opens a file of another program, with one log per run.
    func open(_ path: String) throws -> [any EvalLog]

    /// Revision of the workspace, which changes with every write by any process; `nil` if no other process can
    /// write. Reading it is cheap.
    var revision: Int? { get }
    /// Returns the prompt version of a run; `nil` if it was not saved.
    func prompt(of run: EvalRun) throws -> PromptVersion?

    /// Returns the progress of the active runs of this process.
    func progress() -> [EvalProgress]
    /// Returns the progress of a run in another process, up to half a second old; `nil` if unknown.
    func progress(of run: Int64) throws -> EvalProgress?
    /// Runs a task. A canceled job ends early and saves the finished samples.
    ///
    /// - Returns: The run's number and a sentence.
    func start(_ start: EvalStart, _ job: JobHandle) throws -> EvalEnd
    /// Reads a task up to its first sample and throws its first error.
    func check(task: String) throws -> EvalTaskCheck
    /// Returns the models of the workspace.
    func models() throws -> [ModelEntry]
    /// Throws an error unless a word names a usable model.
    func check(model: String) throws
    func stop(_ run: Int64) throws
    /// Pauses or resumes a run in progress.
    ///
    /// - Parameter isPaused: Whether the run is paused now, if its progress reports it.
    /// - Returns: Whether the run is paused afterwards.
    func pause(_ run: Int64, isPaused: Bool?) throws -> Bool
    /// Returns whether an active run is paused, here or in another process.
    func isPaused(_ run: Int64) throws -> Bool
    /// Returns the maximum number of samples in flight at the start of the run; `nil` if unknown.
    func concurrency(of run: Int64) throws -> Int?
    func setConcurrency(_ most: Int, of run: Int64) throws
    func rename(_ run: Int64, to name: String) throws
    func delete(_ run: Int64) throws

    /// Compares two runs sample by sample.
    func contrast(_ base: any EvalLog, _ new: any EvalLog, until cancellation: Cancellation) throws -> EvalContrast
    /// Returns the confidence and outcome of every sample that records a confidence.
    func confidences(_ log: any EvalLog, until cancellation: Cancellation) throws -> [ConfidencePoint]

    /// Returns the classes that the first scorer found in the answers; empty if it finds none.
    func labels(_ log: any EvalLog, until cancellation: Cancellation) throws -> [LabelPoint]

    /// Returns the sample's trace in the workspace, and creates it if necessary.
    func trace(of log: any EvalLog, sample: Int) throws -> EvalTrace
    /// Returns the identifiers of the pages that can show a step of a trace; `nil` for all pages that open its kind.
    func panels(showing step: EvalStep?, of trace: EvalTrace, span: Int?) throws -> Set<String>?
    /// Returns the steps of a sample with their texts.
    func steps(of log: any EvalLog, sample: Int) throws -> SampleSteps

    var ratings: any ReviewDesk { get }
}

extension EvalDesk {
    package var revision: Int? { nil }
    package func prompt(of run: EvalRun) throws -> PromptVersion? { nil }
    package func progress(of run: Int64) throws -> EvalProgress? { nil }
}

/// Ratings of samples.
package protocol ReviewDesk: Sendable {
    func ratings(of run: EvalRun) throws -> [Rating]
    func add(_ rating: Rating) throws
    /// Undoes the rater's last rating of a run and returns it; `nil` if there is none.
    func undo(rater: String, of run: EvalRun) throws -> Rating?
}

/// Samples to run.
package enum EvalStart: Hashable, Sendable {
    /// A task file with a model and further settings.
    case task(EvalSetup)
    /// The samples that a run has not finished.
    case rest(of: Int64)
    /// The samples of a run that ended in an error or have no score.
    case errors(of: Int64)
    /// The failed samples, as a new run.
    case failed(of: Int64)
}

extension EvalStart {
    /// Whether the start creates a run.
    var isNew: Bool {
        switch self {
        case .task, .failed: true
        case .rest, .errors: false
        }
    }
}

/// Facts about a task file before it runs.
package struct EvalTaskCheck: Hashable, Sendable {
    /// Name of the task in its runs.
    package var name: String
    /// Whether the task needs a model. A task with recorded answers does not.
    package var asksModel: Bool
    /// Whether a scorer of the task needs a judge.
    package var asksJudge: Bool

    package init(name: String, asksModel: Bool, asksJudge: Bool = false) {
        self.name = name
        self.asksModel = asksModel
        self.asksJudge = asksJudge
    }
}

/// The end of a run, in a sentence.
package struct EvalEnd: Hashable, Sendable {
    package var run: Int64
    package var sentence: String
    package var isGood: Bool

    package init(run: Int64, sentence: String, isGood: Bool) {
        self.run = run
        self.sentence = sentence
        self.isGood = isGood
    }
}

/// The trace of a sample in the workspace.
package struct EvalTrace: Hashable, Sendable {
    package var trace: Int64
    /// Ordinal of each step's span; `nil` if the trace does not record it.
    package var spans: [Int?]

    package init(trace: Int64, spans: [Int?]) {
        self.trace = trace
        self.spans = spans
    }
}

/// A sample's class, and the class found in its answer.
package struct LabelPoint: Hashable, Sendable {
    package var target: String
    package var label: String
}

/// The confidence of an answer, in [0, 1], and whether it passed.
package struct ConfidencePoint: Hashable, Sendable {
    package var confidence: Double
    package var passes: Bool

    package init(confidence: Double, passes: Bool) {
        self.confidence = confidence
        self.passes = passes
    }
}

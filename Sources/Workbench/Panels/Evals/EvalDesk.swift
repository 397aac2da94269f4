package import EvalLogs
package import Evals
package import ModelLab
package import Workspace

/// What the eval panel asks of the engine: runs and logs, work on them, what people said of them.
package protocol EvalDesk: Sendable {
    /// The runs of the workspace, the youngest first.
    func runs() throws -> [EvalRun]
    /// The log of one of them.
    func log(_ run: Int64) throws -> any EvalLog
    /// A file of another program: one log, or several where it tells of several runs.
    func open(_ path: String) throws -> [any EvalLog]

    /// Revision of the workspace, which changes with every write by any process; `nil` if no other process can
    /// write. Reading it is cheap.
    var revision: Int? { get }
    /// Returns the prompt version of a run; `nil` if it was not saved.
    func prompt(of run: EvalRun) throws -> PromptVersion?

    /// How the runs in progress in this process stand.
    func progress() -> [EvalProgress]
    /// Returns the progress of a run in another process, up to half a second old; `nil` if unknown.
    func progress(of run: Int64) throws -> EvalProgress?
    /// Runs a task to its end; it ends early where the job is canceled, with what is done kept.
    ///
    /// - Returns: The run's number and a sentence.
    func start(_ start: EvalStart, _ job: JobHandle) throws -> EvalEnd
    /// Reads a task as a run would, as far as its first sample; what is wrong with it is thrown.
    func check(task: String) throws -> EvalTaskCheck
    /// The models of the workspace.
    func models() throws -> [ModelEntry]
    /// Whether a word names something that can be asked; what is wrong with it is thrown.
    func check(model: String) throws
    func stop(_ run: Int64) throws
    /// Pauses or resumes a run in progress.
    ///
    /// - Parameter isPaused: Whether it is paused now, where its progress tells.
    /// - Returns: Whether it is paused then.
    func pause(_ run: Int64, isPaused: Bool?) throws -> Bool
    /// Whether a running run is paused, here or in another process.
    func isPaused(_ run: Int64) throws -> Bool
    /// Maximum number of samples in flight that the run was started with; `nil` if unknown.
    func concurrency(of run: Int64) throws -> Int?
    func setConcurrency(_ most: Int, of run: Int64) throws
    func rename(_ run: Int64, to name: String) throws
    func delete(_ run: Int64) throws

    /// Two runs sample by sample.
    func contrast(_ base: any EvalLog, _ new: any EvalLog, until cancellation: Cancellation) throws -> EvalContrast
    /// How sure the answers were and whether they passed, of every sample that tells.
    func confidences(_ log: any EvalLog, until cancellation: Cancellation) throws -> [ConfidencePoint]

    /// Returns the classes that the first scorer found in the answers; empty if it finds none.
    func labels(_ log: any EvalLog, until cancellation: Cancellation) throws -> [LabelPoint]

    /// The sample's trace in the workspace, made where it is not there yet.
    func trace(of log: any EvalLog, sample: Int) throws -> EvalTrace
    /// Identifiers of the panels that have something to show of a step of a trace; `nil` for all that open its kind.
    func panels(showing step: EvalStep?, of trace: EvalTrace, span: Int?) throws -> Set<String>?
    /// What was done for a sample, with the texts of every step.
    func steps(of log: any EvalLog, sample: Int) throws -> SampleSteps

    var ratings: any ReviewDesk { get }
}

extension EvalDesk {
    package var revision: Int? { nil }
    package func prompt(of run: EvalRun) throws -> PromptVersion? { nil }
    package func progress(of run: Int64) throws -> EvalProgress? { nil }
}

/// What people say of samples.
package protocol ReviewDesk: Sendable {
    func ratings(of run: EvalRun) throws -> [Rating]
    func add(_ rating: Rating) throws
    /// Undoes the rater's last rating of a run and returns it; `nil` if there is none.
    func undo(rater: String, of run: EvalRun) throws -> Rating?
}

/// What is to be run.
package enum EvalStart: Hashable, Sendable {
    /// A task file with a model and further settings.
    case task(EvalSetup)
    /// What a run has not asked yet.
    case rest(of: Int64)
    /// What of a run ended in an error, or could not be judged.
    case errors(of: Int64)
    /// The samples that failed, in a run of their own.
    case failed(of: Int64)
}

extension EvalStart {
    /// Whether it makes a run that there was not before.
    var isNew: Bool {
        switch self {
        case .task, .failed: true
        case .rest, .errors: false
        }
    }
}

/// What a task file tells before it is run.
package struct EvalTaskCheck: Hashable, Sendable {
    /// The name by which its runs are found.
    package var name: String
    /// Whether the task needs a model. A task with recorded answers does not.
    package var asksModel: Bool
    /// Whether a scorer of the task needs a model that judges.
    package var asksJudge: Bool

    package init(name: String, asksModel: Bool, asksJudge: Bool = false) {
        self.name = name
        self.asksModel = asksModel
        self.asksJudge = asksJudge
    }
}

/// How a run came to its end.
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

/// How sure an answer was, in [0, 1], and whether it passed.
package struct ConfidencePoint: Hashable, Sendable {
    package var confidence: Double
    package var passes: Bool

    package init(confidence: Double, passes: Bool) {
        self.confidence = confidence
        self.passes = passes
    }
}

package import EvalLogs
package import Evals
package import ModelLab

/// What comes back to the eval panel.
package enum EvalAnswer: Sendable {
    case runs(EvalRunsBox)
    /// Time to look whether runs have changed, and how those that go on stand.
    case tick
    /// Time to check whether the workspace has changed, and its new revision.
    case look
    case looked(Int?)
    /// Time to look whether the log of another program that is shown has changed, and what was found.
    case followTick(run: Int64)
    case followed(run: Int64, EvalLogChange, EvalRun)
    case opened(EvalLogBox)
    case foreign(EvalLogsBox)
    /// More samples of a run, and whether its log is read to its end.
    ///
    /// - Parameter head: At the end, the run as it stands then.
    case rows(run: Int64, EvalRowsBox, head: EvalRun?)
    /// Errors in a log whose head does not report their number; `nil` if the log cannot be read to its end.
    case counted(run: Int64, errors: Int?)
    case slices(run: Int64, [EvalSlices], samples: Int)
    case page(run: Int64, page: Int, EvalRowsBox)
    case sample(run: Int64, EvalSampleBox)
    /// Samples whose texts match what was typed.
    case found(run: Int64, typed: String, samples: [Int32], end: Int, isEnd: Bool)
    case labels(run: Int64, [LabelPoint])
    case confidences(run: Int64, [ConfidencePoint])
    case sureness(run: Int64, isTold: Bool)
    case contrast(base: Int64, new: Int64, ContrastBox)
    /// The samples that did not pass by what went wrong, and one of a group.
    case failures(run: Int64, FailuresBox)
    case typical(run: Int64, EvalSampleBox)
    /// What both runs of a pair did, step by step.
    case sides(EvalContrast.Pair, before: SampleSteps?, after: SampleSteps?)
    case pair(place: Int, before: EvalSampleBox?, after: EvalSampleBox?)
    /// A trace that shows a sample.
    ///
    /// - Parameter panels: Identifiers of the panels to offer; `nil` opens the trace at once.
    case trace(EvalTrace, step: Int?, title: String, panels: Set<String>?)
    /// All ratings of a run, and the rating that was just given or undone.
    case ratings(run: Int64, RatingsBox, said: Rating?, isUndo: Bool)
    case ended(title: String, EvalEnd)
    /// A change that every panel must know of, with a message. ``written`` is a message for the user only.
    case done(String)
    /// The new maximum number of samples in flight of a run.
    case steered(run: Int64, most: Int)
    case written(String)
    case line(Line, String)
    /// The typed part of a run's setup is valid so far.
    case taskIsGood(String, EvalTaskCheck)
    case modelIsGood(task: String, model: String)
    /// Models that can answer a task, and the proposed model.
    case models([ModelEntry], task: String, proposed: String)
    /// The models that may judge the answers of a model.
    case judges([ModelEntry], task: String, model: String)
    case lineCancelled
    case advanceText

    /// What a line was asked for.
    package enum Line: Sendable {
        case task
        case model(task: String)
        case judge(task: String, model: String)
        case choices(task: String, model: String)
        case open, filter, filterRuns, filterPairs, findCell, find, export, rater, comment
        case baseline(Int64)
        case rename(Int64)
        /// A sample without an answer is to pass.
        case pass(Int, Rating.Verdict)
        /// A grade from 1 to 5 for a sample.
        case grade(Int, Int)
        case delete([Int64])
        case stop(Int64)
        /// Files of several runs, or of one from the list of runs.
        case exportRuns([Int64])
    }
}

/// Values of this panel alone, passed through the shell.
package struct EvalRunsBox: Sendable {
    let runs: [EvalRun]
    let progress: [EvalProgress]
    /// Runs in progress in this process.
    let own: Set<Int64>
    /// The heads of the logs of others, by their number: asked for where waiting does not matter.
    let foreign: [Int64: EvalRun]
    /// Why the first sample of a run has no answer, of runs in which none has one.
    let causes: [Int64: String]
    /// Runs in progress that were told to pause.
    let paused: Set<Int64>
    /// Of the workspace, before it was read.
    let revision: Int?
}
package struct EvalLogBox: Sendable {
    let id: Int64
    let log: any EvalLog
    let run: EvalRun
    let prompt: PromptVersion?

    init(id: Int64, log: any EvalLog, prompt: (EvalRun) throws -> PromptVersion? = { _ in nil }) {
        self.id = id
        self.log = log
        run = log.run
        self.prompt = try? prompt(run)
    }
}
package struct EvalLogsBox: Sendable {
    let path: String
    let logs: [any EvalLog]
    let runs: [EvalRun]

    init(path: String, logs: [any EvalLog]) {
        self.path = path
        self.logs = logs
        runs = logs.map(\.run)
    }
}
package struct EvalRowsBox: Sendable { let rows: [EvalRow] }
package struct FailuresBox: Sendable { let found: FailureClusters }
package struct EvalSampleBox: Sendable { let sample: EvalSampleRecord }
package struct ContrastBox: Sendable {
    let contrast: EvalContrast
    let base: any EvalLog
    let new: any EvalLog
}
package struct RatingsBox: Sendable {
    let ratings: [Rating]
    let rows: [EvalRow]
    let agreement: RaterAgreement
}

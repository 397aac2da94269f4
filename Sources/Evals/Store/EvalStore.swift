public import EvalLogs
internal import GRDB
internal import JSON
public import LanguageModels
internal import System
internal import Traces
public import Workspace

/// The runs of a workspace, for lists, comparisons, and commands.
///
/// ```swift
/// let store = EvalStore(workspace)
/// let log = try store.log(named: "latest")
/// let rows = try log.rows(0..<(log.run.total ?? 0)) { false }
/// ```
public struct EvalStore: Sendable {
    /// The workspace that holds the runs.
    package let workspace: Workspace

    public init(_ workspace: Workspace) { self.workspace = workspace }

    /// Returns all runs, newest first. A run whose process is gone is reported as interrupted, whatever its row says.
    public func runs() throws -> [EvalRun] {
        try seen(
            workspace.read { db in
                var runs: [StoredRun] = []
                try Workspace.Statement(db, "SELECT \(StoredRun.columns) FROM eval_run ORDER BY id DESC").forEach {
                    row in
                    runs.append(try StoredRun(row))
                }
                return runs
            }
        ).map(\.run)
    }

    /// Returns a run; `nil` if it does not exist.
    public func run(_ id: Int64) throws -> EvalRun? { try stored(id)?.run }

    /// Returns the run with this number or name; `latest` is the run that started last.
    ///
    /// If several runs have the name, the newest counts; a prefix is enough if only one name begins with it.
    public func find(_ word: String) throws -> EvalRun {
        if let id = Int64(word), let run = try run(id) { return run }
        let runs = try runs()
        guard !runs.isEmpty else {
            throw Problem(
                .missing, "", "\(workspace.path) has no evaluation runs", remedy: "Start one with orrery eval run.")
        }
        if word == "latest" { return runs[0] }
        if let exact = runs.first(where: { $0.name == word }) { return exact }
        let similar = runs.filter { $0.name.hasPrefix(word) }
        guard let first = similar.first, !word.isEmpty else {
            throw Problem(.unknown, "", "Unknown run \(word)", remedy: "List the runs with orrery eval list.")
        }
        guard Set(similar.map(\.name)).count == 1 else {
            let names = similar.prefix(3).map(\.name).joined(separator: ", ")
            throw Problem(
                .invalid, "", "\(word) matches several runs: \(names)",
                remedy: "Use more of the name, or the run's number.")
        }
        return first
    }

    /// Returns the run with this number or exact name, for commands that cannot be undone; `latest` is the run that
    /// started last.
    ///
    /// - Throws: `Problem` if there is none; for a prefix, the error names the run.
    public func find(whole word: String) throws -> EvalRun {
        let run = try find(word)
        guard word == "latest" || run.key == word || run.name == word else {
            throw Problem(
                .invalid, "", "\"\(word)\" is only the start of \(run.name) (run \(run.key))",
                remedy: "Use the full name or the number.")
        }
        return run
    }

    /// Returns a run as a log, whose samples are read on demand.
    public func log(_ id: Int64) throws -> StoredEvalLog {
        guard let stored = try stored(id) else { throw Problem.noRun(id) }
        return StoredEvalLog(workspace, id: id, first: stored.run)
    }

    /// Returns the log of the run with this number or name.
    public func log(named word: String) throws -> StoredEvalLog {
        let run = try find(word)
        guard let id = Int64(run.key) else {
            throw Problem(.unknown, "", "Unknown run \(word)", remedy: "List the runs with orrery eval list.")
        }
        return StoredEvalLog(workspace, id: id, first: run)
    }

    /// Returns how a run was started and how to resume it; `nil` if it does not exist.
    public func detail(_ id: Int64) throws -> EvalRunDetail? {
        guard let stored = try intact(id) else { return nil }
        let compressed = try workspace.read { db -> [UInt8] in
            let row = try Workspace.Statement(db, "SELECT source FROM eval_run WHERE id = ?")
            row.bind(1, id)
            return try row.first { Array($0.blob(0)) } ?? []
        }
        let source = compressed.isEmpty ? [] : try Decompressor().decompress(compressed)
        return EvalRunDetail(
            run: stored.run, arguments: stored.arguments, source: String(decoding: source, as: UTF8.self),
            path: stored.path, format: stored.format, digest: stored.digest, identity: stored.identity,
            options: stored.options, epochs: stored.epochs, samples: stored.total / max(1, stored.epochs),
            group: stored.group, prompt: stored.prompt, spent: stored.spent, job: stored.job)
    }

    /// Returns a run with everything that its row says; `nil` if it does not exist.
    ///
    /// - Throws: `Problem` if part of the row cannot be read.
    func intact(_ id: Int64) throws -> StoredRun? {
        let stored = try stored(id)
        if let note = stored?.damageNote { throw Problem(.corrupt, "", note) }
        return stored
    }

    func stored(_ id: Int64) throws -> StoredRun? {
        let found = try workspace.read { db -> StoredRun? in
            let row = try Workspace.Statement(db, "SELECT \(StoredRun.columns) FROM eval_run WHERE id = ?")
            row.bind(1, id)
            return try row.first { try StoredRun($0) }
        }
        return try found.flatMap { try seen([$0]).first }
    }

    /// Returns runs with their actual state: the job of a run shows whether a process is still running it.
    private func seen(_ runs: [StoredRun]) throws -> [StoredRun] {
        var runs = runs
        for index in runs.indices where runs[index].run.state == .running {
            let job = try runs[index].job.flatMap { try workspace.jobs.job($0) }
            if job?.state != .running {
                runs[index].run.state = .interrupted
            } else if try isPaused(runs[index].id) == true {
                runs[index].run.isPaused = true
            }
        }
        return runs
    }
}

/// A run's setup, and how to resume it.
public struct EvalRunDetail: Hashable, Sendable {
    /// Head of the run, for lists.
    public var run: EvalRun
    /// Command line arguments that start the run again.
    public var arguments: [String]
    /// Text of the task.
    public var source: String
    /// Path of the task file; `nil` if there was none.
    public var path: String?
    /// Format of the task: `orrery`, `lm-eval`, `promptfoo`, `openai-evals`.
    public var format: String
    /// Digest of its samples; a run resumes only with equal ones.
    public var digest: String
    /// Identity of its solver; a run resumes only with an equal one.
    public var identity: String
    /// Options of the first start.
    public var options: EvalOptions
    /// Number of epochs per sample, at least 1.
    public var epochs: Int
    /// Number of samples, without epochs.
    public var samples: Int
    /// Group of a matrix of runs; `nil` for a single run.
    public var group: String?
    /// Version of the prompt, if the workspace has it.
    public var prompt: String?
    /// Total usage since the run started.
    public var spent: EvalSpending
    /// Last job of the run.
    public var job: Int64?

    /// Whether samples are left and no process is running it.
    public var canResume: Bool { run.state != .running && run.completed < (run.total ?? run.completed) }
}

/// The usage of a run so far.
public struct EvalSpending: Hashable, Sendable {
    /// Number of calls of models and programs, including judges.
    public var requests: Int
    /// Tokens of all calls; unreported usage counts as 0.
    public var usage: Usage
    /// Cost in US dollars; `nil` if a model has no price.
    public var cost: Double?
    /// Running time in seconds.
    public var seconds: Double
    /// Whether a response reported no token count, so that the counts are too low.
    package var isUntold = false

    public init(requests: Int = 0, usage: Usage = Usage(), cost: Double? = 0, seconds: Double = 0) {
        self.requests = requests
        self.usage = usage
        self.cost = cost
        self.seconds = seconds
    }
}

extension Problem {
    /// Returns the error for a run that the workspace does not have.
    static func noRun(_ id: Int64) -> Problem {
        Problem(.unknown, "", "Unknown run \(id)", remedy: "List the runs with orrery eval list.")
    }
}

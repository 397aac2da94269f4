import ArgumentParser
import CommandSupport
import Console
import EvalLogs
import Evals
import Formatting
import JSON
import LanguageModels
import System
import Workspace

/// Options for progress and results of runs.
struct EvalReportOptions: ParsableArguments {
    @Option(help: "Progress style on stderr: line, lines, or none.")
    var progress: EvalProgressForm?

    @Option(
        name: .customLong("export-lm-eval"),
        help: "Also write lm-evaluation-harness results and samples to this folder.", completion: .directory)
    var lmEval: String?

    @OptionGroup var output: JSONOption
}

enum EvalProgressForm: String, ExpressibleByArgument, CaseIterable {
    case line, lines, none
}

/// Follows runs one after another.
struct EvalScreen {
    private let options: EvalReportOptions
    private let count: Int
    private var finished: [EvalRun] = []
    private var form: EvalProgressForm

    init(_ options: EvalReportOptions, count: Int) {
        self.options = options
        self.count = count
        form = options.progress ?? (Output.errorIsTerminal ? .line : .none)
    }

    /// Runs one run to its end. ^C stops it; finished samples are saved.
    @discardableResult
    mutating func follow(_ runner: EvalRunner, in workspace: Workspace, order: EvalOrder) throws -> EvalRun {
        let cancellation = Cancellation()
        let line = StatusLine()
        let form = form
        var lines = ProgressLines()
        let run = try Interruption.cancelling(cancellation) {
            try runner.run(
                started: { number in
                    if form == .lines { Output.note("run \(number): \(order.task.name)") }
                },
                progress: { progress in
                    if cancellation.isCancelled { runner.controls.cancel() }
                    let text = EvalProgressText(progress).text
                    if form == .line { line.show(text) }
                    if form == .lines, lines.tells(progress, at: Clock.nanoseconds(.wall)) { Output.note(text) }
                })
        }
        line.end()
        finished.append(run)
        if let folder = options.lmEval, let number = Int64(run.key) {
            for path in try LMEvalFiles.write(try EvalStore(workspace).log(number), of: order.task, to: folder) {
                Output.note(path)
            }
        }
        if !options.output.json { show(run, in: workspace) }
        return run
    }

    private func show(_ run: EvalRun, in workspace: Workspace) {
        Output.result(run.metrics.isEmpty ? "no metrics: no sample has a score" : EvalText.metrics(run.metrics))
        for note in EvalRunNotes(run, in: workspace).lines { Output.note(note) }
    }

    /// Prints the runs as JSON. The exit status is 1 if a run is unfinished, has samples in error, or has a score
    /// without any values.
    ///
    /// - Parameter printing: Whether to print; false if the caller printed its own JSON.
    func finish(printing: Bool = true, groups: [EvalGroupReport] = []) throws {
        if options.output.json, printing {
            if count == 1, groups.isEmpty, let run = finished.first {
                Output.json(EvalRunReport(run: run))
            } else {
                var json = JSONWriter(style: .pretty)
                json.object {
                    $0.member("runs", finished.map { EvalRunReport(run: $0) })
                    if !groups.isEmpty { $0.member("groups", groups) }
                }
                Output.result(json.text)
            }
        }
        let isShort = finished.contains { run in
            run.state != .done || (run.errors ?? 0) > 0 || !run.scoresWithoutValue.isEmpty
        }
        if isShort { throw ExitCode(1) }
    }
}

/// A run as printed by `eval run --json`: its head and its number of errors.
private struct EvalRunReport: JSONRepresentable {
    var run: EvalRun

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("run", run.key)
            $0.member("name", run.name)
            $0.member("task", run.task)
            $0.member("model", run.model)
            $0.member("state", run.state.rawValue)
            $0.member("problem", ifPresent: run.problem)
            $0.member("total", ifPresent: run.total)
            $0.member("completed", run.completed)
            $0.member("errors", run.errors ?? 0)
            $0.member("unscored", ifPresent: run.unscored)
            $0.member("cached", ifPresent: run.cached)
            $0.member("metrics", run.metrics)
            $0.member("cost", ifPresent: run.cost)
            $0.member("tokens", ifPresent: run.usage?.total)
            $0.member("seconds", ifPresent: run.workNanoseconds.map { Double($0) / 1e9 })
        }
    }
}

/// Selects the progress states to print as lines: a new cause of waiting at once, changed counts once per second, and
/// any state every ten seconds.
private struct ProgressLines {
    private static let (second, longest): (Int64, Int64) = (1_000_000_000, 10_000_000_000)

    private var waits = ""
    private var causes: Set<String> = []
    private var last: Int64?

    mutating func tells(_ progress: EvalProgress, at now: Int64) -> Bool {
        let waits = EvalProgressText(progress).waits
        // Ignore times and counts, which change all the time.
        let causes = Set(progress.waits.filter { $0.cause != .queued }.map { $0.detail.filter { !$0.isNumber } })
        let since = now - (last ?? now)
        let isNew = !causes.isSubset(of: self.causes)
        let isDue = since >= Self.longest || waits != self.waits && (last == nil || since >= Self.second)
        guard isNew || isDue || progress.completed == progress.total else {
            last = last ?? now
            return false
        }
        // A cause that returns within seconds is not a new cause.
        self.causes = since >= Self.longest ? causes : self.causes.union(causes)
        (self.waits, last) = (waits, now)
        return true
    }
}

/// Progress of a run as one line.
struct EvalProgressText {
    private let progress: EvalProgress

    init(_ progress: EvalProgress) { self.progress = progress }

    var text: String {
        var words = ["\(Format.count(progress.completed))/\(Format.count(progress.total))"]
        words.append(Format.rate(progress.rate, "samples"))
        if let remaining = progress.remaining, remaining.isFinite {
            words.append("\(Format.duration(seconds: remaining)) left")
        }
        if let score = progress.score { words.append("score \(Format.metric(score))") }
        if progress.errors > 0 { words.append("\(progress.errors) errors") }
        if progress.unscored > 0 { words.append("\(progress.unscored) unscored") }
        if progress.cached > 0 { words.append("\(progress.cached) cached") }
        let age = progress.oldest.flatMap { $0 > 10 ? Format.duration(seconds: $0) : nil }
        words.append(
            "\(progress.working) of \(progress.concurrency) in flight" + (age.map { ", oldest \($0)" } ?? ""))
        if let latency = progress.latency {
            words.append("p95 \(Format.duration(seconds: latency.p95))")
        }
        if let cost = progress.cost { words.append(Format.money(cost)) }
        return (words + (waits.isEmpty ? [] : [waits])).joined(separator: "  ")
    }

    /// Causes of waiting samples: `12 waiting: 429 Too Many Requests, Retry-After 1 s`.
    var waits: String {
        progress.waits.filter { $0.cause != .queued }.map { "\($0.count) waiting: \($0.detail)" }.joined(
            separator: "; ")
    }
}

/// Writes lm-evaluation-harness files for a run of the workspace.
enum LMEvalFiles {
    /// - Returns: Paths of the written files.
    static func write(_ log: StoredEvalLog, of task: EvalTask, to folder: String) throws -> [String] {
        let export = try LMEvalExport(task, log)
        return try export.write(to: folder, time: log.run.end ?? Clock.nanoseconds(.wall))
    }
}

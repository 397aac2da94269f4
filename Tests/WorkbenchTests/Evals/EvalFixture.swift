import Console
import EvalLogs
import Evals
import LanguageModels
import ModelLab
import Synchronization
import TestFixtures
import Traces
import Workbench
import Workspace

/// A run in memory, whose samples are computed from their places.
final class MemoryEvalLog: EvalLog {
    private let state: Mutex<(run: EvalRun, rows: [EvalRow])>
    private let reads = Mutex<[Range<Int>]>([])

    private let hasGaps: Bool

    /// - Parameter hasGaps: places of rows are not those of the array.
    init(_ run: EvalRun, _ rows: [EvalRow], hasGaps: Bool = false) {
        self.hasGaps = hasGaps
        var run = run
        run.completed = rows.count
        run.total = run.total ?? rows.count
        state = Mutex((run, rows))
    }

    var run: EvalRun { state.withLock { $0.run } }

    private let news = Mutex(EvalLogChange.none)

    /// Another program writes more rows into it.
    func grow(_ rows: [EvalRow]) {
        state.withLock { state in
            state.rows += rows
            (state.run.completed, state.run.total) = (state.rows.count, state.rows.count)
        }
        news.withLock { $0 = .grown }
    }

    func refresh() -> EvalLogChange {
        news.withLock { news in
            defer { news = .none }
            return news
        }
    }

    private let reading = Mutex<(@Sendable () throws -> Void)?>(nil)
    /// Runs a closure at every read of rows.
    func onRead(_ work: @escaping @Sendable () throws -> Void) { reading.withLock { $0 = work } }

    /// Ranges of rows that were requested, in order.
    var asked: [Range<Int>] { reads.withLock { $0 } }

    func rows(_ range: Range<Int>, isCancelled: @Sendable () -> Bool) throws(EvalLogError) -> [EvalRow] {
        reads.withLock { $0.append(range) }
        try? reading.withLock { $0 }?()
        return state.withLock { state in
            hasGaps
                ? state.rows.filter { range.contains($0.index) }
                : Array(state.rows[range.clamped(to: 0..<state.rows.count)])
        }
    }

    func sample(_ index: Int) throws(EvalLogError) -> EvalSampleRecord {
        guard
            let row = state.withLock({ state in
                hasGaps
                    ? state.rows.first { $0.index == index }
                    : state.rows.indices.contains(index) ? state.rows[index] : nil
            })
        else {
            throw EvalLogError(path: run.name, problem: "there is no sample \(index)")
        }
        return EvalWorkspace.record(row, of: run)
    }

    func spans(of index: Int) throws(EvalLogError) -> [SpanRecord] { [] }
}

/// Runs of a reading task: two recorded ones of which the second broke some answers, and a log of another program.
enum EvalWorkspace {
    static let colors = ["red", "green", "blue", "white"]

    static func run(
        _ key: String, _ name: String, model: String, minutes: Int64, value: Double, count: Int, path: String? = nil,
        format: String = "orrery", state: EvalRun.State = .done, prompt: String = "plain",
        cost: Double = 0.021
    ) -> EvalRun {
        let start = Place.now() - minutes * 60_000_000_000
        let error = (value * (1 - value) / Double(count)).squareRoot()
        return EvalRun(
            key: key, name: name, task: "flags", taskVersion: "2", model: model, format: format, path: path,
            state: state, start: start, end: start + 92_000_000_000, total: count,
            scores: [EvalScoreKind("exact"), EvalScoreKind("sureness", passesAt: 0.5)], slices: ["length", "language"],
            metrics: [
                EvalMetric(
                    score: "exact", name: "mean", value: value, standardError: error, lower: value - 1.96 * error,
                    upper: value + 1.96 * error, level: 0.95, count: count)
            ], usage: Usage(input: 48_000, output: 2_100), cost: path == nil ? cost : nil,
            settings: [EvalSetting("prompt", prompt), EvalSetting("temperature", "0")])
    }

    /// Every fifth fails; in the second run those that a rule breaks fail too, and some are fixed.
    static func rows(_ count: Int, isSecond: Bool = false) -> [EvalRow] {
        (0..<count).map { index in
            var passes = index % 5 != 3
            if isSecond, index % 11 == 7 { passes = false }
            if isSecond, index % 15 == 3 { passes = true }
            let isError = index % 40 == 21
            let isUnscored = index % 60 == 50
            let target = colors[index * 7 % 4]
            let answer = isError ? "" : passes ? target : colors[(index * 7 + 1) % 4]
            return EvalRow(
                index: index, id: "flag-\(index)",
                outcome: isError ? .error : isUnscored ? .unscored : passes ? .passed : .failed,
                scores: isError || isUnscored ? [.nan, .nan] : [passes ? 1 : 0, Double(index % 10) / 10],
                input: "What color is the flag of Dunancrest-\(index)?", answer: answer, target: target,
                slices: [index % 3 == 0 ? "short" : "long", ["en", "de"][index % 2]],
                problem: isError ? "The request took longer than 30 s." : nil, seconds: 0.4 + Double(index % 7) / 10,
                tokens: 61, cost: 0.000_2)
        }
    }

    static func record(_ row: EvalRow, of run: EvalRun) -> EvalSampleRecord {
        let passes = row.outcome == .passed
        let steps =
            run.format == "promptfoo"
            ? []
            : [
                EvalStep(kind: .retrieval, name: "search flags", seconds: 0.02),
                EvalStep(
                    kind: .model, name: run.model, seconds: row.seconds, problem: row.problem),
            ]
        return EvalSampleRecord(
            row: row,
            messages: [
                Message(.system, [.text("Answer with one word.")]), Message(.user, [.text(row.input)]),
            ], input: row.input, answer: row.outcome == .error ? nil : row.answer, targets: [row.target],
            scores: row.outcome == .error
                ? []
                : [
                    EvalScore(
                        "exact", value: row.outcome == .unscored ? nil : row.scores.first, answer: row.answer,
                        explanation: passes
                            ? nil : "The flag is \(row.target): the passage says so in its second sentence.",
                        problem: row.outcome == .unscored ? "The judge's answer has no grade in it." : nil,
                        confidence: Double((row.index * 37 + (passes ? 20 : 0)) % 101) / 101)
                ], metadata: #"{"document": "flags-\#(row.index)"}"#, steps: steps,
            failingStep: passes ? nil : steps.isEmpty ? nil : 1, standardError: row.index == 3 ? "warming up\n" : nil)
    }

    /// What was done for a sample: a search and an answer, and a second search where it failed.
    static func steps(_ log: any EvalLog, _ index: Int) throws -> SampleSteps {
        let sample = try log.sample(index)
        let passes = sample.row.outcome == .passed
        func search(_ question: String, _ span: Int) -> SampleSteps.Step {
            SampleSteps.Step(
                kind: .retrieval, name: "search flags", seconds: 0.02,
                parts: [.init("input", question), .init("output", "Dunancrest: a flag of one color.")], span: span)
        }
        let again = passes ? [] : [search("color of another flag", 2)]
        let answer = SampleSteps.Step(
            kind: .model, name: log.run.model, seconds: sample.row.seconds, problem: sample.row.problem,
            parts: [
                .init("user", sample.input), .init("answer", "The flag is \(sample.answer ?? "lost"), as it says."),
            ], span: 3)
        return SampleSteps(trace: 7, steps: [search(sample.input, 1)] + again + [answer])
    }

    /// Returns fixed runs; requests for work are recorded.
    static func desk() -> MemoryEvalDesk {
        let first = run("1", "flags mini-1", model: "orrery-mini-1", minutes: 200, value: 91.0 / 115, count: 120)
        let second = run("2", "flags mini-2", model: "orrery-mini-2", minutes: 90, value: 90.0 / 115, count: 120)
        let third = run(
            "3", "flags mini-2 few-shot", model: "orrery-mini-2", minutes: 30, value: 91.0 / 115, count: 120,
            prompt: "few-shot", cost: 0.034)
        let log = run(
            "a1", "flags gpt", model: "gpt-4o-mini", minutes: 4_000, value: 0.91, count: 60,
            path: "/logs/flags.eval", format: "inspect")
        return MemoryEvalDesk(
            own: [
                MemoryEvalLog(third, rows(120)), MemoryEvalLog(second, rows(120, isSecond: true)),
                MemoryEvalLog(first, rows(120)),
            ], foreign: ["/logs/flags.eval": [MemoryEvalLog(log, rows(60))]])
    }
}

/// Runs in memory, and what was asked of them.
final class MemoryEvalDesk: EvalDesk {
    private let logs: Mutex<[MemoryEvalLog]>
    var own: [MemoryEvalLog] { logs.withLock { $0 } }
    private let foreign: [String: [MemoryEvalLog]]
    private let said = Mutex<[String]>([])
    private let live = Mutex<[EvalProgress]>([])
    private let kept: MemoryReviewDesk

    init(own: [MemoryEvalLog], foreign: [String: [MemoryEvalLog]] = [:]) {
        logs = Mutex(own)
        self.foreign = foreign
        kept = MemoryReviewDesk()
    }

    /// Another run comes into the workspace.
    func add(_ log: MemoryEvalLog) { logs.withLock { $0.insert(log, at: 0) } }

    /// Requests of the page other than reads.
    var orders: [String] { said.withLock { $0 } }
    private func note(_ order: String) { said.withLock { $0.append(order) } }

    private let writes = Mutex<Int?>(nil)
    /// Simulates a write to the workspace by another process.
    func write() { writes.withLock { $0 = ($0 ?? 0) + 1 } }
    var revision: Int? { writes.withLock { $0 } }
    func progress(of run: Int64) throws -> EvalProgress? { elsewhere.withLock { $0.first { $0.run == run } } }
    private let elsewhere = Mutex<[EvalProgress]>([])
    func set(elsewhere progress: [EvalProgress]) { elsewhere.withLock { $0 = progress } }

    func set(progress: [EvalProgress]) { live.withLock { $0 = progress } }

    func runs() throws -> [EvalRun] { own.map(\.run) }
    func log(_ run: Int64) throws -> any EvalLog { try memory(run) }
    func memory(_ run: Int64) throws -> MemoryEvalLog {
        guard let log = own.first(where: { $0.run.key == String(run) }), broken.withLock({ $0 != run }) else {
            throw EvalLogError(path: "run \(run)", problem: "no longer in the workspace")
        }
        return log
    }
    private let broken = Mutex<Int64?>(nil)
    /// Makes the log of a run unreadable.
    func set(broken run: Int64?) { broken.withLock { $0 = run } }
    func open(_ path: String) throws -> [any EvalLog] {
        guard let logs = foreign[path] else { throw EvalLogError(path: path, problem: "there is no such file") }
        return logs
    }
    func progress() -> [EvalProgress] { live.withLock { $0 } }
    func start(_ start: EvalStart, _ job: JobHandle) throws -> EvalEnd {
        note("start \(start)")
        return EvalEnd(run: 3, sentence: "flags mini-2 done, 120 of 120 samples", isGood: true)
    }
    func check(task: String) throws -> EvalTaskCheck {
        guard task.hasSuffix(".toml") else { throw EvalLogError(path: task, problem: "there is no such file") }
        return EvalTaskCheck(name: "flags", asksModel: true, asksJudge: task.hasPrefix("judged"))
    }
    func models() throws -> [ModelEntry] { [] }
    func check(model: String) throws {
        guard model != "nobody" else { throw EvalLogError(path: model, problem: "no model has this name") }
    }
    func stop(_ run: Int64) { note("stop \(run)") }
    func pause(_ run: Int64, isPaused: Bool?) throws -> Bool {
        note("pause \(run)")
        return isPaused != true
    }
    func isPaused(_ run: Int64) throws -> Bool { pausedRuns.withLock { $0.contains(run) } }
    private let pausedRuns = Mutex<Set<Int64>>([])
    func set(paused: Set<Int64>) { pausedRuns.withLock { $0 = paused } }
    func panels(showing step: EvalStep?, of trace: EvalTrace, span: Int?) throws -> Set<String>? {
        step?.kind == .retrieval ? ["traces", "retrieval"] : ["traces", "tokens"]
    }
    func steps(of log: any EvalLog, sample: Int) throws -> SampleSteps { try EvalWorkspace.steps(log, sample) }
    func concurrency(of run: Int64) throws -> Int? { nil }
    func labels(_ log: any EvalLog, until cancellation: Cancellation) throws -> [LabelPoint] { [] }
    func setConcurrency(_ most: Int, of run: Int64) { note("concurrency \(most) of \(run)") }
    func rename(_ run: Int64, to name: String) throws { note("rename \(run) \(name)") }
    func delete(_ run: Int64) throws { note("delete \(run)") }

    func contrast(_ base: any EvalLog, _ new: any EvalLog, until cancellation: Cancellation) throws -> EvalContrast {
        let join = try EvalJoin(base, new) { cancellation.isCancelled }
        return EvalContrast(join, EvalDiff(join, measure: try join.measure(named: nil)))
    }

    func confidences(_ log: any EvalLog, until cancellation: Cancellation) throws -> [ConfidencePoint] {
        let rows = try log.rows(0..<10_000) { false }
        return try rows.compactMap { row in
            let score = try log.sample(row.index).scores.first
            guard let value = score?.value, let confidence = score?.confidence else { return nil }
            return ConfidencePoint(confidence: confidence, passes: value >= 1)
        }
    }

    func trace(of log: any EvalLog, sample: Int) throws -> EvalTrace {
        note("trace \(sample)")
        return EvalTrace(trace: 7, spans: [1, 2])
    }

    var ratings: any ReviewDesk { kept }
}

/// Ratings in memory, as `ReviewStore` keeps them.
final class MemoryReviewDesk: ReviewDesk {
    private let all = Mutex<[Rating]>([])

    func ratings(of run: EvalRun) throws -> [Rating] {
        let mine = all.withLock { $0 }.filter { $0.run == run.ratingKey }
        var last: [String: Rating] = [:]
        for rating in mine { last["\(rating.sample) \(rating.epoch) \(rating.rater)"] = rating }
        return last.values.sorted { $0.id < $1.id }
    }

    func add(_ rating: Rating) throws {
        all.withLock { all in
            var rating = rating
            rating.id = Int64(all.count + 1)
            all.append(rating)
        }
    }

    func undo(rater: String, of run: EvalRun) throws -> Rating? {
        all.withLock { all in
            guard let place = all.lastIndex(where: { $0.rater == rater && $0.run == run.ratingKey }) else { return nil }
            return all.remove(at: place)
        }
    }
}

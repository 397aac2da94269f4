import EvalLogs
import Evals
import Glibc
import JSON
import LanguageModels
import Providers
import Synchronization
import System
import TestFixtures
import Workspace

/// A solver with scripted answers, which records its requests.
final class ScriptedSolver: Solver {
    typealias Answer = @Sendable (TaskSample, SolvingAttempt, Int) throws(LanguageModelError) -> Solution

    struct Asked: Hashable {
        var id: String
        var epoch: Int
        var seed: UInt64
    }

    let name: String
    let identity: String
    private let answer: Answer
    private let kept = Mutex<[Asked]>([])

    /// - Parameter answer: Receives the number of previous requests, over all samples.
    init(
        _ name: String = "scripted", identity: String = "scripted",
        _ answer: @escaping Answer = { (sample, _, _) throws(LanguageModelError) in .plain(sample.id) }
    ) {
        self.name = name
        self.identity = identity
        self.answer = answer
    }

    var asked: [Asked] { kept.withLock { $0 } }
    var ids: [String] { asked.map(\.id) }

    func solve(_ sample: TaskSample, _ attempt: SolvingAttempt) throws(LanguageModelError) -> Solution {
        let before = kept.withLock { asked in
            asked.append(Asked(id: sample.id, epoch: attempt.epoch, seed: attempt.seed))
            return asked.count - 1
        }
        return try answer(sample, attempt, before)
    }
}

extension Solution {
    /// Returns an answer of one call with 15 tokens.
    static func plain(_ text: String, cut: Bool = false) -> Solution {
        let usage = Usage(input: 10, output: 5)
        let response = ModelResponse(
            message: Message(.assistant, [.text(text)]), finish: cut ? .cancelled : .stop, usage: usage,
            model: "gpt-4o", secondsToFirstToken: nil, seconds: 0.25)
        let call = SolutionStep.CallRecord(
            provider: "scripted", model: "gpt-4o", request: ModelRequest(.text("question")), response: response,
            start: 1, end: 2)
        return Solution(answers: [text], steps: [.model(call)], usage: usage, seconds: 0.25)
    }
}

extension LanguageModelError {
    static func refusal(retryAfter seconds: Int?) -> LanguageModelError {
        LanguageModelError(
            .rateLimit, model: "scripted", problem: "too many requests (429)",
            retryAfter: seconds.map(Double.init))
    }
    static let broken = LanguageModelError(.server, model: "scripted", problem: "the server failed (503)")
}

/// A workspace in a folder of its own, and tasks for it.
struct RunFixture {
    let folder = TemporaryFolder()
    let workspace: Workspace

    init() throws {
        workspace = try Workspace.open(folder.file("t.orrery"), migrations: Evals.migrations, create: true)
    }

    var store: EvalStore { EvalStore(workspace) }

    static func task(_ count: Int, epochs: Int = 1, version: String = "1") -> EvalTask {
        let samples = (0..<count).map { number in
            TaskSample(
                id: "s\(number)", request: .generation(ModelRequest(.text("question \(number)"))),
                targets: [number % 3 == 0 ? "wrong" : "s\(number)"], cluster: "c\(number / 2)",
                slices: [number % 2 == 0 ? "even" : "odd"], fields: .object([.init(key: "n", value: .integer(number))]))
        }
        return EvalTask(
            name: "counting", version: version, format: "orrery", samples: samples, scorers: [ScorerChoice("exact")],
            epochs: epochs, slices: ["parity"], source: "a task's text")
    }

    static func order(
        _ count: Int, _ solver: any Solver, epochs: Int = 1, _ change: (inout EvalOptions) -> Void = { _ in }
    ) -> EvalOrder {
        var options = EvalOptions(concurrency: 4, usesCache: false)
        change(&options)
        return EvalOrder(
            task: task(count, epochs: epochs), solver: solver, options: options,
            arguments: ["eval", "run", "task.toml"])
    }

    func run(
        _ count: Int, _ solver: any Solver, epochs: Int = 1, clock: Clock = .system,
        _ change: (inout EvalOptions) -> Void = { _ in }
    ) throws -> EvalRun {
        try EvalRunner(Self.order(count, solver, epochs: epochs, change), workspace: workspace, clock: clock).run()
    }

    func resume(
        _ run: EvalRun, _ count: Int, _ solver: any Solver, epochs: Int = 1, again: EvalResumption = .rest,
        _ change: (inout EvalOptions) -> Void = { _ in }
    ) throws -> EvalRun {
        try EvalRunner(
            resuming: Int64(run.key)!, Self.order(count, solver, epochs: epochs, change), again: again,
            workspace: workspace
        ).run()
    }

    func rows(_ run: EvalRun) throws -> [EvalRow] {
        try store.log(Int64(run.key)!).rows(0..<(run.total ?? 0)) { false }
    }
}

extension EvalRun {
    /// The figures with every bit of their numbers.
    var exactMetrics: [String] {
        metrics.map { metric in
            let numbers = [metric.value, metric.standardError, metric.lower, metric.upper].map {
                $0.map { String($0.bitPattern, radix: 16) } ?? "-"
            }
            return "\(metric.score) \(metric.name) \(metric.count) \(numbers) \(metric.note ?? "")"
        }
    }
}

import EvalLogs
import Evals
import LanguageModels
import Providers
import Synchronization
import System
import Testing

@Suite("A judge of two runs as a run")
struct PreferenceRunTests {
    /// Prefers the longer answer, but for every third question the one in first place.
    private static func judge(_ asked: Shared, cancels controls: (@Sendable () -> Void)? = nil) -> FunctionJudge {
        FunctionJudge { prompt in
            let (first, second) = (fenced("first", in: prompt), fenced("second", in: prompt))
            let count = asked.add(first + "|" + second)
            if count == 11 { controls?() }
            let number = Int(fenced("question", in: prompt).drop { !$0.isNumber }) ?? 0
            let word = number % 3 == 0 || first.utf8.count > second.utf8.count ? "first" : "second"
            return #"{"id": "\#(mark(of: prompt))", "reason": "r", "verdict": "\#(word)"}"#
        }
    }

    final class Shared: Sendable {
        private let words = Mutex<[String]>([])
        var all: [String] { words.withLock { $0 } }
        func add(_ word: String) -> Int {
            words.withLock {
                $0.append(word)
                return $0.count
            }
        }
    }

    /// Returns two runs of twelve samples; B has one error.
    private static func twoRuns(_ fixture: RunFixture) throws -> PreferencePlan {
        let a = try fixture.run(12, ScriptedSolver())
        let other = ScriptedSolver("other", identity: "other") { (sample, _, _) throws(LanguageModelError) in
            if sample.id == "s5" { throw LanguageModelError(.request, model: "other", problem: "no") }
            return .plain(sample.id + (sample.id.count == 2 ? " and more" : ""))
        }
        let b = try fixture.run(12, other)
        return PreferencePlan(.run(Int64(a.key)!), .run(Int64(b.key)!), criteria: "Longer is better.")
    }

    private static func order(_ plan: PreferencePlan, _ fixture: RunFixture, _ judge: FunctionJudge) throws -> EvalOrder
    {
        EvalOrder(
            task: try plan.task(in: fixture.store), solver: Solvers.recorded, room: ScoringRoom(judge: judge),
            options: EvalOptions(concurrency: 1, usesCache: false))
    }

    @Test("no request is repeated, and the figures match the stored samples") func resumed() throws {
        let fixture = try RunFixture()
        let plan = try Self.twoRuns(fixture)
        let undisturbed = Shared()
        let whole = try EvalRunner(
            try Self.order(plan, fixture, Self.judge(undisturbed)), workspace: fixture.workspace
        ).run()
        #expect(whole.total == 11 && whole.completed == 11)
        #expect(undisturbed.all.count == 22)

        let asked = Shared()
        let box = Mutex<EvalControls?>(nil)
        let runner = try EvalRunner(
            try Self.order(plan, fixture, Self.judge(asked) { box.withLock { $0 }?.cancel() }),
            workspace: fixture.workspace)
        box.withLock { $0 = runner.controls }
        let cut = try runner.run()
        #expect(cut.state == .cancelled && cut.completed > 0 && cut.completed < 11)
        let resumed = try EvalRunner(
            resuming: Int64(cut.key)!, try Self.order(plan, fixture, Self.judge(asked)), workspace: fixture.workspace
        ).run()
        #expect(resumed.state == .done && resumed.completed == 11)
        #expect(resumed.exactMetrics == whole.exactMetrics)
        // Only the sample in flight at the cut is repeated.
        #expect(Set(asked.all) == Set(undisturbed.all))
        #expect(asked.all.count <= 24)

        let report = try PairwiseReport(try fixture.store.log(Int64(resumed.key)!))
        #expect(report == (try PairwiseReport(try fixture.store.log(Int64(whole.key)!))))
        // Of s0 ... s11 without s5: in every third the first place wins, otherwise B's longer answer; s10 and s11
        // are equally long, and the second place wins.
        #expect(report.count == 11 && report.unread == 0)
        #expect(report.winsA == 0 && report.winsB == 5 && report.ties == 6)
        let flips = 6.0 / 11
        #expect(report.flipRate == flips)
        let firsts = 5 * 0.5 + 4.0
        #expect(report.firstShare == firsts / 11)
        #expect(report.longerWins == 1)
        let flipped = try #require(whole.metrics.first { $0.score == "flipped" })
        #expect(flipped.value == flips)
    }

    @Test("an unreachable judge ends the run") func unreachableJudge() throws {
        let fixture = try RunFixture()
        let plan = try Self.twoRuns(fixture)
        var order = try Self.order(plan, fixture, FunctionJudge { _ in "" })
        order.room.judge = UnreachableJudge()
        order.options.retries = 1
        let run = try EvalRunner(order, workspace: fixture.workspace, clock: SimulatedClock().clock).run()
        #expect(run.state == EvalRun.State.failed)
        #expect(run.completed == 0)
        #expect(run.problem?.contains("connection refused") == true)
    }

    private struct UnreachableJudge: LanguageModel {
        let name = "judge"
        let provider = "test"
        let capabilities = ModelCapabilities()

        func respond(
            to request: ModelRequest, isCancelled: @Sendable () -> Bool, receive: (ModelEvent) -> Void
        ) throws(LanguageModelError) -> ModelResponse {
            throw LanguageModelError(.connection, model: name, problem: "connection refused")
        }
    }

    @Test("the word of a plan is parsed back") func word() throws {
        let plan = PreferencePlan(.run(3), .log(path: "/tmp/a, b.json", run: "x"), criteria: "\"Short\" wins.")
        #expect(PreferencePlan.parse(plan.word) == plan)
        for word in ["task.toml", "preference:", "preference:{}", #"preference:{"a":1,"b":{"path":"x"}}"#] {
            #expect(PreferencePlan.parse(word) == nil)
        }
    }

    @Test("runs without a common answer are an error") func noCommonAnswer() throws {
        let fixture = try RunFixture()
        let broken = ScriptedSolver { (_, _, _) throws(LanguageModelError) in
            throw LanguageModelError(.request, model: "x", problem: "no")
        }
        let (a, b) = (try fixture.run(3, ScriptedSolver()), try fixture.run(3, broken))
        let plan = PreferencePlan(.run(Int64(a.key)!), .run(Int64(b.key)!))
        #expect(throws: Problem.self) { try plan.task(in: fixture.store) }
        #expect(throws: Problem.self) { try PreferencePlan(.run(99), .run(1)).task(in: fixture.store) }
    }

    @Test("human ratings of both answers are compared with the judge") func humanRatings() throws {
        func rating(_ sample: String, _ verdict: Rating.Verdict, _ rater: String = "r") -> Rating {
            Rating(run: "1", sample: sample, epoch: 1, rater: rater, verdict: verdict, time: 0)
        }
        let a = [rating("s1", .grade(5)), rating("s2", .fail), rating("s3", .pass), rating("s4", .skipped)]
        let b = [rating("s1", .grade(2)), rating("s2", .grade(1)), rating("s3", .pass, "q"), rating("s4", .pass)]
        let found = try #require(
            PreferenceAgreement(["s1": .first, "s2": .second, "s3": .tie, "s4": .first, "s9": .first], a, b))
        // s1: A; s2: fail is as bad as 1, a tie; s3: a tie; s4 has one rating.
        #expect(found.count == 3)
        #expect(found.agreement == 2.0 / 3)
        #expect(PreferenceAgreement(["s9": .first], a, b) == nil)
    }
}

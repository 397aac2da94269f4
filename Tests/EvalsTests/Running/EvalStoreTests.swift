import EvalLogs
import Evals
import GRDB
import LanguageModels
import System
import Testing
import Traces
import Workspace

@Suite("Runs of a workspace")
struct EvalStoreTests {
    @Test("runs are found by number, name, prefix, and latest")
    func find() throws {
        let fixture = try RunFixture()
        for name in ["alpha", "beta one", "beta two"] { _ = try fixture.run(2, ScriptedSolver()) { $0.name = name } }
        let store = fixture.store
        #expect(try store.runs().map(\.name) == ["beta two", "beta one", "alpha"])
        #expect(try store.find("1").name == "alpha")
        #expect(try store.find("latest").name == "beta two")
        #expect(try store.find("beta one").key == "2")
        #expect(try store.find("al").key == "1")
        #expect(throws: Problem.self) { try store.find("beta") }
        #expect {
            try store.find("gamma")
        } throws: { "\($0)" == "Unknown run gamma. List the runs with orrery eval list." }
        try store.rename(1, to: "omega")
        #expect(try store.run(1)?.name == "omega")
        #expect(throws: Problem.self) { try store.rename(1, to: "12") }
    }

    @Test("runs record how they were started")
    func detail() throws {
        let fixture = try RunFixture()
        _ = try fixture.run(4, ScriptedSolver(), epochs: 2) {
            $0.group = "matrix"
            $0.seed = 9
            $0.budget.requests = 3
        }
        let detail = try #require(try fixture.store.detail(1))
        #expect(detail.arguments == ["eval", "run", "task.toml"])
        #expect(detail.source == "a task's text")
        #expect(detail.group == "matrix")
        #expect(detail.epochs == 2)
        #expect(detail.samples == 4)
        #expect(detail.options.seed == 9)
        #expect(detail.options.budget.requests == 3)
        #expect(detail.spent.requests == 3)
        #expect(detail.canResume)
    }

    @Test("deleted runs lose all of their samples")
    func delete() throws {
        let fixture = try RunFixture()
        for _ in 0..<2 { _ = try fixture.run(3, ScriptedSolver()) { $0.usesCache = true } }
        try fixture.store.delete(1)
        #expect(try fixture.store.runs().map(\.key) == ["2"])
        let counts = try fixture.workspace.read { db in
            try ["eval_row", "eval_record", "eval_cache", "eval_command"].map {
                try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)")
            }
        }
        // The second run reused answers of the first: they are its own now, but no request finds them.
        #expect(counts == [3, 3, 0, 0])
        #expect(try fixture.workspace.check(Evals.checks).problems == [])
    }

    @Test("a corrupt sample is named, and the others are still read")
    func damage() throws {
        let fixture = try RunFixture()
        let run = try fixture.run(5, ScriptedSolver())
        try fixture.workspace.write { db in
            try db.execute(sql: "UPDATE eval_record SET data = x'28b52ffd00' WHERE id = (1 << 32) + 2")
            try db.execute(sql: "UPDATE eval_row SET data = x'0102' WHERE id = (1 << 32) + 3")
        }
        let log = try fixture.store.log(Int64(run.key)!)
        #expect(try log.sample(1).answer == "s1")
        #expect(throws: EvalLogError.self) { try log.sample(2) }
        #expect(throws: EvalLogError.self) { try log.rows(0..<5) { false } }
        #expect(try log.rows(0..<3) { false }.count == 3)
        #expect(throws: EvalLogError.self) { try log.sample(7) }
        #expect(throws: EvalLogError.self) { try log.sample(-1) }
        let problems = try fixture.workspace.check(Evals.checks).problems
        #expect(problems.contains("sample 3 of evaluation run 1 is corrupt"))
        #expect(problems.contains { $0.hasPrefix("eval_record 4294967298: ") })
    }

    @Test(
        "a run with a damaged header or damaged options says so and cannot be resumed, but is listed and can be deleted",
        arguments: ["head", "options", "arguments", "metrics"])
    func damagedRun(column: String) throws {
        let fixture = try RunFixture()
        let run = try fixture.run(3, ScriptedSolver())
        let damage = column == "arguments" ? "'{'" : "x'7f'"
        try fixture.workspace.write { db in try db.execute(sql: "UPDATE eval_run SET \(column) = \(damage)") }
        let part = column == "head" ? "header" : column
        let note = "The stored \(part) of run 1 cannot be read. Delete the run and repeat it."
        #expect(try fixture.store.runs().map(\.problem) == [note])
        #expect(throws: Problem(.corrupt, "", note)) { try fixture.store.detail(1) }
        #expect(throws: Problem(.corrupt, "", note)) { try fixture.resume(run, 3, ScriptedSolver()) }
        try fixture.store.delete(1)
        #expect(try fixture.store.runs().isEmpty)
    }

    @Test("each sample is exported as a trace with stable ids")
    func spans() throws {
        let fixture = try RunFixture()
        _ = try fixture.run(3, ScriptedSolver())
        let log = try fixture.store.log(1)
        let spans = try log.spans(of: 1)
        #expect(spans.count >= 2)
        #expect(try log.spans(of: 1) == spans)
        let trace = try log.traceID(of: 1)
        #expect(trace.utf8.count == 32)
        #expect(try log.traceID(of: 2) != trace)
        #expect(spans.allSatisfy { $0.trace == trace })
    }

    @Test("runs store the trace of a sample, and new figures")
    func notes() throws {
        let fixture = try RunFixture()
        _ = try fixture.run(3, ScriptedSolver())
        try fixture.store.note(trace: "abcd", for: 1, 2)
        #expect(try fixture.store.log(1).sample(2).trace == "abcd")
        let metric = EvalMetric(score: "exact", name: "kappa", value: .infinity, count: 3)
        try fixture.store.setMetrics([metric], of: 1)
        #expect(try fixture.store.run(1)?.metrics == [metric])
    }
}

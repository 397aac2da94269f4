import EvalLogs
import Evals
import JSON
import LanguageModels
import Testing

@Suite("Answers of earlier runs")
struct EvalCacheTests {
    @Test("earlier answers are reused for equal requests, even of another task, and cost nothing")
    func taken() throws {
        let fixture = try RunFixture()
        let first = try fixture.run(8, ScriptedSolver()) { $0.usesCache = true }
        let solver = ScriptedSolver()
        var order = RunFixture.order(8, solver) { $0.usesCache = true }
        order.task.name = "other"
        order.task.version = "2"
        var cached = 0
        let run = try EvalRunner(order, workspace: fixture.workspace).run(progress: { cached = $0.cached })
        #expect(solver.asked.isEmpty)
        #expect(cached == 8)
        #expect(run.exactMetrics == first.exactMetrics)
        #expect(run.cost == 0)
        #expect(run.usage == Usage())
    }

    @Test(
        "earlier answers are not reused if anything differs",
        arguments: [
            Change("identity") { order in order.solver = ScriptedSolver(identity: "other") },
            Change("seed") { order in order.options.seed = 1 },
            Change("the text") { order in
                for index in order.task.samples.indices {
                    order.task.samples[index].request = .generation(ModelRequest(.text("other \(index)")))
                }
            },
            Change("the sampling") { order in
                for index in order.task.samples.indices {
                    order.task.samples[index].request = .generation(
                        ModelRequest(.text("question \(index)"), sampling: .greedy))
                }
            },
            Change("messages for a text") { order in
                for index in order.task.samples.indices {
                    order.task.samples[index].request = .generation(
                        ModelRequest(.messages([Message(.user, [.text("question \(index)")])], tools: [])))
                }
            },
            Change("switched off") { order in order.options.usesCache = false },
        ])
    func notTaken(change: Change) throws {
        let fixture = try RunFixture()
        _ = try fixture.run(4, ScriptedSolver()) { $0.usesCache = true }
        var order = RunFixture.order(4, ScriptedSolver()) { $0.usesCache = true }
        change.make(&order)
        let run = try EvalRunner(order, workspace: fixture.workspace).run()
        #expect(run.completed == 4)
        #expect((order.solver as? ScriptedSolver)?.asked.count == 4)
    }

    @Test("earlier failures are never reused")
    func failures() throws {
        let fixture = try RunFixture()
        let failing = ScriptedSolver { (_, _, _) throws(LanguageModelError) in
            throw LanguageModelError(.request, model: "scripted", problem: "the request is too long")
        }
        _ = try fixture.run(4, failing) { $0.usesCache = true }
        let solver = ScriptedSolver()
        _ = try fixture.run(4, solver) { $0.usesCache = true }
        #expect(solver.asked.count == 4)
    }

    struct Change: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var make: @Sendable (inout EvalOrder) -> Void

        init(_ name: String, _ make: @escaping @Sendable (inout EvalOrder) -> Void) {
            testDescription = name
            self.make = make
        }
    }
}

import EvalLogs
import Evals
import LanguageModels
import Providers
import Testing
import Traces

@Suite("Unenforceable budgets, and exact names of runs")
struct EvalBudgetTests {
    /// A solver with a name for the price table, or without token counts.
    private struct OddSolver: Solver {
        var name = "odd"
        var identity = "odd"
        var pricedName: String?
        var usage: Usage?

        func solve(_ sample: TaskSample, _ attempt: SolvingAttempt) throws(LanguageModelError) -> Solution {
            var solution = Solution.plain(sample.id)
            guard case .model(var call) = solution.steps[0] else { return solution }
            call.response?.usage = usage
            solution.steps = [.model(call)]
            solution.usage = usage
            return solution
        }
    }

    @Test("a budget in tokens or dollars stops at the first response without token counts")
    func untold() throws {
        let fixture = try RunFixture()
        for (budget, unit) in [(EvalBudget(tokens: 1000), "tokens"), (EvalBudget(cost: 1), "dollars")] {
            var told = false
            let order = RunFixture.order(20, OddSolver()) { $0.budget = budget }
            let run = try EvalRunner(order, workspace: fixture.workspace).run(progress: { told = $0.isUsageUntold })
            #expect(run.state == .cancelled)
            #expect(
                run.problem
                    == "a response reported no token count, so a budget in \(unit) cannot be enforced")
            #expect(run.completed == 1)
            #expect(run.usage == nil)
            #expect(run.cost == nil)
            #expect(told)
            #expect(try fixture.resume(run, 20, OddSolver()).state == .done)
        }
    }

    @Test("a budget in dollars for a model without a price is refused before the first request")
    func unpriced() throws {
        let fixture = try RunFixture()
        let order = RunFixture.order(3, OddSolver(pricedName: "unheard-of")) { $0.budget.cost = 1 }
        #expect {
            try EvalRunner(order, workspace: fixture.workspace)
        } throws: { error in
            "\(error)".hasPrefix("unheard-of has no price, so a budget in dollars cannot be enforced")
        }
        #expect(try fixture.store.runs().isEmpty)
        let prices = PriceTable(prices: ["unheard-of": PriceTable.Price(input: 1, output: 1)])
        _ = try EvalRunner(order, workspace: fixture.workspace, prices: prices)
        _ = try EvalRunner(RunFixture.order(3, OddSolver(pricedName: "unheard-of")), workspace: fixture.workspace)
    }

    @Test("a program that never answers leaves as many errors as its error message says, and no cost")
    func broken() throws {
        let fixture = try RunFixture()
        let run = try fixture.run(40, Solvers.make(program: ["/bin/true"]))
        #expect(run.state == .failed)
        #expect(run.problem?.contains("10 samples in a row got no answer") == true, "\(run.problem ?? "")")
        #expect(run.completed == 10)
        #expect(run.errors == 10)
        #expect(run.cost == nil)
        #expect(try fixture.rows(run).allSatisfy { $0.cost == nil })
    }

    @Test("commands that cannot be undone need the exact name; reading accepts a prefix")
    func wholeNames() throws {
        let fixture = try RunFixture()
        let run = try fixture.run(2, ScriptedSolver()) { $0.name = "crash" }
        #expect(try fixture.store.find("cras").key == run.key)
        for word in ["crash", run.key, "latest"] { #expect(try fixture.store.find(whole: word).key == run.key) }
        #expect { try fixture.store.find(whole: "cras") } throws: {
            "\($0)" == "\"cras\" is only the start of crash (run 1). Use the full name or the number."
        }
    }
}

import Evals
import System
import Testing
import Workbench

@Suite("Settings of a run, typed as words")
struct EvalStartWordsTests {
    @Test("words become a setup")
    func words() throws {
        let words = try EvalStartWords(
            "judge=openai:big limit=50 epochs=3 temperature=0,0.7 budget=$2 cache=no name=a_b")
        let setup = words.setup(task: "t.toml", model: "m")
        #expect(setup.task == "t.toml" && setup.models == ["m"] && setup.judge == "openai:big")
        #expect(setup.options.limit == 50 && setup.options.epochs == 3 && setup.options.budget.cost == 2)
        #expect(setup.parameters == [EvalParameter(.temperature, [0, 0.7])])
        #expect(!setup.options.usesCache && setup.options.name == "a b")
        #expect(try EvalStartWords("").setup(task: "t", model: "m") == EvalSetup(task: "t", models: ["m"]))
        #expect(try EvalStartWords("budget=500requests").options.budget.requests == 500)
        #expect(try EvalStartWords("budget=90s").options.budget.seconds == 90)
    }

    @Test(
        "meaningless words are rejected with a remedy",
        arguments: [
            "limit", "limit=0", "limit=1e30", "max_tokens=1e30", "seed=0.5", "budget=$nan", "budget=x", "color=red",
        ])
    func refused(typed: String) {
        #expect(throws: Problem.self) { try EvalStartWords(typed) }
    }

    @Test("the form offers every name that the line reads, and checks each value by the same rule")
    func form() {
        for choice in EvalStartWords.choices {
            let value = choice.values.last ?? (choice.name == "budget" ? "$2" : "1")
            #expect(EvalStartWords.problem(choice.name, value) == nil)
        }
        #expect(EvalStartWords.problem("limit", "0") != nil)
    }
}

import Evals
import Testing
import Workbench

@Suite("Starting a run by key")
struct EvalStartingTests {
    @Test("a task is looked at when it is given, and only what is refused is asked for again")
    func refused() throws {
        let driver = try EvalDriver()
        try driver.press("r")
        driver.type("nothing.txt")
        #expect(driver.failures.count == 1 && driver.prompt?.text == "nothing.txt")
        #expect(driver.prompt?.label.hasPrefix("task") == true)
        driver.type("flags.toml")
        // The model that answered this task last is proposed.
        #expect(driver.prompt?.text == "orrery-mini-2" && driver.prompt?.isProposal == true)
        driver.type("nobody")
        #expect(driver.prompt?.text == "nobody" && driver.prompt?.isProposal == false)
        driver.type("m")
        driver.type("limit=x")
        #expect(driver.prompt?.text == "limit=x" && driver.jobs.isEmpty)
        driver.type("")
        #expect(driver.jobs == ["eval flags.toml"])
    }

    @Test("a name becomes that of a file")
    func fileName() throws {
        let driver = try EvalDriver()
        try driver.press("<enter>e")
        #expect(driver.prompt?.text == "flags-mini-2-few-shot.jsonl")
    }
}

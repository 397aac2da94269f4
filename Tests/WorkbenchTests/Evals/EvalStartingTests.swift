import Evals
import Testing
import Workbench

@Suite("Starting a run by key")
struct EvalStartingTests {
    @Test("a task is checked when it is entered, and only a rejected value is requested again")
    func refused() throws {
        let driver = try EvalDriver()
        driver.press("run")
        driver.answer("nothing.txt")
        #expect(driver.failures == ["nothing.txt: there is no such file."])
        #expect(driver.prompt?.label == "Run a task")
        driver.answer("flags.toml")
        // The model that answered this task last is proposed.
        #expect(driver.prompt?.label == "Model for flags.toml" && driver.prompt?.text == "orrery-mini-2")
        driver.answer("nobody")
        #expect(driver.failures.count == 2)
        #expect(driver.prompt?.label == "Model for flags.toml" && driver.prompt?.text == "nobody")
        driver.answer("m")
        #expect(driver.prompt?.label == "Run flags.toml" && driver.prompt?.text == "")
        driver.answer("limit=x")
        #expect(driver.notices.last == "limit=x: use 1 to 2147483648.")
        #expect(driver.prompt?.label == "Run flags.toml" && driver.prompt?.text == "limit=x" && driver.jobs.isEmpty)
        driver.answer("limit=")
        #expect(driver.jobs == ["eval flags.toml"])
    }

    @Test("a run's name becomes a file name")
    func fileName() throws {
        let driver = try EvalDriver()
        driver.press("open", "export")
        #expect(driver.prompt?.text == "flags-mini-2-few-shot.jsonl")
    }
}

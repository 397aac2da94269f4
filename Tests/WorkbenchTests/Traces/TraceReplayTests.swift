import Testing
import Traces
import Workbench

@Suite("Replaying a run")
struct TraceReplayTests {
    let made: TestWorkspace
    let driver: TraceDriver

    init() throws {
        made = try TestWorkspace.holding(SmallSession.text())
        driver = TraceDriver(made.workspace)
    }

    @Test("Enter opens the run at its first step, with what the model saw and answered")
    func opens() throws {
        driver.press("open")
        #expect(driver.pane == "run")
        #expect(driver.text.contains("step 1 of 5"))
        #expect(driver.text.contains(SmallSession.prompt))
        #expect(driver.text.contains("ls shelf"))
    }

    @Test(". and , move one step and stop at the ends with a message")
    func steps() throws {
        driver.press("open", "step", "step")
        #expect(driver.text.contains("step 3 of 5"))
        driver.press("step-back")
        #expect(driver.text.contains("step 2 of 5"))
        driver.press("step-back", "step-back")
        #expect(driver.text.contains("step 1 of 5"))
        #expect(driver.notices == ["This is the first step."])
        driver.press("step", "step", "step", "step", "step")
        #expect(driver.text.contains("step 5 of 5"))
        #expect(driver.notices.last == "This is the last step.")
    }

    @Test("]e goes to the failed step, shows its result, and reports when there is no other")
    func nextError() throws {
        driver.press("open", "next-error")
        #expect(driver.text.contains("step 4 of 5"))
        #expect(driver.text.contains(SmallSession.failure))
        let there = driver.span
        driver.press("next-error")
        #expect(driver.notices == ["no later failed step"])
        #expect(driver.span == there)
        driver.press("previous-error")
        #expect(driver.notices.last == "no earlier failed step")
        driver.press("step", "previous-error")
        #expect(driver.span == there)
    }

    @Test("]t and ]m go to the next tool call and the next model call")
    func landmarks() throws {
        driver.press("open", "next-tool")
        #expect(driver.text.contains("step 2 of 5"))
        driver.press("next-model")
        #expect(driver.text.contains("step 3 of 5"))
        driver.press("next-model", "next-model")
        #expect(driver.notices == ["no later model call"])
        driver.press("previous-tool")
        #expect(driver.text.contains("step 4 of 5"))
        driver.press("next-compaction")
        #expect(driver.notices.last == "no later compaction")
    }

    @Test("]c goes to the call that follows a compaction")
    func compaction() throws {
        let sample = try TestWorkspace.sample()
        let driver = TraceDriver(sample.workspace)
        let trace = try sample.store.find("7e57ab1e")
        #expect(driver.open(Reference(trace)))
        driver.press("next-compaction")
        #expect(driver.notices.isEmpty)
        #expect(driver.text.contains("summary of earlier messages"))
    }

    @Test("the context bars name every part and the billed total")
    func context() throws {
        driver.press("open")
        #expect(driver.text.contains("Context at step 1"))
        #expect(driver.text.contains("900 tokens"))
        #expect(driver.text.contains("not in the log"))
        driver.press("next-model")
        #expect(driver.text.contains("1,000 tokens"))
    }

    @Test("a tool's step shows its arguments and result")
    func toolStep() throws {
        driver.press("open", "next-tool")
        #expect(driver.text.contains("tool Bash"))
        #expect(driver.text.contains("returned"))
        #expect(driver.text.contains("ivy"))
    }

    @Test("v cycles through conversation, JSON, and raw record")
    func views() throws {
        driver.press("open", "view")
        #expect(driver.text.contains("JSON"))
        #expect(driver.text.contains("\"uuid\": \"fern-a1\""))
        driver.press("view")
        #expect(driver.text.contains("raw record"))
        #expect(driver.text.contains("\"uuid\":\"fern-a1\""))
        driver.press("view")
        #expect(!driver.text.contains("fern-a1"))
    }

    @Test("a also shows earlier messages")
    func allMessages() throws {
        driver.press("open", "next-model")
        #expect(driver.text.contains("hidden. Press a to show"))
        driver.press("open", "zoom")
        #expect(!driver.text.contains(SmallSession.prompt))
        driver.press("all-messages", "top")
        #expect(driver.text.contains(SmallSession.prompt))
    }
}

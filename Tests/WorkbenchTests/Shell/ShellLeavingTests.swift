import Console
import Evals
import Testing
import Traces
import Workbench
import Workspace

@Suite struct `Leaving while jobs run` {
    private let made: TestWorkspace
    private let driver: ShellDriver
    private let started = Mailbox<String>(wake: {})

    init() throws {
        made = try TestWorkspace.holding(SmallSession.text())
        driver = ShellDriver(made.workspace)
        try driver.type("2c")
    }

    private var hasLeft: Bool { driver.asked { if case .quit = $0 { true } else { false } } }

    private func departure(refusal: String? = nil, problem: (any Error)? = nil) -> Departure {
        let started = started
        return Departure(name: "tide", standing: "step 3 of 9", refusal: refusal) {
            if let problem { throw problem }
            started.post("tide")
        }
    }

    @Test func `b continues a run in the background and leaves`() throws {
        driver.shell.askToLeave([departure()])
        #expect(driver.text.contains("tide: step 3 of 9."))
        #expect(driver.text.contains("[b] keep tide running in the background and leave"))
        try driver.type("b")
        #expect(started.drain() == ["tide"])
        #expect(hasLeft)
    }

    @Test func `s stops the jobs and starts no process`() throws {
        driver.shell.askToLeave([departure()])
        try driver.type("s")
        #expect(started.drain().isEmpty)
        #expect(hasLeft)
    }

    @Test func `a run that cannot continue is named with the reason, and b does nothing`() throws {
        driver.shell.askToLeave([departure(refusal: "It has no checkpoint.")])
        #expect(driver.text.contains("It has no checkpoint."))
        try driver.type("b")
        #expect(!hasLeft && driver.text.contains("Leave Orrery?"))
    }

    @Test func `a process that cannot be started is reported, and the workbench stays`() throws {
        driver.shell.askToLeave([departure(problem: NotePage.Impossible())])
        try driver.type("b")
        #expect(driver.text.contains("it cannot be done"))
        #expect(!hasLeft)
    }

    @Test func `the question follows the job to its end`() throws {
        try driver.type("q")
        #expect(driver.text.contains("count is still running"))
        driver.finishJobs()
        #expect(!driver.text.contains("still running"))
        #expect(driver.text.contains("All jobs have finished."))
        try driver.type("s")
        #expect(hasLeft)
    }

    @Test func `an eval run of this process can continue in the background`() throws {
        let workspace = made.workspace
        var setup = EvalSetup(task: Place.root + "/sample-data/evals/reading.toml", models: ["scripted:Yes."])
        setup.options.limit = 1
        let order = try #require(try setup.orders(in: workspace).first)
        let job = try workspace.jobs.start("eval", title: "eval reading")
        var (own, others): ([Departure], [Departure]) = ([], [])
        try EvalRunner(order, workspace: workspace, prices: .builtIn).run(
            job: job,
            started: { _ in
                do {
                    own = try Departure.underWay([job.id], in: workspace, now: Place.now)
                    others = try Departure.underWay([job.id + 1], in: workspace, now: Place.now)
                } catch { Issue.record(error) }
            })
        #expect(own.map(\.standing) == ["0 of 1 samples"])
        #expect(own.allSatisfy { $0.refusal == nil && $0.name.contains("reading") })
        #expect(others.isEmpty)
        try job.finish()
        #expect(try Departure.underWay([job.id], in: workspace, now: Place.now).isEmpty)
    }
}

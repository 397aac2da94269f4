import Console
import Testing
import Workbench
import Workspace

@Suite("Jobs and messages")
struct ShellJobTests {
    let made: TestWorkspace
    let driver: ShellDriver

    init() throws {
        made = try TestWorkspace.holding(SmallSession.text())
        driver = ShellDriver(made.workspace)
        try driver.type("2")
    }

    @Test("a job has a progress bar in the title line from start to end")
    func bar() throws {
        try driver.type("c")
        #expect(driver.row(0).contains("count"))
        #expect(driver.footer.contains("cancel count"))
        driver.finishJobs()
        #expect(!driver.row(0).contains("count"))
        #expect(driver.text.contains("counted to 10"))
        #expect(try made.workspace.jobs.list().map(\.state) == [.done])
    }

    @Test("several jobs are counted")
    func several() throws {
        try driver.type("cC")
        #expect(driver.row(0).contains("count +1"))
        #expect(driver.footer.contains("cancel again"))
    }

    @Test("a job continues after its panel was left, and its result reaches the panel")
    func goesOn() throws {
        try driver.type("c1")
        #expect(driver.row(0).contains("count"))
        driver.finishJobs()
        try driver.type("2")
        #expect(driver.text.contains("counted to 10"))
    }

    @Test("x asks before canceling the newest job and reports when the job has stopped")
    func cancel() throws {
        try driver.type("cx")
        #expect(driver.text.contains("Stop count?"))
        try driver.type("s")
        #expect(driver.text.contains("count: stopping"))
        driver.finishJobs()
        #expect(driver.text.contains("count: cancelled"))
        #expect(!driver.text.contains("counted to 10"))
        #expect(try made.workspace.jobs.list().map(\.state) == [.cancelled])
        try driver.type("x")
        #expect(driver.text.contains("Notes has no running job. Type :jobs for the jobs of all panels."))
    }

    @Test("Esc keeps the job running")
    func cancelRefused() throws {
        try driver.type("cx<esc>")
        driver.finishJobs()
        #expect(driver.text.contains("counted to 10"))
    }

    @Test("x never cancels a job of another panel")
    func cancelElsewhere() throws {
        try driver.type("c1")
        #expect(!driver.footer.contains("cancel count"))
        try driver.type("x")
        #expect(driver.text.contains("Traces has no running job. Type :jobs for the jobs of all panels."))
        driver.finishJobs()
        #expect(try made.workspace.jobs.list().map(\.state) == [.done])
    }

    @Test("the question closes when its job ends")
    func cancelTooLate() throws {
        try driver.type("cx")
        driver.finishJobs()
        #expect(!driver.text.contains("Stop count?"))
    }

    @Test("in the list of jobs, x asks before stopping a job, and D before removing a job")
    func jobList() throws {
        let job = try made.workspace.jobs.start("notes.count", title: "count stars", total: 12, unit: "stars")
        try job.advance(by: 1)
        try driver.type(":jobs<enter>x")
        #expect(driver.text.contains("Stop count stars?"))
        #expect(driver.text.contains("1 of 12 stars (8 %)"))
        try driver.type("<esc>")
        #expect(!job.isCancelled && driver.text.contains("r resume   x cancel   D remove"))
        try driver.type("xs")
        #expect(job.isCancelled)
        job.cancelled()
        try driver.type("<esc>:jobs<enter>")
        #expect(driver.text.contains("cancelled at 8 %"))
        try driver.type("D")
        #expect(driver.text.contains("Remove count stars from the list?"))
        try driver.type("<esc>D")
        #expect(try made.workspace.jobs.list().count == 1)
        try driver.type("r")
        #expect(try made.workspace.jobs.list().isEmpty)
    }

    @Test("a job resumed from the list is asked about like any other, by q and by x")
    func resumed() throws {
        made.workspace.jobs.register("notes.count") { _, job in try job.advance(by: 1, of: 10, unit: "notes") }
        try made.workspace.jobs.start("notes.count", title: "count stars").cancelled()
        try driver.type(":jobs<enter>rq")
        #expect(driver.text.contains("count stars is still running."))
        try driver.type("<esc>xs")
        driver.finishJobs()
        #expect(driver.text.contains("count stars: cancelled"))
        #expect(try made.workspace.jobs.list().map(\.state) == [.cancelled])
    }

    @Test("canceled work that returns partial results is not done")
    func partial() throws {
        driver.engine.whenJobBegins = { [shell = driver.shell] in
            shell.drainEngine()
            shell.cancelAll()
        }
        try driver.type("p")
        driver.finishJobs()
        #expect(try made.workspace.jobs.list().map(\.state) == [.cancelled])
    }

    @Test("leaving asks every job to end")
    func leaving() throws {
        try driver.type("cC")
        driver.engine.whenJobBegins = { [shell = driver.shell] in
            shell.drainEngine()
            shell.cancelAll()
        }
        driver.finishJobs()
        #expect(try made.workspace.jobs.list().map(\.state) == [.cancelled, .cancelled])
    }

    @Test("a message goes away by itself, and nothing waits after that")
    func toast() throws {
        try driver.type("x")
        #expect(driver.text.contains("has no running job"))
        let deadline = try #require(driver.shell.nextDeadline)
        driver.shell.passDeadlines(at: deadline - .milliseconds(1))
        #expect(driver.text.contains("has no running job"))
        driver.shell.passDeadlines(at: deadline)
        #expect(!driver.text.contains("has no running job"))
        #expect(driver.shell.nextDeadline == nil)
    }

    @Test("a failure stays until a key is pressed or twelve seconds are over")
    func failure() throws {
        try driver.type("F")
        #expect(driver.text.contains("it cannot be done: there is no such note"))
        try driver.type("<right>")
        #expect(!driver.text.contains("it cannot be done"))
        try driver.type("F")
        driver.passTime()
        #expect(!driver.text.contains("it cannot be done"))
    }

    @Test("an action that cannot run now says why")
    func refused() throws {
        try driver.type("gr")
        #expect(driver.text.contains("open a span here first"))
    }

    @Test("a paste without a line says what to do; into a line it is typed")
    func paste() throws {
        driver.handle(.paste("hello"))
        #expect(driver.text.contains("Nothing to paste into. Press : first."))
        try driver.type("a")
        driver.handle(.paste("two\nlines\u{1B}[2J"))
        #expect(driver.footer.hasPrefix("say two lines"))
        #expect(Hostile.dangers(on: driver.shell.draw()) == [])
        try driver.type("<enter>")
        #expect(driver.text.contains("heard two lines"))
    }

    @Test("a click outside closes what lies over the panel")
    func clickCloses() throws {
        try driver.type("?")
        driver.handle(.mouse(Mouse(.press, at: Point(column: 0, row: 39))))
        #expect(!driver.text.contains("Keys of Notes"))
    }

    @Test("the state of every panel is saved and restored at the next start")
    func saved() throws {
        try driver.type("aready<enter>")
        driver.shell.saveScreens()
        let again = ShellDriver(made.workspace)
        try again.type("2")
        #expect(again.text.contains("nothing yet"), "without a terminal nothing is brought back")
        #expect(try made.workspace.state.value("workbench.screen") == "notes")
        let saved = try #require(try made.workspace.state.value("workbench.screen.notes"))
        #expect(saved.contains("heard ready"))
    }

    @Test("a light terminal gets the light theme unless the user has chosen a theme")
    func background() {
        driver.handle(.background(dark: false))
        #expect(driver.shell.theme.name == "light")
        let chosen = ShellDriver(made.workspace, settings: Place.settings(["theme": "dark"]))
        chosen.handle(.background(dark: false))
        #expect(chosen.shell.theme.name == "dark")
    }

    @Test(
        "a screen too small says so, and one cell more of it never ends the program",
        arguments: [(1, 1), (19, 4), (20, 5), (21, 3), (300, 100)])
    func sizes(columns: Int, rows: Int) throws {
        driver.handle(.resize(Size(columns, rows)))
        #expect(driver.shell.draw().size == Size(columns, rows))
        for keys in ["?", "<esc>", "<ctrl-p>ab", "<esc>", ":theme <tab>", "<esc>", "1<enter>o", "<esc>", "x"] {
            try driver.type(keys)
            #expect(driver.shell.draw().size == Size(columns, rows))
        }
    }
}

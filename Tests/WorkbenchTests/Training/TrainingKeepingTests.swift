import Console
import Glibc
import TestFixtures
import Testing
import Training
import TrainingLab
import Workbench

@Suite("The training panel: names, files, other programs' logs, and time")
struct TrainingKeepingTests {
    let made: TrainedWorkspace

    init() throws { made = try TrainedWorkspace.sample() }

    private func driver(_ run: Int64 = 1) -> ShellDriver { .training(made.workspace, run: run) }

    // MARK: Keeping

    @Test("R renames the run, u undoes it, and an empty name restores the recorded name")
    func renames() throws {
        let driver = driver()
        try driver.type("R<ctrl-u>ebb tide<enter>")
        #expect(driver.rows(with: "ebb tide").count >= 2)
        try driver.type("u")
        #expect(driver.rows(with: "ebb tide").isEmpty)
        try driver.type("R<ctrl-u>neap<enter>R<ctrl-u><enter>")
        #expect(try made.store.run(1)?.name == "tide-small")
    }

    @Test("D deletes the run and shows another, and u restores it")
    func deletes() throws {
        let driver = driver()
        try driver.type("D")
        #expect(driver.text.contains("deleted tide-small (u restores it)"))
        #expect(driver.text.contains("Runs ─ 4"))
        #expect(driver.rows(with: "tide-small").count == 1)
        try driver.type("u")
        #expect(driver.text.contains("Runs ─ 5"))
        try driver.type("u")
        #expect(driver.text.contains("nothing left to undo"))
    }

    @Test("u undoes only changes of this page, and the footer names the next one")
    func undoesOwn() throws {
        let other = RunStore(try made.made.reopened())
        let driver = driver()
        try other.rename(2, to: "renamed elsewhere")
        try driver.type("u")
        #expect(driver.text.contains("nothing left to undo"))
        #expect(try made.store.run(2)?.name == "renamed elsewhere")
        // The message about the deletion lies over the footer until the next key.
        try driver.type("Dj")
        #expect(driver.footer.contains("u undo deletion"))
        try other.rename(2, to: "renamed again")
        try driver.type("u")
        #expect(driver.text.contains("Runs ─ 5"))
        #expect(try made.store.run(2)?.name == "renamed again")
    }

    @Test("e writes the curves in the format of the extension, without overwriting", arguments: ["csv", "jsonl"])
    func exports(ending: String) throws {
        let driver = driver()
        let path = made.made.folder.file("out.\(ending)")
        try driver.type("e<ctrl-u>\(path)<enter>")
        let text = try #require(File.text(path))
        #expect(text.contains("train/loss"))
        #expect(text.split(separator: "\n").count >= 400)
        try driver.type("e<ctrl-u>\(path)<enter>")
        #expect(driver.text.contains("out.\(ending)"))
        #expect(File.text(path) == text)
    }

    @Test("y copies the figures as a table")
    func copies() throws {
        let driver = driver()
        try driver.type("y")
        let isCopied = driver.asked {
            guard case .copy(let text) = $0 else { return false }
            return text.contains("## tide-small") && text.contains("| parameters | 2,980,992 |")
        }
        #expect(isCopied)
    }

    @Test("v shows samples and events, newest first, and the configuration; / finds text in them")
    func reads() throws {
        let driver = driver()
        try driver.type("v")
        let samples = driver.rows(with: "step ").filter { $0.contains("│ step ") }
        #expect(samples.first?.contains("step 400") == true)
        try driver.type("/came in 2<enter>")
        #expect(driver.text.contains("1 of 1"))
        try driver.type("v")
        #expect(driver.text.contains("─ Events ─ 6") && driver.text.contains("400 steps are made"))
        try driver.type("v")
        #expect(driver.text.contains("[optimizer]"))
    }

    @Test(
        "a small screen shows the pane that a key changes",
        arguments: [("v", "Samples"), ("S", "Layers"), ("/noon<enter>", "Overview")])
    func small(keys: String, title: String) throws {
        let driver = ShellDriver.training(made.workspace, size: Size(80, 24), run: 1)
        #expect(!driver.text.contains("─ \(title) "))
        try driver.type(keys)
        #expect(driver.text.contains("─ \(title) "))
    }

    // MARK: Logs of others

    private func log(_ steps: Range<Int>) -> String {
        steps.map { #"{"step": \#($0), "loss": \#(Double(900 - $0) / 100), "time": \#(1_794_900_000 + $0)}"# + "\n" }
            .joined()
    }

    @Test("i imports a log and shows it; later additions appear while it is shown")
    func follows() throws {
        let driver = driver()
        let path = made.made.folder.file("night.jsonl")
        File.write(log(0..<50), to: path)
        try driver.type("i\(path)<enter>")
        driver.finishJobs()
        #expect(driver.text.contains("50 new points in 1 run."))
        #expect(driver.text.contains("loss ──") && driver.text.contains("step 49"))
        File.write(log(0..<80), to: path)
        driver.look()
        driver.look()
        #expect(driver.text.contains("step 79"))
        try driver.type("p")
        #expect(driver.text.contains("You can watch it but not control it."))
    }

    @Test("additions that another process imports appear while the run is shown")
    func followedElsewhere() throws {
        let driver = driver()
        let path = made.made.folder.file("night.jsonl")
        File.write(log(0..<50), to: path)
        try driver.type("i\(path)<enter>")
        driver.finishJobs()
        File.write(log(0..<80), to: path)
        #expect(try RunFollower.open(path).follow(into: made.store).points == 30)
        driver.look()
        driver.look()
        #expect(driver.text.contains("step 79"))
    }

    @Test("a log without times shows when it changed, not when its run started")
    func timeless() throws {
        let driver = driver()
        let path = made.made.folder.file("night.jsonl")
        File.write((0..<50).map { #"{"step": \#($0), "loss": 2}"# + "\n" }.joined(), to: path)
        try driver.type("i\(path)<enter>")
        driver.finishJobs()
        #expect(driver.rows(with: "not recorded").contains { $0.contains("started") })
        #expect(driver.rows(with: "log changed").count == 1)
    }

    @Test("a missing log is reported once and not read again")
    func gone() throws {
        let driver = driver()
        let path = made.made.folder.file("night.jsonl")
        File.write(log(0..<50), to: path)
        try driver.type("i\(path)<enter>")
        driver.finishJobs()
        unlink(path)
        driver.look()
        driver.look()
        #expect(driver.rows(with: "log error").count == 1)
        #expect(driver.text.contains("step 49"))
        driver.look()
        #expect(driver.engine.count == 0)
        // Opening it again looks again.
        File.write(log(0..<60), to: path)
        try driver.type("<esc><enter>")
        driver.finishJobs()
        driver.look()
        #expect(driver.rows(with: "log error").isEmpty)
        #expect(driver.text.contains("step 59"))
    }

    @Test("a file that is not a log is reported", arguments: ["/nowhere", "plain.txt"])
    func wrongLog(name: String) throws {
        let driver = driver()
        let path = name.hasPrefix("/") ? name : made.made.folder.file(name)
        if path != name { File.write("no log at all", to: path) }
        try driver.type("i\(path)<enter>")
        driver.finishJobs()
        #expect(driver.text.contains(path.split(separator: "/").last!))
        #expect(driver.text.contains("Runs ─ 5"))
    }

    // MARK: Time

    @Test("new data of a run appears, and the cursor stays on its row")
    func live() throws {
        let driver = driver(4)
        try driver.type("<esc>Gk")
        let before = driver.rows(with: "▌").first
        try made.add("tide-wide", step: 245, loss: 0.75)
        driver.look()
        #expect(driver.rows(with: "step   ").contains { $0.contains("245 of 400") })
        #expect(driver.rows(with: "▌").first?.prefix(20) == before?.prefix(20))
    }

    @Test("a run added by another process appears by itself, even if no run is running")
    func idle() throws {
        let made = try TrainedWorkspace()
        try made.record("done", hours: 2, to: 30, .finished, rate: 0.1, floor: 1)
        let driver = ShellDriver.training(made.workspace)
        #expect(driver.text.contains("finished"))
        try made.record("later", hours: 1, to: 30, .finished, rate: 0.1, floor: 1)
        driver.look()
        #expect(driver.text.contains("later"))
    }

    @Test("a run deleted elsewhere is replaced by another run")
    func deletedElsewhere() throws {
        let driver = driver(4)
        try made.store.delete([4])
        driver.look()
        #expect(!driver.text.contains("tide-wide"))
        #expect(driver.text.contains("Runs ─ 4"))
    }

    @Test("a run that no longer exists leaves the list on screen")
    func missing() {
        let driver = driver(99)
        #expect(driver.text.contains("run 99 is no longer in the workspace"))
        #expect(driver.text.contains("Runs ─ 5"))
    }
}

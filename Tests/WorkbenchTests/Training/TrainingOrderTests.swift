import Console
import Glibc
import JSON
import TestFixtures
import Testing
import Training
import TrainingLab
import Workbench
import Workspace

@Suite("The training panel: control of a run")
struct TrainingOrderTests {
    let made: TrainedWorkspace
    let driver: ShellDriver
    /// The run that goes on.
    let run: Int64 = 4

    init() throws {
        made = try TrainedWorkspace.sample()
        driver = .training(made.workspace, run: 4)
    }

    @Test("p pauses and resumes the run, with the requested state and the actual state")
    func pauses() throws {
        try driver.type("p")
        #expect(try made.store.pendingOrders(of: run) == [.pause])
        #expect(driver.rows(with: "requested").contains { $0.contains("pause") })
        #expect(try made.obey("tide-wide", step: 245) == [.pause])
        driver.look()
        #expect(driver.rows(with: "state  ").contains { $0.contains("paused") })
        #expect(driver.rows(with: "requested").isEmpty)
        try driver.type("p")
        #expect(try made.obey("tide-wide", step: 245) == [.resume])
        driver.look()
        #expect(driver.rows(with: "state  ").contains { $0.contains("running") })
    }

    @Test("the footer names the keys that steer a run, and only while they act on it")
    func footer() throws {
        #expect(driver.footer.contains("p pause   * rate   K checkpoint"))
        let finished = ShellDriver.training(made.workspace, run: 1)
        #expect(!finished.footer.contains("pause") && !finished.footer.contains("checkpoint"))
        let small = ShellDriver.training(made.workspace, size: Size(80, 24), run: 4)
        #expect(small.footer.contains("p pause   * rate   K checkpoint"))
    }

    @Test("pressing p twice before the run responds requests both")
    func pausesTwice() throws {
        try driver.type("pp")
        #expect(try made.store.pendingOrders(of: run) == [.pause, .resume])
    }

    @Test("* multiplies the schedule's rate by the typed factor", arguments: [("0.5", 0.5), ("3", 3), ("1e-2", 0.01)])
    func rate(typed: String, factor: Double) throws {
        try driver.type("*<ctrl-u>\(typed)<enter>")
        #expect(try made.store.pendingOrders(of: run) == [.scaleLearningRate(factor)])
        try made.obey("tide-wide", step: 200)
        driver.look()
        #expect(driver.rows(with: "◇").count >= 1)
    }

    @Test("an invalid factor shows the valid form", arguments: ["", "fast", "0", "-1", "nan", "1e9"])
    func wrongRate(typed: String) throws {
        try driver.type("*<ctrl-u>\(typed)<enter>")
        #expect(try made.store.pendingOrders(of: run) == [])
        #expect(driver.text.contains("must be a number above 0"))
    }

    @Test(
        "x ends the run only after s",
        arguments: [("s", [RunOrder.stop]), ("y", []), ("n", []), ("<enter>", []), ("<esc>", [])])
    func stops(answer: String, orders: [RunOrder]) throws {
        try driver.type("x")
        #expect(driver.text.contains("Stop training “tide-wide”?"))
        #expect(driver.text.contains("[s] stop and keep the checkpoint"))
        try driver.type(answer)
        #expect(try made.store.pendingOrders(of: run) == orders)
    }

    @Test("K requests a checkpoint")
    func checkpoint() throws {
        try driver.type("K")
        #expect(try made.store.pendingOrders(of: run) == [.checkpoint])
    }

    @Test(
        "a run that cannot be controlled shows the reason",
        arguments: [
            (1, "the run has finished all its steps"), (2, "The run has ended (diverged). Press r to resume it"),
            (3, "The run has ended (interrupted). Press r to resume it"),
        ] as [(Int64, String)])
    func refuses(run: Int64, reason: String) throws {
        let driver = ShellDriver.training(made.workspace, run: run)
        for key in ["p", "*", "x", "K"] {
            try driver.type(key)
            #expect(driver.text.contains(reason), "\(key)")
        }
        #expect(try made.store.pendingOrders(of: run) == [])
    }

    @Test("commands from the list go to the run under the cursor")
    func target() throws {
        try driver.type("<esc>gg")
        try driver.type("p")
        let asked = try made.store.runs().filter { try !made.store.pendingOrders(of: $0.id).isEmpty }
        #expect(asked.map(\.name) == ["tide-next"])
    }

    // MARK: Runs of the panel's own

    private func configuration(_ more: String = "", as name: String = "moons") throws -> String {
        let path = made.made.folder.file("\(name).toml")
        let text = (0..<100).map { "The \($0 % 7) moons of planet \($0 % 5) rise at \($0 % 11).\n" }.joined()
        File.write(text, to: made.made.folder.file("text.txt"))
        File.write(
            """
            [data]
            train = ["text.txt"]
            context = 16
            [data.tokenizer]
            vocabulary = 270
            [model]
            layers = 1
            width = 16
            heads = 2
            [training]
            steps = 6
            batch = 2
            \(more)
            """, to: path)
        return path
    }

    @Test("r trains from a configuration and shows the run")
    func trains() throws {
        try driver.type("r\(try configuration())<enter>")
        driver.finishJobs()
        #expect(driver.text.contains("moons"))
        #expect(driver.rows(with: "state  ").contains { $0.contains("finished") })
        #expect(driver.rows(with: "step   ").contains { $0.contains("6 of 6") })
        #expect(try made.store.runs().contains { $0.name == "moons" && $0.step == 6 })
        let origin = made.made.folder.file("moons.run/run.json")
        #expect(File.text(origin)?.contains("moons.toml") == true)
        let job = try made.workspace.jobs.list().first { $0.kind == "train" }
        #expect(job?.done == 6 && job?.total == 6 && job?.unit == "steps", "other processes read how far it is")
    }

    @Test("a configuration is not trained twice at once, but a different file with the same name is")
    func twice() throws {
        let path = try configuration()
        try driver.type("r\(path)<enter>")
        try driver.type("r\(path)<enter>")
        #expect(driver.text.contains("The run is already training."))
        #expect(driver.engine.count == 1)
        driver.finishJobs()
        #expect(!driver.text.contains("The run is already training.") || driver.engine.count == 0)
    }

    @Test("an invalid configuration is reported before training starts")
    func wrong() throws {
        let path = try configuration("batchs = 3")
        try driver.type("r\(path)<enter>")
        #expect(driver.engine.count == 0)
        #expect(driver.text.contains("batch"))
        try driver.type("r/nowhere/x.toml<enter>")
        #expect(driver.engine.count == 0)
        #expect(driver.text.contains("/nowhere/x.toml"))
    }

    @Test("r on an interrupted run proposes its configuration")
    func proposes() throws {
        let folder = made.made.folder.file("cut.run")
        mkdir(folder, 0o755)
        File.write(#"{"configuration": "/tides/cut.toml", "set": ["training.batch=8"]}"#, to: folder + "/run.json")
        let cut = try made.record("cut", hours: 2, to: 10, .interrupted, rate: 0.1, floor: 1, folder: folder)
        let driver = ShellDriver.training(made.workspace, run: cut)
        try driver.type("r")
        #expect(driver.text.contains("─ Train ─"))
        #expect(driver.text.contains("/tides/cut.toml") && driver.text.contains("Continue this run."))
        #expect(driver.text.contains("another configuration…"))
    }
}

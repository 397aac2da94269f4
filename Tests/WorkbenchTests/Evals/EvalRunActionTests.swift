import Console
import EvalLogs
import Evals
import Presentation
import TestFixtures
import Testing
import Workbench
import Workspace

@Suite("Actions on eval runs")
struct EvalRunActionTests {
    private static func live(_ completed: Int) -> MemoryEvalDesk {
        let desk = EvalWorkspace.desk()
        desk.set(progress: [EvalProgress(run: 3, completed: completed, total: 120, concurrency: 16)])
        return desk
    }

    @Test("x asks before it stops a run, and names the run and its progress")
    func stop() throws {
        let desk = Self.live(62)
        let driver = try EvalDriver(desk)
        driver.press("stop")
        #expect(driver.prompt?.label == "Stop flags mini-2 few-shot?")
        #expect(
            driver.questionLines == ["62 of 120 samples (51 %) are saved. Press a to resume the run."])
        #expect(desk.orders == [])
        driver.answer("s")
        #expect(desk.orders == ["stop 3"])
    }

    @Test("a resumes a paused run in place, and refuses a run that is not paused")
    func resumePaused() throws {
        let run = EvalWorkspace.run("4", "slow", model: "m", minutes: 1, value: 0.5, count: 120, state: .running)
        let desk = MemoryEvalDesk(own: [MemoryEvalLog(run, EvalWorkspace.rows(40))])
        let driver = try EvalDriver(desk)
        driver.press("resume")
        #expect(driver.refusals == ["slow is already running"])
        desk.set(paused: [4])
        driver.pass("watch")
        driver.press("resume")
        #expect(desk.orders == ["pause 4"])
        #expect(driver.jobs == [])
    }

    @Test("D deletes all marked runs of the workspace after one question")
    func deleteMarked() throws {
        let driver = try EvalDriver()
        driver.press("mark", "mark", "delete")
        #expect(driver.prompt?.label == "Delete 2 marked runs?")
        #expect(driver.questionLines.prefix(2) == ["flags mini-2 few-shot", "flags mini-2"])
        driver.answer("d")
        #expect(driver.desk.orders == ["delete 3", "delete 2"])
        #expect(driver.notices.last == "deleted 2 runs")
    }

    @Test("marked logs of other programs are not deleted")
    func deleteForeign() throws {
        let driver = try EvalDriver()
        driver.command("open", "/logs/flags.eval")
        driver.press("top", "mark", "end", "mark", "delete")
        #expect(driver.prompt?.label == "Delete flags mini-2 few-shot?")
        driver.answer("d")
        #expect(driver.desk.orders == ["delete 3"])
    }

    @Test("e writes one file per marked run")
    func exportMarked() throws {
        let folder = TemporaryFolder()
        let driver = try EvalDriver()
        driver.press("mark", "mark", "export")
        #expect(driver.prompt?.label == "Export 2 marked runs")
        driver.answer(folder.path)
        #expect(driver.failures == [])
        #expect(driver.jobs == ["export 2 runs"])
        #expect(driver.notices.last == "240 samples of 2 runs written to \(folder.path)")
        for name in ["flags-mini-2-few-shot-3", "flags-mini-2-2"] {
            let log = try #require(EvalLogFormats.open(folder.file("\(name).jsonl")).first)
            #expect(log.run.completed == 120)
        }
    }

    @Test("an export is a job that can be canceled, and a canceled export leaves no file")
    func cancelExport() throws {
        let folder = TemporaryFolder()
        let driver = try EvalDriver()
        let jobs = driver.workspace.jobs
        try driver.desk.memory(3).onRead { for job in try jobs.list(limit: 1) { try jobs.cancel(job.id) } }
        driver.press("export")
        driver.answer(folder.file("samples.jsonl"))
        #expect(driver.jobs == ["export flags mini-2 few-shot"])
        #expect(driver.notices.last == "CancellationError()")
        #expect(throws: EvalLogError.self) { try EvalLogFormats.open(folder.file("samples.jsonl")) }
    }

    @Test("a read-only workspace exports without a job")
    func exportReadOnly() throws {
        let (folder, made) = (TemporaryFolder(), try TestWorkspace())
        let workspace = try Workspace.open(
            made.workspace.path, migrations: .workbench, access: .readOnly, create: false)
        let driver = PageDriver(workspace, runsStreams: true, owner: made) { EvalPage($0, desk: EvalWorkspace.desk()) }
        driver.press("export")
        driver.answer(folder.file("samples.csv"))
        #expect(driver.jobs == [])
        #expect(driver.notices.last == "120 samples written to \(folder.file("samples.csv"))")
    }

    @Test("of two logs without a start time, the log opened first counts as older, marked in any order or not at all")
    func order() throws {
        func log(_ name: String) -> MemoryEvalLog {
            var run = EvalWorkspace.run(
                name, name, model: "m", minutes: 0, value: 0.8, count: 60, path: "/logs/\(name).eval", format: "inspect"
            )
            (run.start, run.end) = (nil, nil)
            return MemoryEvalLog(run, EvalWorkspace.rows(60))
        }
        for keys in ["ggmmd", "GmkmGd", "ggd", "Gd"] {
            let driver = try EvalDriver(
                MemoryEvalDesk(own: [], foreign: ["/logs/both": [log("first"), log("second")]]))
            driver.command("open", "/logs/both")
            try driver.type(keys)
            #expect(driver.text.contains("first → second"), "\(keys)")
        }
    }

    @Test("errors of all opened logs are counted before the cursor reaches them")
    func errors() throws {
        func log(_ name: String, minutes: Int64) -> MemoryEvalLog {
            let run = EvalWorkspace.run(
                name, name, model: "m", minutes: minutes, value: 0.8, count: 60, path: "/logs/\(name).eval",
                format: "inspect")
            return MemoryEvalLog(run, EvalWorkspace.rows(60))
        }
        let driver = try EvalDriver(
            MemoryEvalDesk(own: [], foreign: ["/logs/both": [log("one", minutes: 9), log("other", minutes: 3)]]))
        driver.command("open", "/logs/both")
        for name in ["one", "other"] {
            // Both have one error in 60 samples.
            #expect(driver.rows(with: " \(name) ").contains { $0.contains(" 60 ") && $0.contains(" 1 ") }, "\(name)")
        }
    }

    @Test("a run with epochs names its attempts and the samples of its metric")
    func epochs() throws {
        var run = EvalWorkspace.run(
            "5", "often", model: "m", minutes: 1, value: 0.8, count: 120)
        run.settings.append(EvalSetting("epochs", "40"))
        run.metrics[0].count = 3
        let driver = try EvalDriver(
            MemoryEvalDesk(own: [MemoryEvalLog(run, EvalWorkspace.rows(120))]), size: Size(200, 60))
        #expect(!driver.rows(with: "attempts").isEmpty)
        #expect(driver.text.contains("3 samples × 40 epochs"))
        #expect(driver.text.contains("n 3 samples"))
    }

    @Test("a canceled read of a log is a cancellation, and other errors stay what they are")
    func cancelledRead() throws {
        let cancellation = Cancellation()
        #expect(throws: CancellationError.self) {
            try cancellation.during { isCancelled in
                cancellation.cancel()
                guard !isCancelled() else {
                    throw EvalLogError(path: "a.jsonl", problem: "cancelled", isCancellation: true)
                }
            }
        }
        #expect(throws: EvalLogError.self) {
            try Cancellation().during { _ in throw EvalLogError(path: "a.jsonl", problem: "the file is damaged") }
        }
    }

    @Test("a task whose scorer needs a judge offers the models that can judge")
    func judge() throws {
        let driver = try EvalDriver()
        driver.press("run")
        driver.answer("judged.toml")
        driver.answer("m")
        #expect(driver.prompt?.label == "Judge model for judged.toml")
        driver.answer("openai:big")
        #expect(driver.prompt?.label == "Run judged.toml")
        #expect(driver.prompt?.text.contains("judge=openai:big") == true)
    }

    @Test("the queue offers its raters as a list")
    func raters() throws {
        let driver = try EvalDriver()
        driver.press("queue", "rename")
        #expect(driver.prompt?.label == "Who judges?")
        driver.answer("bob")
        #expect(driver.text.contains("rater      bob"))
    }

    @Test("typing replaces the text of a filter that a prompt proposes")
    func proposals() throws {
        let driver = try EvalDriver()
        driver.press("filter")
        driver.answer("mini-2")
        driver.press("filter")
        #expect(driver.prompt?.text == "mini-2" && driver.prompt?.isProposal == true)
    }
}

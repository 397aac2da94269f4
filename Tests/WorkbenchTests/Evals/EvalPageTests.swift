import Console
import EvalLogs
import Evals
import LanguageModels
import Presentation
import Testing
import Workbench

@Suite("The evals page")
struct EvalPageTests {
    @Test("lists runs with their figure, its interval, and their progress")
    func runs() throws {
        let driver = try EvalDriver(size: Size(200, 60))
        #expect(driver.failures == [])
        #expect(driver.text.contains("Runs ─ 3"))
        let row = driver.rows(with: "flags mini-1").first ?? ""
        for part in ["done", "orrery-mini-1", "0.791", "├", "●", "┤", "120", "06:10"] {
            #expect(row.contains(part), "\(part) is missing")
        }
        #expect(driver.text.contains("exact             0.791  95 % [0.719, 0.864]"))
    }

    @Test("Enter reads a run's samples and counts unscored samples separately")
    func samples() throws {
        let driver = try EvalDriver(size: Size(200, 60))
        driver.press("open")
        #expect(driver.text.contains("Samples ─ 120"))
        #expect(driver.text.contains("24 failed ── 3 error ── 2 unscored ─"))
        #expect(driver.page.selection == Reference(.evalSample, [3, 0], title: "flags mini-2 few-shot flag-0"))
    }

    @Test("]r and [r go from failure to failure, around the ends")
    func failures() throws {
        let driver = try EvalDriver()
        driver.press("open", "next-regression")
        #expect(driver.page.selection?.path == [3, 3])
        driver.press("next-regression")
        #expect(driver.page.selection?.path == [3, 8])
        driver.press("previous-regression", "previous-regression")
        #expect(driver.page.selection?.path == [3, 118])
        #expect(driver.text.contains("failed  flag-118"))
    }

    @Test("a baseline makes ]r go from broken sample to broken sample")
    func regressions() throws {
        let driver = try EvalDriver()
        driver.press("down", "open", "baseline")
        #expect(driver.prompt?.label == "Compare with run")
        driver.answer("flags mini-1")
        driver.press("next-regression")
        #expect(driver.page.selection?.path == [2, 7])
        #expect(driver.rows(with: "flag-7 ").contains { $0.contains("broken") })
        driver.press("filter")
        driver.answer("fixed")
        #expect(driver.text.contains("Samples ─ 8 of 120 ── fixed"))
    }

    @Test(
        "a filter lists what it says",
        arguments: [
            ("failed", 24), ("error", 3), ("unscored", 2), ("failed error", 27), ("length=short", 40),
            ("length=short language=de failed", 4), ("dunancrest-11", 11), ("failed dunancrest-11", 2), ("nothing", 0),
            ("length:short", 40), ("length!=short", 80), ("exact<1", 24), ("exact>=0.5 length:short", 31),
            ("\"flag of\"", 120), ("length=\"short\"", 40),
        ])
    func filter(typed: String, count: Int) throws {
        let driver = try EvalDriver()
        driver.press("open", "filter")
        driver.answer(typed)
        #expect(driver.text.contains("Samples ─ \(count) of 120 ──"))
        driver.press("back")
        #expect(driver.text.contains("Samples ─ 120 "))
    }

    @Test(
        "a filter on an unknown field, or on a word where a number belongs, is an error that names the fields",
        arguments: [
            ("judge<3", "No sample has a field judge. Fields: length, "),
            ("exact<high", "exact needs a number, not high"), ("length<3", "length has text values"),
            ("wrong=first", "wrong needs a group number"),
        ])
    func filterErrors(typed: String, sentence: String) throws {
        let driver = try EvalDriver(size: Size(200, 60))
        driver.press("open", "filter")
        driver.answer(typed)
        #expect(driver.text.contains(sentence))
        driver.press("back")
        #expect(driver.text.contains("Samples ─ 120 "))
    }

    @Test("Enter opens the trace at the failing step, o offers the call of the model elsewhere")
    func traces() throws {
        let driver = try EvalDriver()
        driver.press("open", "next-regression", "open")
        #expect(driver.opened == [Reference(.span, [7, 2], title: "flag-3")])
        driver.press("open-elsewhere")
        #expect(driver.offered.map(\.path) == [[7, 2]])
        #expect(driver.offered.map(\.panels) == [["traces", "tokens"]])
        driver.press("next-pane", "next-pane", "up", "open")
        #expect(driver.opened.last == Reference(.span, [7, 1], title: "flag-3"))
        #expect(driver.desk.orders == ["trace 3", "trace 3", "trace 3"])
    }

    @Test("d shows what broke and what was fixed, with both answers side by side")
    func diff() throws {
        let driver = try EvalDriver(size: Size(200, 60))
        driver.press("down", "diff")
        #expect(driver.text.contains("9 broken   8 fixed   16 neither   82 both right"))
        #expect(driver.text.contains("B is 0.9 points worse"))
        #expect(driver.rows(with: "answer").contains { $0.split(separator: "answer").count == 3 })
        driver.press("next-regression")
        #expect(driver.text.contains("failed  flag-29"))
        driver.press("next-pane", "open")
        #expect(driver.opened.count == 1)
        driver.press("view", "view")
        #expect(driver.text.contains("8 of 120 ── exact ── fixed"))
    }

    @Test(
        "the older of two marked runs is before, in whatever order they were marked", arguments: ["jjmkkmd", "mjjmd"])
    func marks(keys: String) throws {
        let driver = try EvalDriver()
        try driver.type(keys)
        #expect(driver.text.contains("flags mini-1 → flags mini-2 few-shot"))
    }

    @Test("without marks, the oldest run is the baseline of a comparison")
    func oldest() throws {
        let driver = try EvalDriver()
        driver.press("end", "diff")
        #expect(driver.text.contains("flags mini-1 → flags mini-2 few-shot"))
    }

    @Test("comparing the same runs again keeps the texts of the selected pair")
    func sameDiff() throws {
        let driver = try EvalDriver(size: Size(200, 60))
        driver.press("down", "diff", "baseline", "baseline")
        driver.answer("flags mini-1")
        #expect(driver.rows(with: "answer").contains { $0.split(separator: "answer").count == 3 })
    }

    @Test("a log of another program opens without an import, shows the same twice, and cannot be renamed")
    func foreign() throws {
        let driver = try EvalDriver(size: Size(160, 40))
        driver.command("open", "/logs/flags.eval")
        #expect(driver.failures == [])
        #expect(driver.text.contains("Runs ─ 4 ── 1 from other tools"))
        #expect(driver.text.contains("/logs/flags.eval"))
        #expect(driver.page.selection?.path == [-1])
        driver.command("open", "/logs/flags.eval")
        #expect(driver.text.contains("Runs ─ 4 "))
        driver.press("rename")
        #expect(driver.refusals == ["another program's log cannot be changed"])
        driver.press("open")
        #expect(driver.text.contains("Samples ─ 60 "))
        driver.command("open", "/logs/nothing.eval")
        #expect(driver.failures == ["/logs/nothing.eval: there is no such file."])
    }

    @Test("the next start shows the same sample of the same log")
    func saved() throws {
        let driver = try EvalDriver()
        driver.command("open", "/logs/flags.eval")
        driver.press("open", "next-regression", "next-regression")
        let again = try EvalDriver(saved: driver.host.save())
        #expect(again.page.selection == driver.page.selection)
        let fresh = try EvalDriver(saved: PanelScreen.evalLogs(at: ["/logs/flags.eval"]).text)
        #expect(fresh.page.selection?.path == [-1])
        let made = try TestWorkspace.holding(SmallSession.text())
        PanelScreen(panel: PanelScreen.evals, text: driver.host.save()).keep(in: made.workspace)
        #expect(try PanelScreen.openEvalLogs(in: made.workspace) == ["/logs/flags.eval"])
    }

    @Test("a screen saved by an earlier version is restored")
    func savedEarlier() throws {
        let text =
            #"{"page":"samples","run":2,"sample":40,"logs":["/logs/flags.eval"],"about":"slices","chart":"histogram","#
            + #""order":"model","rater":"bob"}"#
        let driver = try EvalDriver(saved: text)
        #expect(driver.page.selection?.path == [2, 40])
        driver.press("back")
        #expect(driver.text.contains("Runs ─ 4") && driver.text.contains("─ Scores ─"))
        #expect(driver.rows(with: "model ").contains { $0.contains("▴") })
        #expect(driver.text.contains("Slices ── flags mini-2"))
        driver.press("queue")
        #expect(driver.text.contains("rater      bob"))
    }

    @Test("a reference opens a run, and a sample of it")
    func references() throws {
        let driver = try EvalDriver()
        #expect(driver.open(Reference(.evalSample, [2, 40], title: "")))
        #expect(driver.page.selection?.path == [2, 40])
        #expect(driver.text.contains("failed  flag-40"))
        #expect(driver.open(Reference(.evalRun, [1], title: "")))
        #expect(driver.page.selection == Reference(.evalRun, [1], title: "flags mini-1"))
        #expect(!driver.open(Reference(.trace, [1], title: "")))
    }

    @Test("charts show their figure, and their sums are correct", arguments: 0..<8)
    func charts(count: Int) throws {
        let driver = try EvalDriver(size: Size(160, 50))
        try driver.type(String(repeating: "c", count: count))
        let titles = [
            "Runs of the task", "Slices", "Scores", "Confusion", "ROC", "Precision and recall", "Reliability",
            "Quality and cost",
        ]
        #expect(driver.text.contains("─ \(titles[count]) ─"))
        driver.press("sums")
        #expect(!driver.text.contains("✗ expected"))
        #expect(count == 0 || count == 5 || count == 7 || driver.text.contains("✓"))
    }

    @Test("a live run shows its pace, its slowest requests, and what it waits for")
    func live() throws {
        let desk = EvalWorkspace.desk()
        var progress = EvalProgress(run: 3, completed: 62, total: 120, concurrency: 16)
        progress.working = 14
        progress.rate = 41.5
        progress.remaining = 1.4
        progress.latency = .init(median: 0.31, p95: 0.9, p99: 2.4)
        progress.waits = [.init(cause: .rateLimit, count: 12, seconds: 0.7, detail: "429, Retry-After 1 s")]
        desk.set(progress: [progress])
        let driver = try EvalDriver(desk, size: Size(160, 50))
        let parts = [
            "running 51 %", "62 of 120", "42 samples/s", "1.4 s left", "14 of at most 16", "p50 310 ms  p95 900 ms",
            "p99 2.4 s", "12 waiting: 429, Retry-After 1 s, next in 700 ms", "unknown",
        ]
        for part in parts { #expect(driver.text.contains(part), "\(part) is missing") }
        #expect(!driver.text.contains("51%"), "the list writes progress as all other places do")
        driver.press("more", "fewer", "stop")
        driver.answer("s")
        #expect(desk.orders == ["concurrency 20 of 3", "concurrency 15 of 3", "stop 3"])
        desk.set(progress: [])
        driver.pass("watch")
        #expect(!driver.text.contains("running 51 %"))
    }

    @Test("a run whose samples are all unfinished has no value in the list")
    func unfinished() throws {
        let desk = EvalWorkspace.desk()
        var late = EvalWorkspace.run("4", "flags late", model: "orrery-mini-2", minutes: 1, value: 0, count: 120)
        late.metrics = []
        desk.add(MemoryEvalLog(late, []))
        var progress = EvalProgress(run: 4, completed: 0, total: 120, concurrency: 16)
        progress.score = 0
        desk.set(progress: [progress])
        let driver = try EvalDriver(desk, size: Size(160, 50))
        let row = try #require(driver.rows(with: "running 0 %").first)
        #expect(!row.contains("0.000"), "\(row)")
    }

    @Test("runs are started, resumed, renamed, and deleted by key; deleting asks first")
    func actions() throws {
        let driver = try EvalDriver()
        driver.press("run")
        driver.answer("flags.toml")
        #expect(driver.prompt?.label == "Model for flags.toml")
        driver.answer("orrery-mini")
        // A form takes further choices; one that is left as it is starts the run.
        #expect(driver.prompt?.label == "Run flags.toml")
        driver.answer("")
        #expect(driver.jobs == ["eval flags.toml"])
        driver.press("resume", "run-errors", "rename")
        driver.answer("better")
        driver.press("delete")
        #expect(driver.prompt?.label == "Delete flags mini-2 few-shot?")
        #expect(!driver.desk.orders.contains("delete 3"))
        driver.answer("d")
        let begun = EvalStart.task(EvalSetup(task: "flags.toml", models: ["orrery-mini"]))
        #expect(
            driver.desk.orders == [
                "start \(begun)", "start errors(of: 3)", "rename 3 better", "delete 3",
            ])
        #expect(
            driver.refusals == [
                "flags mini-2 few-shot is done: there is nothing to resume, but you can press A to retry errors"
            ])
    }

    @Test("the matrix has prompts and models, and opens a run")
    func matrix() throws {
        let driver = try EvalDriver()
        driver.press("matrix")
        #expect(driver.text.contains("Matrix ─ 2 by 2 ── flags"))
        #expect(driver.text.contains("no run"))
        driver.press("up", "open")
        #expect(driver.text.contains("flags mini-2 "))
        #expect(driver.page.selection?.path.first == 2)
    }
}

import Console
import EvalLogs
import Evals
import LanguageModels
import Testing
import Workbench

@Suite("The evals page: views other than runs and samples")
struct EvalViewTests {
    @Test("/ filters runs by name, task, model, and state during typing, and Esc lists all again")
    func filter() throws {
        let driver = try EvalDriver()
        driver.press("filter")
        #expect(driver.prompt?.label == "/")
        driver.answer("FEW-shot done")
        #expect(driver.text.contains("Runs ─ 1 of 3 ── FEW-shot done"))
        #expect(driver.page.selection?.path == [3])
        driver.press("filter")
        driver.answer("nothing like it")
        #expect(driver.text.contains("no run matches"))
        driver.press("back")
        #expect(driver.text.contains("Runs ─ 3 "))
        #expect(driver.backs == 0)
        driver.press("back")
        #expect(driver.backs == 1)
    }

    @Test("s skips the columns that have no room")
    func sortShown() throws {
        let driver = try EvalDriver(size: Size(50, 20))
        for _ in 0..<5 {
            driver.press("sort")
            #expect(driver.text.contains("▾") || driver.text.contains("▴"))
        }
    }

    @Test("a run started here gets the cursor once it is in the list")
    func started() throws {
        let desk = EvalWorkspace.desk()
        let driver = try EvalDriver(desk)
        desk.add(
            MemoryEvalLog(
                EvalWorkspace.run("4", "flags new", model: "m", minutes: 1, value: 0.5, count: 20),
                EvalWorkspace.rows(20)))
        // What others start does not move it.
        driver.press("down", "run")
        driver.answer("flags.toml")
        #expect(driver.prompt?.label == "Model for flags.toml")
        driver.answer("m")
        driver.answer("")
        #expect(driver.page.selection == Reference(.evalRun, [4], title: "flags new"))
    }

    @Test("formulas stay with the chart and run that they were opened for")
    func formulas() throws {
        let driver = try EvalDriver()
        driver.press("sums")
        #expect(driver.text.contains("whiskers"))
        driver.press("down")
        #expect(!driver.text.contains("whiskers"))
        driver.press("sums", "chart")
        #expect(!driver.text.contains("whiskers") && !driver.text.contains("equal bins"))
    }

    @Test("a finished run has nothing to resume, stop, or retry")
    func finished() throws {
        let driver = try EvalDriver()
        driver.press("stop")
        driver.press("resume")
        #expect(driver.refusals.first == "flags mini-2 few-shot is done")
        #expect(driver.refusals.last?.hasPrefix("flags mini-2 few-shot is done: there is nothing to resume") == true)
        #expect(driver.desk.orders == [])
    }

    @Test("the steps of both runs appear side by side, with the cursor at the first difference")
    func sides() throws {
        let driver = try EvalDriver(size: Size(80, 24))
        driver.press("down", "diff", "open")
        #expect(driver.text.contains("Side by side ─ 3 steps ── flag-7 ── broken"))
        #expect(driver.text.contains("2 differ, the first at 2"))
        #expect(driver.rows(with: "this run has no step here").count == 1)
        driver.press("next-match")
        let answers = driver.rows(with: "The flag is")
        #expect(answers.count == 1 && answers[0].split(separator: "The flag is").count == 3)
        driver.press("open")
        #expect(driver.opened == [Reference(.span, [7, 3], title: "flag-7")])
        driver.press("left", "next-match", "open")
        #expect(driver.notices.contains { $0.contains("flags mini-1 has no step here") })
        driver.press("next-regression")
        #expect(!driver.text.contains("── flag-7 ──"))
        driver.press("back")
        #expect(driver.text.contains("Diff ─ 120"))
    }

    @Test("steps of only one run are highlighted")
    func words() throws {
        let found = WordDifference("Answer: (22 + 67) * 8", "Answer: (82 + 67) * 8")
        #expect(found.left.filter { !$0.isShared }.map(\.text) == ["22"])
        #expect(found.right.filter { !$0.isShared }.map(\.text) == ["82"])
        #expect(found.left.map(\.text).joined() == "Answer: (22 + 67) * 8")
        let long = (0..<5_000).map { "word\($0)" }.joined(separator: " ")
        let other = (0..<5_000).map { "other\($0)" }.joined(separator: " ")
        #expect(WordDifference(long, other).left == [.init(text: long, isShared: false)])
    }

    @Test("steps are matched by kind and name, model calls by kind alone, and unmatched steps leave a gap")
    func alignment() {
        func step(_ kind: SpanKind, _ name: String, _ text: String) -> SampleSteps.Step {
            SampleSteps.Step(kind: kind, name: name, parts: [.init("input", text)])
        }
        let left = [step(.model, "a", "x"), step(.tool, "find", "1"), step(.model, "a", "y")]
        let right = [step(.model, "b", "x"), step(.tool, "sum", "1"), step(.tool, "find", "1"), step(.model, "b", "z")]
        let alignment = StepAlignment(left, right)
        #expect(alignment.rows.map(\.left) == [0, nil, 1, 2])
        #expect(alignment.rows.map(\.right) == [0, 1, 2, 3])
        #expect(alignment.rows.map(\.isSame) == [true, false, true, false])
        #expect(alignment.firstDifference == 1)
        #expect(alignment.difference(from: 1, forward: true) == 3)
        #expect(alignment.difference(from: 1, forward: false) == 3)
    }

    @Test("failures are grouped by cause, and Enter lists the samples of a group")
    func failures() throws {
        let driver = try EvalDriver()
        driver.press("what-went-wrong")
        #expect(driver.text.contains("What went wrong ─ 29 of 120"))
        driver.press("open")
        let shown = driver.rows(with: "Samples ─").first ?? ""
        #expect(shown.contains("of 120") && shown.contains("wrong=1"))
        #expect(!shown.contains("Samples ─ 0 of"))
        driver.press("back")
        #expect(driver.text.contains("What went wrong ─ 29 of 120"))
        driver.press("back")
        #expect(driver.text.contains("Runs ─ 3"))
    }

    @Test("Esc returns from the queue to the previous page")
    func queue() throws {
        let driver = try EvalDriver()
        driver.press("queue", "back")
        #expect(driver.text.contains("Runs ─ 3"))
        driver.press("open", "queue", "back")
        #expect(driver.text.contains("Samples ─ 120"))
    }

    @Test("a run whose samples all ended in errors shows this and the reason in the list and next to it")
    func nothing() throws {
        let desk = EvalWorkspace.desk()
        var run = EvalWorkspace.run("9", "flags broken", model: "exec:./x", minutes: 1, value: 0, count: 2)
        run.metrics = []
        run.errors = 2
        let rows = (0..<2).map {
            EvalRow(
                index: $0, id: "flag-\($0)", outcome: .error, scores: [.nan, .nan], input: "?",
                problem: "exec x: the program cannot be started.")
        }
        desk.add(MemoryEvalLog(run, rows))
        let driver = try EvalDriver(desk)
        let row = driver.rows(with: "flags broken").first { $0.contains("✗ done") } ?? ""
        #expect(row.contains("exec x: the program cannot be s"))
        #expect(driver.rows(with: "reason").contains { $0.contains("exec x: the program") })
    }

    @Test("/ on a diff lists pairs, on a matrix finds a cell")
    func others() throws {
        let driver = try EvalDriver()
        driver.press("down", "diff", "filter")
        driver.answer("Dunancrest-11")
        #expect(driver.text.contains("of 120 ── exact ── Dunancrest-11"))
        driver.press("back", "matrix", "filter")
        driver.answer("few-shot mini-2")
        #expect(driver.page.selection?.path == [3])
        #expect(driver.refusals == [])
    }
}

import Console
import EvalLogs
import Evals
import Testing
import Workbench

@Suite("The evals page: layout")
struct EvalCompositionTests {
    /// A screen with a log that has errors, which are counted when the cursor comes to it.
    private static let withLog = #"{"logs": ["/logs/flags.eval"], "run": 1, "rater": "ada"}"#

    @Test(
        "columns do not move while runs are marked",
        arguments: [Size(80, 22), Size(120, 38), Size(200, 58)])
    func marking(size: Size) throws {
        let driver = try EvalDriver(size: size, saved: Self.withLog)
        let header = try #require(driver.rows(with: "state").first)
        #expect(header.contains("errors"))
        driver.press("top")
        for _ in 0..<4 {
            driver.press("mark")
            #expect(driver.rows(with: "state").first == header)
        }
        #expect(driver.text.contains("4 marked"))
    }

    @Test("columns of samples do not move while the list scrolls")
    func scrolling() throws {
        let driver = try EvalDriver(size: Size(120, 20))
        driver.press("open", "zoom")
        let header = try #require(driver.rows(with: "answer").first)
        driver.press("end")
        #expect(driver.rows(with: "answer").first == header)
    }

    @Test("no header is cut", arguments: [Size(80, 22), Size(120, 38), Size(200, 58)])
    func headers(size: Size) throws {
        for (keys, word) in [("z", "state"), ("<enter>z", "answer"), ("jdz", "change "), ("Wz", "cause")] {
            let driver = try EvalDriver(size: size)
            try driver.type(keys)
            let header = driver.rows(with: word).first { !$0.contains("─") }
            #expect(header?.contains("…") == false, "\(keys): \(header ?? "no header")")
        }
    }

    @Test("the header of a diff has room on a tiny screen")
    func tinyHeader() throws {
        let driver = try EvalDriver(size: Size(20, 3))
        driver.press("down", "diff")
        #expect(driver.rows(with: "change ").first?.contains("…") == false, "\(driver.text)")
    }

    @Test("unused rows of the list of runs go to the overview")
    func shortList() throws {
        let driver = try EvalDriver(size: Size(80, 22))
        let rows = driver.text.split(separator: "\n")
        let top = try #require(rows.firstIndex { $0.contains("─ Runs ") })
        let bottom = try #require(rows[top...].firstIndex { $0.hasPrefix("╰") })
        let blank = rows[(top + 1)..<bottom].count { $0.allSatisfy { " │┃".contains($0) } }
        #expect(blank <= 1, "\(driver.text)")
    }

    @Test(
        "a screen of three rows shows rows",
        arguments: [
            ("", "flags mini"), ("<enter>", "flag-0"), ("jd", "broken"), ("jd<enter>", "search"), ("M", "0.7"),
            ("W", "not fou"), ("<tab>", "state"), ("<tab><tab>", "0.791"),
        ])
    func low(keys: String, part: String) throws {
        let driver = try EvalDriver(size: Size(20, 3))
        try driver.type(keys)
        #expect(driver.text.contains(part))
        #expect(driver.text.split(separator: "\n").count >= 2)
    }

    @Test("a low screen shows the sample to judge below a line with its raters")
    func lowQueue() throws {
        let driver = try EvalDriver(size: Size(60, 3))
        driver.press("queue")
        #expect(driver.text.contains("you  not yet") && driver.text.contains("flag-3"))
    }

    @Test("a pane names the panes that do not fit on the screen")
    func hidden() throws {
        let driver = try EvalDriver(size: Size(80, 22))
        #expect(driver.text.contains("Tab: Chart"))
        driver.press("zoom")
        #expect(!driver.text.contains("Tab: "))
    }

    // MARK: Runs of one name

    private static func twins() -> MemoryEvalDesk {
        func run(_ key: String, minutes: Int64) -> EvalRun {
            EvalWorkspace.run(key, "flags", model: "orrery-mini", minutes: minutes, value: 0.79, count: 120)
        }
        return MemoryEvalDesk(own: [
            MemoryEvalLog(run("12", minutes: 30), EvalWorkspace.rows(120, isSecond: true)),
            MemoryEvalLog(run("7", minutes: 90), EvalWorkspace.rows(120)),
        ])
    }

    @Test("two runs with the same name are distinguished in the list, in charts, and in a diff")
    func twinRuns() throws {
        let driver = try EvalDriver(Self.twins(), size: Size(160, 40))
        #expect(driver.text.contains("Overview ── #12 flags"))
        for title in ["#7 flags", "#12 flags"] {
            // A row of the list and one of the chart.
            #expect(driver.rows(with: title).count >= 2, "\(title)")
        }
        driver.press("diff")
        #expect(driver.text.contains("#7 flags → #12 flags"))
        #expect(driver.text.contains("Before ── #7 flags") && driver.text.contains("After ── #12 flags"))
        driver.press("open")
        #expect(driver.rows(with: "#7 flags").contains { $0.contains("#12 flags") })
        #expect(driver.page.selection?.title == "#12 flags")
    }

    @Test("a run that is deleted or opened elsewhere is named by its title")
    func twinNames() throws {
        let driver = try EvalDriver(Self.twins())
        driver.press("delete")
        #expect(driver.prompt?.label == "Delete #12 flags?")
        driver.answer("d")
        driver.press("open")
        #expect(driver.page.selection?.title == "#12 flags flag-0")
    }
}

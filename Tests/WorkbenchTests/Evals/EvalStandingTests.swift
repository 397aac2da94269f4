import Console
import EvalLogs
import Evals
import Testing
import Workbench

@Suite("The evals page with incomplete runs and runs of other processes")
struct EvalStandingTests {
    private static func log(
        _ key: String, _ name: String, minutes: Int64, value: Double, count: Int,
        _ change: (inout EvalRun) -> Void = { _ in }
    ) -> MemoryEvalLog {
        var run = EvalWorkspace.run(
            key, name, model: "orrery-mini-2", minutes: minutes, value: value, count: count, prompt: "few-shot")
        change(&run)
        return MemoryEvalLog(run, EvalWorkspace.rows(count))
    }

    @Test("the matrix has the newest complete run, and charts mark incomplete runs")
    func parts() throws {
        let desk = EvalWorkspace.desk()
        desk.add(Self.log("4", "only failed", minutes: 3, value: 0, count: 7) { $0.isSubset = true })
        desk.add(
            Self.log("5", "cut short", minutes: 2, value: 0.5, count: 17) {
                $0.state = .cancelled
                $0.total = 40
            })
        desk.add(
            Self.log("6", "another model", minutes: 1, value: 0.5, count: 17) {
                $0.model = "m"
                $0.state = .cancelled
                $0.total = 40
            })
        let driver = try EvalDriver(desk)
        #expect(driver.text.contains("0.000  only 7 samples"))
        #expect(driver.text.contains("0.500  17 of 40"))
        driver.press("matrix")
        #expect(driver.text.contains("latest complete runs, 2 not shown"))
        #expect(driver.text.contains("0.791"))
        #expect(!driver.text.contains("only 7 samples"))
        // Where there is no whole one it stands, and is marked.
        #expect(driver.rows(with: "0.500  17 of 40").count == 1)
    }

    @Test("a matrix that does not fit shows complete intervals and the number of hidden rows and columns")
    func wide() throws {
        let desk = EvalWorkspace.desk()
        for number in 0..<9 {
            desk.add(
                Self.log("\(number + 10)", "run \(number)", minutes: 10, value: 0.5, count: 40) {
                    $0.model = "exec:./eval/solvers/solve-\(number).py"
                })
        }
        let driver = try EvalDriver(desk)
        driver.press("matrix")
        #expect(!driver.text.contains("[0.345, …"))
        #expect(driver.text.contains("[0.345, 0.655]"))
        #expect(!driver.rows(with: " more").isEmpty)
        for _ in 0..<12 { driver.press("right") }
        #expect(driver.text.contains("← "))
        #expect(!driver.text.contains("→ 1 more"))
    }

    @Test("changes by other processes show within a second, and nothing is read if nothing changed")
    func follows() throws {
        let desk = EvalWorkspace.desk()
        desk.write()
        let driver = try EvalDriver(desk)
        #expect(driver.isWaiting(for: "watch"))
        desk.add(Self.log("4", "from elsewhere", minutes: 1, value: 0.5, count: 17))
        driver.pass("watch")
        #expect(!driver.text.contains("from elsewhere"))
        desk.write()
        driver.pass("watch")
        #expect(driver.text.contains("from elsewhere"))
        #expect(driver.isWaiting(for: "watch"))
    }

    @Test("a run of another process shows as much as a run of this process")
    func elsewhere() throws {
        let desk = EvalWorkspace.desk()
        desk.add(
            Self.log("4", "from elsewhere", minutes: 1, value: 0.5, count: 17) {
                $0.state = .running
                $0.total = 40
                $0.metrics = []
            })
        var progress = EvalProgress(run: 4, completed: 16, total: 40, concurrency: 8)
        progress.rate = 12
        progress.latency = .init(median: 0.31, p95: 0.9, p99: 2.4)
        progress.score = 0.75
        desk.set(elsewhere: [progress])
        let driver = try EvalDriver(desk)
        for part in ["17 of 40", "in another process", "12 samples/s", "p95 900 ms", "0.750 over scored samples"] {
            #expect(driver.text.contains(part), "\(part) is missing")
        }
    }

    @Test("an empty list shows no figures of a run")
    func nothing() throws {
        let driver = try EvalDriver()
        driver.press("filter")
        driver.answer("nothing like it")
        #expect(driver.rows(with: "no run matches").count >= 2)
        #expect(!driver.text.contains("orrery-mini-2"))
        driver.press("back")
        #expect(driver.text.contains("orrery-mini-2"))
    }

    @Test("errors missing from a log's head are counted in its samples")
    func errors() throws {
        let run = EvalWorkspace.run(
            "a1", "flags gpt", model: "gpt-4o-mini", minutes: 3, value: 0.8, count: 60, path: "/logs/f.eval",
            format: "inspect")
        let driver = try EvalDriver(
            MemoryEvalDesk(own: [], foreign: ["/logs/f.eval": [MemoryEvalLog(run, EvalWorkspace.rows(60))]]))
        driver.command("open", "/logs/f.eval")
        #expect(driver.text.contains("errors"))
        #expect(driver.rows(with: "flags gpt").contains { $0.contains(" 1 ") })
    }

    @Test("the list of baselines has every run but the open one")
    func itself() throws {
        let driver = try EvalDriver()
        driver.press("open", "baseline")
        guard case .choose(let request) = driver.dialog else { return #expect(Bool(false)) }
        #expect(request.chooser.choices.map(\.title) == ["flags mini-2", "flags mini-1"])
    }
}

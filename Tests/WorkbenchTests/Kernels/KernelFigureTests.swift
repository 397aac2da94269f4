import Console
import Formatting
import JSON
import KernelLab
import Kernels
import Presentation
import TestFixtures
import Testing
import Workbench
import Workspace

@Suite("The kernel panel: repeated figures agree")
struct KernelFigureTests {
    /// The text of a share in a row of the screen: what stands behind the name.
    private func share(_ driver: ShellDriver, _ name: String, column: Range<Int>) -> [String] {
        driver.shell.draw().textDump.split(separator: "\n").map { Array($0) }.compactMap { row in
            guard row.count >= column.upperBound else { return nil }
            let cell = String(row[column])
            guard cell.split(separator: " ").contains(where: { $0 == name }) else { return nil }
            return cell.split(separator: " ").joined(separator: " ")
        }
    }

    @Test("list, ladder, detail, copied Markdown, and JSON show the same share")
    func agrees() throws {
        let made = try TestWorkspace.measured()
        let driver = ShellDriver.kernels(made.workspace)
        try driver.type("v")
        let runs = try made.history.runs(.init(operation: "gemm-f32"), limit: 8)
        let best = try #require(runs.last { $0.variant == "avx512" })
        let text = FigureText.share(best.roofShare)
        #expect(text == "89.8 %")
        // The ladder is at the right of the upper half, the list at the left of the lower one.
        #expect(share(driver, "avx512", column: 62..<119).contains { $0.hasSuffix(text) })
        #expect(share(driver, "gemm-f32", column: 1..<43).contains { $0.hasSuffix(text) })
        #expect(driver.rows(with: "of the roof").contains { $0.contains("\(text) of FMA f32 AVX-512, 1 thread") })
        try driver.type("y")
        #expect(
            driver.asked {
                if case .copy(let copied) = $0 { copied.contains("| avx512 | 222 GFLOP/s | \(text) |") } else { false }
            })
        try JSONParser().parse(best.json()) { node in
            let roof = try #require(node["roof"])
            #expect(Format.percent(roof["median"]?.double ?? 0, digits: 1) == text)
            #expect(roof["threads"]?.int == 1)
            #expect(roof["ceiling"]?.string == "FMA f32 AVX-512")
        }
    }

    @Test("samples from 18 to 108 % are shown with their range and flagged, in list, ladder, and detail")
    func noisy() throws {
        let made = try TestWorkspace()
        try made.history.save(KernelRecords.ceilings)
        try made.history.record(
            KernelRecords.report(["avx512": 0.252], spread: (0.182 / 0.252, 1.078 / 0.252)),
            commit: KernelRecords.commit)
        let driver = ShellDriver.kernels(made.workspace)
        try driver.type("v")
        let text = "~25 % 18–108"
        #expect(share(driver, "avx512", column: 62..<119).contains { $0.hasSuffix(text) })
        #expect(share(driver, "gemm-f32", column: 1..<43).contains { $0.hasSuffix(text) })
        #expect(driver.rows(with: "of the roof").contains { $0.contains(text) })
        #expect(driver.text.contains("8 of 10 samples are between 18.2 % and 107.8 %"))
        #expect(driver.text.contains("most between 18.2 % and 107.8 %"))
    }

    @Test("a share above its ceiling is flagged, with a remedy")
    func above() throws {
        let made = try TestWorkspace()
        try made.history.record(KernelRecords.report(["avx512": 1.12]), commit: KernelRecords.commit)
        let driver = ShellDriver.kernels(made.workspace)
        try driver.type("v")
        #expect(driver.rows(with: "avx512").contains { $0.contains("!112.0 %") })
        #expect(driver.text.contains("Measure the ceilings again, then this kernel."))
    }

    @Test(
        "t shows list and ladder for the other number of threads: unmeasured kernels have no share",
        .enabled(if: ThreadPool.usableProcessors > 1))
    func threads() throws {
        let made = try TestWorkspace.measured()
        let driver = ShellDriver.kernels(made.workspace)
        try driver.type("t")
        let all = Format.count(ThreadPool.usableProcessors, "thread")
        #expect(driver.rows(with: "Kernels ─").contains { $0.contains(all) })
        // A rung of one thread is measured whatever number is asked for, one of all threads was not.
        #expect(share(driver, "blocked", column: 62..<119).contains { $0.hasSuffix("9.7 %") })
        #expect(share(driver, "avx512-threads", column: 62..<119).contains { $0.contains("not measured yet") })
        #expect(driver.rows(with: "Roofline").contains { $0.contains("1 thread") })
        try driver.type("<tab><tab>Gk")
        #expect(driver.text.contains("c measures the ceilings of \(all)"))
    }

    @Test("figures of another machine name the machine and are drawn under its roof")
    func elsewhere() throws {
        let made = try TestWorkspace()
        try made.history.addRecorded(Place.root + "/sample-data/kernels/recorded.json")
        let driver = ShellDriver.kernels(made.workspace)
        #expect(driver.text.contains("(sample data)"))
        #expect(driver.text.contains("r measures here"))
        #expect(driver.rows(with: "kernel  ").contains { $0.contains("recorded") })
        #expect(driver.rows(with: "avx512 ").contains { $0.contains("%") })
        // What is measured here takes their place.
        try made.history.record(KernelRecords.report(), commit: KernelRecords.commit)
        #expect(!ShellDriver.kernels(made.workspace).text.contains("r measures here"))
    }

    @Test("new ceilings of this machine hide another machine's figures at once, with a note")
    func replaces() throws {
        let made = try TestWorkspace()
        try made.history.addRecorded(Place.root + "/sample-data/kernels/recorded.json")
        let driver = PageDriver(made.workspace) { KernelPage($0, seconds: 0.1) { _, _ in KernelRecords.ceilings } }
        func rows(with text: String) -> [Substring] { driver.text.split(separator: "\n").filter { $0.contains(text) } }
        #expect(rows(with: "Roofline").contains { $0.contains("(sample data)") })
        driver.press("ceilings")
        #expect(driver.notices == ["measured the ceilings"])
        #expect(rows(with: "Roofline").allSatisfy { !$0.contains("(sample data)") })
        #expect(!rows(with: "247 AVX-512").isEmpty)
        #expect(rows(with: "r measures here; hidden: AMD EPYC (sample data)").count == 1)
        // The list has no share of the other machine either.
        #expect(rows(with: "gemm-f32").allSatisfy { !$0.contains("%") })
        #expect(rows(with: "recorded").isEmpty)
    }

    @Test("figures measured on this machine hide those of another machine in every row of the list")
    func unmixed() throws {
        let made = try TestWorkspace()
        try made.history.addRecorded(Place.root + "/sample-data/kernels/recorded.json")
        try made.history.record(KernelRecords.report(), commit: KernelRecords.commit)
        let driver = ShellDriver.kernels(made.workspace)
        let list = driver.text.split(separator: "\n").dropFirst(18).map { $0.prefix(44) }
        #expect(list.count { $0.contains("%") } == 1)
    }
}

@Suite("The kernel panel: what fits")
struct KernelLayoutTests {
    @Test("80 columns show list, ladder, and roof, and name the pane that Tab shows")
    func small() throws {
        let made = try TestWorkspace.measured()
        let driver = ShellDriver.kernels(made.workspace, size: Size(80, 24))
        #expect(driver.rows(with: "naive").contains { $0.contains("0.6 %") && $0.contains("gemm") })
        #expect(driver.rows(with: "openblas").contains { $0.contains("88.2 %") })
        #expect(driver.text.contains("247 AVX-512"))
        #expect(driver.text.contains("Tab: Source"))
        try driver.type("<tab><tab><tab>")
        #expect(driver.text.contains("avx512: source") && driver.text.contains("Tab: Roofline"))
        #expect(driver.rows(with: "openblas").contains { $0.contains("88.2 %") })
    }

    @Test("the smallest terminal shows rows, not only headers", arguments: ["kernels", "training"])
    func tiny(panel: String) throws {
        let made = panel == "kernels" ? try TestWorkspace.measured() : try TrainedWorkspace.sample().made
        let screen = try Workbench.show(
            panel: panel, workspace: made.workspace, settings: Place.settings(), size: Size(20, 5), clock: Place.now)
        #expect(screen.textDump.contains(panel == "kernels" ? "gemm-f32" : "tide-"))
    }

    @Test("every rung has its own letter on the roof, even if rates are equal")
    func letters() throws {
        let made = try TestWorkspace.measured()
        for size in [Size(80, 24), Size(120, 40), Size(200, 60)] {
            let driver = ShellDriver.kernels(made.workspace, size: size)
            try driver.type("v")
            let screen = driver.shell.draw()
            let series = Theme.dark[.series1].foreground
            var seen: Set<String> = []
            for row in 0..<size.rows {
                for column in 0..<size.columns {
                    let point = Point(column: column, row: row)
                    let style = screen[point].style
                    // On the roof letters are bold, in the ladder they are not.
                    guard style.attributes.contains(.bold),
                        style.foreground == series || style.attributes.contains(.reverse)
                    else { continue }
                    seen.insert(screen.text(at: point))
                }
            }
            #expect(Set("abcdefgh".map(String.init)).isSubset(of: seen), "\(size): \(seen)")
        }
    }

    @Test("c shows the measurement, its progress, and how to cancel it; a second c says that it is running")
    func ceilings() throws {
        let made = try TestWorkspace.measured()
        let driver = ShellDriver.kernels(made.workspace)
        try driver.type("c")
        #expect(driver.engine.count == 1)
        #expect(driver.text.contains("measure ceilings"))
        #expect(driver.text.contains("x cancels"))
        try driver.type("c")
        #expect(driver.engine.count == 1)
        #expect(driver.text.contains("the ceilings are already being measured"))
        try driver.type("xs")
        driver.finishJobs()
        #expect(!driver.text.contains("x cancels"))
        #expect(driver.text.contains("cancelled"))
    }

    @Test("progress shows the rate of samples and the remaining time")
    func progress() {
        let report = MeasuringProgress.Report(
            MeasurementProgress(fraction: 0.25, activity: "1 thread, L2 copy", samples: 620), elapsed: 2)
        #expect(report.details == ["310 samples/s", "6.0 s left"])
        let early = MeasuringProgress.Report(MeasurementProgress(fraction: 0.01, activity: ""), elapsed: 0.1)
        #expect(early.details == [])
    }

    @Test(
        "estimates are written in the units of measurements",
        arguments: [
            (524_288.0, "B", "524 kB"), (2_147_483_648, "B", "2.15 GB"), (0, "B", "0 B"), (1.5e9, "B/s", "1.5 GB/s"),
            (8.0860987392e22, "FLOP", "8.09e+22 FLOP"), (2.68e11, "FLOP", "268 GFLOP"), (0.3016, "s", "302 ms"),
            (546_521, "s", "6 d 08 h"), (3e9, "s", "95.1 years"), (61_604, "token/s", "61.6k token/s"),
        ])
    func estimates(value: Double, unit: String, expected: String) {
        #expect(FigureText.estimate(EstimateLine("", value, unit, formula: "", source: "")) == expected)
    }
}

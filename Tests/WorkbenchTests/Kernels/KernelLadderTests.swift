import Console
import KernelLab
import Kernels
import TestFixtures
import Testing
import Workbench
import Workspace

@Suite("The kernel panel: roof, ladder, history")
struct KernelLadderTests {
    let made: TestWorkspace
    let driver: ShellDriver

    init() throws {
        made = try TestWorkspace.measured()
        driver = .kernels(made.workspace)
    }

    @Test("shows the last measurement of the first kernel, on its best rung")
    func opensMeasured() {
        #expect(driver.text.contains("m=1024 n=1024 k=1024"))
        #expect(driver.text.contains("247 AVX-512"))
        #expect(driver.text.contains("memory 11.5 GB/s"))
        #expect(driver.rows(with: "avx512 ").contains { $0.contains("222") && $0.contains("89.8 %") })
        #expect(isOnRoof("avx512"))
        #expect(driver.text.contains("avx512: source"))
    }

    /// Whether the left half of the upper screen shows a text.
    private func isOnRoof(_ text: String) -> Bool {
        driver.text.split(separator: "\n").prefix(22).contains { $0.prefix(60).contains(text) }
    }

    @Test("moving in the ladder marks and names the rung on the roof and shows its details")
    func rungs() throws {
        try driver.type("<tab><tab>ggj")
        #expect(isOnRoof("loop-order"))
        #expect(driver.text.contains("loop-order: source"))
        try driver.type("G")
        #expect(isOnRoof("openblas"))
    }

    @Test("v cycles through source, figures, and history")
    func views() throws {
        try driver.type("v")
        #expect(driver.text.contains("avx512: figures"))
        #expect(driver.text.contains("222 GFLOP/s median, 224 GFLOP/s best"))
        try driver.type("v")
        #expect(driver.text.contains("avx512: history"))
        #expect(driver.text.contains("% of the ceiling"))
        #expect(driver.rows(with: "8f2c0d1e").count > 3)
        #expect(driver.rows(with: "2026-11-18 09:14").contains { $0.contains("89.8 %") })
        try driver.type("v")
        #expect(driver.text.contains("avx512: source"))
    }

    @Test("] and [ go through the preset sizes, s accepts any size, and an invalid size is reported")
    func sizes() throws {
        let presets = KernelOperation.gemmFloat32.presets
        try driver.type("s<ctrl-u>\(presets[0].sizes.map { "\($0.name)=\($0.value)" }.joined(separator: ","))<enter>")
        #expect(driver.text.contains(presets[0].description))
        try driver.type("]")
        #expect(driver.text.contains(presets[1].description))
        try driver.type("[[")
        #expect(driver.text.contains(presets[presets.count - 1].description))
        try driver.type("s<ctrl-u>m=3,k=7<enter>")
        #expect(driver.text.contains("m=3 "))
        #expect(driver.text.contains("not measured yet"))
        try driver.type("s<ctrl-u>q=3<enter>")
        #expect(driver.text.contains("invalid size q=3"))
        #expect(driver.text.contains("m=3 "))
    }

    @Test("a noisy rung has a bar up to its median, with the whisker on top")
    func whisker() throws {
        let made = try TestWorkspace()
        try made.history.save(KernelRecords.ceilings)
        try made.history.record(
            KernelRecords.report(["avx512": 0.5], spread: (0.4, 1.6)), commit: KernelRecords.commit)
        let driver = ShellDriver.kernels(made.workspace, size: Size(200, 60))
        let row = try #require(driver.rows(with: "~50 % 20–80").first { $0.contains("├") && $0.contains("┤") })
        let bar = try #require(row.split(separator: " ").first { $0.contains("├") && $0.contains("●") })
        let (low, median, high) = (bar.firstIndex(of: "├")!, bar.firstIndex(of: "●")!, bar.firstIndex(of: "┤")!)
        #expect(bar.startIndex < low && low < median && median < high)
        let glyph = bar[bar.startIndex]
        #expect(
            bar[..<low].allSatisfy { $0 == glyph } && bar[bar.index(after: low)..<median].allSatisfy { $0 == glyph })
        #expect(bar[bar.index(after: median)..<high].allSatisfy { $0 == "─" })
    }

    @Test("the history curve fills its pane, with a whole run number at each tick")
    func historyWidth() throws {
        try driver.type("vv")
        let axis = try #require(driver.rows(with: " run").first { $0.contains("└") })
        #expect(axis.contains("┬"))
        let labels = try #require(
            driver.text.split(separator: "\n").first { row in
                let words = row.split(separator: " ").compactMap { Int($0) }
                return words.first == 1 && words.last == 10 && words.count > 2
            })
        let last = labels.distance(from: labels.startIndex, to: try #require(labels.lastIndex(of: "0")))
        #expect(last > 100, "run 10 is at the right edge")
    }

    @Test("measurements of other sizes are not shown")
    func otherSizes() throws {
        try driver.type("s<ctrl-u>16<enter>")
        #expect(driver.rows(with: "not measured yet").count >= 3)
        #expect(driver.rows(with: "89.8 %").count == 1, "only the list of kernels says it")
    }

    @Test("a run slower than noise explains is marked in the list, the ladder, and the history")
    func regression() throws {
        let made = try TestWorkspace.regressed()
        let driver = ShellDriver.kernels(made.workspace)
        #expect(driver.rows(with: "gemm-f32").contains { $0.contains("80.3 %") })
        try driver.type("<enter>ggjjjjjvv")
        #expect(driver.rows(with: "slower, seen once").contains { $0.contains("80.3 %") })
        try driver.type("vv")
        #expect(driver.text.contains("slower, seen once; press r to measure again"))
        let failures = Theme.dark[.failure].foreground
        let screen = driver.shell.draw()
        let marked = (0..<screen.size.rows).filter { row in
            screen.textOfRow(row).contains("80.3 %")
                && (0..<screen.size.columns).contains {
                    screen[Point(column: $0, row: row)].style.foreground == failures
                }
        }
        #expect(!marked.isEmpty)
    }

    @Test("y copies the ladder as Markdown, and e writes it as Markdown or JSON without overwriting")
    func exports() throws {
        try driver.type("y")
        #expect(
            driver.asked {
                if case .copy(let text) = $0 { text.contains("| avx512 | 222 GFLOP/s | 89.8 % |") } else { false }
            })
        for name in ["ladder.md", "ladder.json"] {
            let path = made.folder.file(name)
            try driver.type("e<ctrl-u>\(path)<enter>")
            let text = try #require(File.text(path))
            #expect(text.contains(name.hasSuffix("md") ? "| avx512 |" : "\"share_of_roof\""))
            try driver.type("e<ctrl-u>\(path)<enter>")
            #expect(driver.text.contains("exists") || driver.text.contains("there already"))
        }
    }

    @Test("r measures every rung in a job that the title line shows, and the ladder has the figures")
    func measures() throws {
        let operation = try KernelCatalog.operation("rms-norm")
        let use = try made.history.reference(operation: "rms-norm", shape: operation.presets[0].description)
        let driver = PageDriver(made.workspace, opening: Reference(.operation, [use], title: "")) {
            KernelPage($0, seconds: 0.1) { _, _ in KernelRecords.ceilings }
        }
        #expect(driver.text.contains("not measured yet"))
        driver.press("run")
        #expect(driver.jobs == ["measure rms-norm"])
        #expect(!driver.text.contains("not measured yet"))
        #expect(!driver.text.contains("measuring"))
        #expect(try !made.history.runs(.init(operation: "rms-norm")).isEmpty)
    }

    @Test("a measurement that is canceled says so, and can be started again")
    func cancels() throws {
        try driver.type("r")
        #expect(driver.engine.count == 1)
        #expect(driver.text.contains("measuring"))
        try driver.type("r")
        #expect(driver.text.contains("already being measured"))
        try driver.type("xs")
        driver.finishJobs()
        #expect(driver.text.contains("cancelled"))
        #expect(!driver.text.contains("measuring"))
        try driver.type("r")
        #expect(driver.engine.count == 1)
    }

    @Test(
        "without ceilings it says how to measure them and still shows the kernels",
        arguments: [Size(120, 40), Size(80, 24)])
    func empty(size: Size) throws {
        let made = try TestWorkspace()
        let driver = ShellDriver.kernels(made.workspace, size: size)
        #expect(driver.text.contains("c measures the ceilings of 1 thread"))
        #expect(driver.text.contains("gemm-f32"))
        for key in ["v", "S", "d", "E", "D", "n", "<tab>", "<tab>", "z", "<esc>", "<esc>"] { try driver.type(key) }
        withExtendedLifetime(made) {}
    }

    @Test("the next start shows the same kernel, sizes, rung, view and pane")
    func restores() throws {
        try driver.type("s<ctrl-u>64<enter><tab><tab>ggjvz")
        let before = driver.text
        driver.shell.saveScreens()
        let again = ShellDriver.kernels(made.workspace, isRestored: true)
        #expect(again.text == before)
        #expect(before.contains("m=64 n=64 k=64"))
    }
}

import Console
import JSON
import Testing
import Workbench

@Suite("The training panel: curves")
struct TrainingChartTests {
    let made: TrainedWorkspace
    let driver: ShellDriver

    init() throws {
        made = try TrainedWorkspace.sample()
        driver = .training(made.workspace, run: 1)
    }

    @Test("shows the loss of the run, its final value, and its minimum with the step")
    func loss() {
        #expect(driver.text.contains("Loss ─ 1 of 5"))
        #expect(driver.rows(with: "── train").contains { $0.contains("step 400") })
        #expect(driver.rows(with: "  lowest").contains { $0.contains("at step") })
    }

    @Test("Space overlays runs, with numbers if colors cannot distinguish them, and removes them")
    func overlays() throws {
        try driver.type("<esc>gg<space>j<space>")
        #expect(driver.text.contains("2 ── tide-next") && driver.text.contains("2  tide-next"))
        #expect(driver.text.contains("3 ── tide-wide") && driver.text.contains("3  tide-wide"))
        try driver.type("<space>")
        #expect(!driver.text.contains("3 ── tide-wide"))
        #expect(driver.text.contains("2 ── tide-next"))
    }

    @Test("a run without the curve says so and keeps its place")
    func absent() throws {
        try driver.type("<esc>gg<space>j<space>")
        #expect(driver.rows(with: "2 ── tide-next").contains { $0.contains("not recorded") })
        #expect(driver.rows(with: "3 ── tide-wide").contains { $0.contains("step 244") })
    }

    @Test("the shown curve cannot be overlaid on itself")
    func itself() throws {
        try driver.type("<esc><space>")
        #expect(driver.text.contains("This run's curve is already shown."))
    }

    @Test("] and [ go through the curves of the run, and c selects one")
    func curves() throws {
        try driver.type("]")
        #expect(driver.text.contains("learning_rate ─ 2 of 5"))
        try driver.type("[[")
        #expect(driver.text.contains("─ 5 of 5"))
        try driver.type("cnorm/gradient<enter>")
        #expect(driver.text.contains("norm/gradient ─ 3 of 5"))
        try driver.type("cnothing<enter>")
        #expect(driver.text.contains("Nothing matches."))
        try driver.type("<esc>")
        #expect(driver.text.contains("norm/gradient ─ 3 of 5") && !driver.text.contains("Nothing matches."))
    }

    @Test("+ and - smooth more and less, within bounds")
    func smoothing() throws {
        try driver.type("++++++++")
        #expect(driver.text.contains("smoothed 0.99"))
        try driver.type("----------")
        #expect(!driver.text.contains("── smoothed"))
        #expect(driver.footer.contains("smoothing is off"))
    }

    @Test("a switches the axis between steps, time in a suitable unit, and tokens")
    func axes() throws {
        #expect(driver.rows(with: " step ").count > 0)
        try driver.type("a")
        #expect(driver.rows(with: " minutes ").count > 0)
        #expect(driver.text.contains("1 h 20 m"))
        try driver.type("a")
        #expect(driver.text.contains("1.64M tokens"))
        try driver.type("a")
        #expect(driver.text.contains("step 400"))
    }

    @Test("L and H draw on logarithmic scales and say so")
    func logarithms() throws {
        try driver.type("L")
        #expect(driver.text.contains("── log ─"))
        try driver.type("H")
        #expect(driver.text.contains("log-log"))
        try driver.type("L")
        #expect(driver.text.contains("log axis"))
    }

    @Test("the cursor reads the curve at its position; Esc moves it to the end")
    func cursor() throws {
        try driver.type("hhhh")
        #expect(driver.rows(with: "── train").contains { $0.contains("step 386") })
        try driver.type("gg")
        #expect(driver.rows(with: "── train").contains { $0.contains("step 4 ") })
        try driver.type("<esc>")
        #expect(driver.rows(with: "── train").contains { $0.contains("step 400") })
    }

    @Test(". zooms in around the cursor and , zooms out; at the edge, the cursor scrolls the view")
    func closer() throws {
        try driver.type("..")
        #expect(driver.text.contains("zoomed"))
        let before = driver.text
        for _ in 0..<200 { try driver.type("h") }
        #expect(driver.text != before)
        let legend = driver.rows(with: "── train")
        #expect(legend.count == 1 && !legend.contains { $0.contains("step 4") || $0.contains("step 3") })
        try driver.type(",,,")
        #expect(!driver.text.contains("zoomed"))
        #expect(driver.text.contains("the whole axis is shown"))
    }

    @Test("a click on the chart moves the cursor there, and the wheel zooms")
    func mouse() throws {
        driver.handle(.mouse(Mouse(.press, at: Point(column: 80, row: 10))))
        #expect(!driver.rows(with: "── train").contains { $0.contains("step 400") })
        driver.handle(.mouse(Mouse(.scrollUp, at: Point(column: 80, row: 10))))
        #expect(driver.text.contains("zoomed"))
        driver.handle(.mouse(Mouse(.scrollDown, at: Point(column: 80, row: 10))))
        #expect(!driver.text.contains("zoomed"))
    }

    @Test("NaN values are marked on the axis, and the figures say NaN")
    func diverged() {
        let driver = ShellDriver.training(made.workspace, run: 2)
        #expect(driver.text.contains("diverged"))
        #expect(driver.rows(with: "✗").count >= 1)
        #expect(driver.text.contains("NaN"))
        #expect(driver.text.contains("step 100 is kept"))
    }

    @Test("a run without data says so")
    func nothing() {
        let driver = ShellDriver.training(made.workspace, run: 5)
        #expect(driver.text.contains("no curve yet"))
        #expect(driver.text.contains("paused"))
    }

    @Test("layers are sorted by the figure that f chooses")
    func layers() throws {
        #expect(driver.text.contains("in model order"))
        try driver.type("S")
        #expect(driver.text.contains("largest first"))
        #expect(driver.rows(with: "blk.").first?.contains("blk.3.ffn_up.") == true)
        try driver.type("f")
        #expect(driver.text.contains("gradient ──"))
        #expect(driver.text.contains("●") && driver.text.contains("█"))
    }

    @Test("the last screen is restored: run, curve, axis, scales, overlays, and layers")
    func restores() throws {
        let driver = ShellDriver.training(made.workspace, isRestored: true)
        try driver.type("ggjjj<enter>]aL-S<esc>k<space>jvz")
        driver.shell.saveScreens()
        let before = driver.text
        let again = ShellDriver.training(made.workspace, isRestored: true)
        #expect(again.text == before)
    }
}

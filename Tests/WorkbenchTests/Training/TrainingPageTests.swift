import Console
import Testing
import Training
import TrainingLab
import Workbench

@Suite("The training page by the names of its actions")
struct TrainingPageTests {
    let made: TrainedWorkspace
    let driver: PageDriver<TrainingPage>

    init() throws {
        made = try TrainedWorkspace.sample()
        driver = PageDriver(made.workspace, opening: Reference(.trainingRun, [1], title: ""))
    }

    @Test("actions page through the curves of a run")
    func curves() {
        #expect(driver.text.contains("Loss ─ 1 of 5"))
        driver.press("next-curve")
        #expect(driver.text.contains("learning_rate ─ 2 of 5"))
        driver.press("curve")
        driver.answer("norm/gradient")
        #expect(driver.text.contains("norm/gradient ─ 3 of 5"))
    }

    @Test("a finished run refuses steering with a reason")
    func refusals() {
        driver.press("pause", "farther")
        #expect(driver.refusals == ["the run has finished all its steps", "the whole axis is shown"])
    }

    @Test("stopping a running run asks first")
    func stop() throws {
        driver.open(Reference(.trainingRun, [4], title: ""))
        driver.press("stop")
        driver.answer("s")
        #expect(try made.store.pendingOrders(of: 4) == [.stop])
        #expect(driver.notices == ["Training stops after this step."])
    }

    @Test("runs are read again while one is running")
    func watching() throws {
        driver.open(Reference(.trainingRun, [4], title: ""))
        try made.add("tide-wide", step: 245, loss: 0.75)
        driver.pass("watch")
        #expect(driver.text.contains("245 of 400") && driver.isWaiting)
    }

    @Test("a screen saved by an earlier version is restored and saved unchanged")
    func saved() throws {
        let saved = """
            {"pane":"layers","zoomed":false,"view":"events","shown":2,"overlays":[1,4],"series":"train/loss","axis":"time",\
            "smoothing":0.9,"log_vertical":true,"log_horizontal":false,"figure":"gradientNorm","sorted":true}
            """
        let again = PageDriver<TrainingPage>(made.workspace, saved: saved)
        #expect(again.page.selection?.path == [2] && again.page.screen.focus == .layers)
        #expect(again.text.contains("smoothed 0.9 ── log") && again.text.contains("largest first"))
        #expect(again.text.contains("─ Events ─"))
        #expect(again.host.save() == saved)
    }
}

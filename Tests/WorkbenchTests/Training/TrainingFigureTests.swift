import Console
import Formatting
import JSON
import KernelLab
import Presentation
import TestFixtures
import Testing
import Training
import TrainingLab
import Workbench

@Suite("The training panel: repeated figures agree")
struct TrainingFigureTests {
    let made: TrainedWorkspace

    init() throws { made = try TrainedWorkspace.sample() }

    @Test("list, overview, frame, and JSON show the same step and share")
    func progress() throws {
        let driver = ShellDriver.training(made.workspace, run: 4)
        let run = try #require(try made.store.run(4))
        let share = Format.progress(Double(run.step) / Double(run.steps ?? 1))
        #expect(share == "61 %")
        #expect(driver.rows(with: "tide-wide").contains { $0.contains("running \(share)") })
        #expect(driver.rows(with: "244 of 400").contains { $0.contains(share) })
        try JSONParser().parse(run.json()) { node in
            let text = Format.count(Int(node["step"]?.int ?? 0), of: node["steps"]?.int.map { Int($0) })
            #expect(driver.text.contains(text))
        }
    }

    @Test("list, legend, overview, and JSON show the same loss")
    func losses() throws {
        let driver = ShellDriver.training(made.workspace, run: 1)
        let run = try #require(try made.store.run(1))
        for (series, row) in [(RunSeries.trainLoss, "train/loss   "), (RunSeries.validationLoss, "validation/loss")] {
            let text = Format.loss(try #require(run.last(series)))
            #expect(driver.rows(with: row).contains { $0.contains(text) }, "\(series) \(text)")
            #expect(driver.rows(with: "── train").contains { $0.contains(text) }, "\(series) \(text)")
        }
        let text = Format.loss(try #require(run.last(RunSeries.trainLoss)))
        #expect(driver.rows(with: "tide-small").contains { $0.contains("finished") && $0.contains(text) })
    }

    @Test("a run with one thread is drawn under the ceiling of one thread, and under no unmeasured ceiling")
    func roof() throws {
        let history = KernelHistory(made.workspace)
        try history.save(KernelRecords.ceilings(threads: 2))
        let driver = ShellDriver.training(made.workspace, run: 1)
        #expect(driver.rows(with: "of the roof").contains { $0.contains("not measured") })
        #expect(!driver.rows(with: "of the roof").contains { $0.contains("%") })
        try history.save(KernelRecords.ceilings(threads: 1))
        let again = ShellDriver.training(made.workspace, run: 1)
        let run = try #require(try made.store.run(1))
        let arithmetic = try #require(
            try TrainingArithmetic(of: run, in: made.store, ceilings: KernelRecords.ceilings(threads: 1)))
        let share = try #require(arithmetic.share)
        #expect(share.ceiling.threads == 1 && run.threads == 1)
        #expect(abs(share.median * 247e9 - arithmetic.rate) < 1)
        #expect(again.rows(with: "of the roof").contains { $0.contains(FigureText.share(share)) })
        #expect(again.text.contains("1 thread"))
        #expect(
            again.rows(with: "arithmetic").contains { $0.contains(Format.rate(operationsPerSecond: arithmetic.rate)) })
        try JSONParser().parse(arithmetic.json()) { node in
            #expect(node["roof"]?["median"]?.double == share.median)
            #expect(node["roof"]?["threads"]?.int == 1)
        }
    }

    @Test("training and validation share a chart, distinguished by color and sign, with and without colors")
    func pairs() throws {
        let driver = ShellDriver.training(made.workspace, run: 1)
        #expect(driver.text.contains("Loss ─ 1 of 5"))
        #expect(driver.rows(with: "── train").contains { $0.contains("○ validation") })
        #expect(driver.text.filter { $0 == "○" }.count > 5)
        let plain = try Workbench.show(
            panel: "training", workspace: made.workspace, settings: Place.settings(["theme": "mono", "ascii": "true"]),
            size: Size(120, 40), opening: Reference(.trainingRun, [1], title: ""), clock: Place.now
        ).textDump
        #expect(plain.contains("** train") && plain.contains("+ validation"))
        #expect(plain.filter { $0 == "+" }.count > 10)
    }
}

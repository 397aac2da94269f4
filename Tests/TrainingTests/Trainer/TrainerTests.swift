import System
import Tensors
import TestFixtures
import Testing
import Training

@Suite("A training run")
struct TrainerTests {
    @Test("learns, is tested, writes samples, and measures its layers")
    func learns() throws {
        let run = TinyRun("training.steps=60", "evaluation.every=20")
        let sink = CollectingSink()
        let trainer = try run.trainer(["evaluation.prompts=[\"The \"]", "evaluation.tokens=5"])
        let result = try trainer.run(into: sink)
        #expect(result.end == .finished && result.step == 60)
        let losses = sink.values(RunSeries.trainLoss)
        #expect(losses.count == 60)
        #expect(losses.last! < losses[0] - 1)
        #expect(sink.values(RunSeries.validationLoss).count == 3)
        #expect(result.validationLoss == sink.values(RunSeries.validationLoss).last)
        #expect(sink.samples.map(\.step) == [20, 40, 60])
        #expect(sink.samples.allSatisfy { $0.prompt == "The " && !$0.text.isEmpty })
        #expect(sink.values(RunSeries.updateRatio(of: "blk.0.attn_q.weight")).count == 8)
        #expect(sink.kinds.first == .started && sink.kinds.last == .finished)
        #expect(sink.values(RunSeries.speed).allSatisfy { $0 > 0 })
        #expect(trainer.description.flopsPerStep > 0)
    }

    @Test("makes the same steps whether batches come at once or in parts")
    func accumulation() throws {
        let whole = CollectingSink()
        try TinyRun("training.steps=8", "training.batch=8").run(into: whole)
        let parts = CollectingSink()
        try TinyRun("training.steps=8", "training.batch=2", "training.accumulation=4").run(into: parts)
        for (a, b) in zip(whole.values(RunSeries.trainLoss), parts.values(RunSeries.trainLoss)) {
            #expect(abs(a - b) < 1e-4 * abs(a))
        }
    }

    @Test(
        "counts its length in steps, tokens or epochs",
        arguments: [
            ("training.tokens=1000", 16), ("training.epochs=0.5", nil),
        ] as [(String, Int?)])
    func length(override: String, steps: Int?) throws {
        let trainer = try TinyRun("training.steps=0", override).trainer()
        if let steps { #expect(trainer.steps == steps) } else { #expect((1..<1_000).contains(trainer.steps)) }
    }

    @Test("obeys: a pause, another rate, a checkpoint, a stop")
    func orders() throws {
        let run = TinyRun("checkpoints.every=0")
        let sink = CollectingSink()
        sink.ordersToGive = [
            [], [], [.scaleLearningRate(0.5)], [.pause, .resume], [.checkpoint], [.pause], [.resume], [.stop],
        ]
        let result = try run.trainer().run(into: sink)
        #expect(result.end == .stopped && result.step == 6)
        #expect(
            sink.kinds.filter { $0 != .checkpoint } == [
                .started, .rateChanged, .paused, .continued, .paused, .continued, .stopped,
            ])
        let plain = CollectingSink()
        try TinyRun().run(into: plain)
        let (changed, rates) = (sink.values(RunSeries.learningRate), plain.values(RunSeries.learningRate))
        #expect(changed[1] == rates[1] && changed[2] == rates[2] / 2)
        // The factor belongs to the state: a run that goes on has it still.
        let resumed = CollectingSink()
        try run.run(into: resumed)
        #expect(resumed.values(RunSeries.learningRate)[0] == rates[6] / 2)
        #expect(run.checkpoints.contains("step-000000004.safetensors") == false)
    }

    @Test("keeps another rate at once: a run that is killed after the order goes on with it")
    func keptRate() throws {
        let run = TinyRun("checkpoints.every=0", "evaluation.every=0")
        let sink = CollectingSink()
        sink.ordersToGive = [[], [], [.scaleLearningRate(0.5)]]
        #expect(throws: Problem.self) { try run.trainer().run(into: ResumingTests.KillingSink(sink, at: 6)) }
        let resumed = CollectingSink()
        try run.run(into: resumed)
        let plain = CollectingSink()
        try TinyRun().run(into: plain)
        #expect(resumed.points.first?.step == 3)
        #expect(resumed.values(RunSeries.learningRate) == plain.values(RunSeries.learningRate)[2...].map { $0 / 2 })
    }

    @Test(
        "answers numbers that no run has with a sentence or a bound",
        arguments: ["training.tokens=\(Int.max)", "training.epochs=1e300", "training.steps=1000000000000"])
    func hostileLength(override: String) throws {
        let trainer = try TinyRun("training.steps=0", override).trainer()
        #expect((1...1_000_000_000_000).contains(trainer.steps))
    }

    @Test("gives up a step between two of its batches when it is cancelled")
    func cancelledWithin() throws {
        var asked = 0
        let run = TinyRun("training.accumulation=4")
        defer { withExtendedLifetime(run) {} }
        let result = try run.trainer().run(
            into: CollectingSink(),
            isCancelled: {
                asked += 1
                return asked >= 3
            })
        #expect(result.end == .interrupted && result.step == 0)
    }

    @Test("ends after the step when it is cancelled, and says how to go on")
    func cancelled() throws {
        let run = TinyRun()
        var steps = 0
        let result = try run.trainer().run(
            into: CollectingSink(), isCancelled: { steps >= 3 }, report: { _ in steps += 1 })
        #expect(result.end == .interrupted && result.step == 3)
        #expect(result.sentence.hasSuffix("orrery train \(run.folder.file("tiny.toml")) resumes from the checkpoint"))
        #expect(run.checkpoints.last == "step-000000003.safetensors")
    }

    @Test("names the step of a loss that is not a number, and keeps the state before it")
    func noNumber() throws {
        let run = TinyRun("optimizer.rate=1e30", "training.clip=0", "schedule.warmup=0", "optimizer.kind=sgd")
        let sink = CollectingSink()
        let result = try run.trainer().run(into: sink)
        #expect(result.end == .diverged)
        #expect(result.sentence.contains("step \(result.step + 1)"))
        #expect(sink.kinds.last == .diverged)
        #expect(sink.values(RunSeries.trainLoss).allSatisfy { $0.isFinite })
        let kept = try #require(result.checkpoint)
        #expect(File.bytes(kept) != nil)
    }

    @Test("a diverged run returns and halves the rate if configured, and finally gives up")
    func halves() throws {
        let run = TinyRun(
            "optimizer.rate=1e30", "training.clip=0", "schedule.warmup=0", "optimizer.kind=sgd",
            "training.on_divergence=halve")
        let sink = CollectingSink()
        let result = try run.trainer().run(into: sink)
        #expect(result.end == .diverged)
        #expect(sink.kinds.filter { $0 == .diverged }.count == 6)
    }

    @Test("says that another length changes the rate of a schedule that falls, and makes no step twice")
    func longer() throws {
        let run = TinyRun()
        try run.run(["training.steps=12"], into: CollectingSink())
        let longer = CollectingSink()
        try run.run(into: longer)
        let warning = try #require(longer.events.first { $0.kind == .warning })
        #expect(warning.text.contains("was planned for 12 steps and now has 24"))
        let again = CollectingSink()
        let result = try run.trainer().run(into: again)
        #expect(result.sentence.hasPrefix("earlier runs completed all 24 steps"))
        #expect(again.points.isEmpty && again.kinds == [.finished])
        // A constant rate is the same for any length.
        let constant = TinyRun("schedule.kind=constant", "schedule.warmup=0")
        try constant.run(["training.steps=12"], into: CollectingSink())
        let silent = CollectingSink()
        try constant.run(into: silent)
        #expect(!silent.kinds.contains(.warning))
    }

    @Test("keeps no state whose loss has left all proportion")
    func unsound() {
        var watch = DivergenceWatch()
        #expect(watch.isSound(factor: 4))
        for loss in [2.0, 2.1, 30, 9e9] { _ = watch.isDiverged(loss, factor: 4, patience: 3) }
        #expect(!watch.isSound(factor: 4) && watch.isSound(factor: 0))
    }

    @Test("averages and exports the masters of rounded weights")
    func masters() throws {
        let run = TinyRun("training.precision=bfloat16", "training.steps=6")
        let trainer = try run.trainer()
        _ = try trainer.run(into: CollectingSink())
        let folder = run.folder.file("model")
        try trainer.export(to: folder)
        let file = try TensorFile.open(folder + "/model.safetensors")
        let name = try #require(file.names.first { $0.hasSuffix("q_proj.weight") })
        let weights = try file.tensor(named: name, as: Float.self).elements
        #expect(weights.contains { $0.bitPattern & 0xFFFF != 0 })
    }

    @Test("of a loss that leaves all proportion ends before it is learned from for long")
    func climbing() {
        var watch = DivergenceWatch()
        let losses = [Double](repeating: 2, count: 50) + [9, 2, 9, 9, 9]
        let found = losses.map { watch.isDiverged($0, factor: 4, patience: 3) }
        #expect(found == [Bool](repeating: false, count: 54) + [true])
        let unbounded = watch.isDiverged(1e9, factor: 0, patience: 3)
        #expect(!unbounded)
    }
}

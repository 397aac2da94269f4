import System
import TestFixtures
import Testing
import Training

@Suite("A run that goes on")
struct ResumingTests {
    private static let curves = [
        RunSeries.trainLoss, RunSeries.validationLoss, RunSeries.learningRate, RunSeries.gradientNorm,
        RunSeries.gradientNorm(of: "token_embd.weight"), RunSeries.updateRatio(of: "token_embd.weight"),
    ]

    /// Ends a run as a kill would: nothing is written after the step.
    private struct Killed: Error {}

    final class KillingSink: RunSink {
        let sink: CollectingSink
        let step: Int
        init(_ sink: CollectingSink, at step: Int) {
            self.sink = sink
            self.step = step
        }

        func begin(_ description: RunDescription, at step: Int, isNew: Bool) {
            sink.begin(description, at: step, isNew: isNew)
        }
        func record(_ point: RunPoint) throws(Problem) {
            if point.step == step { throw Problem(.invalid, "", "killed") }
            sink.record(point)
        }
        func record(_ sample: RunSample) { sink.record(sample) }
        func record(_ event: RunEvent) { sink.record(event) }
        func flush() { sink.flush() }
        func orders() -> [RunOrder] { sink.orders() }
    }

    @Test(
        "after it was killed at any step has the same bits as one that never ended",
        arguments: [
            [], ["optimizer.kind=muon"], ["optimizer.kind=lion", "training.ema=0.9"],
            ["training.precision=bfloat16", "training.accumulation=2"], ["optimizer.kind=sgd", "training.dropout=0.2"],
            ["data.packing=documents", "training.recompute=true"],
        ])
    func sameBits(overrides: [String]) throws {
        let whole = CollectingSink()
        try TinyRun().run(overrides, into: whole)
        for step in [1, 7, 12, 23] {
            let run = TinyRun()
            let sink = CollectingSink()
            #expect(throws: Problem.self) {
                try run.trainer(overrides).run(into: KillingSink(sink, at: step))
            }
            let result = try run.trainer(overrides).run(into: sink)
            #expect(result.end == .finished)
            for series in Self.curves { #expect(sink.curve(series) == whole.curve(series), "\(series), step \(step)") }
            #expect(whole.curve(RunSeries.trainLoss).count == 24)
        }
    }

    @Test("a fresh run starts over")
    func fresh() throws {
        let run = TinyRun()
        let first = CollectingSink()
        try run.run(into: first)
        let second = CollectingSink()
        _ = try run.trainer().run(into: second, starting: .fresh)
        #expect(second.kinds.first == .started)
        #expect(second.curve(RunSeries.trainLoss) == first.curve(RunSeries.trainLoss))
    }

    @Test("can be made longer")
    func longer() throws {
        let run = TinyRun()
        let sink = CollectingSink()
        try run.run(into: sink)
        let result = try run.trainer(["training.steps=30"]).run(into: sink)
        #expect(result.step == 30)
        #expect(sink.kinds.contains(.resumed))
        #expect(sink.points.map(\.step) == Array(1...30))
    }

    @Test("does not take up what another configuration, or other data, left")
    func foreign() throws {
        let run = TinyRun()
        try run.run(into: CollectingSink())
        let other = try #require(throws: Problem.self) {
            try run.trainer(["optimizer.rate=0.5", "training.clip=3"]).run(into: CollectingSink())
        }
        #expect(
            other.sentence.contains(
                "a different configuration; changed keys: optimizer.rate, training.clip. Use --fresh"))
        File.write(TinyRun.text + TinyRun.text, to: run.folder.file("text.txt"))
        let changed = try #require(throws: Problem.self) { try run.trainer().run(into: CollectingSink()) }
        #expect(changed.sentence.contains("the files have changed"))
    }
}

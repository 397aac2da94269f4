import GRDB
import System
import TestFixtures
import Testing
import Training
import TrainingLab
import Workspace

@Suite("A run of ours is recorded")
struct RunRecorderTests {
    @Test("with its description, points, samples and events, and read back bit for bit")
    func roundTrip() throws {
        let fixture = try Fixture()
        let recorder = RunRecorder(fixture.store)
        try recorder.begin(.sample(), at: 0)
        try recorder.record(RunEvent(step: 0, time: 5, kind: .started, text: ""))
        let odd = Double(bitPattern: 0x7FF0_0000_0000_0001)
        let values: [Double] = [4.5, .nan, -.infinity, odd, -0.0, .leastNonzeroMagnitude, 0.1]
        for (step, value) in values.enumerated() {
            try recorder.record(.at(step + 1, (RunSeries.trainLoss, value), (RunSeries.learningRate, 1e-3)))
        }
        try recorder.record(RunSample(step: 7, time: 9, prompt: "Story:", text: "Once"))
        try recorder.flush()
        let run = try #require(recorder.run)
        let points = try #require(try fixture.store.points(of: run, RunSeries.trainLoss))
        #expect(points.values.map(\.bitPattern) == values.map(\.bitPattern))
        #expect(points.steps == [1, 2, 3, 4, 5, 6, 7])
        #expect(points.times == (1...7).map(RunPoint.time))
        #expect(try fixture.store.samples(of: run) == [RunSample(step: 7, time: 9, prompt: "Story:", text: "Once")])
        #expect(try fixture.store.events(of: run).map(\.kind) == [.started])
        #expect(try fixture.store.description(of: run) == .sample())
        let summary = try #require(try fixture.store.runs().first)
        #expect(summary.state == .running && summary.step == 7 && summary.last("train/loss") == 0.1)
        #expect(summary.last.map(\.series) == [RunSeries.trainLoss, RunSeries.learningRate])
    }

    @Test(
        "across the border between journal and blocks, whatever the sizes of the writes", arguments: [1, 7, 300, 5000])
    func blocks(points perWrite: Int) throws {
        let fixture = try Fixture()
        let recorder = RunRecorder(fixture.store)
        try recorder.begin(.sample(), at: 0)
        let steps = perWrite == 1 ? 300 : 5000
        var random = SplitMix(state: 3)
        var expected: [Double] = []
        for step in 1...steps {
            let value = Double.random(in: 0...9, using: &random)
            expected.append(value)
            // The second series appears late and is there at every third step only.
            if step > 100, step % 3 == 0 {
                try recorder.record(.at(step, ("validation/loss", Double(step)), ("train/loss", value)))
            } else {
                try recorder.record(.at(step, ("train/loss", value)))
            }
            if step % perWrite == 0 { try recorder.flush() }
        }
        try recorder.flush()
        let run = try #require(recorder.run)
        #expect(try fixture.store.points(of: run, "train/loss")?.values == expected)
        let late = try #require(try fixture.store.points(of: run, "validation/loss"))
        #expect(late.steps.map(Double.init) == late.values)
        #expect(late.steps == (101...steps).filter { $0 % 3 == 0 }.map(Int64.init))
        #expect(try fixture.store.points(of: run, "train/loss", steps: 90...95)?.values == Array(expected[89..<95]))
        #expect(try fixture.store.series(of: run).map(\.count) == [steps, late.count])
    }

    @Test(
        "and goes on from a checkpoint as if nothing had been recorded after it", arguments: [0, 3, 1024, 2500, 9000])
    func resume(step: Int) throws {
        let fixture = try Fixture()
        let first = RunRecorder(fixture.store)
        try first.begin(.sample(folder: "/runs/a"), at: 0)
        for step in 1...3000 { try first.record(.at(step, ("train/loss", Double(step)))) }
        try first.record(RunSample(step: 3000, time: 0, prompt: "", text: "late"))
        try first.record(RunEvent(step: 2, time: 0, kind: .checkpoint, text: "a"))
        try first.record(RunEvent(step: 2999, time: 0, kind: .checkpoint, text: "b"))
        first.close()
        let second = RunRecorder(fixture.store, run: first.run)
        try second.begin(.sample(folder: "/runs/a"), at: step)
        let run = try #require(second.run)
        #expect(run == first.run)
        let kept = min(step, 3000)
        #expect(try fixture.store.points(of: run, "train/loss")?.values ?? [] == (0..<kept).map { Double($0 + 1) })
        #expect(try fixture.store.events(of: run).map(\.step) == [2999, 2].filter { $0 <= step })
        #expect(try fixture.store.samples(of: run).count == (step >= 3000 ? 1 : 0))
        #expect(try fixture.store.series(of: run).map(\.last.step) == (kept > 0 ? [kept] : []))
        try second.record(.at(step + 1, ("train/loss", -1)))
        try second.flush()
        #expect(try fixture.store.points(of: run, "train/loss")?.values.last == -1)
        #expect(try fixture.store.points(of: run, "train/loss")?.count == kept + 1)
    }

    @Test("and stays one run when it goes on from step 0, killed early or taken back")
    func goesOnFromStart() throws {
        let fixture = try Fixture()
        let first = RunRecorder(fixture.store)
        try first.begin(.sample(folder: "/runs/a"), at: 0)
        try first.record(.at(1, ("train/loss", 1)))
        // Withdrawn by its recorder; an order to it still counts.
        try fixture.store.send(.stop, to: try #require(first.run))
        try first.begin(.sample(folder: "/runs/a"), at: 0, isNew: false)
        #expect(first.orders() == [.stop])
        try first.record(.at(1, ("train/loss", 2)))
        first.close()
        let second = RunRecorder(fixture.store)
        try second.begin(.sample(folder: "/runs/a"), at: 0, isNew: false)
        #expect(second.run == first.run)
        try second.record(.at(1, ("train/loss", 3)))
        try second.flush()
        #expect(try fixture.store.runs().count == 1)
        #expect(try fixture.store.points(of: try #require(second.run), "train/loss")?.values == [3])
        second.close()
        let fresh = RunRecorder(fixture.store)
        try fresh.begin(.sample(folder: "/runs/a"), at: 0)
        #expect(try fixture.store.runs().count == 2)
    }

    @Test("and is found again by the folder of its checkpoints, otherwise by its name")
    func foundAgain() throws {
        let fixture = try Fixture()
        var rows: [String: Int64] = [:]
        for (name, folder) in [("a", "/x"), ("b", "/y"), ("c", nil)] as [(String, String?)] {
            let recorder = RunRecorder(fixture.store)
            try recorder.begin(.sample(name, folder: folder), at: 0)
            rows[name] = recorder.run
            recorder.close()
        }
        for (name, folder, row) in [
            ("renamed", "/y", rows["b"]), ("c", nil, rows["c"]), ("a", "/x", rows["a"]),
        ] as [(String, String?, Int64?)] {
            let recorder = RunRecorder(fixture.store)
            try recorder.begin(.sample(name, folder: folder), at: 10)
            #expect(recorder.run == row)
        }
        let stranger = RunRecorder(fixture.store)
        try stranger.begin(.sample("a", folder: "/elsewhere"), at: 10)
        let row = try #require(stranger.run)
        #expect(!rows.values.contains(row))
    }

    @Test(
        "and stands as its last event says",
        arguments: [
            ([.started], .running), ([.started, .paused], .paused), ([.started, .paused, .continued], .running),
            ([.started, .checkpoint, .warning], .running), ([.started, .finished], .finished),
            ([.started, .stopped], .stopped), ([.started, .diverged, .warning], .diverged),
            ([.started, .failed], .failed),
        ] as [([RunEvent.Kind], RunState)])
    func states(events: [RunEvent.Kind], state: RunState) throws {
        let fixture = try Fixture()
        let recorder = RunRecorder(fixture.store)
        try recorder.begin(.sample(), at: 0)
        for (step, kind) in events.enumerated() {
            try recorder.record(RunEvent(step: step, time: 0, kind: kind, text: "the \(step)th"))
        }
        try recorder.flush()
        let run = try #require(try fixture.store.runs().first)
        #expect(run.state == state)
        #expect(run.note == "the \(events.count - 1)th")
        recorder.close()
        #expect(try fixture.store.runs().first?.state == (state.isLive ? .interrupted : state))
    }

    @Test("and without a sign of life it is interrupted")
    func silence() throws {
        let fixture = try Fixture()
        let recorder = RunRecorder(fixture.store)
        try recorder.begin(.sample(), at: 0)
        let run = try #require(try fixture.store.runs().first)
        #expect(try fixture.store.runs(at: run.changed + 29_000_000_000).first?.state == .running)
        #expect(try fixture.store.runs(at: run.changed + 31_000_000_000).first?.state == .interrupted)
    }

    @Test("and closing says if the end of the run was not recorded")
    func closing() throws {
        let fixture = try Fixture()
        let recorder = RunRecorder(fixture.store)
        try recorder.begin(.sample(), at: 0)
        #expect(recorder.close() == nil)
        try recorder.begin(.sample(), at: 0)
        try fixture.store.workspace.write { db in try db.execute(sql: "ALTER TABLE training_run RENAME TO lost") }
        let problem = try #require(recorder.close())
        #expect(problem.contains("training_run"))
    }

    @Test("but not before it has begun")
    func tooEarly() throws {
        let recorder = RunRecorder(try Fixture().store)
        #expect {
            try recorder.record(.at(1, ("a", 1)))
        } throws: { "\($0)" == "A run cannot record before it starts." }
        #expect(recorder.orders().isEmpty)
    }
}

@Suite("Orders to a run")
struct OrderTests {
    @Test("are taken once, in their sequence, from another opening of the workspace")
    func taken() throws {
        let fixture = try Fixture()
        let recorder = RunRecorder(fixture.store)
        try recorder.begin(.sample(), at: 0)
        let run = try #require(recorder.run)
        let all: [RunOrder] = [.pause, .scaleLearningRate(0.1), .resume, .checkpoint, .stop]
        let other = try fixture.reopened()
        for order in all { try other.send(order, to: run) }
        try recorder.flush()
        #expect(recorder.orders() == all)
        #expect(recorder.orders().isEmpty)
        #expect(try fixture.store.pendingOrders(of: run).isEmpty)
        try recorder.flush()
        #expect(recorder.orders().isEmpty)
    }

    @Test("that came too late are void when the run goes on")
    func void() throws {
        let fixture = try Fixture()
        let first = RunRecorder(fixture.store)
        try first.begin(.sample(folder: "/x"), at: 0)
        try first.flush()
        let second = RunRecorder(fixture.store, run: first.run)
        let run = try #require(first.run)
        try fixture.store.send(.stop, to: run)
        // Either the first recorder took it, or beginning again made it void.
        try second.begin(.sample(folder: "/x"), at: 5)
        try second.flush()
        #expect(second.orders().isEmpty)
    }

    @Test("orders that no process would receive are refused")
    func refused() throws {
        let fixture = try Fixture()
        #expect { try fixture.store.send(.pause, to: 9) } throws: {
            "\($0)" == "Run 9 does not exist. List runs with orrery train list."
        }
        let recorder = RunRecorder(fixture.store)
        try recorder.begin(.sample(), at: 0)
        let run = try #require(recorder.run)
        #expect(throws: Problem.self) { try fixture.store.send(.scaleLearningRate(.nan), to: run) }
        #expect(throws: Problem.self) { try fixture.store.send(.scaleLearningRate(-1), to: run) }
        try recorder.record(RunEvent(step: 1, time: 0, kind: .finished, text: ""))
        try recorder.flush()
        #expect {
            try fixture.store.send(.pause, to: run)
        } throws: { "\($0)" == "mini is finished. Only a running or paused run can be changed." }
    }
}

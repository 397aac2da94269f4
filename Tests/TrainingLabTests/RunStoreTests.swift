import JSON
import TestFixtures
import Testing
import Training
import TrainingLab
import Workspace

@Suite("The store of runs")
struct RunStoreTests {
    @discardableResult
    private func record(_ fixture: Fixture, _ name: String, steps: Int = 3) throws -> Int64 {
        let recorder = RunRecorder(fixture.store)
        try recorder.begin(.sample(name), at: 0)
        for step in 1...steps {
            try recorder.record(.at(step, ("train/loss", 1 / Double(step)), ("a,\"b\"", Double(step))))
        }
        recorder.close()
        return recorder.run ?? 0
    }

    @Test("takes a deletion and a renaming back, the last first")
    func undo() throws {
        let fixture = try Fixture()
        let runs = try ["a", "b", "c"].map { try record(fixture, $0) }
        func names() throws -> Set<String> { Set(try fixture.store.runs().map(\.name)) }
        try fixture.store.rename(runs[0], to: "best")
        try fixture.store.delete([runs[1], runs[2]])
        #expect(try names() == ["best"])
        #expect(try Set(fixture.store.deleted().map(\.name)) == ["b", "c"])
        #expect(try fixture.store.undo() == "Restored 2 runs.")
        #expect(try names() == ["best", "b", "c"])
        #expect(try fixture.store.undo() == "Restored the recorded name of the run.")
        #expect(try names() == ["a", "b", "c"])
        #expect(try fixture.store.undo() == nil)
    }

    @Test("forgets deleted runs for good when it is pruned, and nothing else")
    func prune() throws {
        let fixture = try Fixture()
        let kept = try record(fixture, "kept", steps: 3000)
        let gone = try record(fixture, "gone", steps: 3000)
        try fixture.store.delete([gone])
        #expect(try fixture.store.prune() == 1)
        #expect(try fixture.store.run(gone) == nil && fixture.store.deleted().isEmpty)
        #expect(try fixture.store.points(of: kept, "train/loss")?.count == 3000)
        #expect(try fixture.store.points(of: gone, "train/loss") == nil)
        #expect(try fixture.store.undo() == nil)
    }

    @Test("exports a run as CSV and JSONL, and a follower reads the JSONL back bit for bit")
    func export() throws {
        let fixture = try Fixture()
        let recorder = RunRecorder(fixture.store)
        try recorder.begin(.sample(), at: 0)
        try recorder.record(.at(1, ("loss", 0.1), ("=a,\"b\"", 2)))
        try recorder.record(.at(2, ("loss", .nan)))
        try recorder.record(.at(3, ("=a,\"b\"", -.infinity), ("late", .leastNonzeroMagnitude)))
        try recorder.flush()
        let run = try #require(recorder.run)
        func exported(_ format: RunExportFormat) throws -> String {
            var bytes: [UInt8] = []
            try fixture.store.export(run, as: format) { bytes += $0 }
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(
            try exported(.csv) == """
                step,time,loss,"'=a,""b\""",late
                1,1767225600.010000000,0.1,2.0,
                2,1767225600.020000000,NaN,,
                3,1767225600.030000000,,-Infinity,5e-324

                """)
        File.write(try exported(.jsonLines), to: fixture.folder.file("log.jsonl"))
        let copy = try #require(
            try RunFollower.open(fixture.folder.file("log.jsonl")).follow(into: fixture.store).runs.first)
        for series in ["loss", "=a,\"b\"", "late"] {
            let here = try #require(try fixture.store.points(of: run, series))
            let there = try #require(try fixture.store.points(of: copy, series))
            #expect(here.steps == there.steps)
            #expect(here.values.map(\.description) == there.values.map(\.description))
        }
        #expect { try fixture.store.export(99, as: .csv) { _ in } } throws: {
            "\($0)" == "Run 99 does not exist. List runs with orrery train list."
        }
    }

    @Test("has a table of norms by parameter, with a trend")
    func layers() throws {
        let fixture = try Fixture()
        let recorder = RunRecorder(fixture.store)
        try recorder.begin(.sample(), at: 0)
        for step in 1...100 {
            try recorder.record(
                .at(
                    step, (RunSeries.gradientNorm(of: "wte"), Double(step)), (RunSeries.gradientNorm, 1),
                    (RunSeries.parameterNorm(of: "wte"), 7), (RunSeries.updateRatio(of: "h.0.w"), 1e-3)))
        }
        try recorder.flush()
        let run = try #require(recorder.run)
        let table = try fixture.store.layers(of: run, columns: 4)
        #expect(table.layers.map(\.name) == ["wte", "h.0.w"])
        let gradient = try #require(table.layers[0].gradientNorm)
        #expect(gradient.latest == 100 && gradient.step == 100 && gradient.trend == [13, 38, 63, 88])
        #expect(table.layers[0].parameterNorm?.trend == [7, 7, 7, 7] && table.layers[0].updateRatio == nil)
        #expect(table.layers[1].updateRatio?.latest == 1e-3 && table.layers[1].gradientNorm == nil)
        #expect(table.json().hasPrefix("{\"run\":1,\"layers\":[{\"name\":\"wte\",\"gradient_norm\":{\"latest\":100.0"))
    }

    @Test("holds every written point when the process dies, and nothing of the rest", arguments: [1, 900, 1500, 4000])
    func killed(written: Int) throws {
        let fixture = try Fixture()
        let recorder = RunRecorder(fixture.store)
        try recorder.begin(.sample(), at: 0)
        for step in 1...written { try recorder.record(.at(step, ("train/loss", Double(step)))) }
        try recorder.flush()
        // The file as it is at this moment is what a process that dies now would leave.
        let copy = fixture.folder.file("copy.orrery")
        for suffix in ["", "-wal"] { File.copy(fixture.folder.file("t.orrery") + suffix, to: copy + suffix) }
        try recorder.record(.at(written + 1, ("train/loss", 0)))
        recorder.close()
        let workspace = try Workspace.open(copy, migrations: TrainingLab.migrations)
        let store = RunStore(workspace)
        let run = try #require(try store.runs().first)
        #expect(try store.points(of: run.id, "train/loss")?.values == (1...written).map(Double.init))
        #expect(run.step == written && run.last("train/loss") == Double(written))
        #expect(try store.runs(at: run.changed + 60_000_000_000).first?.state == .interrupted)
        #expect(try workspace.check(TrainingLab.checks).problems.isEmpty)
    }

    @Test("writes what screens show as JSON, numbers that JSON lacks as words")
    func json() throws {
        let fixture = try Fixture()
        let run = try record(fixture, "j")
        let summary = try #require(try fixture.store.run(run)).json()
        #expect(summary.hasPrefix("{\"id\":1,\"name\":\"j\",\"state\":\"interrupted\",\"step\":3,\"steps\":100,"))
        let curve = try #require(try fixture.store.curve(of: run, "train/loss", CurveRequest(columns: 1)))
        #expect(curve.json().contains("\"buckets\":[{\"column\":0,\"count\":3,\"minimum\":0.3333333333333333,"))
        #expect(SeriesValue(series: "x", step: 1, value: -.infinity).json().hasSuffix("\"value\":\"-Infinity\"}"))
    }
}

import System
import TestFixtures
import Testing
import Training
import TrainingLab

@Suite("A run of others is followed")
struct FollowerTests {
    @Test("in TensorBoard event files: old scalars, tensors of every type, texts and hyperparameters")
    func tensorBoard() throws {
        let half: [UInt8] = [0x00, 0x3E]
        let tensors: [(String, [UInt8], Double)] = [
            (
                "float", LogFiles.field(1, varint: 1) + LogFiles.field(5, LogFiles.bytes(Float(0.1).bitPattern)),
                Double(Float(0.1))
            ),
            ("double", LogFiles.field(1, varint: 2) + LogFiles.field(4, LogFiles.bytes(0.1.bitPattern)), 0.1),
            ("unpacked", LogFiles.field(1, varint: 2) + LogFiles.field(6, 0.3), 0.3),
            ("int", LogFiles.field(1, varint: 3) + LogFiles.field(7, LogFiles.varint(.max)), -1),
            ("long", LogFiles.field(1, varint: 9) + LogFiles.field(4, LogFiles.bytes(Int64(-7))), -7),
            ("half", LogFiles.field(1, varint: 19) + LogFiles.field(4, half), 1.5),
            ("bfloat16", LogFiles.field(1, varint: 14) + LogFiles.field(4, [0xC0, 0x3F]), 1.5),
        ]
        var file = LogFiles.version
        file +=
            LogFiles.scalar("loss", 0.25, step: 3, time: 1.7e9)
            + LogFiles.scalar("loss", .nan, step: 4, time: 1.7e9 + 0.5)
        for (name, tensor, _) in tensors { file += LogFiles.tensor(name, tensor, step: 1) }
        let pair = LogFiles.field(1, varint: 1) + LogFiles.field(5, [UInt8](repeating: 0, count: 8))
        file += LogFiles.tensor("two numbers", pair, step: 1)
        let text = LogFiles.field(1, varint: 7) + LogFiles.field(8, "Once upon")
        file += LogFiles.tensor("story", text, plugin: "text", step: 9)
        file += LogFiles.hyperparameters([("lr", LogFiles.field(2, 0.5)), ("name", LogFiles.field(3, "x"))])
        let fixture = try Fixture()
        File.write(file, to: fixture.folder.file("events.out.tfevents.1.host"))
        let follower = try RunFollower.open(fixture.folder.path)
        #expect(follower.format == .tensorBoard)
        let report = try follower.follow(into: fixture.store)
        #expect(report.points == 2 + tensors.count && report.notes.isEmpty)
        let run = try #require(report.runs.first)
        for (name, _, value) in tensors {
            #expect(try fixture.store.points(of: run, name)?.values == [value], "\(name)")
        }
        let loss = try #require(try fixture.store.points(of: run, "loss"))
        #expect(loss.steps == [3, 4] && loss.values[0] == 0.25 && loss.values[1].isNaN)
        #expect(loss.times == [1_700_000_000_000_000_000, 1_700_000_000_500_000_000])
        #expect(try fixture.store.series(of: run).contains { $0.name == "two numbers" } == false)
        #expect(try fixture.store.samples(of: run).map(\.text) == ["Once upon"])
        #expect(try fixture.store.description(of: run)?.configuration == "{\n  \"lr\": 0.5,\n  \"name\": \"x\"\n}")
    }

    @Test("in folders of event files: each folder a run, a session that begins again makes later points void")
    func folders() throws {
        let fixture = try Fixture()
        let logs = TemporaryFolder()
        makeFolder(logs.file("a"))
        func write(_ name: String, _ events: [UInt8]) { File.write(LogFiles.version + events, to: logs.file(name)) }
        write("events.out.tfevents.1.h", LogFiles.scalar("x", 1, step: 1))
        write("a/events.out.tfevents.1.h", (1...10).flatMap { LogFiles.scalar("x", Float($0), step: $0) })
        write("a/events.out.tfevents.2.h", LogFiles.start(step: 6) + LogFiles.scalar("x", -6, step: 6))
        let report = try RunFollower.open(logs.path).follow(into: fixture.store)
        #expect(report.runs.count == 2 && report.points == 12)
        let runs = try fixture.store.runs()
        #expect(Set(runs.map(\.name)) == ["a", String(logs.path.split(separator: "/").last ?? "")])
        let inner = try #require(runs.first { $0.name == "a" })
        #expect(try fixture.store.points(of: inner.id, "x")?.values == [1, 2, 3, 4, 5, -6])
        #expect(inner.isForeign && inner.format == "tensorboard")
        #expect(throws: Problem.self) { try fixture.store.send(.pause, to: inner.id) }
    }

    @Test("in W&B offline runs: history with nested keys, configuration, summary, terminal and end")
    func weightsAndBiases() throws {
        let fixture = try Fixture()
        typealias It = LogFiles
        let configuration = It.field(1, It.item("lr", "0.001")) + It.field(1, It.item("deep", "{\"a\": [1, 2]}"))
        let long = String(repeating: "z", count: 100_000)
        let typed = It.field(2, "typed") + It.field(5, varint: 7)
        let nested = It.field(2, "deep") + It.field(2, "x") + It.field(16, "0.5")
        let image = [It.item("picture/_type", "\"image\""), It.item("picture/width", "3")]
        let file = It.wandb([
            It.field(21, It.field(1, It.field(1, "0.31.0"))),
            It.field(17, It.field(1, "id7") + It.field(4, configuration) + It.field(8, "a title")),
            It.history(step: 0, [It.item("loss", "2.5"), nested, It.item("_timestamp", "1.7e9"), typed] + image),
            It.history(
                step: 1, [It.item("loss", "NaN"), It.item("text", "\"\(long)\""), It.item("d", "{\"e\": {\"f\": 3}}")]),
            It.history(step: 5, [It.item("loss", "\"-Infinity\""), It.item("ok", "true")]),
            It.field(13, It.field(3, "hello\n")),
            It.field(3, It.field(1, It.item("best", "0.75"))),
            It.field(18, It.field(1, varint: 3)),
        ])
        File.write(file, to: fixture.folder.file("run-id7.wandb"))
        let report = try RunFollower.open(fixture.folder.file("run-id7.wandb")).follow(into: fixture.store)
        #expect(report.notes.isEmpty && report.points == 6)
        let run = try #require(try fixture.store.runs().first)
        #expect(run.name == "a title" && run.state == .failed && run.note == "The run ended with exit code 3.")
        let loss = try #require(try fixture.store.points(of: run.id, "loss"))
        #expect(loss.steps == [0, 1, 5] && loss.values[0] == 2.5 && loss.values[1].isNaN)
        #expect(loss.values[2] == -.infinity && loss.times[0] == 1_700_000_000_000_000_000)
        for (name, value) in [("deep/x", 0.5), ("d/e/f", 3), ("typed", -4)] {
            #expect(try fixture.store.points(of: run.id, name)?.values == [value], "\(name)")
        }
        #expect(try fixture.store.endSummary(of: run.id) == "{\"best\":0.75}")
        let text = try #require(try fixture.store.description(of: run.id)?.configuration)
        #expect(text.contains("\"lr\": 0.001") && text.contains("\"deep\""))
        #expect(try fixture.store.samples(of: run.id).map(\.prompt) == ["terminal", "text"])
    }

    @Test(
        "in JSONL logs, whatever the step is called",
        arguments: [
            ("{\"step\": 1, \"loss\": 2}\n{\"step\": 4, \"loss\": 1.5}\n", [1, 4], [2, 1.5]),
            ("{\"global_step\": \"10\", \"loss\": NaN}\n", [10], [.nan]),
            (
                "{\"iter\": 3, \"epoch\": 1, \"loss\": -Infinity}\r\n\n{\"iter\": 4, \"loss\": \"inf\"}", [3, 4],
                [-.infinity, .infinity]
            ),
            ("{\"loss\": 1}\n{\"loss\": 2}\nnot json\n[1]\n{\"loss\": 3}\n", [0, 1, 2], [1, 2, 3]),
            ("{\"epoch\": 0.5, \"step\": 7, \"other\": {\"loss\": 9}, \"loss\": 1e400}\n", [7], [.infinity]),
            ("\u{FEFF}{\"_step\": 2, \"loss\": 0.1}\n{\"_step\": 3, \"loss\": [1], \"l\": true}\n", [2], [0.1]),
        ] as [(String, [Int64], [Double])])
    func jsonLines(text: String, steps: [Int64], values: [Double]) throws {
        let fixture = try Fixture()
        File.write(text, to: fixture.folder.file("log.jsonl"))
        let report = try RunFollower.open(fixture.folder.file("log.jsonl")).follow(into: fixture.store)
        let run = try #require(report.runs.first)
        let points = try #require(try fixture.store.points(of: run, "loss"))
        #expect(points.steps == steps)
        #expect(points.values.map(\.description) == values.map(\.description))
        #expect(report.notes.count == (text.contains("not json") ? 1 : 0))
    }

    @Test("in JSONL logs with times, configuration and samples")
    func jsonLinesMore() throws {
        let fixture = try Fixture()
        let lines = [
            "{\"config\": {\"lr\": 0.1, \"speed_unit\": \"tokens\"}}",
            "{\"step\": 1, \"time\": 1700000000.5, \"a\": {\"b\": 1}}",
            "{\"step\": 2, \"timestamp\": \"2023-11-14T22:13:21Z\", \"a\": {\"b\": 2}, \"prompt\": \"p\", "
                + "\"text\": \"t\"}",
        ]
        File.write(lines.joined(separator: "\n"), to: fixture.folder.file("log.jsonl"))
        let report = try RunFollower.open(fixture.folder.path).follow(into: fixture.store)
        let run = try #require(report.runs.first)
        #expect(
            try fixture.store.points(of: run, "a/b")?.times == [1_700_000_000_500_000_000, 1_700_000_001_000_000_000])
        #expect(try fixture.store.samples(of: run).map(\.prompt) == ["p"])
        #expect(
            try fixture.store.description(of: run)?.configuration
                == "{\n  \"lr\": 0.1,\n  \"speed_unit\": \"tokens\"\n}")
        #expect(try fixture.store.description(of: run)?.unit == "tokens")
    }

    @Test(
        "its start is the first recorded time, and unknown in a log without times",
        arguments: [
            ("{\"step\": 1, \"loss\": 2}\n", nil),
            ("{\"step\": 1, \"loss\": 2}\n{\"step\": 2, \"loss\": 1, \"time\": 1700000000}\n", 1_700_000_000),
            ("{\"step\": 1, \"loss\": 2, \"time\": 1700000000}\n{\"step\": 2, \"loss\": 1}\n", 1_700_000_000),
        ] as [(String, Int64?)])
    func started(text: String, seconds: Int64?) throws {
        let fixture = try Fixture()
        File.write(text, to: fixture.folder.file("log.jsonl"))
        _ = try RunFollower.open(fixture.folder.file("log.jsonl")).follow(into: fixture.store)
        let run = try #require(try fixture.store.runs().first)
        #expect(run.started == seconds.map { $0 * 1_000_000_000 })
        #expect(run.created > 0 && run.changed > 0)
    }

    @Test("in trainer_state.json: the newest checkpoint, what is new of it, and a run that started again")
    func trainerState() throws {
        let fixture = try Fixture()
        let folder = TemporaryFolder()
        func state(_ steps: Int, loss: Double = 1) -> String {
            let entries = (1...steps).map {
                "{\"step\": \($0 * 10), \"loss\": \(loss / Double($0)), \"epoch\": 0.\($0)}"
            }
            return
                "{\"global_step\": \(steps * 10), \"max_steps\": 40, \"log_history\": "
                + "[\(entries.joined(separator: ", "))]}"
        }
        for number in [1, 2] {
            makeFolder(folder.file("checkpoint-\(number)0"))
            File.write(state(number), to: folder.file("checkpoint-\(number)0/trainer_state.json"))
        }
        let follower = try RunFollower.open(folder.path)
        #expect(follower.format == .trainerState)
        #expect(try follower.follow(into: fixture.store).points == 4)
        makeFolder(folder.file("checkpoint-40"))
        File.write(state(4), to: folder.file("checkpoint-40/trainer_state.json"))
        #expect(try follower.follow(into: fixture.store).points == 4)
        let run = try #require(try fixture.store.runs().first)
        #expect(run.state == .finished && run.steps == 40 && run.step == 40 && run.started == nil)
        #expect(try fixture.store.points(of: run.id, "loss")?.values == [1, 0.5, 1 / 3, 0.25])
        File.write(state(4, loss: 8), to: folder.file("checkpoint-40/trainer_state.json"))
        #expect(try follower.follow(into: fixture.store).points == 8)
        #expect(try fixture.store.points(of: run.id, "loss")?.values == [8, 4, 8 / 3, 2])
    }
}

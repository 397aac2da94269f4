import System
import TestFixtures
import Testing
import Training
import TrainingLab

/// A log of each format that grows, with what its curve `loss` is at the end.
enum GrowingLog: String, CaseIterable, Sendable {
    case tensorBoard, weightsAndBiases, jsonLines

    var name: String {
        switch self {
        case .tensorBoard: "events.out.tfevents.5.host"
        case .weightsAndBiases: "run-1.wandb"
        case .jsonLines: "log.jsonl"
        }
    }

    static let steps = 40

    /// Long enough records that a W&B log has several blocks.
    var bytes: [UInt8] {
        let filler = String(repeating: "y", count: 2_000)
        switch self {
        case .tensorBoard:
            return LogFiles.version
                + (0..<Self.steps).flatMap {
                    LogFiles.scalar("loss", Float($0), step: $0) + LogFiles.scalar(filler, 1, step: $0)
                }
        case .weightsAndBiases:
            return LogFiles.wandb(
                (0..<Self.steps).map {
                    LogFiles.history(step: $0, [LogFiles.item("loss", "\($0)"), LogFiles.item("t", "\"\(filler)\"")])
                })
        case .jsonLines:
            return (0..<Self.steps).flatMap { Array("{\"step\": \($0), \"loss\": \($0), \"t\": \"\(filler)\"}\n".utf8) }
        }
    }
}

@Suite("A log that grows")
struct GrowingFileTests {
    @Test("is read to the same end, wherever it was cut at each look", arguments: GrowingLog.allCases)
    func growing(log: GrowingLog) throws {
        let fixture = try Fixture()
        let whole = log.bytes
        let path = fixture.folder.file(log.name)
        var random = SplitMix(state: 11)
        var cuts = (0..<25).map { _ in Int.random(in: 0..<whole.count, using: &random) }.sorted()
        cuts.append(whole.count)
        var points = 0
        for cut in cuts {
            File.write(Array(whole[..<cut]), to: path)
            guard let follower = try? RunFollower.open(path) else {
                #expect(cut < 3_000, "a log with whole records is recognized")
                continue
            }
            let report = try follower.follow(into: fixture.store)
            #expect(report.notes.isEmpty)
            points += report.points
        }
        let run = try #require(try fixture.store.runs().first)
        let loss = try #require(try fixture.store.points(of: run.id, "loss"))
        #expect(loss.values == (0..<GrowingLog.steps).map(Double.init))
        #expect(try fixture.store.series(of: run.id).reduce(0) { $0 + $1.count } == points)
        #expect(try RunFollower.open(path).follow(into: fixture.store).points == 0)
    }

    @Test("a log that was replaced by a different file is read from the start", arguments: GrowingLog.allCases)
    func replaced(log: GrowingLog) throws {
        let fixture = try Fixture()
        let path = fixture.folder.file(log.name)
        File.write(log.bytes, to: path)
        let follower = try RunFollower.open(path)
        try follower.follow(into: fixture.store)
        File.write(Array(log.bytes.prefix(log.bytes.count / 2)), to: path)
        let report = try follower.follow(into: fixture.store)
        #expect(report.notes == ["\(path) was replaced and is being read again from the start."])
        let run = try #require(try fixture.store.runs().first)
        let half = try #require(try fixture.store.points(of: run.id, "loss"))
        #expect(half.values == (0..<half.count).map(Double.init) && half.count < GrowingLog.steps)
    }

    @Test("and is damaged gives what is whole, and says where it is not", arguments: GrowingLog.allCases)
    func damaged(log: GrowingLog) throws {
        let fixture = try Fixture()
        var bytes = log.bytes
        bytes[40_000] ^= 0x08
        if log == .jsonLines { bytes[40_000] = 0x0A }
        File.write(bytes, to: fixture.folder.file(log.name))
        let report = try RunFollower.open(fixture.folder.path).follow(into: fixture.store)
        #expect(!report.notes.isEmpty)
        let run = try #require(try fixture.store.runs().first)
        let loss = try #require(try fixture.store.points(of: run.id, "loss"))
        #expect(loss.count > GrowingLog.steps / 3)
        #expect(zip(loss.steps, loss.values).allSatisfy { Double($0) == $1 })
    }

    @Test(
        "and foreign or hostile files are answered with a sentence",
        arguments: [
            ("", "is not a supported training log"), ("hello", "is not a supported training log"),
            ("{\"a\": \"b\"}\n", "is not a supported training log"),
            ("{}", "is not a supported training log"),
            ("\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}", "is not a supported training log"),
        ])
    func foreign(content: String, sentence: String) throws {
        let folder = TemporaryFolder()
        File.write(content, to: folder.file("x"))
        let error = #expect(throws: Problem.self) { try RunFollower.open(folder.file("x")) }
        #expect(error?.sentence.contains(sentence) == true)
        #expect {
            try RunFollower.open(folder.file("y"))
        } throws: { "\($0)" == "\(folder.file("y")) does not exist. Check the path." }
    }

    @Test("a record that says it is larger than any memory is waited for, not taken")
    func hugeLength() throws {
        let fixture = try Fixture()
        let length = LogFiles.bytes(UInt64.max - 3)
        let sum = LogFiles.crc(length, polynomial: 0x82F6_3B78)
        let masked = LogFiles.bytes(((sum >> 15) | (sum << 17)) &+ 0xA282_EAD8)
        let file = LogFiles.version + LogFiles.scalar("x", 1, step: 1) + length + masked + [1, 2, 3]
        File.write(file, to: fixture.folder.file("events.out.tfevents"))
        #expect(try RunFollower.open(fixture.folder.path).follow(into: fixture.store).points == 1)
    }
}

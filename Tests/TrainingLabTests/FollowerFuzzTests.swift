import Glibc
import TestFixtures
import Testing
import Training
import TrainingLab
import Workspace

@Suite("Damaged logs of others")
struct FollowerFuzzTests {
    /// Logs damaged a test: a few here, as many as `ORRERY_MUTATIONS` says when it is set.
    private static let mutations = getenv("ORRERY_MUTATIONS").flatMap { Int(String(cString: $0)) } ?? 100

    enum Log: CaseIterable, Sendable {
        case tensorBoard, weightsAndBiases, jsonLines, trainerState

        var name: String {
            switch self {
            case .tensorBoard: "events.out.tfevents.1"
            case .weightsAndBiases: "run.wandb"
            case .jsonLines: "log.jsonl"
            case .trainerState: "trainer_state.json"
            }
        }

        /// The log, its records damaged one by one by `damage`; checksums are of what they are then.
        func bytes(_ damage: ([UInt8]) -> [UInt8]) -> [UInt8] {
            typealias It = LogFiles
            let text = It.field(1, varint: 7) + It.field(8, "Once")
            switch self {
            case .tensorBoard:
                let whole =
                    [It.version, It.hyperparameters([("lr", It.field(2, 0.5))]), It.start(step: 3)]
                    + (0..<6).map { It.scalar("loss", Float($0), step: $0) }
                    + [It.tensor("story", text, plugin: "text", step: 2)]
                    + [It.tensor("d", It.field(1, varint: 2) + It.field(6, It.bytes(0.5.bitPattern)), step: 2)]
                return whole.flatMap { It.frame(damage(Array($0[12..<($0.count - 4)]))) }
            case .weightsAndBiases:
                let run = It.field(17, It.field(1, "id") + It.field(4, It.field(1, It.item("lr", "0.1"))))
                let rows = (0..<5).map {
                    It.history(step: $0, [It.item("loss", "\($0)"), It.item("a", "{\"b\": [1, 2]}")])
                }
                return It.wandb(([run] + rows + [It.field(13, It.field(3, "line")), It.field(18, [])]).map(damage))
            case .jsonLines:
                return (0..<6).flatMap {
                    damage(Array("{\"step\": \($0), \"loss\": {\"a\": \($0).5}, \"time\": 1.7e9}\n".utf8))
                }
            case .trainerState:
                let rows = (0..<4).map { "{\"step\": \($0), \"loss\": \($0).25, \"grad_norm\": NaN}" }.joined(
                    separator: ", ")
                return damage(Array("{\"global_step\": 4, \"max_steps\": 9, \"log_history\": [\(rows)]}".utf8))
            }
        }
    }

    private static func damaged(_ bytes: [UInt8], _ random: inout SplitMix) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[place] = [0, 0xFF, 0x7F, 0x80, 0x22, 0x7B, 0x5B, 0x0A].randomElement(using: &random) ?? 0
            case 2: bytes.removeLast(bytes.count - place)
            case 3: bytes.insert(contentsOf: repeatElement(0xFF, count: 9), at: place)
            case 4: bytes.insert(contentsOf: Array(bytes[place...].prefix(40)), at: place)
            default: bytes.removeSubrange(place..<min(bytes.count, place + 5))
            }
        }
        return bytes
    }

    @Test("go on after the last step that a number can count")
    func lastStep() throws {
        typealias It = LogFiles
        let fixture = try Fixture()
        let path = fixture.folder.file("run.wandb")
        let rows = [It.history(step: .max, [It.item("loss", "1")]), It.field(2, It.field(1, It.item("loss", "2")))]
        File.write(It.wandb(rows), to: path)
        #expect(try RunFollower.open(path).follow(into: fixture.store).points == 2)
    }

    @Test("never end the program, and leave a store that is whole", arguments: Log.allCases)
    func damage(log: Log) throws {
        let fixture = try Fixture()
        var points = 0
        for number in 0..<Self.mutations {
            var random = SplitMix(state: UInt64(number))
            let isWithin = number % 4 != 0
            // Every fifth replaces the previous one, like a file that was rewritten.
            let path = fixture.folder.file("\(number - (number % 5 == 4 ? 1 : 0))-\(log.name)")
            var bytes = log.bytes { isWithin ? Self.damaged($0, &random) : $0 }
            if !isWithin { bytes = Self.damaged(bytes, &random) }
            File.write(bytes, to: path)
            guard let follower = try? RunFollower.open(path) else { continue }
            let report = try follower.follow(into: fixture.store)
            points += report.points
            #expect(report.notes.allSatisfy { $0.utf8.count < 500 })
            let again = try follower.follow(into: fixture.store)
            #expect(again.points == 0, "mutation \(number) gave points twice")
            guard let run = report.runs.first, number % 10 == 0 else { continue }
            for series in try fixture.store.series(of: run) {
                let curve = try fixture.store.curve(of: run, series.name, CurveRequest(columns: 10, smoothing: 0.5))
                #expect(curve?.pointCount == series.count)
            }
        }
        #expect(points > Self.mutations / 4)
        #expect(try fixture.store.workspace.check(TrainingLab.checks).problems.isEmpty)
    }
}

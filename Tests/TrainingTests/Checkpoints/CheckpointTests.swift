import System
import TestFixtures
import Testing
import Training

@Suite("Checkpoints")
struct CheckpointTests {
    private struct Full: Error, CustomStringConvertible {
        var description: String { "cannot write the file: No space left on device." }
    }

    @Test("are kept: the last ones, and the best")
    func kept() throws {
        let run = TinyRun("checkpoints.keep=2", "checkpoints.every=4")
        try run.run(into: CollectingSink())
        #expect(run.checkpoints == ["step-000000020.safetensors", "step-000000024.safetensors"])
        #expect(File.bytes(run.checkpoint("best.safetensors")) != nil)
        #expect(!TemporaryFolder.names(in: run.folder.file("tiny.run")).contains { $0.hasSuffix(".partial") })
    }

    @Test("checkpoints that cannot be written are reported, and earlier ones stay")
    func fullDisk() throws {
        let run = TinyRun("checkpoints.best=false")
        let sink = CollectingSink()
        let error = try #require(throws: Problem.self) {
            try run.trainer { if $0.contains("step-00000001") || $0.contains("step-00000002") { throw Full() } }
                .run(into: sink)
        }
        #expect(
            error.sentence
                == "cannot write the checkpoint of step 24: cannot write the file: No space left on device. "
                + "The checkpoint of step 5 is intact.")
        #expect(sink.kinds.filter { $0 == .warning }.count == 3)
        #expect(sink.kinds.last == .failed)
        #expect(sink.points.last?.step == 24)
        #expect(run.checkpoints == ["step-000000000.safetensors", "step-000000005.safetensors"])
        let result = try run.trainer().run(into: sink)
        #expect(result.end == .finished && sink.points.map(\.step) == Array(1...24))
    }

    @Test(
        "that are damaged are passed over, and it is said",
        arguments: ["cut", "flipped", "foreign", "empty"])
    func damaged(how: String) throws {
        let run = TinyRun()
        let whole = CollectingSink()
        try run.run(into: whole)
        let last = run.checkpoint("step-000000024.safetensors")
        var bytes = try #require(File.bytes(last))
        switch how {
        case "cut": bytes.removeLast(bytes.count / 3)
        case "flipped": bytes[bytes.count - 100] ^= 4
        case "foreign": bytes = Array("\u{2}\0\0\0\0\0\0\0{}".utf8)
        default: bytes = []
        }
        File.write(bytes, to: last)
        let sink = CollectingSink()
        let result = try run.trainer().run(into: sink)
        #expect(result.end == .finished)
        #expect(sink.points.map(\.step) == Array(21...24))
        let warnings = sink.events.filter { $0.kind == .warning }.map(\.text)
        #expect(warnings.first?.hasPrefix(last) == true)
        #expect(warnings.last == "Using \(run.checkpoint("step-000000020.safetensors")) instead.")
        #expect(
            sink.curve(RunSeries.trainLoss) == whole.curve(RunSeries.trainLoss).filter { $0.key > 20 })
    }

    @Test("that are all damaged begin nothing by themselves")
    func allDamaged() throws {
        let run = TinyRun()
        try run.run(into: CollectingSink())
        for name in run.checkpoints { File.write("nothing", to: run.checkpoint(name)) }
        let error = try #require(throws: Problem.self) { try run.trainer().run(into: CollectingSink()) }
        #expect(
            error.sentence.contains(
                "no checkpoint can be read. Use --fresh to start over and replace the checkpoints. "))
        #expect(try run.trainer().run(into: CollectingSink(), starting: .fresh).end == .finished)
    }

    @Test("of one folder belong to one run at a time, but anyone may read them")
    func locked() throws {
        let run = TinyRun()
        let first = try run.trainer()
        let error = try #require(throws: Problem.self) { try run.trainer() }
        #expect(
            error.sentence.hasSuffix(
                "another run is using this folder. Stop that run, or choose a different folder."))
        _ = try first.run(into: CollectingSink())
        #expect(try Trainer(toExport: try run.configuration()).step == 24)
        #expect(try Trainer(toExport: try run.configuration(), best: true).step > 0)
    }
}

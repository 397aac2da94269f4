import EvalLogs
import Hashing
import JSON
import Testing
import Traces

@Suite("Damaged logs")
struct EvalLogFuzzTests {
    /// Reads all that a log tells, if it opens: what matters is that this ends, and ends with an error at worst.
    private func readAll(_ bytes: [UInt8], _ file: ScratchFile) throws -> Int {
        try file.write(bytes)
        guard let logs = try? EvalLogFormats.open(file.path) else { return 0 }
        var read = 0
        for log in logs {
            let rows = (try? log.rows(0..<64) { false }) ?? []
            for row in rows.prefix(3) {
                if let sample = try? log.sample(row.index) {
                    read += 1
                    #expect(sample.row.scores.count == log.run.scores.count)
                    #expect(sample.failingStep.map { sample.steps.indices.contains($0) } ?? true)
                }
                _ = try? log.spans(of: row.index)
            }
            // Lines that are damaged leave gaps.
            #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.index < $1.index })
            _ = try? InspectMetrics.checks(log)
            #expect((try? log.sample(-1)) == nil)
            #expect((try? log.sample(1 << 40)) == nil)
        }
        return read
    }

    @Test(
        "however damaged, they are read or refused",
        arguments: [
            "inspect_zstd.eval", "inspect_deflate.eval", "inspect_unfinished.eval", "inspect_run.json",
            "promptfoo.json", "garak.jsonl", "openai_evals.jsonl", "orrery.jsonl",
        ])
    func damage(name: String) throws {
        let bytes = try EvalLogFixtures.bytes(EvalLogFixtures.path(name))
        let file = try ScratchFile([])
        var read = 0
        for seed in 0..<40 as Range<UInt64> {
            var mutation = ByteMutation(seed: seed)
            read += try readAll(mutation.mutated(bytes), file)
        }
        // Damage in few places of a whole file, so that much of it is still read.
        for seed in 0..<40 as Range<UInt64> {
            var random = SplitMix64(state: seed)
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            read += try readAll(damaged, file)
        }
        // A document of 260 KB is usually cut to a few lines, which do not form a log.
        #expect(read > (name == "inspect_run.json" ? 5 : 20))
    }

    @Test("lines of lm-eval too")
    func damagedLines() throws {
        let folder = try EvalLogFormats.open(EvalLogFixtures.path("lm-eval"))
        let path = try #require(folder.first?.run.path)
        let bytes = try EvalLogFixtures.bytes(path)
        let file = try ScratchFile([])
        var read = 0
        for seed in 0..<80 as Range<UInt64> {
            var mutation = ByteMutation(seed: seed)
            read += try readAll(mutation.mutated(bytes), file)
        }
        #expect(read > 20)
    }
}

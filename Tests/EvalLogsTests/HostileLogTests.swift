import EvalLogs
import Testing

@Suite("Logs that are made to hurt")
struct HostileLogTests {
    private static let head = #"{"version":2,"status":"success","eval":{"task":"t","model":"m"},"results":{}}"#

    private func archive(_ entries: [(name: String, text: String, size: Int?)]) -> [UInt8] {
        var zip = StoredZip()
        for entry in [("header.json", Self.head, nil)] + entries {
            zip.add(entry.0, Array(entry.1.utf8), size: entry.2)
        }
        return zip.file
    }

    private func sample(_ number: Int) -> String {
        #"{"id":\#(number),"epoch":1,"input":"q\#(number)","target":"t","scores":{"a":{"value":1}}}"#
    }

    @Test("an entry of few bytes that would become gigabytes is refused before it is read")
    func bomb() throws {
        let file = try ScratchFile(archive([("summaries.json", "[" + sample(1) + "]", 3 << 30)]))
        let error = #expect(throws: EvalLogError.self) { try EvalLogFormats.open(file.path) }
        #expect(error?.place == "summaries.json")
        #expect(
            error?.problem.hasSuffix("would expand to 3072 MiB, an implausible ratio for a log") == true,
            "\(error?.problem ?? "")")
    }

    @Test("the error for an entry of the wrong length names the entry", arguments: [10, 5_000])
    func sizes(size: Int) throws {
        let file = try ScratchFile(
            archive([("summaries.json", "[" + sample(1) + "]", nil), ("samples/1_epoch_1.json", sample(1), size)]))
        let log = try #require(EvalLogFormats.open(file.path).first)
        #expect(try log.rows(0..<5) { false }.count == 1)
        #expect(throws: EvalLogError.self) { try log.sample(0) }
    }

    @Test("of very many samples only the first rows stay in memory; the others are read again, the same")
    func many() throws {
        let count = 100_300
        let summaries = (0..<count).map { #"{"id":\#($0),"scores":{"a":{"value":1}}}"# }.joined(separator: ",")
        let last = (100_200..<100_210).map { ("samples/\($0)_epoch_1.json", sample($0), nil as Int?) }
        let file = try ScratchFile(archive([("summaries.json", "[" + summaries + "]", nil)] + last))
        let log = try #require(EvalLogFormats.open(file.path).first)
        let first = try log.rows(99_990..<100_205) { false }
        #expect(first.map(\.index) == Array(99_990..<100_205) && first.map(\.id) == first.map { "\($0.index)" })
        #expect(try log.rows(100_205..<200_000) { false }.count == count - 100_205)
        // Some of them have a sample in the log, the others are known by name.
        let again = try log.rows(100_200..<100_205) { false }
        #expect(again.map(\.id) == first.suffix(5).map(\.id) && again.map(\.scores) == first.suffix(5).map(\.scores))
        #expect(again.map(\.input) == (100_200..<100_205).map { "q\($0)" })
        let lost = try #require(try log.rows(100_250..<100_251) { false }.first)
        #expect(lost.id == "100250" && lost.problem == "the sample is not in the log" && lost.scores.count == 1)
        #expect(log.run.completed == count)
    }

    @Test("a file that is written over while it is open says so")
    func writtenOver() throws {
        let whole = archive([
            ("summaries.json", "[" + sample(1) + "]", nil), ("samples/1_epoch_1.json", sample(1), nil),
        ])
        let file = try ScratchFile(whole)
        let log = try #require(EvalLogFormats.open(file.path).first)
        #expect(try log.sample(0).row.id == "1")
        try file.write(Array(repeating: 0x20, count: whole.count + 1))
        let error = #expect(throws: EvalLogError.self) { try log.sample(0) }
        #expect(error?.remedy == "The file has changed since it was opened. Open it again.")
    }

    @Test("a file that is gone is read on")
    func gone() throws {
        let log: any EvalLog
        do {
            let file = try ScratchFile(
                archive([("summaries.json", "[" + sample(1) + "]", nil), ("samples/1_epoch_1.json", sample(1), nil)]))
            log = try withExtendedLifetime(file) { try #require(EvalLogFormats.open(file.path).first) }
        }
        #expect(try log.sample(0).row.id == "1" && log.run.state == .done)
    }
}

import EvalLogs
import Glibc
import Testing

@Suite("Logs that another program is writing")
struct LogGrowthTests {
    private func attempt(_ number: Int) -> String {
        #"{"entry_type":"attempt","status":2,"seq":\#(number),"probe_classname":"p","prompt":"q\#(number)","#
            + #""outputs":["a"],"detector_results":{"d":[0]}}"# + "\n"
    }

    @Test("a log of lines grows, ends, is truncated, and is rewritten")
    func lines() throws {
        let file = try ScratchFile(Array((attempt(0) + attempt(1) + String(attempt(2).prefix(60))).utf8))
        let log = try #require(EvalLogFormats.open(file.path).first)
        #expect(try log.rows(0..<9) { false }.map(\.id) == ["p#0", "p#1"])
        #expect(log.run.state == .running && log.refresh() == .none)
        try file.write(Array((attempt(2).dropFirst(60) + attempt(3)).utf8), appending: true)
        #expect(log.refresh() == .grown && log.refresh() == .none)
        #expect(try log.rows(2..<9) { false }.map(\.id) == ["p#2", "p#3"])
        try file.write(
            Array((#"{"entry_type":"completion","end_time":"2026-01-01T00:00:00"}"# + "\n").utf8), appending: true)
        #expect(log.refresh() == .grown && log.run.state == .done)
        try file.write(Array(attempt(7).utf8))
        let error = #expect(throws: EvalLogError.self) { try log.sample(3) }
        #expect(error?.problem.hasPrefix("the file is shorter than when it was opened") == true)
        #expect(log.refresh() == .replaced)
        #expect(try log.rows(0..<9) { false }.map(\.id) == ["p#7"])
        #expect(log.run.completed == 1 && log.run.isCounted)
    }

    @Test("a log of Orrery grows by whole lines")
    func orrery() throws {
        let bytes = try EvalLogFixtures.bytes(EvalLogFixtures.path("orrery.jsonl"))
        let cut = bytes.count / 2
        let file = try ScratchFile(Array(bytes[..<cut]))
        let log = try #require(EvalLogFormats.open(file.path).first)
        let before = try log.rows(0..<99) { false }
        #expect((1..<15).contains(before.count))
        try file.write(Array(bytes[cut...]), appending: true)
        #expect(log.refresh() == .grown)
        #expect(try log.rows(before.count..<99) { false }.count == 15 - before.count)
    }

    @Test("an archive of Inspect whose summaries go on keeps its rows")
    func archive() throws {
        func sample(_ number: Int) -> String {
            #"{"id":\#(number),"epoch":1,"input":"q\#(number)","target":"t","scores":{"a":{"value":1}}}"#
        }
        func bytes(_ batches: Int, isFinished: Bool = false, first: Int = 0) -> [UInt8] {
            var zip = StoredZip()
            zip.add("_journal/start.json", Array(#"{"version":2,"eval":{"task":"t","model":"m"}}"#.utf8))
            for batch in 0..<batches {
                zip.add("samples/\(first + batch)_epoch_1.json", Array(sample(first + batch).utf8))
                zip.add("_journal/summaries/\(batch + 1).json", Array(("[" + sample(first + batch) + "]").utf8))
            }
            if isFinished {
                let all = (0..<batches).map { sample(first + $0) }.joined(separator: ",")
                zip.add("summaries.json", Array(("[" + all + "]").utf8))
                zip.add("header.json", Array(#"{"version":2,"status":"success","eval":{"task":"t","model":"m"}}"#.utf8))
            }
            return zip.file
        }
        let file = try ScratchFile(bytes(2))
        let log = try #require(EvalLogFormats.open(file.path).first)
        #expect(try log.rows(0..<9) { false }.map(\.id) == ["0", "1"])
        #expect(log.refresh() == .none)
        try file.write(bytes(4))
        #expect(log.refresh() == .grown)
        #expect(try log.rows(2..<9) { false }.map(\.id) == ["2", "3"])
        #expect(try log.sample(0).input == "q0" && log.run.completed == 4)
        try file.write(bytes(5, isFinished: true))
        #expect(log.refresh() == .grown && log.run.state == .done)
        #expect(try log.rows(4..<9) { false }.map(\.id) == ["4"])
        try file.write(bytes(5, isFinished: true, first: 3))
        #expect(log.refresh() == .replaced)
        #expect(try log.rows(0..<1) { false }.map(\.id) == ["3"])
    }

    @Test("a text that is rewritten completely is read again", arguments: ["inspect_run.json", "promptfoo.json"])
    func documents(name: String) throws {
        let bytes = try EvalLogFixtures.bytes(EvalLogFixtures.path(name))
        let file = try ScratchFile(bytes)
        let log = try #require(EvalLogFormats.open(file.path).first)
        let count = try log.rows(0..<99) { false }.count
        #expect(log.refresh() == .none)
        try file.write(bytes + [0x0A])
        #expect(log.refresh() == .replaced)
        #expect(try log.rows(0..<99) { false }.count == count && count > 2)
    }

    @Test("a pipe is rejected at once, with or without a writer")
    func pipe() throws {
        let file = try ScratchFile([])
        unlink(file.path)
        try #require(mkfifo(file.path, 0o600) == 0)
        let error = #expect(throws: EvalLogError.self) { try EvalLogFormats.open(file.path) }
        #expect(error?.problem.hasPrefix("the path is a pipe") == true && error?.remedy.isEmpty == false)
    }
}

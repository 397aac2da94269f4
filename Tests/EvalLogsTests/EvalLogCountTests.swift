import EvalLogs
import JSON
import Testing

@Suite("How many samples a log has")
struct EvalLogCountTests {
    @Test(
        "a small log is counted when it is opened",
        arguments: [("garak.jsonl", 18), ("openai_evals.jsonl", 9), ("promptfoo.json", 8), ("inspect_run.eval", 15)])
    func small(name: String, count: Int) throws {
        let run = try EvalLogFixtures.log(name).run
        #expect(run.isCounted && run.completed == count)
    }

    @Test("lm-eval results report the number of samples, and do not take a file type for a version")
    func results() throws {
        let runs = try EvalLogFormats.open(EvalLogFixtures.path("lm-eval")).map(\.run)
        #expect(runs.map(\.completed) == [6, 6, 6] && runs.allSatisfy(\.isCounted))
        #expect(runs.map(\.taskVersion).allSatisfy { Int($0) != nil || $0.isEmpty })
    }

    @Test("a large log does not make up a number before it has been read")
    func large() throws {
        let filler = String(repeating: "x", count: 4_000)
        let lines = (0..<400).map { number in
            #"{"entry_type":"attempt","status":2,"seq":\#(number),"probe_classname":"p","prompt":"\#(filler)","#
                + #""outputs":["a","b"],"detector_results":{"d":[0,1]}}"#
        }
        let file = try ScratchFile(Array((lines.joined(separator: "\n") + "\n").utf8))
        let log = try #require(EvalLogFormats.open(file.path).first)
        #expect(!log.run.isCounted)
        #expect(try JSONValue(json: log.run.json())["completed"] == nil)
        #expect(try log.rows(0..<100) { false }.count == 100)
        #expect(!log.run.isCounted && log.run.completed >= 100)
        #expect(try log.rows(100..<2_000) { false }.count == 700)
        #expect(log.run.isCounted && log.run.completed == 800)
    }

    @Test("fewer samples than promised are reported once the end has been seen")
    func cut() throws {
        let log = try EvalLogFixtures.log("orrery.jsonl")
        _ = try log.rows(0..<1_000) { false }
        #expect(log.run.isCounted && log.run.completed == 15 && log.run.total == 300)
        #expect(log.run.state == .unfinished)
    }

    @Test("promptfoo columns with equal names are distinguished")
    func names() throws {
        let bytes = try EvalLogFixtures.bytes(EvalLogFixtures.path("promptfoo.json"))
        let text = String(decoding: bytes, as: UTF8.self).replacing("openai:model-1", with: "openai:model-0")
        let file = try ScratchFile(Array(text.utf8))
        let names = try EvalLogFormats.open(file.path).map(\.run.name)
        #expect(names == ["openai:model-0 · Say {{word}}", "openai:model-0 · Say {{word}} (2)"])
    }

    @Test("samples of lm-eval that are cut are those of a run that did not come to its end")
    func cutSamples() throws {
        let name = "samples_made_choice_2026-11-23T05-19-34.453292.jsonl"
        let whole = try EvalLogFixtures.bytes(EvalLogFixtures.path("lm-eval/" + name))
        let file = try ScratchFile(Array(whole.dropLast(200)))
        let run = try #require(EvalLogFormats.open(file.path).first).run
        #expect(run.state == .unfinished && run.completed == 5 && run.problem == "the last line is truncated")
    }

    @Test("truncated text is reported", arguments: ["inspect_run.json", "promptfoo.json"])
    func cutText(name: String) throws {
        let whole = try EvalLogFixtures.bytes(EvalLogFixtures.path(name))
        let file = try ScratchFile(Array(whole.prefix(whole.count * 3 / 4)))
        let log = try #require(EvalLogFormats.open(file.path).first)
        _ = try log.rows(0..<99) { false }
        #expect(log.run.state == .unfinished)
        #expect(log.run.problem?.contains("the file ends inside an object") == true)
    }

    @Test("a folder gives the logs of every program in it, and in the folders in it")
    func folder() throws {
        let runs = try EvalLogFormats.open(EvalLogFixtures.folder).map(\.run)
        let formats: Set = ["orrery", "inspect", "lm-eval", "promptfoo", "garak", "openai-evals"]
        #expect(Set(runs.map(\.format)) == formats)
        #expect(runs.count { $0.format == "lm-eval" } == 3)
    }
}

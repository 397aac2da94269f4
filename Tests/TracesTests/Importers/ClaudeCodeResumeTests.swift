import LanguageModels
import Testing
import Traces

@Suite("Claude Code: reading again")
struct ClaudeCodeResumeTests {
    private let beginning = ClaudeLine.file(
        ClaudeLine.user("u1", after: nil, #""go""#, second: 1),
        ClaudeLine.progress("p1", after: "u1", #"{"type":"hook_progress"}"#, second: 1),
        ClaudeLine.assistant("a1", after: "p1", id: "m1", ClaudeLine.call("t1"), second: 2))

    private let rest = ClaudeLine.file(
        ClaudeLine.user("r1", after: "a1", ClaudeLine.result("t1"), second: 3),
        ClaudeLine.assistant(
            "a2", after: "r1", id: "m2", ClaudeLine.text("done"), second: 4,
            usage: #"{"input_tokens":5,"output_tokens":6}"#))

    @Test("importing the same file again changes nothing")
    func sameFile() throws {
        let once = try importing(beginning + rest, with: ClaudeCodeImporter.self).trace
        let twice = try importing(beginning + rest, with: ClaudeCodeImporter.self, stored: [once]).trace
        #expect(twice.spans == once.spans)
        #expect(twice.messages == once.messages)
        #expect(twice.events == once.events)
        #expect(twice.summary == once.summary)
    }

    @Test("a grown file adds what is new, as if it had been read at once")
    func grownFile() throws {
        let stored = try importing(beginning, with: ClaudeCodeImporter.self).trace
        let grown = try importing(beginning + rest, with: ClaudeCodeImporter.self, stored: [stored]).trace
        let whole = try importing(beginning + rest, with: ClaudeCodeImporter.self).trace
        #expect(grown.spans == whole.spans)
        #expect(grown.messages == whole.messages)
        #expect(grown.events == whole.events)
    }

    @Test("an answer cut in two by the end of a file is one call, with the usage of its last line")
    func splitAnswer() throws {
        let half = ClaudeLine.file(
            ClaudeLine.assistant(
                "a1", after: nil, id: "m1", ClaudeLine.text("a"), usage: #"{"input_tokens":5,"output_tokens":1}"#))
        let more = ClaudeLine.file(
            ClaudeLine.assistant(
                "a2", after: "a1", id: "m1", ClaudeLine.text("b"), usage: #"{"input_tokens":5,"output_tokens":9}"#))
        let stored = try importing(half, with: ClaudeCodeImporter.self).trace
        let grown = try importing(half + more, with: ClaudeCodeImporter.self, stored: [stored])
        #expect(grown.totals.modelCalls == 1)
        #expect(grown.totals.usage == Usage(input: 5, output: 9))
        #expect(grown.trace.spans(.model)[0].records.count == 2)
    }

    @Test("a truncated last line is not an error, and is read when the file has grown")
    func cutOffLine() throws {
        let whole = beginning + rest
        let cut = String(whole.dropLast(40))
        let first = try importing(cut, with: ClaudeCodeImporter.self, isStrict: true)
        #expect(first.skipped == 0)
        #expect(first.pendingBytes > 0)
        #expect(first.totals.modelCalls == 1)
        let second = try importing(whole, with: ClaudeCodeImporter.self, stored: [first.trace])
        #expect(second.totals.modelCalls == 2)
        #expect(second.pendingBytes == 0)
    }
}

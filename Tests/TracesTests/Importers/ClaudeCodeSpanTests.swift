import LanguageModels
import Testing
import Traces

@Suite("Claude Code: spans")
struct ClaudeCodeSpanTests {
    @Test("one message.id over several lines is one model call, and its last usage counts")
    func linesOfOneAnswer() throws {
        let imported = try importing(
            ClaudeLine.file(
                ClaudeLine.user("u1", after: nil, #""hello""#, second: 1),
                ClaudeLine.assistant(
                    "a1", after: "u1", id: "m1", #"{"type":"thinking","thinking":"hm"}"#, second: 3,
                    usage:
                        #"{"input_tokens":3,"cache_creation_input_tokens":10,"cache_read_input_tokens":20,"output_tokens":1}"#
                ),
                ClaudeLine.assistant(
                    "a2", after: "a1", id: "m1", ClaudeLine.text("hi"), second: 5,
                    usage:
                        #"{"input_tokens":3,"cache_creation_input_tokens":10,"cache_read_input_tokens":20,"output_tokens":9}"#
                )), with: ClaudeCodeImporter.self)
        let calls = imported.trace.spans(.model)
        #expect(calls.count == 1)
        #expect(calls[0].usage == Usage(input: 33, cacheRead: 20, cacheWrite: 10, output: 9))
        #expect(calls[0].records.count == 2)
        #expect(calls[0].model == "claude-opus-4-6")
        #expect(imported.totals.messages == 2)
        #expect(imported.trace.messages.map(\.span) == [nil, calls[0].ordinal, calls[0].ordinal])
    }

    @Test("a model call starts when it was asked and ends with its last line")
    func timeOfModelCall() throws {
        let imported = try importing(
            ClaudeLine.file(
                ClaudeLine.user("u1", after: nil, #""hello""#, second: 1),
                ClaudeLine.assistant("a1", after: "u1", id: "m1", ClaudeLine.text("a"), second: 4),
                ClaudeLine.assistant("a2", after: "a1", id: "m1", ClaudeLine.text("b"), second: 6)),
            with: ClaudeCodeImporter.self)
        let call = imported.trace.spans(.model)[0]
        #expect(call.start == ClaudeLine.moment(1))
        #expect(call.end == ClaudeLine.moment(6))
        #expect(call.inputHead == 0)
    }

    @Test("a tool call lasts from its block to its result")
    func timeOfToolCall() throws {
        let imported = try importing(
            ClaudeLine.file(
                ClaudeLine.assistant("a1", after: nil, id: "m1", ClaudeLine.call("t1", "Grep"), second: 2),
                ClaudeLine.user("u1", after: "a1", ClaudeLine.result("t1"), second: 5)), with: ClaudeCodeImporter.self)
        let tool = imported.trace.spans(.tool)[0]
        #expect(tool.name == "Grep")
        #expect((tool.start, tool.end) == (ClaudeLine.moment(2), ClaudeLine.moment(5)))
        #expect(tool.status == .ok)
        #expect(tool.records.count == 2)
        #expect(imported.trace.messages[1].role == .tool)
        #expect(imported.trace.messages[1].span == tool.ordinal)
    }

    @Test("a tool call without a result has no end")
    func unfinishedToolCall() throws {
        let imported = try importing(
            ClaudeLine.file(ClaudeLine.assistant("a1", after: nil, id: "m1", ClaudeLine.call("t1"))),
            with: ClaudeCodeImporter.self)
        let tool = imported.trace.spans(.tool)[0]
        #expect(tool.end == nil)
        #expect(tool.status == .unset)
    }

    @Test(
        "is_error fails a tool call, and its first line says why",
        arguments: [
            (#""<tool_use_error>no such file</tool_use_error>""#, "no such file"),
            (#""\n  first\nsecond""#, "first"),
            (#""Exit code 2\nls: cannot open""#, "Exit code 2: ls: cannot open"),
            (#"[{"type":"text","text":"from a block"}]"#, "from a block"),
        ])
    func failedToolCall(content: String, error: String) throws {
        let imported = try importing(
            ClaudeLine.file(
                ClaudeLine.assistant("a1", after: nil, id: "m1", ClaudeLine.call("t1")),
                ClaudeLine.user("u1", after: "a1", ClaudeLine.result("t1", content, failed: true))),
            with: ClaudeCodeImporter.self)
        let tool = imported.trace.spans(.tool)[0]
        #expect(tool.status == .error)
        #expect(tool.error == error)
        #expect(imported.totals.errors == 1)
    }

    @Test("an interrupted command is not a failed call: only is_error is")
    func interruptedCommand() throws {
        let imported = try importing(
            ClaudeLine.file(
                ClaudeLine.assistant("a1", after: nil, id: "m1", ClaudeLine.call("t1")),
                ClaudeLine.user(
                    "u1", after: "a1", ClaudeLine.result("t1", failed: false), #""toolUseResult":{"interrupted":true}"#)
            ),
            with: ClaudeCodeImporter.self)
        #expect(imported.trace.spans(.tool)[0].status == .ok)
    }

    @Test("a result that comes before its call ends it all the same")
    func resultBeforeCall() throws {
        let imported = try importing(
            ClaudeLine.file(
                ClaudeLine.user("u1", after: "a1", ClaudeLine.result("t1", failed: true), second: 4),
                ClaudeLine.assistant("a1", after: nil, id: "m1", ClaudeLine.call("t1"), second: 2)),
            with: ClaudeCodeImporter.self)
        #expect(imported.trace.spans(.tool)[0].end == ClaudeLine.moment(4))
        #expect(imported.trace.spans(.tool)[0].status == .error)
    }

    @Test("a failed result without its call is an event, for there is no span that failed")
    func resultWithoutCall() throws {
        let imported = try importing(
            ClaudeLine.file(ClaudeLine.user("u1", after: nil, ClaudeLine.result("t0", #""gone""#, failed: true))),
            with: ClaudeCodeImporter.self)
        #expect(imported.totals.errors == 0)
        #expect(imported.totals.toolCalls == 0)
        #expect(imported.trace.events.map(\.kind) == [.error])
        let sentence = try imported.sentence(imported.trace.events[0], with: ClaudeCodeImporter.self)
        #expect(sentence == "a tool call that is not in the log failed: gone")
    }

    @Test("a result without an id belongs to the one call of the line it follows")
    func namelessCall() throws {
        let call = #"{"type":"tool_use","name":"bash","input":{}}"#
        let imported = try importing(
            ClaudeLine.file(
                ClaudeLine.assistant("a1", after: nil, id: "m1", call),
                ClaudeLine.user("u1", after: "a1", #"[{"type":"tool_result","content":"no","is_error":true}]"#)),
            with: ClaudeCodeImporter.self)
        #expect(imported.trace.spans(.tool).map(\.status) == [.error])
        #expect(imported.trace.spans(.tool)[0].externalID == "a1#0")
    }

    @Test("a message and a tool call may bear the same identifier")
    func sameIdentifier() throws {
        let imported = try importing(
            ClaudeLine.file(ClaudeLine.assistant("x", after: nil, id: "x", ClaudeLine.call("x"))),
            with: ClaudeCodeImporter.self)
        #expect(imported.totals.modelCalls == 1)
        #expect(imported.totals.toolCalls == 1)
    }

    @Test("an error of the provider is a failed model call")
    func providerError() throws {
        let imported = try importing(
            ClaudeLine.file(
                ClaudeLine.assistant(
                    "a1", after: nil, id: "m1", ClaudeLine.text("API Error: 529 overloaded"),
                    usage: #"{"input_tokens":0,"output_tokens":0}"#, model: "<synthetic>", #""isApiErrorMessage":true"#)
            ),
            with: ClaudeCodeImporter.self)
        let call = imported.trace.spans(.model)[0]
        #expect(call.status == .error)
        #expect(call.error == "API Error: 529 overloaded")
        #expect(call.cost == 0)
        #expect(imported.totals.unpriced == 0)
    }

    @Test("a model that is not in the price table has no cost, and is counted as unpriced")
    func unknownModel() throws {
        let imported = try importing(
            ClaudeLine.file(
                ClaudeLine.assistant("a1", after: nil, id: "m1", ClaudeLine.text("x"), model: "house-model")),
            with: ClaudeCodeImporter.self)
        #expect(imported.trace.spans(.model)[0].cost == nil)
        #expect(imported.totals.unpriced == 1)
        #expect(imported.totals.cost == nil)
    }

    @Test("a cache that lives for an hour costs what its own price says")
    func longCache() throws {
        let usage =
            #"{"input_tokens":0,"cache_creation_input_tokens":1000000,"output_tokens":0,"#
            + #""cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":1000000}}"#
        let imported = try importing(
            ClaudeLine.file(ClaudeLine.assistant("a1", after: nil, id: "m1", ClaudeLine.text("x"), usage: usage)),
            with: ClaudeCodeImporter.self)
        #expect(imported.trace.spans(.model)[0].cost == 10)
    }

    @Test(
        "figures that no call can have had count as none",
        arguments: [#"{"input_tokens":-5}"#, #"{"input_tokens":"7"}"#, #"{"input_tokens":9223372036854775807}"#])
    func absurdUsage(usage: String) throws {
        let imported = try importing(
            ClaudeLine.file(ClaudeLine.assistant("a1", after: nil, id: "m1", ClaudeLine.text("x"), usage: usage)),
            with: ClaudeCodeImporter.self)
        #expect(imported.trace.spans(.model)[0].usage == Usage())
    }
}

import LanguageModels
import Testing
import Traces

@Suite("Claude Code: texts")
struct ClaudeCodeContentTests {
    @Test("a message's parts are read from its line")
    func message() throws {
        let blocks = [
            #"{"type":"thinking","thinking":"hm","signature":"x"}"#, ClaudeLine.text(#"a\nb \u00e9"#),
            ClaudeLine.call("t1"),
            #"{"type":"server_tool_use","id":"z"}"#,
        ].joined(separator: ",")
        let imported = try importing(
            ClaudeLine.file(ClaudeLine.assistant("a1", after: nil, id: "m1", blocks)), with: ClaudeCodeImporter.self)
        let message = try imported.message(0, with: ClaudeCodeImporter.self)
        #expect(
            message
                == Message(
                    .assistant,
                    [
                        .reasoning("hm"), .text("a\nb é"),
                        .toolCall(ToolCall(id: "t1", name: "Bash", arguments: #"{"command":"ls"}"#)),
                        .other(type: "server_tool_use", json: #"{"type":"server_tool_use","id":"z"}"#),
                    ]))
    }

    @Test("a result may be a text, blocks with an image, or missing")
    func results() throws {
        let content =
            #"[{"type":"text","text":"seen"},{"type":"image","source":{"media_type":"image/png","data":"AAAA"}}]"#
        let imported = try importing(
            ClaudeLine.file(
                ClaudeLine.assistant("a1", after: nil, id: "m1", ClaudeLine.call("t1")),
                ClaudeLine.user("u1", after: "a1", ClaudeLine.result("t1", content, failed: true)),
                ClaudeLine.user("u2", after: "u1", #"[{"type":"tool_result","tool_use_id":"t1"}]"#)),
            with: ClaudeCodeImporter.self)
        let result = ToolResult(callID: "t1", content: "seen\n[image/png, 3 bytes]", isError: true)
        #expect(try imported.message(1, with: ClaudeCodeImporter.self) == Message(.tool, [.toolResult(result)]))
        let empty = ToolResult(callID: "t1", content: "", isError: false)
        #expect(try imported.message(2, with: ClaudeCodeImporter.self) == Message(.tool, [.toolResult(empty)]))
    }

    @Test("blocks that are not objects are shown and do no harm")
    func brokenBlocks() throws {
        let imported = try importing(
            ClaudeLine.file(ClaudeLine.user("u1", after: nil, #"["wow error",7,null]"#)), with: ClaudeCodeImporter.self)
        let parts = try imported.message(0, with: ClaudeCodeImporter.self)?.parts
        #expect(parts == [.text("wow error"), .other(type: "", json: "7"), .other(type: "", json: "null")])
    }

    @Test("a tool call's details are its arguments, its result and what the tool reported")
    func details() throws {
        let imported = try importing(
            ClaudeLine.file(
                ClaudeLine.assistant(
                    "a1", after: nil, id: "m1", ClaudeLine.call("t1") + "," + ClaudeLine.call("t2", "Read", "{}")),
                ClaudeLine.user(
                    "u1", after: "a1", ClaudeLine.result("t1", #""file""#),
                    #""toolUseResult":{"stdout":"file","interrupted":false,"code":0}"#)), with: ClaudeCodeImporter.self)
        let tool = try #require(imported.trace.span("t1"))
        let details = try imported.details(tool, with: ClaudeCodeImporter.self)
        #expect(details.input == #"{"command":"ls"}"#)
        #expect(details.output == "file")
        #expect(details.attributes == [.init("interrupted", "false"), .init("code", "0")])
    }
}

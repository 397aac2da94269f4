import LanguageModels
import Testing
import Traces

@Suite("Claude Code: what a model had read")
struct ClaudeCodeChainTests {
    @Test("chains pass through lines that are not messages")
    func throughProgress() throws {
        let trace = try importing(
            ClaudeLine.file(
                ClaudeLine.user("u1", after: nil, #""go""#),
                ClaudeLine.progress("p1", after: "u1", #"{"type":"hook_progress"}"#),
                ClaudeLine.system("y1", after: "p1", "stop_hook_summary"),
                ClaudeLine.assistant("a1", after: "y1", id: "m1", ClaudeLine.text("hi"))), with: ClaudeCodeImporter.self
        ).trace
        #expect(trace.messages.map(\.previous) == [nil, 0])
        #expect(trace.spans(.model)[0].inputHead == 0)
    }

    @Test("a call that follows parallel tools had read all their results")
    func parallelTools() throws {
        let trace = try importing(
            ClaudeLine.file(
                ClaudeLine.user("u1", after: nil, #""go""#),
                ClaudeLine.assistant("a1", after: "u1", id: "m1", ClaudeLine.call("t1")),
                ClaudeLine.assistant("a2", after: "a1", id: "m1", ClaudeLine.call("t2")),
                ClaudeLine.user("r1", after: "a1", ClaudeLine.result("t1")),
                ClaudeLine.user("r2", after: "a2", ClaudeLine.result("t2")),
                ClaudeLine.assistant("a3", after: "r2", id: "m2", ClaudeLine.text("both are done"))),
            with: ClaudeCodeImporter.self
        ).trace
        #expect(trace.conversation(to: trace.span("m2")?.inputHead) == [0, 1, 2, 3, 4])
    }

    @Test("a rewind shares the beginning and leaves out what was taken back")
    func fork() throws {
        let trace = try importing(
            ClaudeLine.file(
                ClaudeLine.user("u1", after: nil, #""go""#),
                ClaudeLine.assistant("a1", after: "u1", id: "m1", ClaudeLine.text("hi")),
                ClaudeLine.user("u2", after: "a1", #""left""#),
                ClaudeLine.assistant("a2", after: "u2", id: "m2", ClaudeLine.text("left it is")),
                ClaudeLine.user("u3", after: "a1", #""right""#),
                ClaudeLine.assistant("a3", after: "u3", id: "m3", ClaudeLine.text("right it is"))),
            with: ClaudeCodeImporter.self
        ).trace
        #expect(trace.conversation(to: trace.span("m2")?.inputHead) == [0, 1, 2])
        #expect(trace.conversation(to: trace.span("m3")?.inputHead) == [0, 1, 4])
    }

    @Test("a compaction begins a new conversation, though logicalParentUuid leads back")
    func compaction() throws {
        let trace = try importing(
            ClaudeLine.file(
                ClaudeLine.user("u1", after: nil, #""go""#),
                ClaudeLine.assistant("a1", after: "u1", id: "m1", ClaudeLine.text("hi")),
                ClaudeLine.system("c1", after: nil, "compact_boundary", #""logicalParentUuid":"a1""#),
                ClaudeLine.user("u2", after: "c1", #""This session continues""#, #""isCompactSummary":true"#),
                ClaudeLine.assistant("a2", after: "u2", id: "m2", ClaudeLine.text("on"))), with: ClaudeCodeImporter.self
        ).trace
        #expect(trace.conversation(to: trace.span("m2")?.inputHead) == [2])
        #expect(trace.messages[2].marks == .compaction)
        #expect(trace.events.map(\.kind) == [.compaction])
    }

    @Test("what the program put into the conversation is marked")
    func injected() throws {
        let trace = try importing(
            ClaudeLine.file(ClaudeLine.user("u1", after: nil, #""Base directory""#, #""isMeta":true"#)),
            with: ClaudeCodeImporter.self
        ).trace
        #expect(trace.messages[0].marks == .injected)
    }

    @Test("a parent that comes later in the file is found; a circle is not followed")
    func lateAndCircular() throws {
        let late = try importing(
            ClaudeLine.file(
                ClaudeLine.assistant("a1", after: "p1", id: "m1", ClaudeLine.text("hi")),
                ClaudeLine.progress("p1", after: "u1", #"{"type":"hook_progress"}"#),
                ClaudeLine.user("u1", after: nil, #""go""#)), with: ClaudeCodeImporter.self
        ).trace
        // The question stands behind its answer: a link to it would lead forward.
        #expect(late.messages.map(\.previous) == [nil, nil])
        let circle = try importing(
            ClaudeLine.file(
                ClaudeLine.user("u1", after: "u1", #""go""#),
                ClaudeLine.assistant("a1", after: "p1", id: "m1", ClaudeLine.text("hi")),
                ClaudeLine.progress("p1", after: "p2", #"{"type":"hook_progress"}"#),
                ClaudeLine.progress("p2", after: "p1", #"{"type":"hook_progress"}"#)), with: ClaudeCodeImporter.self
        ).trace
        #expect(circle.messages.map(\.previous) == [nil, nil])
        let through = try importing(
            ClaudeLine.file(
                ClaudeLine.user("u1", after: nil, #""go""#),
                ClaudeLine.assistant("a1", after: "p1", id: "m1", ClaudeLine.text("hi")),
                ClaudeLine.progress("p1", after: "u1", #"{"type":"hook_progress"}"#)), with: ClaudeCodeImporter.self
        ).trace
        #expect(through.messages.map(\.previous) == [nil, 0])
        #expect(through.spans(.model)[0].inputHead == 0)
        let behind = try importing(
            ClaudeLine.file(
                ClaudeLine.user("u1", after: nil, #""go""#),
                ClaudeLine.progress("p2", after: "p1", #"{"type":"hook_progress"}"#),
                ClaudeLine.assistant("a1", after: "p2", id: "m1", ClaudeLine.text("hi")),
                ClaudeLine.progress("p1", after: "u1", #"{"type":"hook_progress"}"#)), with: ClaudeCodeImporter.self
        ).trace
        #expect(behind.messages.map(\.previous) == [nil, 0])
    }

    @Test("a thousand lines that came before their parents are followed to the end", .timeLimit(.minutes(1)))
    func longDetour() throws {
        var lines = [ClaudeLine.user("u1", after: nil, #""go""#)]
        for number in 1...1000 {
            lines.append(ClaudeLine.progress("p\(number)", after: "p\(number - 1)", #"{"type":"hook_progress"}"#))
            lines.append(
                ClaudeLine.assistant("a\(number)", after: "p\(number)", id: "m\(number)", ClaudeLine.text("x")))
        }
        lines.append(ClaudeLine.progress("p0", after: "u1", #"{"type":"hook_progress"}"#))
        let trace = try importing(lines.joined(separator: "\n"), with: ClaudeCodeImporter.self).trace
        #expect(trace.messages.dropFirst().allSatisfy { $0.previous == 0 })
        #expect(trace.spans(.model).allSatisfy { $0.inputHead == 0 })
    }

    @Test("lengths are those of the texts, not of their escapes")
    func extents() throws {
        let blocks = [
            #"{"type":"thinking","thinking":"h\u00fcm"}"#, ClaudeLine.text(#"a\nb"#),
            #"{"type":"tool_use","id":"t1","name":"ls","input":{"a":1}}"#,
        ].joined(separator: ",")
        let trace = try importing(
            ClaudeLine.file(
                ClaudeLine.assistant("a1", after: nil, id: "m1", blocks),
                ClaudeLine.user(
                    "r1", after: "a1",
                    ClaudeLine.result("t1", #"[{"type":"text","text":"x\ty"},{"type":"image","source":{}}]"#))),
            with: ClaudeCodeImporter.self
        ).trace
        #expect(trace.messages[0].extent.text == 3)
        #expect(trace.messages[0].extent.reasoning == 4)
        #expect(trace.messages[0].extent.toolCalls == 2 + 7)
        #expect(trace.messages[1].extent.toolResults == 3)
        #expect(trace.messages[1].extent.attachments == 1)
    }
}

import LanguageModels
import Testing
import Traces

@Suite("Claude Code: sub-agents")
struct ClaudeCodeAgentTests {
    private let main = ClaudeLine.file(
        ClaudeLine.user("u1", after: nil, #""go""#),
        ClaudeLine.assistant(
            "a1", after: "u1", id: "m1",
            ClaudeLine.call("t1", "Task", #"{"subagent_type":"explorer","description":"find it","prompt":"Find it."}"#),
            second: 1),
        ClaudeLine.progress(
            "p1", after: "a1", #"{"type":"agent_progress","agentId":"7f","message":{"type":"user"}}"#, second: 2,
            #""parentToolUseID":"t1","toolUseID":"agent_m1""#),
        ClaudeLine.user("r1", after: "a1", ClaudeLine.result("t1"), second: 9, #""toolUseResult":{"agentId":"7f"}"#))

    private let part = ClaudeLine.file(
        ClaudeLine.user("x1", after: nil, #""Find it.""#, second: 2, #""agentId":"7f","isSidechain":true"#),
        ClaudeLine.assistant(
            "x2", after: "x1", id: "n1", ClaudeLine.call("t2"), second: 4, #""agentId":"7f","isSidechain":true"#),
        ClaudeLine.user("x3", after: "x2", ClaudeLine.result("t2"), second: 6, #""agentId":"7f","isSidechain":true"#))

    @Test("a sub-agent lies below the call that started it, whichever file comes first", arguments: [false, true])
    func place(partFirst: Bool) throws {
        let files = [("s.jsonl", main), ("s/subagents/agent-7f.jsonl", part)]
        let trace = try importing(partFirst ? files.reversed() : files, with: ClaudeCodeImporter.self).trace
        let agent = try #require(trace.span("agent:7f"))
        #expect(agent.kind == .agent)
        #expect(agent.parent == trace.span("t1")?.ordinal)
        #expect(agent.name == "explorer: find it")
        #expect((agent.start, agent.end) == (ClaudeLine.moment(2), ClaudeLine.moment(6)))
        #expect(trace.span("n1")?.parent == agent.ordinal)
        #expect(trace.span("t2")?.parent == agent.ordinal)
        #expect(trace.span("m1")?.parent == trace.spans(.agent).first { $0.parent == nil }?.ordinal)
        #expect(TraceTotals(of: trace).agents == 2)
    }

    @Test("progress is an event below the call, and neither a message nor a span")
    func progress() throws {
        let trace = try importing(main, with: ClaudeCodeImporter.self).trace
        #expect(trace.events.map(\.name) == ["agent_progress"])
        #expect(trace.events[0].kind == .progress)
        #expect(trace.events[0].span == trace.span("t1")?.ordinal)
        #expect(trace.messages.count == 3)
        // Its file is missing, so there is nothing of the sub-agent to show.
        #expect(trace.span("agent:7f") == nil)
    }

    @Test("a sub-agent whose call is not known lies below the session's agent")
    func unknownCall() throws {
        let trace = try importing(part, with: ClaudeCodeImporter.self).trace
        #expect(trace.span("agent:7f")?.parent == 0)
        #expect(trace.spans[0].externalID == "s")
    }

    @Test("an agent that is said to have started itself does not hang in a circle")
    func circle() throws {
        let trace = try importing(
            ClaudeLine.file(
                ClaudeLine.assistant("a1", after: nil, id: "m1", ClaudeLine.call("t1", "Task"), #""agentId":"7f""#),
                ClaudeLine.user(
                    "r1", after: "a1", ClaudeLine.result("t1"), #""agentId":"7f","toolUseResult":{"agentId":"7f"}"#)),
            with: ClaudeCodeImporter.self
        ).trace
        #expect(TraceInvariants.violation(in: trace) == nil)
        #expect(trace.span("agent:7f")?.parent == 0 || trace.span("t1")?.parent == 0)
    }
}

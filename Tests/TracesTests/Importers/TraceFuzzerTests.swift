import LanguageModels
import Testing
import Traces

@Suite("Damaged sources")
struct TraceFuzzerTests {
    private static let session = ClaudeLine.file(
        ClaudeLine.user("u1", after: nil, #""go""#, #""cwd":"/tmp""#),
        ClaudeLine.assistant(
            "a1", after: "u1", id: "m1",
            ClaudeLine.text("hm") + "," + ClaudeLine.call("t1", "Task", #"{"subagent_type":"x"}"#)),
        ClaudeLine.progress(
            "p1", after: "a1", #"{"type":"agent_progress","agentId":"7f"}"#, #""parentToolUseID":"t1""#),
        ClaudeLine.user("r1", after: "p1", ClaudeLine.result("t1", failed: true), #""toolUseResult":{"agentId":"7f"}"#),
        ClaudeLine.user("x1", after: nil, #""sub""#, #""agentId":"7f""#),
        ClaudeLine.assistant("x2", after: "x1", id: "n1", ClaudeLine.call("t2"), #""agentId":"7f""#),
        ClaudeLine.system("c1", after: nil, "compact_boundary", #""logicalParentUuid":"a1""#),
        ClaudeLine.user("u2", after: "c1", #"[{"type":"text","text":"on"}]"#, #""isCompactSummary":true"#),
        #"{"type":"summary","summary":"s","leafUuid":"u2"}"#)

    private static let spans =
        OTLPMessageTests.conventions.map { MessageText.document($0.span) + "\n" }.joined()
        + MessageText.logs(
            MessageText.log(
                span: "ab", event: "gen_ai.client.inference.operation.details",
                MessageText.attribute("gen_ai.input.messages", #"[{"role":"user","content":"hi"}]"#))) + "\n"

    @Test("what is read of damaged sources is whole", arguments: ["claude-code", "otlp"], [1, 1000] as [UInt64])
    func damaged(format: String, seed: UInt64) throws {
        let bytes = Array((format == "otlp" ? Self.spans : Self.session).utf8)
        let report = try #require(TraceFuzzer.run(format: format, seed: seed, count: 150, on: bytes))
        #expect(report.violations.isEmpty)
        #expect(report.runs == 150)
        // If nothing came through, nothing was tested.
        #expect(report.records > 300)
        #expect(report.skipped > 20)
        #expect(report.spans > 200)
        #expect(report.messages > 200)
    }

    @Test("the same seed damages in the same way")
    func repeatable() {
        let bytes = Array(Self.session.utf8)
        let one = TraceFuzzer.run(format: "claude-code", seed: 9, count: 20, on: bytes)
        #expect(one == TraceFuzzer.run(format: "claude-code", seed: 9, count: 20, on: bytes))
        #expect(one != TraceFuzzer.run(format: "claude-code", seed: 10, count: 20, on: bytes))
    }

    @Test("a broken promise is noticed")
    func plantedFaults() throws {
        let trace = try importing(Self.session, with: ClaudeCodeImporter.self).trace
        #expect(TraceInvariants.violation(in: trace) == nil)
        var circle = trace
        circle.spans[0].parent = 1
        #expect(TraceInvariants.violation(in: circle) == "span 0 is its own ancestor")
        var forward = trace
        forward.messages[0].previous = 1
        #expect(TraceInvariants.violation(in: forward) == "message 0 follows a later one")
        #expect(TraceInvariants.violation(in: trace, bytes: 10) != nil)
    }
}

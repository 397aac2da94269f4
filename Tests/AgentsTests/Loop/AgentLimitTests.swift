import Agents
import LanguageModels
import Testing

@Suite("What ends a run")
struct AgentLimitTests {
    private func run(
        _ answers: [Script.Answer], limits: AgentLimits = AgentLimits(), clock: HandClock = HandClock(),
        form: ReActAgent.Form = .automatic, tools: ToolBox? = nil, sink: Records = Records(),
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws -> AgentRun {
        let agent = ReActAgent(
            Script(answers, acceptsMessages: form != .automatic), tools: try tools ?? AgentsTests.tools(),
            options: .init(limits: limits, form: form), clock: clock.agent)
        return agent.run("?", sink: sink, isCancelled: isCancelled)
    }

    private func sums(_ count: Int) -> [Script.Answer] {
        (0..<count).map { .text(action("calculator", "expression", "1 + \($0)")) }
    }

    @Test("steps: no model call after the limit, but the last action's result is written")
    func steps() throws {
        let records = Records()
        let run = try run(sums(10), limits: AgentLimits(steps: 3), sink: records)
        #expect(run.outcome == .stepLimit(3))
        #expect(run.outcome.problem == "no answer within the limit of 3 model calls.")
        #expect(records.calls.count == 3 && records.tools.count == 3)
        #expect(records.ending?.outcome == "step limit" && records.ending?.problem == run.outcome.problem)
    }

    @Test("tokens: a turn never gets more than what is left")
    func tokens() throws {
        let records = Records()
        let run = try run(sums(10), limits: AgentLimits(tokens: 12, tokensPerTurn: 8), sink: records)
        #expect(run.outcome == .tokenLimit(12))
        #expect(records.calls.map(\.request.sampling.maximumTokens) == [8, 7, 2])
    }

    @Test("tokens that a provider does not count are counted here")
    func uncounted() throws {
        let answers = (0..<10).map { Script.Answer.text(action("lookup", "key", "k\($0)"), tokens: nil) }
        #expect(try run(answers, limits: AgentLimits(tokens: 3)).outcome == .tokenLimit(3))
    }

    @Test("a turn that is cut by the limit of all tokens ends the run, unless its action is whole")
    func cutTurns() throws {
        let limits = AgentLimits(tokens: 10)
        #expect(try run([.text("Thought: hm", .length, tokens: 10)], limits: limits).outcome == .tokenLimit(10))
        #expect(try run([.text("Answer: 8", .length, tokens: 10)], limits: limits).outcome == .tokenLimit(10))
        let whole = try run([.text(action("calculator", "expression", "2+2"), .length, tokens: 10)], limits: limits)
        #expect(whole.outcome == .tokenLimit(10) && whole.toolCalls == 1)
    }

    @Test("a turn that is cut by its own limit is answered with a sentence")
    func longTurns() throws {
        let run = try run([.text("Answer: 8", .length), .text("Answer: 84")])
        #expect(run.outcome == .answered("84"))
        #expect(run.steps[0].observations.map(\.text) == ["error: the answer was cut off; write a shorter one"])
    }

    @Test("time: the model is stopped while it writes, and a tool while it works")
    func time() throws {
        let clock = HandClock()
        let slow = Script.Answer.text("Answer: late") { clock.move(61) }
        #expect(try run([slow], limits: AgentLimits(seconds: 60), clock: clock).outcome == .timeLimit(seconds: 60))
        let other = HandClock()
        let tool = MadeTool { _ in
            other.move(100)
            return "done"
        }
        let records = Records()
        let answers = [Script.Answer.text(#"Action: {"tool": "made", "arguments": {}}"#)]
        let run = try run(
            answers, limits: AgentLimits(seconds: 60), clock: other, tools: ToolBox([tool]), sink: records)
        #expect(run.outcome == .timeLimit(seconds: 60))
        #expect(run.outcome.problem == "no answer within the limit of 60 seconds.")
        #expect(records.tools.count == 1 && records.calls.count == 1)
    }

    @Test("the same call again is not run; so often, and the run ends")
    func repeats() throws {
        var count = 0
        let counter = Records()
        let answers: [Script.Answer] = [
            .text(#"Action: {"tool": "calculator", "arguments": {"expression": "2+2"}}"#),
            .text("Action: { \"arguments\" : {\"expression\":\"2\\u002b2\"},\n\"tool\":\"calculator\"}"),
        ]
        let run = try run(answers, limits: AgentLimits(repeats: 2), sink: counter)
        count = counter.tools.count
        #expect(run.outcome == .repeated(tool: "calculator", times: 2))
        #expect(count == 3, "every call has a result")
        #expect(
            run.steps.flatMap(\.observations).map(\.text) == [
                "4", "error: the same call was made in step 1; use its result or answer",
                "error: the same call was made in step 1; use its result or answer",
            ])
        #expect(run.outcome.problem == "the model called calculator with the same arguments 2 times.")
    }

    @Test("a tool with a side effect is run once, however often it is called")
    func once() throws {
        let runs = Records()
        let tool = MadeTool { _ in
            runs.record(.ended(RunEnd(outcome: "", answer: nil, problem: nil, steps: 0, usage: Usage(), end: 0)))
            return "done"
        }
        let answer = Script.Answer.text(#"Action: {"tool": "made", "arguments": {}}"#)
        _ = try run([answer], tools: ToolBox([tool]))
        #expect(runs.all.count == 1)
    }

    @Test("turns that cannot be read are answered, and end the run when they come in a row")
    func malformed() throws {
        let bad = Script.Answer.text("I would rather talk.")
        let good = Script.Answer.text(action("calculator", "expression", "2+2"))
        let run = try run([bad, bad, good, bad, bad, bad])
        guard case .malformed(let problem, times: 3) = run.outcome else {
            Issue.record("\(run.outcome)")
            return
        }
        #expect(problem.hasPrefix("neither an action nor an answer"))
        #expect(run.steps.count == 6)
    }

    @Test("a canceled run ends at once, before the model, in it, and in a tool")
    func cancelled() throws {
        #expect(try run([.text("Answer: x")], isCancelled: { true }).outcome == .cancelled)
        let first = Switch()
        let records = Records()
        let during = try run([.text("Answer: x") { first.turnOn() }], sink: records, isCancelled: { first.isOn })
        #expect(during.outcome == .cancelled)
        #expect(records.calls.count == 1 && records.ending?.outcome == "cancelled")
        let second = Switch()
        let tool = MadeTool { _ throws(ToolError) in
            second.turnOn()
            throw ToolError("stopped")
        }
        let inTool = Records()
        let run = try run(
            [.text(#"Action: {"tool": "made", "arguments": {}}"#)], tools: ToolBox([tool]), sink: inTool,
            isCancelled: { second.isOn })
        #expect(run.outcome == .cancelled)
        #expect(inTool.tools.map(\.result.content) == ["error: stopped"])
    }

    @Test("calls after the end of the run get a result as well")
    func unrun() throws {
        let answer = Script.Answer.calls(
            ToolCall(id: "a", name: "calculator", arguments: #"{"expression":"1"}"#),
            ToolCall(id: "b", name: "calculator", arguments: #"{"expression":"1"}"#),
            ToolCall(id: "c", name: "calculator", arguments: #"{"expression":"3"}"#))
        let records = Records()
        let run = try run([answer], limits: AgentLimits(repeats: 1), form: .tools, sink: records)
        #expect(run.outcome == .repeated(tool: "calculator", times: 1))
        #expect(records.tools.map(\.result.callID) == ["a", "b", "c"])
        #expect(records.tools[2].result.content == "error: not run, because the run has ended")
    }

    @Test("a model that fails ends the run with its sentence")
    func failure() throws {
        let records = Records()
        let run = try run([.failure(.server, "it broke")], sink: records)
        #expect(run.outcome == .modelFailed("script: it broke."))
        #expect(records.calls.count == 1)
        #expect(records.ending?.problem == "script: it broke.")
    }
}

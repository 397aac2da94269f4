import LanguageModels
import Testing
import Traces

@Suite("Replay: the model call that asked for a tool")
struct AskerTests {
    @Test("a model span around the tool asked for it, even through a span between")
    func nested() {
        var run = MadeRun()
        let agent = run.agent()
        let first = run.call(in: agent)
        let second = run.call(in: agent)
        let direct = run.tool(in: first)
        let between = run.span(.chain, in: first)
        let through = run.tool(in: between)
        let replay = run.replay
        #expect(replay.asker(of: direct) == first)
        #expect(replay.asker(of: through) == first)
        #expect(replay.asker(of: second) == second)
    }

    @Test("tools of one turn that ran side by side were asked for by the same call, however late they ended")
    func parallel() {
        var run = MadeRun()
        let agent = run.agent()
        let question = run.say(.user, 10)
        let first = run.call(in: agent, reading: question)
        let answer = run.say(.assistant, 0, after: question, by: first, calls: 10)
        let more = run.say(.assistant, 0, after: answer, by: first, calls: 10)
        let one = run.tool("one", in: agent)
        let resultOfOne = run.say(.tool, after: more, by: one, results: 10)
        // Another call begins before the second tool of the first one does.
        let second = run.call(in: agent, reading: resultOfOne)
        let two = run.tool("two", in: agent)
        _ = run.say(.tool, after: resultOfOne, by: two, results: 10)
        let replay = run.replay
        #expect(replay.asker(of: one) == first)
        #expect(replay.asker(of: two) == first)
        #expect(replay.asker(of: second) == second)
        #expect(replay.seen(at: two) == [question])
    }

    @Test("a tool without a result was asked for by the last call of its own agent, not of another")
    func withoutResult() {
        var run = MadeRun()
        let agent = run.agent()
        let call = run.call(in: agent)
        let task = run.tool("Task", in: agent)
        let inner = run.agent("sub-agent", in: task)
        let innerCall = run.call(in: inner)
        let outerTool = run.tool("Read", in: agent)
        let innerTool = run.tool("Grep", in: inner)
        let replay = run.replay
        #expect(replay.asker(of: task) == call)
        #expect(replay.asker(of: outerTool) == call)
        #expect(replay.asker(of: innerTool) == innerCall)
    }

    @Test("where each step of a graph is a span of its own, the nearest call before the tool asked for it")
    func graphNodes() {
        var run = MadeRun()
        let agent = run.agent()
        let node = run.span(.chain, "model", in: agent)
        let first = run.call(in: node)
        let other = run.span(.chain, "other branch", in: agent)
        let stray = run.call(in: other)
        let tools = run.span(.chain, "tools", in: agent)
        let tool = run.tool(in: tools)
        let own = run.tool(in: node)
        let replay = run.replay
        #expect(replay.asker(of: tool) == stray)
        #expect(replay.asker(of: own) == first)
    }

    @Test("an agent that calls no model belongs to the agent around it, or else to the previous call")
    func outermost() {
        var run = MadeRun()
        let early = run.tool()
        let wrapper = run.agent("step")
        let call = run.call(in: wrapper)
        let beside = run.tool()
        let agent = run.agent("crew")
        let outer = run.call(in: agent)
        let helper = run.agent("helper", in: agent)
        let inner = run.tool(in: helper)
        let replay = run.replay
        #expect(replay.asker(of: early) == nil)
        #expect(replay.context(at: replay.at(early)).messages.isEmpty)
        #expect(replay.breakdown(at: replay.at(early)) == nil)
        #expect(replay.asker(of: beside) == call)
        #expect(replay.asker(of: inner) == outer)
    }
}

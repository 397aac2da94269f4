import LanguageModels
import Testing
import Traces

@Suite("Replay: walking through a run")
struct ReplayTests {
    @Test("a run is walked from call to tool to call; the first failed step shows what the model had seen")
    func walk() throws {
        var run = MadeRun()
        let agent = run.agent()
        let question = run.say(.user, 300)
        let first = run.call(in: agent, reading: question, input: 20_100)
        let answer = run.say(.assistant, 30, after: question, by: first, calls: 60)
        let tool = run.tool(in: agent, status: .error)
        let result = run.say(.tool, after: answer, by: tool, results: 240)
        let second = run.call(in: agent, reading: result, input: 20_260)
        let replay = run.replay
        #expect(replay.steps == [first, tool, second])
        let failed = try #require(replay.next(.error, after: -1))
        #expect(replay[failed].ordinal == tool)
        #expect(replay.seen(at: tool) == [question])
        #expect(replay.new(at: second) == [answer, result])
        #expect(replay.parts(at: second).reduce(0, +) == 20_260)
    }

    @Test("steps go by their start, sub-agents' among them, and at the same moment by their ordinal")
    func order() {
        var run = MadeRun()
        let agent = run.agent()
        let late = run.call(in: agent, at: 5_000)
        let early = run.call(in: agent, at: 1_000)
        let tool = run.tool("Task", in: agent, at: 2_000)
        let inner = run.agent("sub-agent", in: tool)
        let innerCall = run.call(in: inner, at: 3_000)
        let twin = run.call(in: agent, at: 5_000)
        #expect(run.replay.steps == [early, tool, innerCall, late, twin])
    }

    @Test("a span that is not a step leads to the first step inside it, or after its start")
    func spansBetween() {
        var run = MadeRun()
        let agent = run.agent()
        let before = run.call(in: agent)
        let inner = run.agent("sub-agent", in: agent)
        let beside = run.tool(in: agent)
        let inside = run.call(in: inner)
        let empty = run.span(.retrieval, in: agent)
        let after = run.tool(in: agent)
        let last = run.span(.evaluator, in: agent)
        let replay = run.replay
        #expect(replay.step(of: agent).map { replay.steps[$0] } == before)
        #expect(replay.step(of: inner).map { replay.steps[$0] } == inside)
        #expect(replay.step(of: empty).map { replay.steps[$0] } == after)
        #expect(replay.step(of: beside).map { replay.steps[$0] } == beside)
        #expect(replay.step(of: last) == nil)
        #expect(replay.step(of: 99) == nil)
        #expect(replay.step(of: -1) == nil)
    }

    @Test("landmarks are found in both directions, from before the first step and behind the last")
    func landmarks() {
        var run = MadeRun()
        let agent = run.agent()
        for status in [SpanStatus.ok, .error, .unset, .error] {
            _ = run.call(in: agent)
            _ = run.tool(in: agent, status: status)
        }
        let replay = run.replay
        #expect(replay.next(.error, after: -1) == 3)
        #expect(replay.next(.error, after: 3) == 7)
        #expect(replay.next(.error, after: 7) == nil)
        #expect(replay.previous(.error, before: 8) == 7)
        #expect(replay.previous(.error, before: 3) == nil)
        #expect(replay.next(.model, after: 0) == 2)
        #expect(replay.previous(.tool, before: 3) == 1)
        #expect(replay.next(.any, after: 4) == 5)
        #expect(replay.previous(.any, before: 0) == nil)
        #expect(replay.next(.any, after: .max) == nil)
        #expect(replay.previous(.any, before: .min) == nil)
        #expect(replay.next(.any, after: .min) == 0)
        #expect(replay.next(.compaction, after: -1) == nil)
    }

    @Test("a call's messages are what it answered, over however many lines, and not what it recorded as read")
    func answers() {
        var run = MadeRun()
        let call = run.call()
        let system = run.say(.system, 100, by: call)
        let example = run.say(.assistant, 100, after: system, by: call)
        let question = run.say(.user, 100, after: example, by: call)
        run.trace.spans[call].inputHead = question
        let thinking = run.say(.assistant, 0, after: question, by: call, reasoning: 50)
        let answer = run.say(.assistant, 50, after: thinking, by: call)
        let tool = run.tool()
        let result = run.say(.tool, after: answer, by: tool, results: 20)
        let replay = run.replay
        #expect(replay.messages(of: call).map(\.ordinal) == [thinking, answer])
        #expect(replay.messages(of: tool).map(\.ordinal) == [result])
        #expect(replay.messages(of: 99).isEmpty)
        #expect(replay.messages(of: -1).isEmpty)
    }

    @Test("an empty run has no steps and answers every question with nothing")
    func empty() {
        let replay = MadeRun().replay
        #expect(replay.count == 0)
        #expect(replay.next(.any, after: -1) == nil)
        #expect(replay.previous(.any, before: 0) == nil)
        #expect(replay.context(at: 0).messages.isEmpty)
        #expect(replay.breakdown(at: 0) == nil)
        #expect(replay.density == .usual)
    }
}

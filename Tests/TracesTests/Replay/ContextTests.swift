import LanguageModels
import Testing
import Traces

@Suite("Replay: what a model saw, and what of it was new")
struct ContextTests {
    @Test("a sub-agent's conversation is separate: its first call has no earlier messages")
    func subAgents() {
        var run = MadeRun()
        let agent = run.agent()
        let question = run.say(.user, 10)
        let call = run.call(in: agent, reading: question)
        let answer = run.say(.assistant, 10, after: question, by: call)
        let task = run.tool("Task", in: agent)
        let inner = run.agent("sub-agent", in: task)
        let prompt = run.say(.user, 10)
        let innerCall = run.call(in: inner, reading: prompt)
        let innerAnswer = run.say(.assistant, 10, after: prompt, by: innerCall)
        let innerTool = run.tool(in: inner)
        let innerResult = run.say(.tool, after: innerAnswer, by: innerTool, results: 10)
        let innerNext = run.call(in: inner, reading: innerResult)
        let result = run.say(.tool, after: answer, by: task, results: 10)
        let next = run.call(in: agent, reading: result)
        let replay = run.replay
        #expect(replay.new(at: innerCall) == [prompt])
        #expect(replay.new(at: innerNext) == [innerAnswer, innerResult])
        #expect(replay.new(at: next) == [answer, result])
        #expect(replay.seen(at: next) == [question, answer, result])
        #expect(replay.seen(at: innerTool) == [prompt])
    }

    @Test("two agents that share a system prompt do not share what they have seen")
    func sharedPrompt() {
        var run = MadeRun()
        let root = run.agent()
        let system = run.say(.system, 10)
        let one = run.agent("one", in: root)
        let taskOne = run.say(.user, 10, after: system)
        _ = run.call(in: one, reading: taskOne)
        let two = run.agent("two", in: root)
        let taskTwo = run.say(.user, 20, after: system)
        let call = run.call(in: two, reading: taskTwo)
        #expect(run.replay.new(at: call) == [system, taskTwo])
    }

    @Test("a fork knows what came before the place where it left the conversation")
    func fork() {
        var run = MadeRun()
        let agent = run.agent()
        let question = run.say(.user, 10)
        let first = run.call(in: agent, reading: question)
        let answer = run.say(.assistant, 10, after: question, by: first)
        let follow = run.say(.user, 10, after: answer)
        let second = run.call(in: agent, reading: follow)
        let answerToFollow = run.say(.assistant, 10, after: follow, by: second)
        let third = run.say(.user, 10, after: answerToFollow)
        _ = run.call(in: agent, reading: third)
        let instead = run.say(.user, 20, after: answer)
        let forked = run.call(in: agent, reading: instead)
        let otherQuestion = run.say(.user, 30)
        let afresh = run.call(in: agent, reading: otherQuestion)
        let replay = run.replay
        #expect(replay.new(at: forked) == [answer, instead])
        #expect(replay.seen(at: forked) == [question, answer, instead])
        #expect(replay.new(at: afresh) == [otherQuestion])
    }

    @Test("a retried call sees nothing new")
    func retry() {
        var run = MadeRun()
        let agent = run.agent()
        let question = run.say(.user, 10)
        let failed = run.call(in: agent, reading: question)
        run.trace.spans[failed].status = .error
        let again = run.call(in: agent, reading: question, input: 100)
        let replay = run.replay
        #expect(replay.new(at: failed) == [question])
        #expect(replay.new(at: again) == [])
        #expect(replay.seen(at: again) == [question])
    }

    @Test("calls in spans of their own continue each other by their messages")
    func recordedInputs() {
        var run = MadeRun()
        let graph = run.span(.chain, "graph")
        let one = run.span(.chain, "node", in: graph)
        let first = run.call(in: one)
        let definitions = run.say(.system, by: first, definitions: 50)
        let system = run.say(.system, 10, after: definitions, by: first)
        let question = run.say(.user, 10, after: system, by: first)
        run.trace.spans[first].inputHead = question
        let answer = run.say(.assistant, 0, after: question, by: first, calls: 10)
        let two = run.span(.chain, "node", in: graph)
        let second = run.call(in: two)
        let result = run.say(.tool, after: answer, by: second, results: 10)
        run.trace.spans[second].inputHead = result
        let replay = run.replay
        #expect(replay.new(at: first) == [definitions, system, question])
        #expect(replay.new(at: second) == [answer, result])
        #expect(replay.messages(of: second).isEmpty)
    }

    @Test("after a compaction all is new, and the call that read the summary is a landmark, once")
    func compaction() {
        var run = MadeRun()
        let agent = run.agent()
        let question = run.say(.user, 10)
        let before = run.call(in: agent, reading: question)
        run.event(.compaction)
        let summary = run.say(.user, 500, marks: .compaction)
        let go = run.say(.user, 10, after: summary)
        let after = run.call(in: agent, reading: go)
        let answer = run.say(.assistant, 10, after: go, by: after)
        let more = run.say(.user, 10, after: answer)
        let later = run.call(in: agent, reading: more)
        let replay = run.replay
        #expect(replay.new(at: after) == [summary, go])
        #expect(replay.new(at: later) == [answer, more])
        #expect(replay.next(.compaction, after: -1) == replay.at(after))
        #expect(replay.next(.compaction, after: replay.at(after)) == nil)
        #expect(replay.previous(.compaction, before: replay.count) == replay.at(after))
        #expect(replay.previous(.compaction, before: replay.at(after)) == nil)
        #expect(replay.at(before) < replay.at(after))
    }

    @Test("a compaction without a summary is found by its event: the next model call, not the tool between")
    func silentCompaction() {
        var run = MadeRun()
        let agent = run.agent()
        _ = run.call(in: agent)
        run.event(.compaction)
        run.event(.compaction)
        _ = run.tool(in: agent)
        let after = run.call(in: agent)
        let summary = run.say(.user, 500, marks: .compaction)
        let summarized = run.call(in: agent, reading: summary)
        run.event(.compaction)
        let replay = run.replay
        #expect(replay.next(.compaction, after: -1) == replay.at(after))
        #expect(replay.next(.compaction, after: replay.at(after)) == replay.at(summarized))
        #expect(replay.next(.compaction, after: replay.at(summarized)) == nil)
    }
}

import LanguageModels
import Testing
import Traces

@Suite("Replay: how a context filled up")
struct ContextBreakdownTests {
    private func hidden(_ run: PlantedRun, _ call: Int) -> Int {
        let replay = run.run.replay
        return replay.breakdown(at: replay.at(call))?[.notInLog] ?? -1
    }

    private func expect(_ found: Int, near wanted: Int, within: Int, _ place: SourceLocation = #_sourceLocation) {
        #expect(abs(found - wanted) <= within, "\(found) is not near \(wanted)", sourceLocation: place)
    }

    @Test("what the log does not hold is the same at every call of a conversation")
    func constant() {
        var planted = PlantedRun(hidden: 20_000)
        planted.work(40)
        let replay = planted.run.replay
        let hidden = planted.calls.map { replay.breakdown(at: replay.at($0))?[.notInLog] ?? -1 }
        #expect(Set(hidden).count == 1)
        expect(hidden[0], near: 20_000, within: 10)
        #expect(abs(replay.density.bytesPerToken - 3) < 0.01)
        let last = replay.parts(at: planted.calls.last ?? 0)
        #expect(last.reduce(0, +) == planted.billed)
        let results = (0..<40).map { 100 + $0 % 11 * 170 }.reduce(0, +)
        expect(last[ContextBreakdown.Part.results.rawValue], near: results / 3 + 40 * 40, within: 60)
        expect(last[ContextBreakdown.Part.user.rawValue], near: 200, within: 3)
    }

    @Test("text that comes to more tokens than usual is measured by the bill, not by the average")
    func denseText() {
        var planted = PlantedRun(hidden: 20_000)
        planted.work(20)
        planted.density = 1.7
        planted.say(.user, 3_400)
        planted.density = 3
        planted.call()
        let dense = planted.calls.last ?? 0
        let replay = planted.run.replay
        expect(replay.parts(at: dense)[ContextBreakdown.Part.user.rawValue], near: 2_200, within: 20)
        expect(hidden(planted, dense), near: 20_000, within: 20)
    }

    @Test("content added outside the log counts as not in the log afterward")
    func injected() {
        var planted = PlantedRun(hidden: 20_000)
        planted.work(20)
        planted.change(by: 1_500)
        planted.exchange(3)
        let after = planted.calls.last ?? 0
        planted.exchange(4)
        expect(hidden(planted, planted.calls[19]), near: 20_000, within: 20)
        expect(hidden(planted, after), near: 21_500, within: 30)
        #expect(hidden(planted, after) == hidden(planted, planted.calls.last ?? 0))
    }

    @Test("what is taken out is missing from the log's parts, and it says so")
    func takenOut() throws {
        var planted = PlantedRun(hidden: 20_000)
        planted.work(20)
        planted.change(by: -4_000)
        planted.exchange(3)
        let after = planted.calls.last ?? 0
        let replay = planted.run.replay
        let breakdown = try #require(replay.breakdown(at: replay.at(after)))
        expect(breakdown[.notInLog], near: 20_000, within: 20)
        // Where the whole prompt is known, what is beyond the messages is theirs.
        #expect(breakdown.whole[.notInLog] == 0)
        #expect(breakdown.whole.total == breakdown.total)
        #expect(breakdown.whole.note.contains("The chat format's overhead is counted as messages."))
        #expect(breakdown.total == planted.billed)
        #expect(breakdown.wasScaled)
        #expect(breakdown.note.contains("scaled down"))
        let before = try #require(replay.breakdown(at: replay.at(planted.calls[20])))
        #expect(!before.wasScaled)
        #expect(!before.note.contains("scaled down"))
    }

    @Test("thinking of the answer that ended a turn is gone when the next one begins")
    func droppedThinking() throws {
        var planted = PlantedRun(hidden: 20_000)
        planted.work(10)
        planted.say(.assistant, 200, by: planted.calls.last, reasoning: 3_000)
        planted.say(.user, 120)
        planted.change(by: -1_000)
        planted.call()
        let after = planted.calls.last ?? 0
        let replay = planted.run.replay
        let breakdown = try #require(replay.breakdown(at: replay.at(after)))
        #expect(breakdown[.reasoning] == 0)
        #expect(breakdown.total == planted.billed)
        #expect(!breakdown.wasScaled)
        expect(breakdown[.notInLog], near: 20_000, within: 20)
    }

    @Test("thinking within a turn counts, and not after the turn")
    func thinkingOfEarlierTurns() throws {
        var planted = PlantedRun(hidden: 20_000)
        planted.work(10)
        planted.say(.assistant, 20, by: planted.calls.last, reasoning: 3_000, calls: 60)
        planted.say(.tool, by: planted.run.tool(in: planted.agent), results: 300)
        planted.call()
        let within = planted.calls.last ?? 0
        planted.say(.assistant, 200, by: within)
        planted.say(.user, 120)
        planted.change(by: -1_000)
        planted.call()
        let after = planted.calls.last ?? 0
        planted.exchange(1)
        let later = planted.calls.last ?? 0
        let replay = planted.run.replay
        expect(replay.parts(at: within)[ContextBreakdown.Part.reasoning.rawValue], near: 1_000, within: 20)
        for call in [after, later] {
            let breakdown = try #require(replay.breakdown(at: replay.at(call)))
            #expect(breakdown[.reasoning] == 0)
            #expect(breakdown.droppedReasoning)
            #expect(breakdown.note.contains("thinking from earlier turns"))
            expect(breakdown[.notInLog], near: 20_000, within: 20)
        }
    }

    @Test("images are not in the log: text gets no share of their tokens")
    func images() {
        var planted = PlantedRun(hidden: 20_000)
        planted.work(20)
        planted.say(.user, 300, attachments: 1)
        planted.change(by: 110)
        planted.call()
        expect(hidden(planted, planted.calls.last ?? 0), near: 20_110, within: 15)
    }

    @Test("after a compaction the summary is what is left, and the rest is worked out afresh")
    func compaction() {
        var planted = PlantedRun(hidden: 20_000)
        planted.work(20)
        var run = planted.run
        let summary = run.say(.user, 6_000, marks: .compaction)
        let call = run.call(in: planted.agent, reading: summary, input: 29_000)
        let replay = run.replay
        let parts = replay.parts(at: call)
        expect(parts[ContextBreakdown.Part.user.rawValue], near: 2_000, within: 10)
        expect(parts[ContextBreakdown.Part.notInLog.rawValue], near: 27_000, within: 10)
        #expect(parts[ContextBreakdown.Part.results.rawValue] == 0)
    }

    @Test("models count the same text differently: each has its own figure")
    func models() throws {
        var planted = PlantedRun(hidden: 20_000)
        planted.work(20)
        let first = planted.calls.last ?? 0
        var other = PlantedRun(hidden: 8_000)
        other.run = planted.run
        other.density = 2
        other.model = "haiku"
        other.work(20)
        let replay = other.run.replay
        let opus = try #require(replay.breakdown(at: replay.at(first)))
        let haiku = try #require(replay.breakdown(at: replay.at(other.calls.last ?? 0)))
        #expect(abs(opus.density.bytesPerToken - 3) < 0.02)
        #expect(abs(haiku.density.bytesPerToken - 2) < 0.02)
        expect(haiku[.notInLog], near: 8_000, within: 20)
    }

    @Test("with system prompt and tools in the log the bill is split among them, and nothing is hidden")
    func complete() throws {
        var planted = PlantedRun(hidden: 0)
        planted.density = 5
        planted.say(.system, definitions: 2_000)
        planted.say(.system, 1_000)
        planted.say(.user, 500)
        planted.call()
        planted.exchange(1)
        let replay = planted.run.replay
        let first = try #require(replay.breakdown(at: replay.at(planted.calls[0])))
        #expect(ContextBreakdown.Part.allCases.map { first[$0] } == [200, 400, 100, 0, 0, 0, 0])
        #expect(first.billed == 700)
    }

    @Test("a call without usage is an estimate of its text, and the next one goes on from the last bill")
    func withoutUsage() throws {
        var planted = PlantedRun(hidden: 20_000)
        planted.work(20)
        let silent = planted.call(isBilled: false)
        planted.exchange(5)
        let replay = planted.run.replay
        let estimate = try #require(replay.breakdown(at: replay.at(silent)))
        #expect(estimate.billed == nil)
        #expect(estimate[.notInLog] == 0)
        #expect(estimate.total > 0)
        #expect(estimate.note.hasPrefix("The log records no billed tokens"))
        expect(hidden(planted, planted.calls.last ?? 0), near: 20_000, within: 20)
    }

    @Test("a retried call has the breakdown of the first try")
    func retry() {
        var planted = PlantedRun(hidden: 20_000)
        planted.work(20)
        let again = planted.call()
        let replay = planted.run.replay
        #expect(replay.parts(at: again) == replay.parts(at: planted.calls[20]))
    }

    @Test("a bill with no text behind it is all not in the log")
    func noText() {
        var run = MadeRun()
        let call = run.call(input: 500)
        #expect(run.replay.parts(at: call) == [0, 0, 0, 0, 0, 0, 500])
        #expect(
            run.replay.breakdown(at: 0)?.note.hasSuffix("is estimated at 4.0 bytes/token, the default.") == true)
    }

    @Test("what is missing after rounding goes to the largest remainders, ties to the first")
    func largestRemainder() {
        var run = MadeRun()
        let system = run.say(.system, 100)
        let user = run.say(.user, 100, after: system)
        let answer = run.say(.assistant, 100, after: user)
        let call = run.call(reading: answer, input: 50)
        #expect(run.replay.parts(at: call) == [17, 0, 17, 16, 0, 0, 0])
        run.trace.messages[answer].extent.text = 140
        #expect(run.replay.parts(at: call) == [15, 0, 15, 20, 0, 0, 0])
        run.trace.messages[user].extent.text = 0
        #expect(run.replay.parts(at: call) == [21, 0, 0, 29, 0, 0, 0])
    }
}

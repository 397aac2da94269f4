import JSON
import LanguageModels
import Providers
import Synchronization
import System
import Testing

@Suite("A load is measured") struct EndpointLoadTests {
    static func close(_ value: Double?, _ expected: Double) -> Bool { value.map { abs($0 - expected) < 1e-9 } ?? false }

    @Test("percentiles are measured values")
    func percentilesAreMeasuredValues() throws {
        let hundred = try #require(Distribution((1...100).map(Double.init).shuffled()))
        #expect([hundred.p50, hundred.p90, hundred.p95, hundred.p99, hundred.maximum] == [50, 90, 95, 99, 100])
        #expect(hundred.mean == 50.5)
        let one = try #require(Distribution([3]))
        #expect([one.p50, one.p99, one.maximum] == [3, 3, 3])
        #expect(Distribution([]) == nil)
    }

    @Test("a closed loop measures each request")
    func aClosedLoopMeasuresEachRequest() throws {
        let clock = SimulatedClock()
        let model = ScriptedModel([.text("a b c d e", first: 0.5, delay: 0.1)], repeats: true, clock: clock.clock)
        let load = EndpointLoad(
            model, prompts: .generated(tokens: [8], count: 3), amount: .requests(10), warmUp: 2, clock: clock.clock)
        let report = try load.run()
        #expect(report.requests == 10)
        #expect(report.succeeded == 10)
        #expect(report.warmUp == 2)
        #expect(model.requests.count == 12)
        #expect(Self.close(report.timeToFirstToken?.p99, 0.5))
        #expect(Self.close(report.timePerOutputToken?.p50, 0.1))
        #expect(Self.close(report.endToEnd?.maximum, 0.9))
        #expect(Self.close(report.seconds, 9))
        #expect(report.outputTokens == 50)
        #expect(Self.close(report.outputTokensPerSecond, 50 / 9))
        #expect(Self.close(report.tokensPerSecond?.p50, 5 / 0.9))
        #expect(report.queueing == nil)
    }

    /// One server that takes 0.15 s, asked every 0.1 s: the n-th request waits for all before it.
    @Test("an open loop includes waiting time")
    func anOpenLoopCountsWaiting() throws {
        let clock = SimulatedClock()
        let model = ScriptedModel([.text("a", first: 0.15)], repeats: true, clock: clock.clock)
        let load = EndpointLoad(
            model, prompts: .generated(tokens: [8], count: 1), amount: .requests(10), arrivalsPerSecond: 10,
            clock: clock.clock)
        let report = try load.run()
        #expect(Self.close(report.endToEnd?.maximum, 0.15 + 9 * 0.05))
        #expect(Self.close(report.endToEnd?.p50, 0.15 + 4 * 0.05))
        #expect(Self.close(report.queueing?.maximum, 9 * 0.05))
        #expect(Self.close(report.timeToFirstToken?.maximum, 0.15 + 9 * 0.05))
        // A fast server is not asked before its time.
        let fast = ScriptedModel([.text("a", first: 0.01)], repeats: true, clock: clock.clock)
        var slow = load
        slow.model = fast
        slow.amount = .seconds(1)
        let rested = try slow.run()
        #expect(rested.requests == 10)
        #expect(Self.close(rested.endToEnd?.maximum, 0.01))
        #expect(Self.close(rested.queueing?.maximum, 0))
        #expect(Self.close(rested.seconds, 0.91))
    }

    @Test("failures are counted by kind")
    func failuresAreCountedByKind() throws {
        let clock = SimulatedClock()
        let timeout = LanguageModelError(.timeout, model: "m", problem: "slow")
        let limit = LanguageModelError(.rateLimit, model: "m", problem: "many")
        let model = ScriptedModel(
            [.text("a"), .failure(timeout), .failure(limit), .failure(timeout)], repeats: true, clock: clock.clock)
        let report = try EndpointLoad(
            model, prompts: .generated(tokens: [1], count: 1), amount: .requests(8), clock: clock.clock
        ).run()
        #expect(report.succeeded == 2)
        #expect(report.failures.map(\.kind) == ["timeout", "rate_limit"])
        #expect(report.failures.map(\.count) == [4, 2])
        #expect(report.failures[0].example == "m: slow.")
        #expect(report.json().contains(#""failures":[{"kind":"timeout","count":4,"example":"m: slow."}"#))
    }

    @Test("many requests run at the same time")
    func manyAreUnderWayAtTheSameTime() throws {
        /// Replies only when a number of requests are waiting.
        final class Gate: LanguageModel {
            let name = "gate"
            let provider = "test"
            let capabilities = ModelCapabilities()
            private let waiting = Atomic<Int>(0)
            private let wanted: Int
            init(_ wanted: Int) { self.wanted = wanted }
            func respond(
                to request: ModelRequest, isCancelled: @Sendable () -> Bool, receive: (ModelEvent) -> Void
            ) throws(LanguageModelError) -> ModelResponse {
                waiting.add(1, ordering: .relaxed)
                while waiting.load(ordering: .relaxed) < wanted, !isCancelled() {}
                return ModelResponse(
                    message: Message(.assistant, []), finish: isCancelled() ? .cancelled : .stop, usage: nil, model: "",
                    secondsToFirstToken: nil, seconds: 0)
            }
        }
        let prompts = LoadPrompts.generated(tokens: [1], count: 1)
        let report = try EndpointLoad(Gate(6), prompts: prompts, concurrency: 6, amount: .requests(6)).run()
        #expect(report.succeeded == 6)
        #expect(report.timeToFirstToken == nil)
        // A cancel ends those that wait for ever, and they are not counted.
        let isCancelled = Shared(false)
        let ended = try EndpointLoad(Gate(99), prompts: prompts, concurrency: 3, amount: .requests(50)).run(
            isCancelled: { isCancelled.current }, progress: { if $0.underWay == 3 { isCancelled.set(true) } })
        #expect(ended.isCancelled)
        #expect(ended.requests == 0)
    }

    @Test("generated prompts have the requested lengths")
    func promptsHaveTheirLengths() {
        let prompts = LoadPrompts.generated(tokens: [4, 100], count: 20, seed: 7).prompts
        func words(_ prompt: LoadPrompts.Prompt) -> [Substring] {
            guard case .messages(let messages, _) = prompt.input, case .text(let text) = messages.first?.parts.first
            else { return [] }
            return text.split(separator: " ")
        }
        #expect(prompts.map { words($0).count } == (0..<20).map { $0 % 2 == 0 ? 4 : 100 })
        #expect(Set(prompts).count == 20)
        #expect(LoadPrompts.generated(tokens: [4, 100], count: 20, seed: 7).prompts == prompts)
        #expect(LoadPrompts.generated(tokens: [4, 100], count: 20, seed: 8).prompts != prompts)
        // Two tokens a word.
        let measured = LoadPrompts.generated(tokens: [40], count: 1) { $0.split(separator: " ").count * 2 }
        #expect(words(measured.prompts[0]).count == 20)
    }

    @Test("prompts are read from a file")
    func promptsAreReadFromAFile() throws {
        let file = TemporaryFile(
            #"{"prompt":"One"}"# + "\n\n" + #"{"messages":[{"role":"user","content":"Two"}],"max_tokens":5}"#)
        #expect(
            try LoadPrompts(contentsOf: file.path).prompts == [
                .init(.text("One")), .init(.messages([Message(.user, [.text("Two")])], tools: []), maximumTokens: 5),
            ])
        for (text, problem) in [
            ("{\"text\":\"a\"}\n{\"x\":1}", "line 2: a request must have 'messages', 'text', or 'tokens'"),
            ("\n[", "line 2: Byte 1: the text ends in the middle of an object or array"),
            ("", "the file has no prompts"),
        ] {
            let file = TemporaryFile(text)
            do throws(LanguageModelError) {
                _ = try LoadPrompts(contentsOf: file.path)
                Issue.record("'\(text)' was read")
            } catch {
                #expect(error.problem == problem)
                #expect(error.model == file.path)
            }
        }
    }

    @Test(
        "loads that cannot be are refused",
        arguments: [
            (0, EndpointLoad.Amount.requests(1), 0, nil, "concurrency must be 1 to 4096"),
            (1, .requests(0), 0, nil, "the number of requests must be 1 to 10,000,000"),
            (1, .seconds(-1), 0, nil, "the number of seconds must be above 0 and at most 1,000,000"),
            (1, .seconds(.nan), 0, nil, "the number of seconds must be above 0 and at most 1,000,000"),
            (1, .requests(1), -1, nil, "warm-up must be 0 to 1,000,000 requests"),
            (1, .requests(1), 0, 0, "arrival rate must be above 0 and at most 1,000,000"),
        ] as [(Int, EndpointLoad.Amount, Int, Double?, String)])
    func impossible(concurrency: Int, amount: EndpointLoad.Amount, warmUp: Int, rate: Double?, problem: String) {
        let load = EndpointLoad(
            ScriptedModel([]), prompts: .generated(tokens: [1], count: 1), concurrency: concurrency, amount: amount,
            warmUp: warmUp, arrivalsPerSecond: rate)
        do throws(LanguageModelError) {
            _ = try load.run()
            Issue.record("it was run")
        } catch {
            #expect(error.problem == problem)
        }
    }
}

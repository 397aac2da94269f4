import LanguageModels
import Testing
import Traces

@Suite("Replay: damaged runs", .timeLimit(.minutes(2)))
struct DamagedRunTests {
    /// A run in which every link may lead anywhere.
    private func damaged(_ random: inout SplitMix) -> Trace {
        var run = MadeRun()
        let count = 1 + random.next(40)
        func link(_ random: inout SplitMix) -> Int? {
            random.chance(0.2) ? nil : random.chance(0.1) ? random.pick([-1, .min, .max, 1 << 40]) : random.next(count)
        }
        func size(_ random: inout SplitMix) -> Int {
            random.chance(0.05) ? random.pick([-1, .min, .max]) : random.next(3_000)
        }
        for _ in 0..<count {
            let span = run.span(random.pick(SpanKind.allCases), at: Int64(random.next(50)))
            run.trace.spans[span].parent = link(&random)
            run.trace.spans[span].inputHead = link(&random)
            run.trace.spans[span].model = random.pick(["opus", "haiku", nil])
            if random.chance(0.7) { run.trace.spans[span].usage = Usage(input: size(&random)) }
            if random.chance(0.05) { run.trace.spans[span].start = random.pick([.min, .max]) }
        }
        for _ in 0..<count {
            let message = run.say(
                random.pick(Role.allCases), size(&random), reasoning: size(&random), calls: size(&random),
                results: size(&random), definitions: size(&random), attachments: random.next(2),
                marks: random.chance(0.1) ? .compaction : [])
            run.trace.messages[message].previous = link(&random)
            run.trace.messages[message].span = link(&random)
            if random.chance(0.3) { run.event(.compaction, in: link(&random), at: Int64(random.next(50))) }
        }
        return run.trace
    }

    @Test("every step answers, and its parts add up to what was billed", arguments: 0..<300)
    func everyQuestion(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        let trace = damaged(&random)
        let replay = Replay(trace)
        #expect(replay.count == trace.spans.filter { $0.kind == .model || $0.kind == .tool }.count)
        for step in 0..<replay.count {
            let context = replay.context(at: step)
            #expect((0...context.messages.count).contains(context.known))
            let ordinals = context.messages.map(\.ordinal)
            #expect(ordinals == ordinals.sorted() && Set(ordinals).count == ordinals.count)
            guard let call = replay.modelCall(at: step) else { continue }
            #expect(replay[call].kind == .model)
            guard let breakdown = replay.breakdown(at: step) else {
                Issue.record("a step with a call has no breakdown")
                continue
            }
            #expect(ContextBreakdown.Part.allCases.allSatisfy { breakdown[$0] >= 0 })
            if let billed = breakdown.billed { #expect(breakdown.total == billed) }
            if let input = replay[call].usage?.input, (1..<1 << 48).contains(input) {
                #expect(breakdown.billed == input)
            }
        }
        for span in -1...trace.spans.count {
            if let step = replay.step(of: span) { #expect((0..<replay.count).contains(step)) }
            _ = replay.messages(of: span)
        }
        for landmark in Replay.Landmark.allCases {
            var step = -1
            while let next = replay.next(landmark, after: step) {
                #expect(next > step)
                step = next
            }
        }
    }

    @Test("parents that go in a circle end the walk")
    func circle() {
        var run = MadeRun()
        let one = run.agent()
        let two = run.span(.chain, in: one)
        let three = run.span(.chain, in: two)
        let call = run.call(in: three)
        let tool = run.tool(in: two)
        run.trace.spans[one].parent = three
        #expect(run.replay.asker(of: tool) == call)
        run.trace.spans[call].parent = call
        #expect(run.replay.count == 2)
    }

    @Test("a hundred thousand forks of one long conversation, each nested in the last, take no time to speak of")
    func manyForks() {
        var run = MadeRun()
        var head: Int?
        for _ in 0..<50_000 { head = run.say(.user, 10, after: head) }
        var parent: Int?
        for _ in 0..<50_000 {
            let leaf = run.say(.user, 10, after: head)
            parent = run.call(in: parent, reading: leaf, input: 1_000)
            parent = run.tool(in: parent)
        }
        let replay = run.replay
        #expect(replay.count == 100_000)
        #expect(replay.context(at: 0).messages.count == 50_001)
        #expect(replay.asker(of: parent ?? 0).map { $0 + 1 } == parent)
    }
}

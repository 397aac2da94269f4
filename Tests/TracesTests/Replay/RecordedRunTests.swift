import Glibc
import LanguageModels
import Testing
import Traces

private enum SharedSession {
    static let path = "../shared/data/traces/claude-code/ae4a77f8-aedd-4bc1-888f-c94edc91af04.jsonl"
    static var isThere: Bool { access(path, R_OK) == 0 }

    static func read() throws -> Replay {
        var importer = ClaudeCodeImporter()
        var assembly = TraceAssembly(format: ClaudeCodeImporter.format)
        for (number, file) in ([path] + ClaudeCodeImporter.companions(of: path)).enumerated() {
            var source = try TraceSource(path: file, id: Int64(number + 1))
            try importer.read(&source, into: &assembly)
        }
        return Replay(assembly.traces[0])
    }
}

@Suite(
    "Replay: a recorded session",
    .enabled(if: SharedSession.isThere, "the shared traces are not next to this checkout"))
struct RecordedRunTests {
    @Test("its bars add up to the bill at every call, and nothing had to be scaled")
    func sums() throws {
        let replay = try SharedSession.read()
        let calls = (0..<replay.count).filter { replay[$0].kind == .model }
        #expect(calls.count == 220)
        for call in calls {
            let breakdown = try #require(replay.breakdown(at: call))
            #expect(breakdown.total == replay[call].usage?.input)
            #expect(!breakdown.wasScaled)
        }
    }

    @Test("what is not in its log is a prompt's worth, and grows only where something was put in")
    func hidden() throws {
        let replay = try SharedSession.read()
        var levels: [Int] = []
        for step in 0..<replay.count where replay[step].kind == .model && replay[step].parent == 0 {
            let hidden = try #require(replay.breakdown(at: step))[.notInLog]
            #expect((20_000...45_000).contains(hidden))
            if levels.last != hidden { levels.append(hidden) }
        }
        // 217 calls, two changes of model, one compaction, and a handful of reminders.
        #expect((3...12).contains(levels.count))
    }

    @Test("every tool call has a model call that asked for it, its answer before the result")
    func askers() throws {
        let replay = try SharedSession.read()
        var results = 0
        for step in 0..<replay.count where replay[step].kind == .tool {
            let call = try #require(replay.modelCall(at: step))
            #expect(call < step)
            guard let result = replay.messages(of: replay.steps[step]).first else { continue }
            var message: Int? = result.previous
            while let place = message, replay.trace.messages[place].role != .assistant {
                message = replay.trace.messages[place].previous
            }
            #expect(message.flatMap { replay.trace.messages[$0].span } == replay.steps[call])
            results += 1
        }
        #expect(results > 200)
    }

    @Test("its one compaction leads to the call that read the summary")
    func compaction() throws {
        let replay = try SharedSession.read()
        let step = try #require(replay.next(.compaction, after: -1))
        #expect(replay.next(.compaction, after: step) == nil)
        let context = replay.context(at: step)
        #expect(context.known == 0)
        #expect(context.messages.contains { $0.marks.contains(.compaction) })
        #expect(replay.previous(.model, before: step).flatMap { replay.breakdown(at: $0)?.total } == 141_787)
        #expect(replay.breakdown(at: step)?.total == 45_263)
    }
}

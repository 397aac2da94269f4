import Foundation
import LanguageModels
import Testing
import Traces
import Workspace

@Suite("Importing into a workspace")
struct ImportTests {
    private let fixture: StoreFixture
    private var store: TraceStore { fixture.store }

    init() throws { fixture = try StoreFixture() }

    @Test("keeps a session: its totals, its spans, its texts and every byte of it")
    func session() throws {
        let session = MadeSession("s1", steps: 10)
        let path = try fixture.write(session.text, to: "s1.jsonl")
        let report = try store.importTraces([path])
        #expect(report.files == 1 && report.unchangedFiles == 0)
        #expect(report.traces == 1 && report.newTraces == 1)
        #expect(report.toolCalls == 10 && report.errors == 2)
        #expect(report.inputTokens == 1_000 && report.outputTokens == 55)
        #expect(report.bytes == session.text.utf8.count)

        let run = try #require(try store.summaries().first)
        #expect(run.externalID == "s1" && run.format == "claude-code")
        #expect(run.modelCalls == 10 && run.toolCalls == 10 && run.errors == 2)
        #expect(run.usage.cacheRead == 900)

        let trace = try #require(try store.trace(run.id))
        #expect(trace.spans.count == run.spans)
        #expect(trace.spans.map(\.ordinal) == Array(trace.spans.indices))
        let texts = try store.messages(trace.messages).compactMap { $0 }
        #expect(texts.count == trace.messages.count)
        #expect(texts[0] == Message(.user, [.text("Question 0 about the Größe of orbits")]))
        let tool = try #require(trace.spans.first { $0.kind == .tool })
        #expect(try store.details(of: tool).input?.contains("ls /data/0") == true)

        let everything = RecordReference(source: trace.messages[0].record.source, offset: 0, length: report.bytes)
        #expect(String(decoding: try store.raw(everything), as: UTF8.self) == session.text)
    }

    @Test("changes nothing the second time, by stamp, by content and by copy")
    func again() throws {
        let text = MadeSession("s1", steps: 4).text
        let path = try fixture.write(text, to: "s1.jsonl")
        try store.importTraces([path])
        let before = try store.trace(1)
        let rows = try rowCounts()

        try touch(path, ago: 100)
        for paths in [[path], [path], [path, path, fixture.folder + "/./s1.jsonl"]] {
            let report = try store.importTraces(paths)
            #expect(report.files == 1 && report.unchangedFiles == 1)
            #expect(report.traces == 0 && report.newSpans == 0 && report.spans == 0)
        }
        let copy = try fixture.write(text, to: "copy/s1.jsonl")
        #expect(try store.importTraces([copy]).unchangedFiles == 1)
        #expect(try rowCounts() == rows)
        #expect(try store.trace(1)?.spans == before?.spans)
    }

    @Test("sees a changed byte in a file of the same size and time")
    func sameSize() throws {
        let text = MadeSession("s1", steps: 4).text
        let path = try fixture.write(text, to: "s1.jsonl")
        try touch(path, ago: 50)
        try store.importTraces([path])
        try Data(text.replacingOccurrences(of: "Answer 3", with: "Answer X").utf8).write(to: URL(fileURLWithPath: path))
        try touch(path, ago: 50)
        // Replaced by another file: same size, same modification time, a different inode or not.
        let report = try store.importTraces([path])
        #expect(report.unchangedFiles == 0 || report.newSpans == 0)
        #expect(try store.count() == 1)
    }

    @Test("adds what is new of a grown file, at any length it had, and equals one import of the whole")
    func grown() throws {
        let session = MadeSession("s1", steps: 6)
        let bytes = Array(session.text.utf8)
        let whole = try StoreFixture()
        try whole.store.importTraces([try whole.write(session.text, to: "s1.jsonl")])
        let expected = try #require(try whole.store.trace(1))

        var lengths = [bytes.count / 7, bytes.count / 3, bytes.count / 2, bytes.count - 10, bytes.count - 1]
        lengths.append(bytes.count)
        var spans = 0
        for length in lengths {
            let path = try fixture.write(String(decoding: bytes[..<length], as: UTF8.self), to: "s1.jsonl")
            let report = try store.importTraces([path])
            #expect(report.skipped == 0, "a truncated last line is not a bad record")
            let trace = try #require(try store.trace(1))
            #expect(trace.spans.count == spans + report.newSpans)
            spans = trace.spans.count
        }
        let grown = try #require(try store.trace(1))
        #expect(grown.spans == expected.spans)
        #expect(grown.messages == expected.messages)
        #expect(grown.events == expected.events)
        #expect(try store.raw(RecordReference(source: 1, offset: 0, length: bytes.count)) == bytes)
    }

    @Test("keeps names, marks and ordinals when a file grows")
    func grownKeepsWhatPeopleDid() throws {
        var session = MadeSession("s1", steps: 3)
        let path = try fixture.write(session.text, to: "s1.jsonl")
        try store.importTraces([path])
        try store.rename(1, to: "Mine")
        try store.mark("a", span: 2, of: 1)
        let before = try store.spans(of: 1)
        session.addStep(3)
        try fixture.write(session.text, to: "s1.jsonl")
        try store.importTraces([path])
        let after = try store.spans(of: 1)
        #expect(after.count > before.count)
        #expect(after.prefix(before.count).map(\.externalID) == before.map(\.externalID))
        #expect(try store.summary(1)?.name == "Mine")
        #expect(try store.marks(of: 1) == [SpanMark(span: 2, letter: "a")])
    }

    @Test(
        "merges files that hold spans of one trace, in any order and together or one by one",
        arguments: [
            [[0, 1]], [[1, 0]], [[0], [1]], [[1], [0]],
        ])
    func merged(order: [[Int]]) throws {
        let trace = "0af7651916cd43dd8448eb211c80319c"
        let paths = [
            try fixture.write(otlpLine(trace: trace, spans: [("00000000000000a1", nil, "root")]), to: "1.json"),
            try fixture.write(
                otlpLine(trace: trace, spans: [("00000000000000a2", "00000000000000a1", "child")], at: 1),
                to: "2.json"),
        ]
        for step in order { try store.importTraces(step.map { paths[$0] }) }
        #expect(try store.count() == 1)
        let spans = try store.spans(of: try store.summaries()[0].id)
        #expect(Set(spans.map(\.name)) == ["root", "child"])
        let root = try #require(spans.first { $0.name == "root" })
        #expect(spans.first { $0.name == "child" }?.parent == root.ordinal)
        #expect(try store.events(of: 1).count == 2)
        for path in paths { #expect(try store.importTraces([path]).unchangedFiles == 1) }
    }

    @Test("takes a rewritten file for more of the same trace, without doubling what it had")
    func diverged() throws {
        let trace = "0af7651916cd43dd8448eb211c80319c"
        let first = otlpLine(trace: trace, spans: [("00000000000000a1", nil, "root")])
        let path = try fixture.write(first, to: "1.json")
        try store.importTraces([path])
        try fixture.write(
            "\n" + first + otlpLine(trace: trace, spans: [("00000000000000a2", nil, "more")]), to: "1.json")
        let report = try store.importTraces([path])
        #expect(report.newSpans == 1 && report.newTraces == 0)
        #expect(try store.spans(of: 1).count == 2)
        #expect(try store.events(of: 1).count == 2)
    }

    @Test("imports a folder: every trace once, companions with their session, other files counted")
    func folder() throws {
        try fixture.write(MadeSession("s1", steps: 2).text, to: "data/p/s1.jsonl")
        try fixture.write(MadeSession("s2", steps: 2).text, to: "data/q/s2.jsonl")
        try fixture.write("# notes", to: "data/notes.md")
        try fixture.write("", to: "data/empty.jsonl")
        try FileManager.default.createSymbolicLink(
            atPath: fixture.folder + "/data/loop", withDestinationPath: fixture.folder + "/data")
        let report = try store.importTraces([fixture.folder + "/data", fixture.folder + "/data/p"])
        #expect(report.files == 2 && report.traces == 2 && report.otherFiles == 2)
        #expect(try Set(store.summaries().map(\.externalID)) == ["s1", "s2"])
        #expect(report.foreignFiles.isEmpty)
    }

    @Test("a folder's report names each file in a format that cannot be imported yet")
    func foreignFiles() throws {
        try fixture.write(MadeSession("s1", steps: 2).text, to: "data/s1.jsonl")
        let rollout = #"{"timestamp":"2026-01-02T03:04:05Z","type":"session_meta","payload":{}}"#
        let path = try fixture.write(rollout, to: "data/rollout.jsonl")
        try fixture.write("# notes", to: "data/notes.md")
        let report = try store.importTraces([fixture.folder + "/data"])
        #expect(report.files == 1 && report.otherFiles == 2)
        #expect(report.foreignFiles.count == 1)
        #expect(
            report.foreignFiles.first?.hasSuffix("/rollout.jsonl: the file is a Codex rollout, which is unsupported")
                == true)
        #expect(path.hasSuffix("rollout.jsonl"))
    }

    @Test("puts the session of a sub-agent into its run, whether it comes at once or later")
    func companionLater() throws {
        let session = MadeSession("s1", steps: 2)
        let agent = MadeSession("s1", steps: 3).lines.map {
            $0.replacingOccurrences(of: #""uuid":"s1-"#, with: #""uuid":"agent-"#)
                .replacingOccurrences(of: #""parentUuid":"s1-"#, with: #""parentUuid":"agent-"#)
                .replacingOccurrences(of: "msg_", with: "msg_agent_").replacingOccurrences(
                    of: "toolu_", with: "toolu_agent_"
                )
                .replacingOccurrences(of: #""sessionId""#, with: #""isSidechain":true,"agentId":"7f","sessionId""#)
        }
        let agentText = agent.map { $0 + "\n" }.joined()
        let whole = try StoreFixture()
        let wholePath = try whole.write(session.text, to: "s1.jsonl")
        try whole.write(agentText, to: "s1/subagents/agent-7f.jsonl")
        #expect(try whole.store.importTraces([wholePath]).files == 2)
        let expected = try #require(try whole.store.trace(1))
        #expect(expected.summary.toolCalls == 5)

        let path = try fixture.write(session.text, to: "s1.jsonl")
        try store.importTraces([path])
        try fixture.write(agentText, to: "s1/subagents/agent-7f.jsonl")
        let report = try store.importTraces([fixture.folder + "/s1.jsonl"])
        #expect(report.files == 2 && report.unchangedFiles == 1 && report.newTraces == 0)
        #expect(try store.count() == 1)
        #expect(try store.trace(1)?.spans == expected.spans)
        #expect(try store.importTraces([fixture.folder]).unchangedFiles == 2)
        let folder = try StoreFixture()
        try folder.write(session.text, to: "p/s1.jsonl")
        try folder.write(agentText, to: "p/s1/subagents/agent-7f.jsonl")
        #expect(try folder.store.importTraces([folder.folder + "/p"]).files == 2)
        #expect(try folder.store.trace(1)?.spans == expected.spans)
    }

    @Test("reads records that span several blocks")
    func longRecord() throws {
        var random = SplitMix(seed: 5)
        let long = String((0..<900_000).map { _ in random.pick(Array("abcdefghij klmnop")) })
        var session = MadeSession("s1", steps: 2)
        session.lines.insert(
            #"{"type":"user","uuid":"long","parentUuid":null,"sessionId":"s1","#
                + #""timestamp":"2026-03-01T09:00:00.000Z","message":{"role":"user","content":"\#(long)"}}"#, at: 0)
        let path = try fixture.write(session.text, to: "s1.jsonl")
        try store.importTraces([path])
        let entries = try store.messages(of: 1)
        let texts = try store.messages(entries.reversed()).reversed().compactMap { $0 }
        #expect(texts.count == entries.count)
        #expect(texts[0] == Message(.user, [.text(long)]))
        #expect(String(decoding: try store.raw(entries[0].record), as: UTF8.self) == session.lines[0])
        #expect(String(decoding: try store.raw(entries.last!.record), as: UTF8.self) == session.lines.last)
        let beyond = RecordReference(source: 1, offset: 0, length: 1 << 40)
        #expect(try store.raw(beyond).count == session.text.utf8.count)
        #expect(try store.raw(RecordReference(source: 9, offset: 5, length: 5)).isEmpty)
        #expect(try store.raw(RecordReference(source: 1, offset: -5, length: 5)).isEmpty)
    }

    @Test("is read by several threads while it imports")
    func threads() throws {
        for number in 0..<8 { try fixture.write(MadeSession("s\(number)", steps: 20).text, to: "data/\(number).jsonl") }
        let (store, folder) = (store, fixture.folder)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            if thread == 0 {
                #expect((try? store.importTraces([folder + "/data"]).files) == 8)
            } else {
                for run in (try? store.summaries()) ?? [] {
                    let entries = (try? store.messages(of: run.id)) ?? []
                    #expect((try? store.messages(entries).allSatisfy { $0 != nil }) == true)
                }
            }
        }
        #expect(try store.count() == 8)
    }

    @Test("counts a bad line with its number, or refuses the file when asked to be strict")
    func badLines() throws {
        var session = MadeSession("s1", steps: 3)
        session.lines.insert(#"{"type":"user","broken"#, at: 4)
        let path = try fixture.write(session.text, to: "s1.jsonl")
        let error = #expect(throws: ImportError.self) {
            try store.importTraces([path], options: ImportOptions(isStrict: true))
        }
        #expect(error?.line == 5)
        #expect(try store.count() == 0 && rowCounts().allSatisfy { $0 == 0 })
        let report = try store.importTraces([path])
        #expect(report.skipped == 1)
        #expect(report.skippedRecords.first?.line == 5 && report.skippedRecords.first?.path == path)
        #expect(report.toolCalls == 3)
    }

    @Test("says what is wrong with a file that was named")
    func refusals() throws {
        let notes = try fixture.write("# notes", to: "notes.md")
        let missing = fixture.folder + "/missing.jsonl"
        #expect(throws: ImportError.self) { try store.importTraces([notes]) }
        let error = #expect(throws: ImportError.self) { try store.importTraces([missing]) }
        #expect(error?.sentence == "\(missing): no such file. Check the path.")
        #expect(throws: ImportError.self) {
            try store.importTraces([notes], options: ImportOptions(format: "no-such-format"))
        }
    }

    @Test("keeps the files before the failing one, and nothing of that one")
    func atomic() throws {
        let good = try fixture.write(MadeSession("s1", steps: 2).text, to: "a.jsonl")
        let bad = try fixture.write(MadeSession("s2", steps: 2).text + "{\"type\":\n" + "{}\n", to: "b.jsonl")
        #expect(throws: ImportError.self) {
            try store.importTraces([good, bad], options: ImportOptions(isStrict: true))
        }
        #expect(try store.summaries().map(\.externalID) == ["s1"])
    }

    @Test("stops when it is canceled, keeping whole files only")
    func cancelled() throws {
        let cancellation = Cancellation()
        for number in 0..<5 {
            try fixture.write(MadeSession("s\(number)", steps: 2).text, to: "data/\(number).jsonl")
        }
        let report = try store.importTraces([fixture.folder + "/data"], cancellation: cancellation) { progress in
            if progress.filesDone == 0 { cancellation.cancel() }
        }
        #expect(report.isCancelled)
        #expect(report.files < 5 && report.files == report.traces)
        #expect(try store.count() == report.files)
        #expect(try store.importTraces([fixture.folder + "/data"]).files == 5)
        #expect(try store.count() == 5)
    }

    @Test("reports progress that ends at the whole")
    func progress() throws {
        let path = try fixture.write(MadeSession("s1", steps: 50).text, to: "a.jsonl")
        var last: ImportProgress?
        try store.importTraces([path]) { last = $0 }
        #expect(last?.bytesDone == last?.bytesTotal)
        #expect(last?.filesDone == 1 && last?.filesTotal == 1)
    }

    @Test("brings a deleted run back when its file is imported again")
    func deletedAndImportedAgain() throws {
        let path = try fixture.write(MadeSession("s1", steps: 2).text, to: "a.jsonl")
        try store.importTraces([path])
        try store.delete([1])
        #expect(try store.count() == 0)
        try store.importTraces([path])
        #expect(try store.count() == 1)
    }

    @Test("keeps the real session: 217 model calls, and nothing is new the second time")
    func realSession() throws {
        guard let path = StoreFixture.realSession else {
            print("skipped: the shared session is not here")
            return
        }
        try store.importTraces([path], options: ImportOptions(followsCompanions: false))
        #expect(try store.summaries().map(\.modelCalls) == [217])
        let report = try store.importTraces([path])
        let run = try #require(try store.summaries().first)
        #expect(report.newTraces == 0 && report.newSpans > 3)
        #expect(run.modelCalls == 220, "217 of the session and 3 of its sub-agent")
        let trace = try #require(try store.trace(run.id))
        #expect(try store.messages(trace.messages).allSatisfy { $0 != nil })
        #expect(try store.importTraces([path]).newSpans == 0)
    }

    private func touch(_ path: String, ago seconds: TimeInterval) throws {
        let date = Date(timeIntervalSince1970: 1_772_357_400 - seconds)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }

    private func rowCounts() throws -> [Int64] {
        try store.rowCounts()
    }
}

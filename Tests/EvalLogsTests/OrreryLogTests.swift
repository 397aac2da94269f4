import EvalLogs
import JSON
import LanguageModels
import Testing
import Traces

@Suite("Logs of Orrery")
struct OrreryLogTests {
    private static let head = EvalRun(
        key: "12", name: "night \"one\"", task: "reading", taskVersion: "3", model: "m", format: "orrery",
        state: .cancelled, problem: "the budget of 100 requests is spent", start: 1_750_000_000_123_456_789,
        end: .max, total: 12, completed: 3,
        scores: [
            EvalScoreKind("exact"), EvalScoreKind("perplexity", higherIsBetter: false, passesAt: .infinity),
            EvalScoreKind("judge", passesAt: 3.3),
        ],
        slices: ["kind", "language"],
        metrics: [
            EvalMetric(
                score: "exact", name: "mean", value: 0.1 + 0.2, standardError: 1e-300, lower: .leastNonzeroMagnitude,
                upper: 2.0 / 3,
                level: 0.95, count: 3, note: "3 of them"),
            EvalMetric(score: "perplexity", name: "mean", value: .infinity, count: 0, higherIsBetter: false),
        ],
        usage: Usage(input: 10, cacheRead: 4, cacheWrite: 3, output: 2, reasoning: 1), cost: 1.0 / 3,
        settings: [EvalSetting("prompt", "a\nb"), EvalSetting("temperature", "0.7"), EvalSetting("prompt", "again")])

    private static func records() -> [EvalSampleRecord] {
        let full = EvalSampleRecord(
            row: EvalRow(
                index: 0, id: "q 1\u{2028}", epoch: 2, outcome: .failed, scores: [0, .infinity, .nan],
                input: "other than the whole", answer: "cut", target: "two", cluster: "doc/1", slices: ["plain", ""],
                problem: "no rater judged it", seconds: 0.1, tokens: 123_456_789_012, cost: 1e-9),
            messages: [
                Message(.system, [.text("You \u{0}\u{1}\u{1F} are")]),
                Message(
                    .user, [.text("a"), .attachment(Attachment(mediaType: "image/png", location: nil, byteCount: 7))]),
                Message(
                    .assistant,
                    [
                        .reasoning("hm"), .toolCall(ToolCall(id: "c1", name: "find", arguments: "{\"q\": 1.0}")),
                        .other(type: "audio", json: "{\"a\" : 1}"),
                    ]),
                Message(.tool, [.toolResult(ToolResult(callID: "c1", content: "no 😀", isError: true))]),
                Message(.assistant, []),
            ],
            input: "the whole \r\n question", answer: "cut off here", targets: ["one", "two"], choices: ["", "b"],
            scores: [
                EvalScore("exact", value: 0, label: "no", answer: "cut", explanation: "not equal", confidence: 0.3),
                EvalScore("perplexity", value: .infinity, parts: [-0.0, 1.0 / 3, .nan]),
                EvalScore("judge", value: nil, problem: "no number in the reply"),
            ],
            metadata: #"{"a":1.0,"big":123456789012345678901,"a":[null]}"#,
            steps: [
                EvalStep(kind: .model, name: "m", seconds: 0.7), EvalStep(kind: .tool, name: "find", problem: "no 😀"),
                EvalStep(kind: .retrieval, name: "papers", seconds: 0.05), EvalStep(kind: .model, name: "m"),
            ],
            failingStep: 1, trace: "0123456789abcdef0123456789abcdef", standardError: "warn\n")
        let bare = EvalSampleRecord(
            row: EvalRow(index: 1, id: "2", outcome: .passed, scores: [1, 2.5, .nan], input: "i", slices: ["", "de"]),
            input: "i", metadata: #"{"k":[1,2.5,"x"]}"#)
        let long = EvalSampleRecord(
            row: EvalRow(
                index: 2, id: "3", outcome: .unscored, scores: [.nan, .nan, .nan],
                input: String(repeating: "é", count: 200), slices: ["", ""]),
            input: String(repeating: "é", count: 2_000_000))
        return [full, bare, long]
    }

    private func file(_ records: [EvalSampleRecord], spans: [SpanRecord] = []) throws -> ScratchFile {
        try ScratchFile(OrreryLogWriter.head(Self.head) + records.flatMap { OrreryLogWriter.line($0, spans: spans) })
    }

    /// NaN is equal to itself here.
    private func text(_ value: some Any) -> String { String(reflecting: value) }

    @Test("head and samples come back as they were, every number exactly")
    func roundTrip() throws {
        let records = Self.records()
        let file = try file(records)
        let log = try #require(EvalLogFormats.open(file.path).first)
        #expect(try EvalLogFormats.open(file.path).count == 1)
        var expected = Self.head
        expected.path = file.path
        #expect(log.run == expected)
        let rows = try log.rows(0..<100) { false }
        #expect(rows.map { text($0) } == records.map { text($0.row) })
        for record in records {
            let read = try log.sample(record.row.index)
            #expect(text(read) == text(record))
            #expect(read.metadata == record.metadata)
        }
        #expect(try log.sample(0).scores[1].parts[0].sign == .minus)
        #expect(log.run.completed == 3)
        #expect(throws: EvalLogError.self) { try log.sample(3) }
    }

    @Test("what was written is written again with the same bytes")
    func fixedPoint() throws {
        let file = try file(Self.records())
        let log = try #require(EvalLogFormats.open(file.path).first)
        let again =
            OrreryLogWriter.head(log.run)
            + (try log.rows(0..<3) { false }.flatMap { OrreryLogWriter.line(try log.sample($0.index)) })
        #expect(try again == EvalLogFixtures.bytes(file.path))
    }

    @Test("a truncated last line is not a sample, and a corrupt line in the middle is counted and skipped")
    func truncation() throws {
        let whole = try file(Self.records())
        let bytes = try EvalLogFixtures.bytes(whole.path)
        let cut = try ScratchFile(Array(bytes.dropLast(1000)))
        let log = try #require(EvalLogFormats.open(cut.path).first)
        #expect(try log.rows(0..<100) { false }.map(\.id) == ["q 1\u{2028}", "2"])
        #expect(log.run.completed == 2)
        let error = #expect(throws: EvalLogError.self) { try log.sample(2) }
        #expect(error?.problem == "the sample is not in the log")
        var lines = bytes.split(separator: 0x0A).map { Array($0) }
        lines[2] = Array(lines[2].dropLast(3))
        let damaged = try ScratchFile(Array(lines.joined(separator: [0x0A])) + [0x0A])
        let broken = try #require(EvalLogFormats.open(damaged.path).first)
        #expect(try broken.sample(0).row.id == "q 1\u{2028}")
        #expect(try broken.rows(0..<100) { false }.map(\.index) == [0, 2])
        #expect(broken.run.completed == 2 && broken.run.problem?.contains("skipped, line 3: invalid JSON") == true)
        let place = #expect(throws: EvalLogError.self) { try broken.sample(1) }
        #expect(place?.place == "line 3")
    }

    @Test(
        "a run that was done and whose file is cut has not come to its end, and its figures say so", arguments: [0, 40])
    func unfinished(cut: Int) throws {
        var head = Self.head
        head.state = .done
        let lines = Self.records().prefix(2).map { OrreryLogWriter.line($0) }
        let file = try ScratchFile(Array((OrreryLogWriter.head(head) + lines.joined()).dropLast(cut)))
        let run = try #require(EvalLogFormats.open(file.path).first).run
        #expect(run.state == .unfinished && run.completed == (cut == 0 ? 2 : 1))
        #expect(run.problem?.contains("the log contains only \(run.completed) of 3 samples") == true)
        #expect(run.problem?.contains("the last line is truncated") == (cut > 0))
        let note = "covers 3 samples; the log contains only \(run.completed)"
        #expect(run.metrics.allSatisfy { $0.note?.hasSuffix(note) == true })
    }

    @Test("JSON lines of other programs are not taken for one")
    func foreign() throws {
        for text in [
            #"{"id":"1","scores":{"exact":{"value":1}}}"#, #"{"run":{"key":"1"}}"#, #"[{"orrery_eval":1}]"#,
            #"{"input":[],"ideal":"a","note":"orrery_eval"}"#,
        ] {
            #expect(!EvalLogFormats.recognizes(Array((text + "\n").utf8)), "\(text)")
        }
        for (text, problem) in [
            (#"{"orrery_eval":2,"run":{}}"#, "unsupported format version 2"),
            (#"{"orrery_eval":1}"#, "missing run header"),
            (#"{"orrery_eval":"x","run":{}}"#, "missing run header"), (#"{"orrery_eval":1,"run":{"#, "invalid JSON"),
        ] {
            let file = try ScratchFile(Array((text + "\n").utf8))
            let error = #expect(throws: EvalLogError.self) { try EvalLogFormats.open(file.path) }
            #expect(error?.problem.hasPrefix(problem) == true, "\(error?.sentence ?? "")")
        }
    }

    @Test("every step is a span with its arguments and its error, under the trace that the record names")
    func spans() throws {
        let file = try file(Self.records())
        let log = try #require(EvalLogFormats.open(file.path).first)
        let spans = try log.spans(of: 0)
        #expect(spans.count == 5)
        #expect(spans.allSatisfy { $0.trace == "0123456789abcdef0123456789abcdef" })
        #expect(spans[2].name == "execute_tool find" && spans[2].status == .error("no 😀"))
        #expect(spans[2]["gen_ai.tool.call.arguments"] == .text(#"{"q": 1.0}"#))
        #expect(spans[3].kind == .retrieval)
        #expect(try log.spans(of: 0) == log.spans(of: 0))
        // Nothing was said, so nothing is reported.
        #expect(try log.spans(of: 1).isEmpty)
    }

    @Test("spans in the line come back unchanged; damaged ones are left out")
    func ownSpans() throws {
        var root = SpanRecord(trace: "0a1b", span: "1", name: "run é", start: 5, end: 9, status: .error("no \"way\""))
        root.add("score", 1.5)
        root.add("big", Int.max)
        let step = SpanRecord(trace: "0a1b", span: "2", parent: "1", name: "step", start: 6, end: nil)
        let file = try file(Self.records(), spans: [root, step])
        let log = try #require(EvalLogFormats.open(file.path).first)
        #expect(try log.spans(of: 1) == [root, step])
        let text = String(decoding: OTLPDocument([root]).bytes, as: UTF8.self)
        for damaged in [text.replacing("spanId", with: "id"), String(text.dropLast(9)), "7", #"{"resourceSpans":{}}"#] {
            #expect(SpanRecord.spans(otlp: Array(damaged.utf8)).isEmpty)
        }
        let line = String(decoding: OrreryLogWriter.line(Self.records()[0], spans: [root]), as: UTF8.self)
        let damaged = Array(line.replacing("spanId", with: "id").utf8)
        let unreadable = try ScratchFile(OrreryLogWriter.head(Self.head) + damaged)
        let found = try #require(EvalLogFormats.open(unreadable.path).first)
        #expect(throws: EvalLogError.self) { try found.spans(of: 0) }
    }
}

import Foundation
import LanguageModels
import Testing
import Traces
import Workspace

@Suite("Searching texts")
struct SearchTests {
    private let fixture: StoreFixture
    private var store: TraceStore { fixture.store }

    init() throws {
        fixture = try StoreFixture()
        for number in 0..<6 {
            let session = MadeSession("s\(number)", steps: 8)
            try fixture.write(session.text, to: "data/s\(number).jsonl")
        }
        try store.importTraces([fixture.folder + "/data"])
    }

    @Test("finds a text in questions, answers, arguments and results, before the index is there and after")
    func places() throws {
        let questions = [
            ("question 3", 6), ("ANSWER 3", 6), ("ls /data/3", 6), ("result_3", 6), ("GRÖSSE", 0), ("größe of", 48),
            ("sult_3", 6), ("nothing like it", 0),
        ]
        for (text, count) in questions {
            let result = try store.search(text, limit: 1_000)
            #expect(result.hits.count == count && result.scanned, "\(text)")
        }
        let report = try store.indexText()
        let texts = try store.summaries().reduce(0) { try $0 + store.messages(of: $1.id).count + $1.spans }
        #expect(try report.items == texts && store.textsWithoutIndex() == 0)
        #expect(report.textBytes > 0)
        for (text, count) in questions {
            let result = try store.search(text, limit: 1_000)
            #expect(result.hits.count == count && !result.scanned, "\(text)")
        }
    }

    @Test("finds the same by index and by reading everything", arguments: 0..<4)
    func twins(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let texts = try store.summaries().flatMap { try store.messages(store.messages(of: $0.id)) }
            .compactMap { $0 }.flatMap(\.parts).compactMap { part -> String? in
                switch part {
                case .text(let text): text
                case .toolCall(let call): call.arguments
                case .toolResult(let result): result.content
                default: nil
                }
            }
        var needles = ["a", "é", "ö", "  ", "\n", "{\"", "_"]
        for _ in 0..<60 {
            let text = Array(random.pick(texts))
            let start = random.next(text.count)
            let needle = String(text[start..<min(text.count, start + 1 + random.next(12))])
            needles.append(random.chance(0.5) ? needle : needle.uppercased())
            needles.append(needle + "x")
        }
        let scanned = try needles.map { try store.search($0, limit: 40) }
        try store.indexText()
        for (needle, expected) in zip(needles, scanned) {
            let found = try store.search(needle, limit: 40)
            #expect(found.hits == expected.hits, "\(needle)")
            #expect(found.partial == expected.partial)
            #expect(!found.scanned || needle.utf8.count < 3)
        }
    }

    @Test("follows a run that grows: what is new is read until it is indexed")
    func grown() throws {
        try store.indexText()
        var session = MadeSession("s3", steps: 8)
        session.addStep(8)
        try fixture.write(session.text, to: "data/s3.jsonl")
        try store.importTraces([fixture.folder + "/data"])
        let before = try store.search("Question 8")
        #expect(before.hits.count == 1 && before.scanned)
        #expect(try store.textsWithoutIndex() == 5, "three messages and two spans")
        #expect(try store.indexText().items == 5)
        let after = try store.search("Question 8")
        #expect(after.hits == before.hits && !after.scanned)
        #expect(try store.search("Question 7").hits.count == 6)
    }

    @Test("goes on where it was cut off")
    func resumed() throws {
        let job = try store.workspace.jobs.start(TraceStore.textIndexJob, title: "index")
        job.cancellation.cancel()
        #expect(throws: CancellationError.self) { try store.indexText(job: job) }
        job.cancelled()
        let left = try store.textsWithoutIndex()
        #expect(left > 0)
        #expect(try fixture.reopened().indexText().items == left)
    }

    @Test("gives hits in the order of runs and messages, with their span and surroundings")
    func hits() throws {
        let result = try store.search("result_2\nnext", in: 1)
        let hit = try #require(result.hits.first)
        let characters = Array(hit.snippet)
        #expect(String(characters[hit.match]) == "result_2 next")
        let span = try #require(hit.span.map { try store.spans(of: 1)[$0] })
        #expect(span.kind == .tool)
        let all = try store.search("answer", limit: 1_000).hits
        let starts = Dictionary(uniqueKeysWithValues: try store.summaries().map { ($0.id, $0.start) })
        let sorted = all.sorted {
            (starts[$1.trace]!, $1.trace, $0.message ?? .max) < (starts[$0.trace]!, $0.trace, $1.message ?? .max)
        }
        #expect(all == sorted)
    }

    @Test("finds arguments and results that stand on a span and in no message")
    func spansWithoutMessages() throws {
        let attributes =
            #"[{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}},"#
            + #"{"key":"gen_ai.tool.name","value":{"stringValue":"search"}},"#
            + #"{"key":"gen_ai.tool.call.arguments","value":{"stringValue":"{\"query\":\"Unique Needle\"}"}}]"#
        let line = otlpLine(trace: "0af7651916cd43dd8448eb211c80319c", spans: [("00000000000000a1", nil, "search")])
            .replacingOccurrences(of: #""status":{}"#, with: #""status":{},"attributes":\#(attributes)"#)
        try store.importTraces([try fixture.write(line, to: "tool.json")])
        let run = try #require(try store.summaries(matching: Filter(parsing: "format:otlp")).first)
        for scanned in [true, false] {
            let result = try store.search("unique needle")
            #expect(result.hits.count == 1 && result.scanned == scanned)
            #expect(result.hits.first?.trace == run.id && result.hits.first?.span == 0)
            #expect(result.hits.first?.message == nil)
            #expect(try store.spans(with: "unique needle", in: run.id) == [0])
            #expect(try store.count(matching: Filter(parsing: #"kind:tool "unique needle""#)) == 1)
            try store.indexText()
        }
    }

    @Test("stops at the limit and says so")
    func limit() throws {
        let result = try store.search("answer", limit: 5)
        #expect(result.hits.count == 5 && result.partial)
        #expect(try store.search("answer", limit: 48).partial == false)
    }

    @Test("looks in one run, and not in deleted ones")
    func scope() throws {
        #expect(try store.search("Question 3", in: 2).hits.map(\.trace) == [2])
        try store.delete([2])
        #expect(try !store.search("Question 3").hits.contains { $0.trace == 2 })
        try store.indexText()
        #expect(try !store.search("Question 3").hits.contains { $0.trace == 2 })
    }

    @Test("finds runs and spans by free text in filters, with and without the index")
    func filters() throws {
        let filter = try Filter(parsing: #"kind:tool status:error "result_4""#)
        for _ in 0..<2 {
            #expect(try store.count(matching: filter) == 6)
            #expect(try store.count(matching: Filter(parsing: #"kind:model "result_4""#)) == 0)
            #expect(try store.count(matching: Filter(parsing: #"not "größe""#)) == 6, "spans without the text match")
            try store.indexText()
        }
        let spans = try store.spans(with: "result_4", in: 1)
        let run = try #require(try store.trace(1))
        let matching = filter.matching(run.spans, of: run.summary) { _ in spans }
        #expect(matching.count { $0 } == 1)
    }

    @Test("cuts a snippet inside a long line at whole characters")
    func snippets() throws {
        let text = String(repeating: "👩‍💻é", count: 100) + "needle" + String(repeating: "中", count: 200)
        let line =
            #"{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"long","#
            + #""timestamp":"2026-03-01T09:00:00.000Z","message":{"role":"user","content":"\#(text)"}}"# + "\n"
        try store.importTraces([try fixture.write(line, to: "long.jsonl")])
        let hit = try #require(try store.search("NEEDLE").hits.first)
        #expect(hit.snippet.hasPrefix("…") && hit.snippet.hasSuffix("…"))
        #expect(String(Array(hit.snippet)[hit.match]) == "needle")
        #expect(hit.snippet.count < 140)
    }
}

import Retrieval
import Testing
import Traces

@Suite("A retrieval that another system recorded")
struct ForeignRetrievalTests {
    private typealias R = RecordedSpans

    private static let bolts = "The bolts of the dome are tightened to 90 newton metres."
    private static let leaves = "The leaves of the shutter open one after the other."

    @Test("a foreign retrieval has stages: retrieved, reranked, in the prompt, and cited by the answer")
    func stages() throws {
        let spans = try R(
            R.span(1, in: nil, "CHAIN", "answer", at: 1),
            R.span(
                2, "RETRIEVER", "store", at: 10, R.text("input.value", "what torque?"),
                R.document("retrieval.documents", 0, id: "leaves", text: Self.leaves),
                R.document("retrieval.documents", 1, id: "bolts", text: Self.bolts),
                R.document("retrieval.documents", 2, id: "birds", text: "Birds nest under the roof.")),
            R.span(
                3, "RERANKER", "rerank", at: 20, R.text("reranker.query", "what torque?"),
                R.document("reranker.input_documents", 0, id: "leaves"),
                R.document("reranker.input_documents", 1, id: "bolts"),
                R.document("reranker.input_documents", 2, id: "birds"),
                R.document("reranker.output_documents", 0, id: "bolts"),
                R.document("reranker.output_documents", 1, id: "leaves")),
            R.span(
                4, "LLM", "reader", at: 30, R.exchange("Use this: \(Self.bolts) What torque?", "90 N·m, says bolts.")))
        let record = try #require(try spans.record())
        #expect(record.query == "what torque?")
        #expect(record.stages.map(\.name) == ["store", "rerank", "in the prompt"])
        #expect(record.stages.map(\.kind) == [.retrieved, .reranked, .context])
        func names(_ stage: Int, kept: Bool) -> [String] {
            record.stages[stage].entries.filter { $0.verdict.isKept == kept }.map { record[$0.passage].document }
        }
        #expect(names(0, kept: true) == ["leaves", "bolts", "birds"])
        #expect(names(1, kept: true) == ["bolts", "leaves"])
        #expect(names(1, kept: false) == ["birds"])
        #expect(names(2, kept: true) == ["bolts"])
        #expect(record.context?.passages.map { record[$0.passage].document } == ["bolts"])
        #expect(record.answer?.text == "90 N·m, says bolts.")
        let cited = record.answer?.citations.map { record[$0.passage].document }
        #expect(cited?.contains("bolts") == true && cited?.contains("leaves") == false)
    }

    @Test("documents without ids are matched by text, even if the prompt truncated it")
    func texts() throws {
        let long = Self.bolts + String(repeating: " And more of it.", count: 20)
        let list =
            #"[{\"page_content\":\"\#(long)\",\"metadata\":{\"source\":\"a.md\"}},{\"page_content\":\"\#(Self.leaves)\"}]"#
        let spans = try R(
            R.span(1, in: nil, "CHAIN", "answer", at: 1),
            R.span(2, "RETRIEVER", "langchain", at: 10, R.text("output.value", list)),
            R.span(3, "LLM", "reader", at: 30, R.exchange(String(long.prefix(120)), "yes")))
        let record = try #require(try spans.record())
        #expect(record.passages.count == 2)
        #expect(record.passages[0].document == "a.md")
        #expect(record.stages.last?.entries.map(\.verdict.isKept) == [true, false])
    }

    @Test("a score that is not finite is left out", arguments: ["NaN", "Infinity", "-Infinity"])
    func scores(score: String) throws {
        let spans = try R(
            R.span(
                1, in: nil, "RETRIEVER", "store", at: 10, R.document("retrieval.documents", 0, id: "bolts"),
                #"{"key":"retrieval.documents.0.document.score","value":{"doubleValue":"\#(score)"}}"#))
        let record = try #require(try spans.record())
        #expect(record.stages[0].entries.map(\.score) == [nil])
    }

    @Test("documents with the same text are distinguished by id")
    func duplicates() throws {
        let spans = try R(
            R.span(1, in: nil, "CHAIN", "answer", at: 1),
            R.span(
                2, "RETRIEVER", "store", at: 10,
                R.document("retrieval.documents", 0, id: "new", text: Self.bolts),
                R.document("retrieval.documents", 1, id: "old", text: Self.bolts),
                R.document("retrieval.documents", 2, id: "leaves", text: Self.leaves)),
            R.span(
                3, "RERANKER", "rerank", at: 20,
                R.document("reranker.output_documents", 0, text: Self.leaves),
                R.document("reranker.output_documents", 1, text: Self.bolts)))
        let record = try #require(try spans.record())
        func kept(_ stage: Int) -> [String] {
            record.stages[stage].entries.filter(\.verdict.isKept).map { record[$0.passage].document }
        }
        #expect(kept(0) == ["new", "old", "leaves"])
        // A list without ids names the first document with that text.
        #expect(kept(1) == ["leaves", "new"])
    }

    @Test("missing texts, prompts, and model calls are reported")
    func missing() throws {
        let alone = try R(
            R.span(1, in: nil, "CHAIN", "answer", at: 1),
            R.span(2, "RETRIEVER", "store", at: 10, R.document("retrieval.documents", 0, id: "a")))
        let first = try #require(try alone.record())
        #expect(first.stages.map(\.kind) == [.retrieved])
        #expect(first.notes.contains { $0.contains("without their text") })
        #expect(first.notes.contains { $0.contains("No model call") })

        let silent = try R(
            R.span(1, in: nil, "CHAIN", "answer", at: 1),
            R.span(2, "RETRIEVER", "store", at: 10, R.document("retrieval.documents", 0, id: "a")),
            R.span(3, "LLM", "reader", at: 30))
        #expect(try #require(try silent.record()).notes.contains { $0.contains("prompt of reader was not recorded") })

        let empty = try R(R.span(1, in: nil, "CHAIN", "answer", at: 1), R.span(2, "RETRIEVER", "store", at: 10))
        #expect(try #require(try empty.record()).notes.contains("store recorded no documents."))
        #expect(try R(R.span(1, in: nil, "LLM", "reader", at: 1)).record() == nil)
    }

    @Test("contradictory spans still yield a record", arguments: [1, 2, 3])
    func hostile(parent: Int) throws {
        // A span may hang on itself, on one that hangs on it, or on one that is not there.
        let spans = try R(
            R.span(1, in: 2, "CHAIN", "a", at: 5),
            R.span(2, in: parent, "RETRIEVER", "store", at: 1, R.document("retrieval.documents", 0, id: "a")),
            R.span(3, in: 99, "LLM", "reader", at: 0, R.exchange("", "")))
        #expect(try #require(try spans.record()).passages.map(\.document) == ["a"])
        _ = try spans.record(span: 0)
        _ = try spans.record(span: 99_999)
    }

    @Test(
        "documents are matched with a corpus by id, source, and text",
        arguments: [
            ("a", nil, nil, Passage.Match.id), (nil, "/srv/docs/a", nil, .source), (nil, nil, bolts, .text),
            ("unknown", nil, "Nothing of this stands in any corpus at all.", nil),
        ] as [(String?, String?, String?, Passage.Match?)])
    func matched(id: String?, source: String?, text: String?, by expected: Passage.Match?) throws {
        let fixture = try CorpusFixture()
        try fixture.add([Self.bolts, Self.leaves])
        let spans = try R(
            R.span(1, in: nil, "CHAIN", "answer", at: 1),
            R.span(
                2, "RETRIEVER", "store", at: 10,
                R.document("retrieval.documents", 0, id: id, text: text, source: source)))
        let record = try #require(try spans.record(matching: CorpusMatcher(Retriever(fixture.workspace))))
        #expect(record.passages.count == 1)
        #expect(record.passages[0].match == expected)
        #expect(record.passages[0].matchedLabel == (expected == nil ? nil : "a"))
        if expected != nil { #expect(record.passages[0].text == Self.bolts) }
    }

    @Test("a recorded Orrery run is read back with the same stages and passage names")
    func own() throws {
        let fixture = try OwnRun()
        let record = try #require(try fixture.readBack())
        let run = fixture.record
        #expect(record.query == run.query)
        #expect(record.stages.map(\.name) == run.stages.map(\.name))
        #expect(record.stages.map(\.kind) == run.stages.map(\.kind))
        for (ours, read) in zip(run.stages, record.stages) {
            let kept = ours.entries.filter(\.verdict.isKept).map { run[$0.passage].chunk }
            #expect(read.entries.filter(\.verdict.isKept).map { record[$0.passage].chunk } == kept, "\(ours.name)")
        }
        #expect(record.passages.map(\.label).sorted() == ["a", "b"])
        #expect(record.context?.passages.count == run.context?.passages.count)
    }

    @Test("a recorded Orrery run is read back with every passage, even with equal texts")
    func ownDuplicates() throws {
        let fixture = try OwnRun(["the bolts of the dome turn", "the bolts of the dome turn", "bolts of the mirror"])
        let record = try #require(try fixture.readBack())
        #expect(record.passages.map(\.label).sorted() == ["a", "b", "c"])
        for (ours, read) in zip(fixture.record.stages, record.stages) {
            let kept = ours.entries.filter(\.verdict.isKept).map { fixture.record[$0.passage].chunk }
            #expect(read.entries.filter(\.verdict.isKept).map { record[$0.passage].chunk } == kept, "\(ours.name)")
        }
    }
}

/// A recorded search by Orrery and the corpus that it searched.
private struct OwnRun {
    let fixture: CorpusFixture
    let record: RetrievalRecord
    private let id: String
    private let spans: RecordedSpans

    init(_ texts: [String] = ["the bolts of the dome turn", "bolts of the mirror"]) throws {
        fixture = try CorpusFixture()
        try fixture.add(texts)
        let source = try fixture.session().source()
        let traced = try PipelineRun(PipelineDefinition("", path: "hybrid"), over: source).traced("dome bolts")
        record = traced.record
        spans = try RecordedSpans()
        id = try RetrievalTraceRecorder(spans.workspace).record(traced)
    }

    func readBack() throws -> RetrievalRecord? {
        let store = TraceStore(spans.workspace)
        return try ForeignRetrieval(store).record(
            ofTrace: store.find(id).id, matching: CorpusMatcher(Retriever(fixture.workspace)))
    }
}

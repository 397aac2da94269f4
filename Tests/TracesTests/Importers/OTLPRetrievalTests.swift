import JSON
import Testing
import Traces

@Suite("What a span recorded of a retrieval")
struct OTLPRetrievalTests {
    private typealias O = MessageText

    /// Of a retriever's span with these attributes.
    private func read(_ attributes: String..., kind: String = "RETRIEVER") throws -> RecordedRetrieval? {
        let all = [O.attribute("openinference.span.kind", kind)] + attributes
        let text =
            #"{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"00000000000000a1","name":"search","kind":1,"#
            + #""startTimeUnixNano":"1","endTimeUnixNano":"2","attributes":[\#(all.joined(separator: ","))]}"#
        let trace = try importing(O.document(text), with: OTLPImporter.self).trace
        let document = try JSONDocument(parsing: text)
        return document.withRoot { OTLPImporter.retrieval(of: trace.spans[0], records: [$0]) }
    }

    @Test("flattened lists of OpenInference: ids, scores, texts, sources, in the order of their numbers")
    func flattened() throws {
        let found = try #require(
            try read(
                O.attribute("input.value", "what torque?"), O.attribute("retrieval.documents.1.document.id", "b"),
                O.attribute("retrieval.documents.0.document.id", "a"),
                O.attribute("retrieval.documents.0.document.content", "the bolts"),
                O.attribute("retrieval.documents.0.document.score", raw: #"{"doubleValue":0.5}"#),
                O.attribute("retrieval.documents.0.document.metadata", #"{"source": "docs/a.md"}"#),
                O.attribute("retrieval.top_k", 4)))
        #expect(found.query == "what torque?")
        #expect(found.limit == 4)
        #expect(
            found.documents == [
                .init(id: "a", score: 0.5, text: "the bolts", source: "docs/a.md"), .init(id: "b"),
            ])
        #expect(found.inputs.isEmpty && found.stage == nil)
    }

    @Test("a reranker has what went in and what came out")
    func reranker() throws {
        let found = try #require(
            try read(
                O.attribute("reranker.query", "q"), O.attribute("reranker.input_documents.0.document.id", "a"),
                O.attribute("reranker.input_documents.1.document.id", "b"),
                O.attribute("reranker.output_documents.0.document.id", "b"), O.attribute("reranker.top_k", 1),
                kind: "RERANKER"))
        #expect(found.inputs.map(\.id) == ["a", "b"])
        #expect(found.documents.map(\.id) == ["b"])
        #expect(found.limit == 1)
    }

    @Test(
        "lists that libraries write as JSON",
        arguments: [
            (
                "LangChain", #"[{"page_content":"the bolts","metadata":{"source":"a.md"},"type":"Document"}]"#,
                RecordedRetrieval.Document(text: "the bolts", source: "a.md")
            ),
            (
                "LlamaIndex",
                #"{"nodes":[{"node":{"id_":"n1","text":"the bolts","metadata":{"file_name":"a.md"}},"score":0.25}]}"#,
                RecordedRetrieval.Document(id: "n1", score: 0.25, text: "the bolts", source: "a.md")
            ),
            (
                "a vector store", #"{"matches":[{"id":7,"score":0.25,"metadata":{"path":"a.md"}}]}"#,
                RecordedRetrieval.Document(id: "7", score: 0.25, source: "a.md")
            ),
            ("texts alone", #"["the bolts"]"#, RecordedRetrieval.Document(text: "the bolts")),
        ])
    func listed(name: String, json: String, expected: RecordedRetrieval.Document) throws {
        let found = try #require(try read(O.attribute("output.value", json)), "\(name)")
        #expect(found.documents == [expected], "\(name)")
    }

    @Test("stages recorded by Orrery are read with their kind and settings")
    func own() throws {
        let found = try #require(
            try read(
                O.attribute("orrery.stage.kind", "lexical"), O.attribute("orrery.retrieval.k1", "0.9"),
                O.attribute("orrery.retrieval.b", "0.4"), O.attribute("retrieval.documents.0.document.id", "7")))
        #expect(found.stage == "lexical")
        #expect(found.settings == [.init("k1", "0.9"), .init("b", "0.4")])
    }

    @Test(
        "a value that is not a list of documents gives no documents",
        arguments: ["", "plain words", "{", "[]", "{}", "[null, 1, {}]", #"{"documents": 3}"#, "null"])
    func nothing(value: String) throws {
        #expect(try read(O.attribute("output.value", value))?.documents.contains { $0.text == nil } != true)
        #expect(try read(O.attribute("output.value", String(repeating: "[", count: 5000))) == nil)
    }

    @Test("an implausible number of a document is ignored")
    func hugeIndex() throws {
        let found = try read(
            O.attribute("retrieval.documents.99999999.document.id", "z"),
            O.attribute("retrieval.documents.0.document.id", "a"))
        #expect(found?.documents.map(\.id) == ["a"])
    }
}

import Retrieval
import SearchIndexes
import System
import Testing

@Suite("Collections in Qdrant") struct QdrantServerTests {
    let double = QdrantDouble()
    var server: QdrantServer { QdrantServer(double.address, key: nil) }

    static let rows: [ExternalRow] = SeededNumbers.vectors(9, 4, seed: 11).enumerated().map { place, vector in
        ExternalRow(
            label: Int64(place + 1), vector: vector, document: "doc-\(place / 3)", title: "T", caption: "c",
            text: "it's \"text\" \(place)\n✓", place: 200 - place)
    }

    private func filled(_ metric: Metric = .l2) throws -> VectorCollection {
        let origin = VectorCollection.Origin(corpus: "c", identity: "1", embedder: "e", digest: "d")
        let collection = try VectorCollection("manuals", dimension: 4, metric: metric, origin: origin)
        try server.prepare(collection)
        try server.put(Self.rows, into: collection) { false }
        try server.buildIndex(collection) { false }
        return collection
    }

    @Test("rows are added, replaced, read, and removed") func rows() throws {
        let collection = try filled()
        #expect(try server.described("manuals") == collection)
        #expect(try server.collections() == [collection])
        #expect(try server.count(collection) == 9)
        #expect(try server.rows([7, 99, 2], in: collection, withVectors: true) == [Self.rows[6], Self.rows[1]])
        // In the order of the text, over several pages.
        #expect(try server.labels(ofDocument: "doc-1", in: collection) == [6, 5, 4])
        let stamps = Dictionary(uniqueKeysWithValues: Self.rows.map { ($0.label, $0.stamp) })
        #expect(try server.stamps(in: collection) { false } == stamps)
        try server.remove([1, 2, 50], from: collection)
        #expect(try server.count(collection) == 7)
        #expect(try server.described("nowhere") == nil)
    }

    /// A PUT is a PUT: the method goes as it was given, with the body.
    @Test("requests follow the REST interface") func requests() throws {
        double.demand("s3cret")
        let server = QdrantServer(double.address + "/", key: "s3cret")
        let collection = try VectorCollection("manuals", dimension: 2, metric: .cosine)
        try server.prepare(collection)
        try server.put([ExternalRow(label: 5, vector: [0.1, 2])], into: collection) { false }
        _ = try server.search(collection, [1, 0], k: 3, effort: 77, isExact: false) { false }
        try server.remove([5], from: collection)
        #expect(
            double.requests.map(\.line) == [
                "GET /collections/manuals", "PUT /collections/manuals", "PUT /collections/manuals/points?wait=true",
                "POST /collections/manuals/points/query", "POST /collections/manuals/points/delete?wait=true",
            ])
        #expect(
            double.requests[1].body
                == #"{"vectors":{"size":2,"distance":"Cosine"},"hnsw_config":{"m":16,"ef_construct":64}}"#)
        #expect(double.requests[2].body.hasPrefix(#"{"points":[{"id":5,"vector":[0.1,2.0],"payload":{"document":"","#))
        #expect(
            double.requests[3].body
                == #"{"query":[1.0,0.0],"limit":3,"with_payload":false,"params":{"exact":false,"hnsw_ef":77}}"#)
    }

    @Test("scores are converted to Orrery's distances", arguments: Metric.allCases)
    func distances(_ metric: Metric) throws {
        let collection = try filled(metric)
        let rows = try VectorRows(dimension: 4, metric: metric)
        for row in Self.rows { try rows.append(row.vector, label: row.label) }
        let query: [Float] = [0.3, -0.2, 0.5, 0.1]
        let ours = try FlatIndex(rows).search(query, VectorRequest(k: 5))
        let theirs = try server.search(collection, query, k: 5, effort: nil, isExact: true) { false }
        #expect(theirs.map(\.label) == ours.map(\.label))
        for (one, other) in zip(theirs, ours) { #expect(abs(one.distance - other.distance) < 1e-4) }
    }

    @Test("another dimension and an invalid key are errors") func refusals() throws {
        _ = try filled()
        let wide = try VectorCollection("manuals", dimension: 5, metric: .l2)
        #expect(throws: Problem.self) { try server.prepare(wide) }
        #expect(throws: Problem.self) { try server.put(Self.rows, into: wide) { false } }
        double.demand("right")
        let refused = #expect(throws: Problem.self) {
            try QdrantServer(double.address, key: "wr0ng").count(wide)
        }
        #expect(refused?.what == "the server replied with status 401")
        #expect(refused?.remedy == "Set QDRANT_API_KEY to the API key.")
        #expect(QdrantServer("http://me:pw@host:6333/?a=b", key: nil).name == "http://host:6333")
    }

    @Test(
        "invalid responses are errors",
        arguments: [
            (
                QdrantDouble.http("500 No", #"{"status":{"error":"Service internal error: out of disk"}}"#),
                "the server replied with status 500: Service internal error: out of disk"
            ),
            (QdrantDouble.http("409 Conflict", ""), "the server replied with status 409"),
            (
                QdrantDouble.http("404 Not Found", #"{"status":{"error":"gone"}}"#),
                "the server replied with status 404: gone"
            ),
            (
                QdrantDouble.http("200 OK", #"{"result":{"points":[{"id":1,"sc"#),
                "the response is not JSON, so the server is not Qdrant"
            ),
            (QdrantDouble.http("200 OK", "<html>"), "the response is not JSON, so the server is not Qdrant"),
            (QdrantDouble.http("200 OK", "{}"), "unexpected response from Qdrant: no points"),
            (
                QdrantDouble.http("200 OK", #"{"result":{"points":[{"id":1},{"id":"x","score":1}]}}"#),
                "unexpected response from Qdrant: points without an id or score, or too many points"
            ),
            (
                QdrantDouble.http("200 OK", #"{"result":{"points":[{"id":1,"score":1},{"id":2,"score":1}]}}"#),
                "unexpected response from Qdrant: points without an id or score, or too many points"
            ),
            ("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"result\":", "no response: the connection broke ("),
            ("", "no response: the connection broke ("),
            ("garbage\r\n\r\n", "no response: the response is not from Qdrant"),
        ])
    func hostile(answer: String, problem: String) throws {
        let collection = try VectorCollection("manuals", dimension: 2, metric: .l2)
        double.force(answer)
        let error = #expect(throws: Problem.self) {
            try server.search(collection, [1, 2], k: 1, effort: nil, isExact: false) { false }
        }
        #expect(error?.what.hasPrefix(problem) == true, "\(error?.sentence ?? "")")
    }

    @Test("repeating pages end") func circularPages() throws {
        let collection = try VectorCollection("manuals", dimension: 2, metric: .l2)
        let page = #"{"result":{"points":[{"id":4,"payload":{"stamp":1}}],"next_page_offset":4}}"#
        double.force(QdrantDouble.http("200 OK", page), QdrantDouble.http("200 OK", page))
        #expect(throws: Problem.self) { try server.stamps(in: collection) { false } }
    }

    @Test("addresses select a server") func addresses() throws {
        #expect(try VectorServers.server(at: "https://q:6333") is QdrantServer)
        #expect(try VectorServers.server(at: "postgres://a@b/c") is PGVectorServer)
        let error = #expect(throws: Problem.self) { try VectorServers.server(at: "mysql://me:s3cret@host") }
        #expect(error?.sentence.contains("s3cret") == false)
    }
}

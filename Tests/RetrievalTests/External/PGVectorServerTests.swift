import Glibc
import Retrieval
import SearchIndexes
import Synchronization
import System
import Testing

@Suite("Collections in PostgreSQL", .enabled(if: PostgreSQLFixture.isThere, "pgserver or libpq5 is not installed"))
struct PGVectorServerTests {
    let server: PGVectorServer

    init() throws { server = PGVectorServer(try #require(PostgreSQLFixture.shared).address) }

    static func rows(_ vectors: [[Float]]) -> [ExternalRow] {
        vectors.enumerated().map { place, vector in
            ExternalRow(
                label: Int64(place + 1), vector: vector, document: "doc-\(place / 3)", title: "Title",
                caption: "doc-\(place / 3) §\(place % 3 + 1)", text: "it's \"text\" \\ \(place)\n\t– ✓",
                place: place % 3 * 100)
        }
    }

    func filled(
        _ name: String, _ metric: Metric, _ vectors: [[Float]], m: Int = 16, efConstruction: Int = 64
    ) throws -> VectorCollection {
        let collection = try VectorCollection(
            name, dimension: vectors[0].count, metric: metric, m: m, efConstruction: efConstruction)
        try server.prepare(collection)
        try server.put(Self.rows(vectors), into: collection) { false }
        return collection
    }

    static func local(_ metric: Metric, _ vectors: [[Float]]) throws -> VectorRows {
        let rows = try VectorRows(dimension: vectors[0].count, metric: metric)
        for (place, vector) in vectors.enumerated() { try rows.append(vector, label: Int64(place + 1)) }
        return rows
    }

    @Test("exact search returns the ten nearest rows", arguments: Metric.allCases)
    func exact(_ metric: Metric) throws {
        let vectors = SeededNumbers.vectors(3_000, 32, seed: 1)
        let name = "exact_" + metric.rawValue.replacing("-", with: "_")
        let collection = try filled(name, metric, vectors)
        let flat = FlatIndex(try Self.local(metric, vectors))
        for query in SeededNumbers.vectors(40, 32, seed: 2) {
            let ours = try flat.search(query, VectorRequest(k: 10))
            let theirs = try server.search(collection, query, k: 10, effort: nil, isExact: true) { false }
            #expect(theirs.map(\.label) == ours.map(\.label))
            for (one, other) in zip(theirs, ours) { #expect(abs(one.distance - other.distance) < 1e-4) }
        }
    }

    @Test("pgvector's graph matches the recall of Orrery's graph with the same settings", arguments: Metric.allCases)
    func graph(_ metric: Metric) throws {
        let vectors = SeededNumbers.vectors(3_000, 32, seed: 3)
        let collection = try filled("graph_" + metric.rawValue.replacing("-", with: "_"), metric, vectors)
        try server.buildIndex(collection) { false }
        let rows = try Self.local(metric, vectors)
        let graph = try HNSWIndex(rows, parameters: HNSWParameters(m: 16, efConstruction: 64, effort: 40))
        try graph.add(slots: 0..<rows.count, threads: 1) { _ in true }
        var (ours, theirs, all) = (0, 0, 0)
        for query in SeededNumbers.vectors(100, 32, seed: 4) {
            let truth = Set(try FlatIndex(rows).search(query, VectorRequest(k: 10)).map(\.label))
            all += truth.count
            ours += try graph.search(query, VectorRequest(k: 10, effort: 40)).count { truth.contains($0.label) }
            theirs += try server.search(collection, query, k: 10, effort: 40, isExact: false) { false }
                .count { truth.contains($0.label) }
        }
        let (one, other) = (Double(theirs) / Double(all), Double(ours) / Double(all))
        #expect(one > 0.5)
        #expect(abs(one - other) <= 0.02, "pgvector \(one), ours \(other)")
        // The graph itself was asked: with the fewest candidates it finds less than exact search.
        let few = try server.search(collection, vectors[0], k: 3, effort: 1, isExact: false) { false }
        #expect(few.count == 3)
    }

    @Test("rows are added, replaced, read, and removed") func rows() throws {
        let vectors = SeededNumbers.vectors(30, 5, seed: 5)
        let collection = try filled("rows", .l2, vectors)
        var rows = Self.rows(vectors)
        #expect(try server.count(collection) == 30)
        #expect(try server.rows([7, 99, 2], in: collection, withVectors: true) == [rows[6], rows[1]])
        #expect(try server.labels(ofDocument: "doc-2", in: collection) == [7, 8, 9])
        #expect(
            try server.stamps(in: collection) { false }
                == Dictionary(uniqueKeysWithValues: rows.map { ($0.label, $0.stamp) }))

        rows[6].text = "another"
        rows[6].vector = [1, 2, 3, 4, 5]
        try server.put([rows[0], rows[6], rows[6]], into: collection) { false }
        try server.remove([1, 2, 500], from: collection)
        #expect(try server.count(collection) == 28)
        #expect(try server.rows([1, 7], in: collection, withVectors: true) == [rows[6]])
        let found = try server.search(collection, [1, 2, 3, 4, 5], k: 1, effort: nil, isExact: false) { false }
        #expect(found == [Neighbor(label: 7, distance: 0)])
    }

    @Test("a batch is written completely or not at all") func batch() throws {
        let vectors = SeededNumbers.vectors(10, 4, seed: 6)
        let collection = try filled("batch", .cosine, vectors)
        var rows = Self.rows(SeededNumbers.vectors(10, 4, seed: 7))
        rows[9].vector = [1, 2]
        #expect(throws: Problem.self) { try server.put(rows, into: collection) { false } }
        rows[9].vector = [1, 2, .infinity, 3]
        #expect(throws: Problem.self) { try server.put(rows, into: collection) { false } }
        rows[9].vector = [1, 2, 3, 4]
        #expect(throws: Problem.cancelled(server.name)) { try server.put(rows, into: collection) { true } }
        #expect(try server.rows([3, 10], in: collection, withVectors: true).map(\.vector) == [vectors[2], vectors[9]])
    }

    @Test("collections describe the pushed corpus") func descriptions() throws {
        let origin = VectorCollection.Origin(
            corpus: "it's \\ \"mine\"", identity: "17", embedder: "letters", digest: "l-1")
        let collection = try VectorCollection("told", dimension: 7, metric: .innerProduct, origin: origin)
        try server.prepare(collection)
        try server.prepare(collection)
        #expect(try server.described("told") == collection)
        #expect(try server.collections().contains(collection))
        #expect(try server.described("nowhere") == nil)
        let wider = try VectorCollection("told", dimension: 8, metric: .innerProduct)
        #expect(throws: Problem.self) { try server.prepare(wider) }
        let other = try VectorCollection("told", dimension: 7, metric: .l2)
        #expect(throws: Problem.self) { try server.prepare(other) }
        // A table of another program is left alone.
        let connection = try PostgreSQLConnection(try #require(PostgreSQLFixture.shared).address)
        try connection.run("CREATE TABLE IF NOT EXISTS orrery_foreign (a int)")
        #expect(throws: Problem.self) { try server.described("foreign") }
        #expect(throws: Problem.self) {
            try server.prepare(VectorCollection("foreign", dimension: 7, metric: .l2))
        }
    }

    @Test("the graph is rebuilt for other settings") func rebuilt() throws {
        var collection = try filled("rebuilt", .l2, SeededNumbers.vectors(100, 4, seed: 8))
        let connection = try PostgreSQLConnection(try #require(PostgreSQLFixture.shared).address)
        func settings() throws -> String? {
            try connection.run("SELECT reloptions::text, oid FROM pg_class WHERE relname = 'orrery_rebuilt_hnsw'")
                .first?
                .compactMap(\.self).joined(separator: " ")
        }
        try server.buildIndex(collection) { false }
        let first = try settings()
        try server.buildIndex(collection) { false }
        #expect(try settings() == first)
        collection.m = 5
        try server.buildIndex(collection) { false }
        #expect(try settings()?.contains("{m=5,ef_construction=64}") == true)
        let wide = try VectorCollection("wide", dimension: 2_001, metric: .l2)
        try server.prepare(wide)
        let refusal = #expect(throws: Problem.self) { try server.buildIndex(wide) { false } }
        #expect(refusal?.what == "pgvector's HNSW index supports at most 2000 dimensions, not 2001")
    }

    @Test("a waiting search can be canceled") func cancelled() throws {
        let collection = try filled("locked", .l2, SeededNumbers.vectors(10, 4, seed: 9))
        let address = try #require(PostgreSQLFixture.shared).address
        let holder = try PostgreSQLConnection(address)
        try holder.run("BEGIN; LOCK TABLE orrery_locked IN ACCESS EXCLUSIVE MODE")
        // Canceled as soon as the server says that the search waits.
        let watcher = Mutex(try PostgreSQLConnection(address))
        #expect(throws: Problem.cancelled(server.name)) {
            try server.search(collection, [0, 0, 0, 0], k: 1, effort: nil, isExact: true) {
                watcher.withLock { waiting(for: "orrery_locked", $0) }
            }
        }
        try holder.run("ROLLBACK")
        #expect(try server.search(collection, [0, 0, 0, 0], k: 1, effort: nil, isExact: true) { false }.count == 1)
    }

    private func waiting(for table: String, _ connection: PostgreSQLConnection) -> Bool {
        let rows = try? connection.run(
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = to_regclass($1)", [table])
        return rows?.first?.first.flatMap { $0 } != "0"
    }

    @Test(
        "connection errors do not contain the password",
        arguments: [
            ("postgresql://me:s3cret@127.0.0.1:1/db", "postgresql://127.0.0.1:1/db: cannot connect ("),
            ("postgresql://me:s3/cret@host/db", "postgresql: invalid address."),
            ("postgresql://me@127.0.0.1:1/db?password=s3cret", "postgresql://127.0.0.1:1/db: cannot connect ("),
            ("postgresql://me:s3cret@/db?host=/nowhere/s3cret", "postgresql:///nowhere/***/db: cannot connect ("),
        ])
    func secrets(address: String, beginning: String) throws {
        let lost = PGVectorServer(address)
        let error = #expect(throws: Problem.self) { try lost.collections() }
        let sentence = error?.sentence ?? ""
        #expect(sentence.hasPrefix(beginning), "\(sentence)")
        #expect(!sentence.contains("s3"))
    }
}

internal import JSON
public import SearchIndexes
internal import Synchronization
public import System

/// PostgreSQL with the extension pgvector.
///
/// A collection is a table `orrery_NAME (label, stamp, place, document, title, caption, body, embedding vector(D))`
/// whose comment says what was pushed; its graph is an index of pgvector's `hnsw`, over at most 2000 dimensions. A
/// password may stand in the address, in `PGPASSWORD`, or in `~/.pgpass`.
public final class PGVectorServer: VectorServer {
    public let name: String
    private let url: String
    /// Connections that are currently unused.
    private let idle = Mutex<[PostgreSQLConnection]>([])

    /// The widest vectors that `hnsw` takes, and the most candidates that it looks at.
    static let mostIndexed = 2_000
    static let mostCandidates = 1_000

    /// - Parameter url: As libpq reads it.
    public init(_ url: String) {
        self.url = url
        name = PostgreSQLAddress(url).shown
    }

    /// Calls `body` with an idle or new connection. If an idle connection turns out to be broken, `body`,
    /// which may run twice, gets another one.
    func connected<Result>(
        _ isCancelled: () -> Bool = { false }, _ body: (PostgreSQLConnection) throws(Problem) -> Result
    ) throws(Problem) -> Result {
        if let known = idle.withLock({ $0.popLast() }) {
            do throws(Problem) {
                let result = try body(known)
                keep(known)
                return result
            } catch {
                if known.isOpen { keep(known) }
                if known.isOpen || error.kind == .cancelled { throw error }
                idle.withLock { $0.removeAll() }
                guard let fresh = try? PostgreSQLConnection(url, isCancelled: isCancelled) else { throw error }
                return try once(fresh, body)
            }
        }
        return try once(try PostgreSQLConnection(url, isCancelled: isCancelled), body)
    }

    private func once<Result>(
        _ connection: PostgreSQLConnection, _ body: (PostgreSQLConnection) throws(Problem) -> Result
    ) throws(Problem) -> Result {
        defer { keep(connection) }
        return try body(connection)
    }

    private func keep(_ connection: PostgreSQLConnection) {
        guard connection.isOpen else { return }
        idle.withLock { idle in
            if idle.count < 4, !idle.contains(where: { $0 === connection }) { idle.append(connection) }
        }
    }

    // MARK: Collections

    public func described(_ collection: String) throws(Problem) -> VectorCollection? {
        try VectorCollection.check(collection)
        return try connected { db throws(Problem) in try described(collection, db) }
    }

    private func described(
        _ collection: String, _ db: PostgreSQLConnection
    ) throws(Problem) -> VectorCollection? {
        let rows = try db.run(Self.listing + " AND c.relname = $1", ["orrery_" + collection])
        guard let row = rows.first else { return nil }
        guard let found = Self.collection(row) else {
            throw Problem(
                .invalid, name, "table orrery_\(collection) was not created by corpus push",
                remedy: "Push under another name.")
        }
        return found
    }

    /// Name, width and comment of tables that may be ours.
    private static let listing = """
        SELECT c.relname, a.atttypmod, obj_description(c.oid, 'pg_class') FROM pg_class c \
        LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'embedding' AND NOT a.attisdropped \
        WHERE c.relkind IN ('r', 'p', 'v', 'm') AND pg_table_is_visible(c.oid)
        """

    private static func collection(_ row: [String?]) -> VectorCollection? {
        guard row.count == 3, let table = row[0], let width = row[1].flatMap({ Int($0) }), let comment = row[2],
            comment.hasPrefix("orrery "), let json = try? JSONDocument(parsing: String(comment.dropFirst(7)))
        else { return nil }
        let (metric, origin) = json.withRoot { root in
            (root["metric"]?.string.flatMap { Metric(rawValue: $0) }, VectorCollection.Origin(root["origin"]))
        }
        guard let metric else { return nil }
        return try? VectorCollection(String(table.dropFirst(7)), dimension: width, metric: metric, origin: origin)
    }

    public func collections() throws(Problem) -> [VectorCollection] {
        try connected { db throws(Problem) in
            try db.run(Self.listing + " AND c.relname LIKE 'orrery\\_%' ORDER BY c.relname").compactMap(Self.collection)
        }
    }

    public func prepare(_ collection: VectorCollection) throws(Problem) {
        try connected { db throws(Problem) in
            if let known = try described(collection.name, db) {
                return try collection.refuse(unless: known, on: name)
            }
            try installExtension(db)
            try db.transaction { () throws(Problem) in
                try db.run(
                    """
                    CREATE TABLE \(Self.table(collection)) (label bigint PRIMARY KEY, stamp bigint NOT NULL, \
                    place bigint NOT NULL, document text NOT NULL, title text NOT NULL, caption text NOT NULL, \
                    body text NOT NULL, embedding vector(\(collection.dimension)) NOT NULL)
                    """)
                var json = JSONWriter()
                json.object {
                    $0.member("metric", collection.metric.rawValue)
                    $0.member("origin", ifPresent: collection.origin)
                }
                let comment = "orrery " + json.text
                // A comment takes no parameter.
                try db.run(
                    """
                    SET LOCAL standard_conforming_strings = on; \
                    COMMENT ON TABLE \(Self.table(collection)) IS '\(Self.clean(comment).replacing("'", with: "''"))'
                    """)
            }
        }
    }

    private func installExtension(_ db: PostgreSQLConnection) throws(Problem) {
        let known = "SELECT 1 FROM pg_extension WHERE extname = 'vector'"
        guard try db.run(known).isEmpty else { return }
        do throws(Problem) { try db.run("CREATE EXTENSION vector") } catch {
            // Another process may have created the extension first.
            guard db.isOpen else { throw error }
            guard try db.run(known).isEmpty else { return }
            throw Problem(
                .missing, name, "the extension vector is missing (\(error.what))",
                remedy: "Install pgvector on the server, or have the database owner run CREATE EXTENSION vector.")
        }
    }

    public func count(_ collection: VectorCollection) throws(Problem) -> Int {
        try connected { db throws(Problem) in
            let rows = try db.run("SELECT count(*) FROM \(Self.table(collection))")
            guard let count = rows.first?.first.flatMap({ $0 }).flatMap({ Int($0) }) else {
                throw Problem(.missing, name, "the response contains no row count")
            }
            return count
        }
    }

    // MARK: Searching

    public func search(
        _ collection: VectorCollection, _ vector: [Float], k: Int, effort: Int?, isExact: Bool,
        isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> [Neighbor] {
        try collection.check(vector, "the query vector", on: name)
        guard k > 0 else { return [] }
        // The graph gives no more rows than it looks at.
        let isExact = isExact || k > Self.mostCandidates
        let candidates = min(max(effort ?? 40, k), Self.mostCandidates)
        // The graph is taken also where the planner would rather read the whole table.
        let plan =
            isExact
            ? "SET LOCAL enable_indexscan = off; SET LOCAL enable_bitmapscan = off"
            : "SET LOCAL enable_seqscan = off; SET LOCAL hnsw.ef_search = \(candidates)"
        let distance = "embedding \(Self.operatorWord(collection.metric)) $1::vector"
        return try connected(isCancelled) { db throws(Problem) in
            var rows: [[String?]] = []
            try db.transaction("BEGIN READ ONLY; SET LOCAL jit = off; \(plan)") { () throws(Problem) in
                rows = try db.run(
                    """
                    SELECT label, \(distance) FROM \(Self.table(collection)) \
                    ORDER BY \(distance)\(isExact ? ", label" : "") LIMIT $2
                    """, [Self.literal(vector), String(k)], isCancelled: isCancelled)
            }
            var found: [Neighbor] = []
            for row in rows {
                guard let label = row[0].flatMap({ Int64($0) }), let distance = row[1].flatMap({ Double($0) }) else {
                    throw Problem(.missing, name, "the response contains a row without a label or distance")
                }
                // pgvector's L2 is the distance itself, ours its square.
                found.append(
                    Neighbor(label: label, distance: Float(collection.metric == .l2 ? distance * distance : distance)))
            }
            return found.sorted()
        }
    }

    // MARK: Words of pgvector

    static func table(_ collection: VectorCollection) -> String { "orrery_\(collection.name)" }

    private static func operatorWord(_ metric: Metric) -> String {
        switch metric {
        case .l2: "<->"
        case .innerProduct: "<#>"
        case .cosine: "<=>"
        }
    }

    private static func literal(_ vector: [Float]) -> String {
        "[" + vector.map { String($0) }.joined(separator: ",") + "]"
    }

    /// PostgreSQL's texts hold no zero byte.
    static func clean(_ text: String) -> String {
        text.utf8.contains(0) ? text.replacing("\0", with: "\u{FFFD}") : text
    }
}

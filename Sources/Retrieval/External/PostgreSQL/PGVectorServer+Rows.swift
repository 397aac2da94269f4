internal import SearchIndexes
public import System

extension PGVectorServer {
    /// Rows go as COPY has them in binary: numbers as they are in memory, nothing to parse.
    public func put(
        _ rows: [ExternalRow], into collection: VectorCollection, isCancelled: @Sendable () -> Bool
    ) throws(Problem) {
        for row in rows { try collection.check(row.vector, "row \(row.label)", on: name) }
        // Of rows with one label the last stays.
        var places: [Int64: Int] = [:]
        for (place, row) in rows.enumerated() { places[row.label] = place }
        guard !places.isEmpty else { return }
        var copy = BinaryCopy(rows: places.count, columns: 8)
        for place in places.values.sorted() {
            let row = rows[place]
            copy.beginRow()
            copy.add(row.label)
            copy.add(row.stamp)
            copy.add(Int64(row.place))
            for text in [row.document, row.title, row.caption, row.text] { copy.add(Self.clean(text)) }
            copy.add(row.vector)
        }
        copy.end()
        let table = Self.table(collection)
        let bytes = copy.bytes
        try connected(isCancelled) { db throws(Problem) in
            try db.transaction { () throws(Problem) in
                try db.run("DELETE FROM \(table) WHERE label = ANY($1::bigint[])", [Self.list(places.keys)])
                try db.copy(
                    """
                    COPY \(table) (label, stamp, place, document, title, caption, body, embedding) \
                    FROM STDIN (FORMAT binary)
                    """, bytes, isCancelled: isCancelled)
            }
        }
    }

    public func remove(_ labels: [Int64], from collection: VectorCollection) throws(Problem) {
        guard !labels.isEmpty else { return }
        try connected { db throws(Problem) in
            _ = try db.run(
                "DELETE FROM \(Self.table(collection)) WHERE label = ANY($1::bigint[])", [Self.list(labels)])
        }
    }

    /// Builds the index for documents and the HNSW graph; rebuilds the graph if its settings differ from `collection`.
    public func buildIndex(
        _ collection: VectorCollection, isCancelled: @Sendable () -> Bool
    ) throws(Problem) {
        let table = Self.table(collection)
        try connected(isCancelled) { db throws(Problem) in
            try db.run("CREATE INDEX IF NOT EXISTS \(table)_doc ON \(table) (document)", isCancelled: isCancelled)
            guard collection.dimension <= Self.mostIndexed else {
                throw Problem(
                    .limit, name,
                    "pgvector's HNSW index supports at most \(Self.mostIndexed) dimensions, not \(collection.dimension)",
                    remedy: "Searches compare every vector.")
            }
            let known = try db.run(
                "SELECT array_to_string(c.reloptions, ' ') FROM pg_class c WHERE c.oid = to_regclass($1)",
                ["\(table)_hnsw"]
            ).first?.first.flatMap { $0 }
            let wanted = "m=\(collection.m) ef_construction=\(collection.efConstruction)"
            if known == wanted { return }
            try db.transaction { () throws(Problem) in
                try db.run("DROP INDEX IF EXISTS \(table)_hnsw")
                try db.run(
                    """
                    CREATE INDEX \(table)_hnsw ON \(table) USING hnsw \
                    (embedding \(Self.operatorClass(collection.metric))) \
                    WITH (m = \(collection.m), ef_construction = \(collection.efConstruction))
                    """, isCancelled: isCancelled)
            }
        }
    }

    private static func operatorClass(_ metric: Metric) -> String {
        switch metric {
        case .l2: "vector_l2_ops"
        case .innerProduct: "vector_ip_ops"
        case .cosine: "vector_cosine_ops"
        }
    }

    // MARK: Reading

    public func rows(
        _ labels: [Int64], in collection: VectorCollection, withVectors: Bool
    ) throws(Problem) -> [ExternalRow] {
        guard !labels.isEmpty else { return [] }
        let found = try connected { db throws(Problem) in
            try db.run(
                """
                SELECT label, document, title, caption, body, place\(withVectors ? ", embedding" : "") \
                FROM \(Self.table(collection)) WHERE label = ANY($1::bigint[])
                """, [Self.list(labels)])
        }
        var rows: [Int64: ExternalRow] = [:]
        for row in found {
            guard let label = row[0].flatMap({ Int64($0) }), let place = row[5].flatMap({ Int($0) }), place >= 0,
                place < Int.max >> 1
            else { throw Problem(.missing, name, "the response contains a row without a label or position") }
            var vector: [Float] = []
            if withVectors {
                vector = (row[6] ?? "").dropFirst().dropLast().split(separator: ",").compactMap { Float($0) }
                guard vector.count == collection.dimension else {
                    throw Problem(
                        .invalid, name, "row \(label) has \(vector.count) dimensions, not \(collection.dimension)")
                }
            }
            rows[label] = ExternalRow(
                label: label, vector: vector, document: row[1] ?? "", title: row[2] ?? "", caption: row[3] ?? "",
                text: row[4] ?? "", place: place)
        }
        return labels.compactMap { rows[$0] }
    }

    public func labels(
        ofDocument document: String, in collection: VectorCollection
    ) throws(Problem) -> [Int64] {
        try connected { db throws(Problem) in
            try db.run(
                "SELECT label FROM \(Self.table(collection)) WHERE document = $1 ORDER BY place, label",
                [Self.clean(document)]
            ).compactMap { $0[0].flatMap { Int64($0) } }
        }
    }

    public func stamps(
        in collection: VectorCollection, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> [Int64: Int64] {
        var stamps: [Int64: Int64] = [:]
        var last = Int64.min
        let page = 50_000
        while true {
            let rows = try connected(isCancelled) { db throws(Problem) in
                try db.run(
                    "SELECT label, stamp FROM \(Self.table(collection)) WHERE label > $1 ORDER BY label LIMIT \(page)",
                    [String(last)], isCancelled: isCancelled)
            }
            for row in rows {
                guard let label = row[0].flatMap({ Int64($0) }), let stamp = row[1].flatMap({ Int64($0) }) else {
                    throw Problem(.missing, name, "the response contains a row without a label or stamp")
                }
                stamps[label] = stamp
                last = max(last, label)
            }
            if rows.count < page { return stamps }
        }
    }

    private static func list(_ labels: some Sequence<Int64>) -> String {
        "{" + labels.map { String($0) }.joined(separator: ",") + "}"
    }
}

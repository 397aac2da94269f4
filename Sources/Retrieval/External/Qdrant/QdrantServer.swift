internal import Glibc
internal import JSON
public import SearchIndexes
public import System

/// Qdrant over its REST interface (version 1.10 and later: `points/query`).
///
/// Rows are points whose ids are the labels; texts, stamp and origin are their payload. A key comes from the variable
/// `QDRANT_API_KEY`. The exchanges follow Qdrant's published interface and are tested against a server of the tests
/// that speaks it; they have not been tried against Qdrant itself.
public final class QdrantServer: VectorServer {
    public let name: String
    let exchange: QdrantExchange

    /// - Parameter address: `http://host:6333`.
    public convenience init(_ address: String) {
        self.init(address, key: getenv("QDRANT_API_KEY").map { String(cString: $0) })
    }

    package init(_ address: String, key: String?) {
        exchange = QdrantExchange(address, key: key)
        name = exchange.name
    }

    static func path(_ collection: String) -> String { "/collections/\(collection)" }

    // MARK: Collections

    public func prepare(_ collection: VectorCollection) throws(Problem) {
        if let known = try described(collection.name) { return try collection.refuse(unless: known, on: name) }
        var json = JSONWriter()
        json.object { json in
            json.member("vectors") { json in
                json.object {
                    $0.member("size", collection.dimension)
                    $0.member("distance", Self.word(collection.metric))
                }
            }
            json.member("hnsw_config") { json in
                json.object {
                    $0.member("m", collection.m)
                    $0.member("ef_construct", collection.efConstruction)
                }
            }
        }
        try exchange.send("PUT", Self.path(collection.name), json)
    }

    public func described(_ collection: String) throws(Problem) -> VectorCollection? {
        try VectorCollection.check(collection)
        guard let answer = try exchange.send("GET", Self.path(collection), isMissingFine: true) else { return nil }
        let (size, distance) = answer.withRoot { root in
            let vectors = root["result"]?["config"]?["params"]?["vectors"]
            return (vectors?["size"]?.int, vectors?["distance"]?.string)
        }
        guard let size, let distance, let metric = Self.metric(distance) else {
            throw Problem(
                .unsupported, name, "\(collection) was not created by corpus push: unsupported vectors or metric",
                remedy: "Push under another name.")
        }
        // What was pushed stands with each point.
        var json = JSONWriter()
        json.object {
            $0.member("limit", 1)
            $0.member("with_payload", ["origin"])
            $0.member("with_vector", false)
        }
        let first = try exchange.send("POST", Self.path(collection) + "/points/scroll", json)
        let origin = first?.withRoot { root in
            VectorCollection.Origin(root["result"]?["points"]?.element(at: 0)?["payload"]?["origin"])
        }
        return try VectorCollection(
            collection, dimension: Int(exactly: size) ?? 0, metric: metric, origin: origin ?? nil)
    }

    /// Returns the collections that Orrery may have pushed.
    public func collections() throws(Problem) -> [VectorCollection] {
        let answer = try exchange.send("GET", "/collections")
        let names = answer?.withRoot { root in
            root["result"]?["collections"]?.elements.compactMap { $0["name"]?.string }
        }
        guard let names = names ?? nil else { throw exchange.unexpected("no collection list") }
        var found: [VectorCollection] = []
        for name in names.sorted() {
            if let one = try? described(name) { found.append(one) }
        }
        return found
    }

    public func count(_ collection: VectorCollection) throws(Problem) -> Int {
        var json = JSONWriter()
        json.object { $0.member("exact", true) }
        let answer = try exchange.send("POST", Self.path(collection.name) + "/points/count", json)
        let count = answer?.withRoot { $0["result"]?["count"]?.int }
        guard let count = count ?? nil else { throw exchange.unexpected("no point count") }
        return Int(clamping: count)
    }

    // MARK: Searching

    public func search(
        _ collection: VectorCollection, _ vector: [Float], k: Int, effort: Int?, isExact: Bool,
        isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> [Neighbor] {
        try collection.check(vector, "the query vector", on: name)
        guard k > 0 else { return [] }
        var json = JSONWriter()
        json.object { json in
            json.member("query") { $0.numbers(vector) }
            json.member("limit", k)
            json.member("with_payload", false)
            json.member("params") { json in
                json.object {
                    $0.member("exact", isExact)
                    $0.member("hnsw_ef", ifPresent: effort)
                }
            }
        }
        let answer = try exchange.send(
            "POST", Self.path(collection.name) + "/points/query", json, isCancelled: isCancelled)
        let metric = collection.metric
        let points: [Neighbor?]? = answer?.withRoot { root in
            root["result"]?["points"]?.elements.map { point -> Neighbor? in
                guard let label = point["id"]?.int, let score = point["score"]?.double, score.isFinite else {
                    return nil
                }
                return Neighbor(label: label, distance: Self.distance(score, metric))
            }
        }
        guard let points else { throw exchange.unexpected("no points") }
        let found = points.compactMap(\.self)
        guard found.count == points.count, found.count <= k else {
            throw exchange.unexpected("points without an id or score, or too many points")
        }
        return found.sorted()
    }

    /// Qdrant's scores are the Euclidean distance, the inner product and the cosine.
    private static func distance(_ score: Double, _ metric: Metric) -> Float {
        switch metric {
        case .l2: Float(score * score)
        case .innerProduct: Float(-score)
        case .cosine: Float(1 - score)
        }
    }

    private static func word(_ metric: Metric) -> String {
        switch metric {
        case .l2: "Euclid"
        case .innerProduct: "Dot"
        case .cosine: "Cosine"
        }
    }

    private static func metric(_ word: String) -> Metric? { Metric.allCases.first { self.word($0) == word } }
}

extension JSONWriter {
    /// An array of numbers, each the shortest that reads as the same 32 bits.
    mutating func numbers(_ vector: [Float]) {
        array { json in for number in vector { json.number(number) } }
    }
}

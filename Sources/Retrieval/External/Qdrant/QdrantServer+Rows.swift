internal import JSON
public import System

extension QdrantServer {
    public func put(
        _ rows: [ExternalRow], into collection: VectorCollection, isCancelled: @Sendable () -> Bool
    ) throws(Problem) {
        for row in rows {
            try collection.check(row.vector, "row \(row.label)", on: name)
            guard row.label >= 0 else {
                throw Problem(.invalid, name, "label \(row.label) is negative, but Qdrant ids start at 0")
            }
        }
        guard !rows.isEmpty else { return }
        var json = JSONWriter()
        json.object { json in
            json.member("points") { json in
                json.array { json in for row in rows { Self.write(row, collection.origin, &json) } }
            }
        }
        try exchange.send(
            "PUT", Self.path(collection.name) + "/points?wait=true", json, isCancelled: isCancelled)
    }

    private static func write(_ row: ExternalRow, _ origin: VectorCollection.Origin?, _ json: inout JSONWriter) {
        json.object { json in
            json.member("id", row.label)
            json.member("vector") { $0.numbers(row.vector) }
            json.member("payload") { json in
                json.object {
                    $0.member("document", row.document)
                    $0.member("title", row.title)
                    $0.member("caption", row.caption)
                    $0.member("text", row.text)
                    $0.member("place", row.place)
                    $0.member("stamp", row.stamp)
                    $0.member("origin", ifPresent: origin)
                }
            }
        }
    }

    public func remove(_ labels: [Int64], from collection: VectorCollection) throws(Problem) {
        guard !labels.isEmpty else { return }
        var json = JSONWriter()
        json.object { $0.member("points", labels.map(Int.init)) }
        try exchange.send("POST", Self.path(collection.name) + "/points/delete?wait=true", json)
    }

    /// Qdrant builds its graph by itself, once a segment is large enough; documents get an index of their own.
    public func buildIndex(
        _ collection: VectorCollection, isCancelled: @Sendable () -> Bool
    ) throws(Problem) {
        var json = JSONWriter()
        json.object {
            $0.member("field_name", "document")
            $0.member("field_schema", "keyword")
        }
        try exchange.send("PUT", Self.path(collection.name) + "/index?wait=true", json, isCancelled: isCancelled)
    }

    // MARK: Reading

    public func rows(
        _ labels: [Int64], in collection: VectorCollection, withVectors: Bool
    ) throws(Problem) -> [ExternalRow] {
        guard !labels.isEmpty else { return [] }
        var json = JSONWriter()
        json.object {
            $0.member("ids", labels.map(Int.init))
            $0.member("with_payload", true)
            $0.member("with_vector", withVectors)
        }
        let answer = try exchange.send("POST", Self.path(collection.name) + "/points", json)
        let found: [ExternalRow?]? = answer?.withRoot { root in
            root["result"]?.elements.map { Self.row($0, withVectors ? collection.dimension : 0) }
        }
        guard let found else { throw exchange.unexpected("no points") }
        var rows: [Int64: ExternalRow] = [:]
        for row in found {
            guard let row else { throw exchange.unexpected("a point that was not pushed") }
            rows[row.label] = row
        }
        return labels.compactMap { rows[$0] }
    }

    /// Returns a point as a row; `nil` if it has no label or another number of dimensions.
    private static func row(_ point: JSONNode, _ dimension: Int) -> ExternalRow? {
        guard let label = point["id"]?.int else { return nil }
        let payload = point["payload"]
        var vector: [Float] = []
        if dimension > 0 {
            vector = point["vector"]?.elements.compactMap { $0.double.map { Float($0) } } ?? []
            guard vector.count == dimension else { return nil }
        }
        let place = Int(clamping: payload?["place"]?.int ?? 0)
        return ExternalRow(
            label: label, vector: vector, document: payload?["document"]?.string ?? "",
            title: payload?["title"]?.string ?? "", caption: payload?["caption"]?.string ?? "",
            text: payload?["text"]?.string ?? "", place: min(max(0, place), Int.max >> 1))
    }

    public func labels(
        ofDocument document: String, in collection: VectorCollection
    ) throws(Problem) -> [Int64] {
        var found: [(label: Int64, place: Int64)] = []
        try scroll(collection, "place", ofDocument: document) { label, place in found.append((label, place)) }
        return found.sorted { ($0.place, $0.label) < ($1.place, $1.label) }.map(\.label)
    }

    public func stamps(
        in collection: VectorCollection, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> [Int64: Int64] {
        var stamps: [Int64: Int64] = [:]
        try scroll(collection, "stamp", isCancelled: isCancelled) { label, stamp in stamps[label] = stamp }
        return stamps
    }

    /// Reads a number of the payload of every point, page after page in the order of ids.
    private func scroll(
        _ collection: VectorCollection, _ key: String, ofDocument document: String? = nil,
        isCancelled: @Sendable () -> Bool = { false }, _ body: (Int64, Int64) -> Void
    ) throws(Problem) {
        var offset: Int64?
        while true {
            var json = JSONWriter()
            json.object { json in
                json.member("limit", 4_096)
                json.member("with_payload", [key])
                json.member("with_vector", false)
                json.member("offset", ifPresent: offset)
                guard let document else { return }
                json.member("filter") { $0.object { $0.member("must") { $0.array { Self.match(document, &$0) } } } }
            }
            let answer = try exchange.send(
                "POST", Self.path(collection.name) + "/points/scroll", json, isCancelled: isCancelled)
            let page = answer?.withRoot { root -> (points: [(Int64?, Int64?)], next: Int64?)? in
                guard let result = root["result"], let points = result["points"] else { return nil }
                return (
                    points.elements.map { ($0["id"]?.int, $0["payload"]?.member(named: key)?.int) },
                    result["next_page_offset"]?.int
                )
            }
            guard let page = page ?? nil else { throw exchange.unexpected("no points") }
            for (label, number) in page.points {
                guard let label else { throw exchange.unexpected("a point that was not pushed") }
                // A point without the number was added by another program; 0 matches no stamp.
                body(label, number ?? 0)
            }
            guard let next = page.next else { return }
            // A server that leads in circles would otherwise be followed for ever.
            guard next > offset ?? -1, !page.points.isEmpty else {
                throw exchange.unexpected("repeated pages")
            }
            offset = next
        }
    }

    private static func match(_ document: String, _ json: inout JSONWriter) {
        json.object { json in
            json.member("key", "document")
            json.member("match") { $0.object { $0.member("value", document) } }
        }
    }
}

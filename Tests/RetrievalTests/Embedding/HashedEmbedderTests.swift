import JSON
import Kernels
import Retrieval
import SearchIndexes
import System
import TestFixtures
import Testing

@Suite("The hashed embedder")
struct HashedEmbedderTests {
    private static let texts = [
        "The dome turns with the telescope and stops when the wind is strong.",
        "Wind stops the dome, and the telescope waits.", "The mirror is washed with distilled water.",
        "Washing the mirror takes two people and clean water.", "Tickets for visitors are sold at the gate.",
        "Visitors buy their tickets at the gate on Sunday.", "", "?!", "鏡を掃除する",
    ]

    private func fitted(_ pool: ThreadPool = .shared) throws -> HashedEmbedder {
        var fit = HashedEmbedderFit(dimension: 32)
        fit.add(Array(Self.texts.prefix(4)), pool: pool)
        fit.add(Array(Self.texts.dropFirst(4)), pool: pool)
        return try fit.finish(pool: pool)
    }

    private func embed(_ embedder: HashedEmbedder, _ texts: [String]) throws -> [[Float]] {
        let all = try embedder.embed(texts, as: .passage, isCancelled: { false })
        return texts.indices.map { Array(all[$0 * embedder.dimension..<($0 + 1) * embedder.dimension]) }
    }

    private func dot(_ a: [Float], _ b: [Float]) -> Float { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }

    @Test("texts about one topic are near each other")
    func example() throws {
        let embedder = try fitted()
        let vectors = try embed(embedder, Self.texts)
        let query = try embed(embedder, ["who washes mirrors?"])[0]
        let order = vectors.indices.sorted { dot(vectors[$0], query) > dot(vectors[$1], query) }
        #expect(Set(order.prefix(2)) == [2, 3])
        #expect(embedder.name == "hashed-32" && embedder.featureCount > 100)
    }

    @Test("every text gets a vector of length 1, even without words")
    func lengths() throws {
        for embedder in [try fitted(), HashedEmbedder(dimension: 32)] {
            let texts = Self.texts + ["unheard zyxwv", "\u{301}", String(repeating: "long", count: 50_000)]
            for vector in try embed(embedder, texts) { #expect(abs(dot(vector, vector) - 1) < 1e-5) }
        }
    }

    @Test("an embedder that has not learned still distinguishes equal from different words")
    func unfitted() throws {
        let vectors = try embed(HashedEmbedder(), ["solar panel", "Solar panel!", "lunar eclipse"])
        #expect(abs(dot(vectors[0], vectors[1]) - 1) < 1e-6)
        #expect(dot(vectors[0], vectors[2]) < 0.5)
    }

    @Test("learning is deterministic for any number of threads")
    func deterministic() throws {
        let one = try fitted(.single)
        let many = try fitted(ThreadPool(threads: 3))
        #expect(one.digest == many.digest)
        var fit = HashedEmbedderFit(dimension: 32, seed: 2)
        fit.add(Self.texts)
        #expect(try fit.finish().digest != one.digest)
    }

    @Test("an embedder is saved in segments and loaded with the same vectors")
    func segments() throws {
        let embedder = try fitted()
        var store = MemorySegments()
        try embedder.save(to: &store)
        try embedder.save(to: &store)
        let back = try HashedEmbedder(from: store)
        #expect(back.digest == embedder.digest)
        #expect(try embed(back, Self.texts) == embed(embedder, Self.texts))
        try HashedEmbedder(dimension: 48).save(to: &store)
        #expect(try HashedEmbedder(from: store).digest == HashedEmbedder(dimension: 48).digest)
    }

    @Test("damaged segments are an error, wherever the damage is")
    func damaged() throws {
        var store = MemorySegments()
        try fitted().save(to: &store)
        #expect(store.keys.count == 2)
        for key in store.keys {
            let bytes = try store.bytes(of: key)
            for place in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 97)) {
                var changed = bytes
                changed[place] ^= 0x41
                var damaged = store
                try damaged.put(key, changed)
                #expect(throws: SegmentError.self) { try HashedEmbedder(from: damaged) }
                try damaged.put(key, Array(bytes.prefix(place)))
                #expect(throws: SegmentError.self) { try HashedEmbedder(from: damaged) }
            }
            var missing = store
            try missing.remove(key)
            #expect(throws: SegmentError.self) { try HashedEmbedder(from: missing) }
        }
    }

    @Test("learning can be canceled")
    func cancelled() throws {
        var fit = HashedEmbedderFit(dimension: 32)
        fit.add(Self.texts)
        #expect(throws: Problem.self) { try fit.finish(isCancelled: { true }) }
        #expect(throws: Problem.self) {
            try HashedEmbedder().embed(Self.texts, as: .query, isCancelled: { true })
        }
    }

    @Test("search in Cranfield reaches an nDCG@10 of .39 and a recall@100 of .78")
    func cranfield() throws {
        let folder = EvaluationFixture.collection + "/cranfield"
        guard let judged = File.bytes(folder + "/qrels/test.tsv") else {
            print("skipped: \(folder) is not there")
            return
        }
        let documents = try Self.load(folder + "/corpus.jsonl")
        let queries = try Self.load(folder + "/queries.jsonl")
        var fit = HashedEmbedderFit()
        fit.add(documents.map(\.text))
        let embedder = try fit.finish()
        let passages = try embed(embedder, documents.map(\.text))
        var run = Run(tag: embedder.name)
        for (query, vector) in zip(queries, try embed(embedder, queries.map(\.text))) {
            run.rank(zip(documents, passages).map { ($0.id, Double(dot(vector, $1))) }, for: query.id)
        }
        let measures: [Measure] = [.nDCG(at: 10), .recall(at: 100)]
        let evaluation = Evaluation(of: run, against: try Judgments(parsing: judged), measures: measures)
        #expect(try #require(evaluation.mean(of: measures[0])) > 0.39)
        #expect(try #require(evaluation.mean(of: measures[1])) > 0.78)
    }

    private static func load(_ path: String) throws -> [(id: String, text: String)] {
        let reader = JSONRecordReader(File.bytes(path) ?? [], framing: .lines)
        let parser = JSONParser()
        var records: [(id: String, text: String)] = []
        while let record = try reader.next() {
            let node = try parser.parse(record.bytes)
            let title = node["title"]?.string.map { $0 + " " } ?? ""
            records.append((node["_id"]?.string ?? "", title + (node["text"]?.string ?? "")))
        }
        return records
    }
}

import Glibc
import JSON
import SearchIndexes
import TestFixtures
import Testing

/// A collection in BEIR's layout.
private struct Collection {
    var documents: [(id: String, text: String)] = []
    var queries: [(id: String, text: String)] = []
    var grades: [String: [String: Double]] = [:]

    static let folder =
        #filePath.split(separator: "/").dropLast(5).map { "/" + $0 }.joined() + "/shared/data/retrieval/"
    static let isThere = File.bytes(folder + "cranfield/queries.jsonl") != nil

    init(_ name: String) throws {
        func lines(_ file: String) throws -> [Substring] {
            try #require(File.text(Self.folder + name + "/" + file)).split(separator: "\n")
        }
        for line in try lines("corpus.jsonl") {
            try JSONDocument(parsing: Array(line.utf8)).withRoot { root in
                let text = (root["title"]?.string ?? "") + " " + root["text"]!.string!
                documents.append((root["_id"]!.string!, text))
            }
        }
        for line in try lines("qrels/test.tsv").dropFirst() {
            let parts = line.split(separator: "\t").map(String.init)
            if let grade = Double(parts[2]), grade > 0 { grades[parts[0], default: [:]][parts[1]] = grade }
        }
        for line in try lines("queries.jsonl") {
            try JSONDocument(parsing: Array(line.utf8)).withRoot { root in
                let id = root["_id"]!.string!
                if grades[id] != nil { queries.append((id, root["text"]!.string!)) }
            }
        }
    }

    /// nDCG@10 with linear gain and recall@100, as means over the queries.
    func measures(_ runs: [String: [String]]) -> (nDCG: Double, recall: Double) {
        var sums = (nDCG: 0.0, recall: 0.0)
        for (id, relevant) in grades {
            let run = runs[id] ?? []
            func gain(_ grades: [Double]) -> Double {
                grades.prefix(10).enumerated().reduce(0) { $0 + $1.element / log2(Double($1.offset) + 2) }
            }
            sums.nDCG += gain(run.map { relevant[$0] ?? 0 }) / gain(relevant.values.sorted(by: >))
            sums.recall += Double(run.prefix(100).count { relevant[$0] != nil }) / Double(relevant.count)
        }
        return (sums.nDCG / Double(grades.count), sums.recall / Double(grades.count))
    }
}

@Suite("A lexical index of a collection", .enabled(if: Collection.isThere, "the collections are not there"))
struct LexicalCollectionTests {
    struct Setting: Sendable {
        var collection: String
        var analyzer: String
        var k1: Double
        var b: Double
        var byteNorms = false
        var nDCG: String
        var recall: String
        var run: String?
    }

    static let settings = [
        Setting(
            collection: "cranfield", analyzer: "english", k1: 0.9, b: 0.4, nDCG: "0.3433", recall: "0.7221",
            run: "cranfield.en.k0.9.b0.4"),
        Setting(
            collection: "cranfield", analyzer: "english", k1: 1.2, b: 0.75, nDCG: "0.3597", recall: "0.7314",
            run: "cranfield.en.k1.2.b0.75"),
        Setting(
            collection: "cranfield", analyzer: "words", k1: 0.9, b: 0.4, nDCG: "0.3163", recall: "0.6758",
            run: "cranfield.none.k0.9.b0.4"),
        Setting(
            collection: "cranfield", analyzer: "words", k1: 1.2, b: 0.75, nDCG: "0.3337", recall: "0.6943",
            run: "cranfield.none.k1.2.b0.75"),
        Setting(
            collection: "cranfield", analyzer: "standard", k1: 0.9, b: 0.4, byteNorms: true, nDCG: "0.3426",
            recall: "0.7206", run: "cranfield.lucene.bytenorms.k0.9.b0.4"),
        Setting(collection: "xquad-en", analyzer: "english", k1: 0.9, b: 0.4, nDCG: "0.9648", recall: "0.9966"),
        Setting(collection: "xquad-en", analyzer: "english", k1: 1.2, b: 0.75, nDCG: "0.9651", recall: "0.9966"),
        Setting(collection: "xquad-en", analyzer: "words", k1: 0.9, b: 0.4, nDCG: "0.9580", recall: "0.9966"),
        Setting(collection: "xquad-en", analyzer: "words", k1: 1.2, b: 0.75, nDCG: "0.9587", recall: "0.9966"),
    ]

    @Test("quality and scores match the reference", arguments: settings)
    func reference(setting: Setting) throws {
        let collection = try Collection(setting.collection)
        let index = try LexicalIndex(
            LexicalSettings(
                analyzer: try #require(Analyzer.named(setting.analyzer)), k1: setting.k1, b: setting.b,
                byteNorms: setting.byteNorms))
        for (label, document) in collection.documents.enumerated() { try index.add(Int64(label), document.text) }
        try index.commit()
        var runs: [String: [String]] = [:]
        var scores: [String: [Double]] = [:]
        for query in collection.queries {
            let hits = try index.search(LexicalQuery(words: query.text), k: 100)
            runs[query.id] = hits.map { collection.documents[Int($0.label)].id }
            scores[query.id] = hits.map(\.score)
        }
        let measures = collection.measures(runs)
        #expect(Self.rounded(measures.nDCG) == setting.nDCG)
        #expect(Self.rounded(measures.recall) == setting.recall)
        guard let name = setting.run else { return }
        let run = try #require(File.text(Collection.folder + "runs/" + name + ".run"))
        var lines = 0
        for line in run.split(separator: "\n") {
            let parts = line.split(separator: " ").map(String.init)
            let place = try #require(Int(parts[3])) - 1
            #expect(runs[parts[0]]?[place] == parts[2])
            #expect(abs((scores[parts[0]]?[place] ?? 0) - (Double(parts[4]) ?? .nan)) < 1e-4)
            lines += 1
        }
        #expect(lines > 2000)
    }

    private static func rounded(_ value: Double) -> String {
        let digits = String(Int((value * 10_000).rounded()))
        return "0." + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

import ArgumentParser
import CommandSupport
import Glibc
import JSON
import Kernels
import Presentation
import Retrieval
import SearchIndexes
import Workbench
import Workspace

extension Bench.Corpus {
    /// A collection in BEIR layout, with one text per document: title, space, text.
    struct Collection {
        var names: [String] = []
        var texts: [String] = []
        /// Judged queries.
        var queries: [BEIRCollection.Query] = []
        var judgments = Judgments()

        init(_ folder: String) throws {
            let collection = try BEIRCollection(folder: folder)
            for judgment in try collection.judgments("test") {
                judgments.judge(judgment.document, for: judgment.query, grade: judgment.grade)
            }
            let judged = Set(judgments.queries)
            queries = try collection.queries().filter { judged.contains($0.id) }
            _ = try Extraction.documents(of: folder + "/corpus.jsonl") { document in
                names.append(document.id)
                texts.append(document.title.isEmpty ? document.text : document.title + " " + document.text)
                return true
            }
        }
    }

    /// Indexes the words of a collection, and searches them as requested by lines.
    ///
    ///     run K           results of each query: positions in the collection with scores
    ///     single K        each query separately, with words analyzed beforehand; analyzed K: from its text
    ///     batch K         all queries at once
    ///     contributions   largest difference between a score and the sum of its contributions, over the first ten
    struct Words: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "words")

        @Argument(help: "Folder in BEIR layout.") var collection: String
        @Argument(help: "Workspace to create.") var workspace: String
        @Option(help: "Analyzer.") var analyzer = "english"
        @Option(help: "k1 of BM25.") var k1 = 0.9
        @Option(help: "b of BM25.") var b = 0.4
        @Flag(help: "Store lengths in one byte, like Lucene.") var byteNorms = false
        @Option(help: "Number of indexing runs for the rate.") var copies = 1

        func run() throws {
            try answering {
                guard let analyzer = Analyzer.named(analyzer) else {
                    throw Failure("unknown analyzer \"\(analyzer)\". Try english.")
                }
                let collection = try Collection(collection)
                let settings = LexicalSettings(
                    analyzer: analyzer, fields: [LexicalField("text")], k1: k1, b: b, byteNorms: byteNorms)
                let workspace = try Workspace.open(workspace, migrations: .workbench, create: true)
                let cost = Cost()
                let made = try LexicalIndex(settings)
                for copy in 0..<copies {
                    for (place, text) in collection.texts.enumerated() {
                        try made.add(Int64(copy * collection.texts.count + place), texts: [text])
                        guard made.pendingBytes > settings.memoryBudget else { continue }
                        try save(made, workspace)
                    }
                }
                try save(made, workspace)
                let spent = cost.now
                try workspace.read { db in
                    let store = Kept(try WorkspaceSegments(db, index: Bench.Corpus.place))
                    let index = try LexicalIndex(from: store)
                    say { json in
                        json.member("seconds", spent.seconds)
                        json.member("cpu_seconds", spent.cpuSeconds)
                        json.member("documents", index.documentCount)
                        json.member("bytes", collection.texts.reduce(0) { $0 + $1.utf8.count } * copies)
                        json.member("queries", collection.queries.count)
                    }
                    try answerLines { words in try answer(words, index, analyzer, collection) }
                }
            }
        }

        private func save(_ index: LexicalIndex, _ workspace: Workspace) throws {
            try workspace.bulkWrite { db in
                var store = try WorkspaceSegments(db, index: Bench.Corpus.place)
                try index.save(to: &store)
            }
        }

        private func answer(
            _ words: [String], _ index: LexicalIndex, _ analyzer: Analyzer, _ collection: Collection
        ) throws {
            let k = words.count > 1 ? Int(words[1]) ?? 10 : 10
            let ready = collection.queries.map { LexicalQuery(terms: analyzer.terms(of: $0.text)) }
            var hits: [[LexicalHit]] = []
            let cost = Cost()
            switch words[0] {
            case "run", "single": for query in ready { hits.append(try index.search(query, k: k)) }
            case "analyzed":
                for query in collection.queries { hits.append(try index.search(LexicalQuery(words: query.text), k: k)) }
            case "batch": hits = try index.search(ready, k: k)
            case "contributions": return try contributions(index, collection)
            default:
                throw Failure("unknown request \"\(words[0])\". Use run, single, analyzed, batch, or contributions.")
            }
            let spent = cost.now
            say { json in
                json.member("seconds", spent.seconds)
                json.member("cpu_seconds", spent.cpuSeconds)
                guard words[0] == "run" else { return }
                json.member("run") { json in
                    json.object { json in
                        for (query, hits) in zip(collection.queries, hits) {
                            json.member(query.id) { json in
                                json.array { json in
                                    for hit in hits {
                                        json.array {
                                            $0.string(collection.names[Int(hit.label)])
                                            $0.number(hit.score)
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }

        private func contributions(_ index: LexicalIndex, _ collection: Collection) throws {
            var largest = 0.0
            var count = 0
            for query in collection.queries {
                let query = LexicalQuery(words: query.text)
                for hit in try index.search(query, k: 10) {
                    let explanation = try index.explain(query, label: hit.label)
                    let sum = explanation.contributions.reduce(0) { $0 + $1.score }
                    largest = max(largest, abs(sum - hit.score), abs(explanation.score - hit.score))
                    count += 1
                }
            }
            say { json in
                json.member("difference", largest)
                json.member("scores", count)
            }
        }
    }

    /// Embeds texts: each line is a JSON array of texts.
    struct Encoder: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "encoder")

        @Argument(help: "Encoder folder.") var model: String
        @Option(help: "Number of threads.") var threads = 1

        func run() throws {
            try answering {
                let embedder = try EncoderEmbedder(model, pool: ThreadPool(threads: threads))
                say { $0.member("dimension", embedder.dimension) }
                while let line = readLine() {
                    let texts = try JSONDocument(parsing: Array(line.utf8)).withRoot {
                        $0.elements.compactMap(\.string)
                    }
                    let cost = Cost()
                    let vectors = try embedder.embed(texts, as: .passage) { false }
                    let spent = cost.now
                    say { json in
                        json.member("seconds", spent.seconds)
                        json.member("cpu_seconds", spent.cpuSeconds)
                        json.member("ids", texts.map { text in embedder.tokens(of: text).map(Int.init) })
                        let width = embedder.dimension
                        json.member(
                            "vectors",
                            texts.indices.map { Array(vectors[$0 * width..<($0 + 1) * width]).map(Double.init) })
                    }
                }
            }
        }
    }

    /// Evaluates exact dense search, words, and their fusion on a collection.
    struct Dense: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "dense")

        @Argument(help: "Folder in BEIR layout.") var collection: String
        @Argument(help: "Encoder folder.") var model: String
        @Option(help: "Number of threads.") var threads = 2

        func run() throws {
            try answering {
                let collection = try Collection(collection)
                let embedder = try EncoderEmbedder(model, pool: ThreadPool(threads: threads))
                let width = embedder.dimension
                let rows = try VectorRows(dimension: width, metric: .cosine)
                let words = try LexicalIndex(LexicalSettings(analyzer: .english, fields: [LexicalField("text")]))
                let passages = try embedder.embed(collection.texts, as: .passage) { false }
                for (place, text) in collection.texts.enumerated() {
                    try words.add(Int64(place), texts: [text])
                    try passages.withUnsafeBufferPointer { passages in
                        guard let start = passages.baseAddress else { return }
                        try rows.append(start + place * width, label: Int64(place))
                    }
                }
                try words.commit()
                let flat = FlatIndex(rows)
                let questions = try embedder.embed(collection.queries.map(\.text), as: .query) { false }
                let fusion = RankFusion(method: .reciprocalRank, k: 60, depth: 100)
                var runs = ["lexical": Run(), "dense": Run(), "fused": Run()]
                for (place, query) in collection.queries.enumerated() {
                    let near = try questions.withUnsafeBufferPointer { questions in
                        guard let start = questions.baseAddress else { return [Neighbor]() }
                        return try flat.search(start + place * width, VectorRequest(k: 100))
                    }
                    let lexical = try words.search(LexicalQuery(words: query.text), k: 100)
                        .map { ChunkHit(chunk: $0.label, score: $0.score) }
                    let dense = near.map { ChunkHit(chunk: $0.label, score: Metric.cosine.score($0.distance)) }
                    let fused = fusion.fuse([
                        RankedList(stage: "lexical", hits: lexical), RankedList(stage: "dense", hits: dense),
                    ])
                    for (name, hits) in [("lexical", lexical), ("dense", dense), ("fused", fused)] {
                        runs[name]?.rank(hits.map { (collection.names[Int($0.chunk)], $0.score) }, for: query.id)
                    }
                }
                let measures: [Measure] = [.nDCG(at: 10), .recall(at: 100)]
                say { json in
                    for (name, run) in runs.sorted(by: { $0.key < $1.key }) {
                        let evaluation = Evaluation(of: run, against: collection.judgments, measures: measures)
                        json.member(name, measures.map { evaluation.mean(of: $0) ?? 0 })
                    }
                }
            }
        }
    }
}

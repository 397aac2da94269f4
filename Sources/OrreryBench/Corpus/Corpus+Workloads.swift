import ArgumentParser
import CommandSupport
import Console
import Glibc
import JSON
import Kernels
import Retrieval
import SearchIndexes
import System
import Workbench
import Workspace

extension Bench.Corpus {
    /// Finds near-duplicates among texts, one JSON string per line.
    struct Similar: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "similar")

        @Argument(help: "File of JSON strings, one per line.") var texts: String
        @Option(help: "Minimum Jaccard similarity.") var threshold = 0.5
        @Option(help: "Number of hash functions.") var permutations = 128

        func run() throws {
            try answering {
                let texts = try SmallFile.bytes(texts).split(separator: UInt8(ascii: "\n")).map { line in
                    try JSONDocument(parsing: Array(line)).withRoot { $0.string ?? "" }
                }
                try answerLines { words in
                    let pool = ThreadPool(threads: words.count > 1 ? Int(words[1]) ?? 1 : 1)
                    var index = MinHashIndex(MinHashSettings(threshold: threshold, permutations: permutations))
                    let cost = Cost()
                    let found = index.add(texts.enumerated().map { (label: Int64($0), text: $1) }, pool: pool)
                    let adding = cost.now
                    var candidates: [[Int64]] = []
                    for (place, text) in texts.enumerated() {
                        candidates += index.candidates(of: text).filter { $0 > Int64(place) }.map {
                            [Int64(place), $0]
                        }
                    }
                    let whole = cost.now
                    say { json in
                        json.member("seconds", adding.seconds)
                        json.member("cpu_seconds", adding.cpuSeconds)
                        json.member("query_cpu_seconds", whole.cpuSeconds - adding.cpuSeconds)
                        json.member("candidates", candidates)
                        json.member("pairs", found.count)
                        json.member("banding", [index.settings.banding.bands, index.settings.banding.rows])
                    }
                }
            }
        }
    }

    /// Evaluates a run against judgments.
    struct Measures: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "measures")

        @Argument(help: "Judgments in BEIR or TREC format.") var judgments: String
        @Argument(help: "Run in TREC format.") var ranking: String
        @Option(help: "Measures, separated by commas.") var measures = "nDCG@10,MRR@10,R@100,P@5,AP"

        func run() throws {
            try answering {
                let judged = try SmallFile.bytes(judgments)
                let found = try SmallFile.bytes(ranking)
                let chosen = try measures.split(separator: ",").map { word in
                    guard let measure = Measure(String(word)) else {
                        throw Failure("unknown measure \"\(word)\". Examples: nDCG@10, R@100.")
                    }
                    return measure
                }
                let evaluation = Evaluation(
                    of: try Run(parsing: found, ranking),
                    against: try Judgments(parsing: judged, judgments),
                    measures: chosen, ties: .trecEval)
                say { json in
                    json.member("queries", evaluation.queries)
                    json.member("values") { json in
                        json.object { json in
                            for measure in chosen { json.member(measure.name, evaluation.values(of: measure)) }
                        }
                    }
                }
            }
        }
    }

    /// Imports a file of vectors into a corpus, with an embedder for questions.
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "import")

        @Argument(help: "File with one vector per chunk.") var vectors: String
        @Option(help: "Question embedder, as for `embed`.") var questions: String
        @Option(help: "Index kind.") var index = "hnsw"
        @Option(help: "Metric: cosine, l2, or inner-product.") var metric = "cosine"
        @Option(help: "Number of build threads.") var threads = 2
        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                guard let metric = Metric(rawValue: metric) else {
                    throw Failure("unknown metric \"\(metric)\". Use cosine, l2, or inner-product.")
                }
                let store = CorpusStore(try place.openExisting())
                let settings = VectorSpaceSettings(
                    specification: questions, metric: metric, index: index, threads: threads)
                let cost = Cost()
                let space = try store.importVectors(vectors, into: corpus.find(in: store).id, settings: settings)
                let spent = cost.now
                say { json in
                    json.member("seconds", spent.seconds)
                    json.member("cpu_seconds", spent.cpuSeconds)
                    json.member("vectors", space.vectorCount)
                }
            }
        }
    }

    /// Types questions, and reports the search time of each prefix in milliseconds.
    struct Typing: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "typing")

        @Argument(help: "File with one question per line.") var questions: String
        @Option(help: "Pipeline.") var pipeline = "hybrid"
        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let lines = try SmallFile.text(questions).split(separator: "\n")
                let opening = Cost()
                let retriever = Retriever(try place.openForReading())
                let found = try corpus.find(in: retriever.store)
                let pipeline = try retriever.pipeline(named: pipeline)
                func search(_ typed: Substring) throws -> RetrievalRecord {
                    try retriever.ask(String(typed), pipeline, of: found, models: .none, keepingTrace: false)
                }
                _ = try search(lines[0].prefix(1))
                let opened = opening.now
                var milliseconds: [Double] = []
                var empty = 0
                for line in lines {
                    for end in 1...line.count {
                        let cost = Cost()
                        let record = try search(line.prefix(end))
                        milliseconds.append(cost.now.seconds * 1000)
                        if record.stages.allSatisfy({ $0.entries.isEmpty }) { empty += 1 }
                    }
                }
                say { json in
                    json.member("seconds_to_open", opened.seconds)
                    json.member("chunks", found.chunkCount)
                    json.member("milliseconds", milliseconds)
                    json.member("empty", empty)
                    json.member("resident_mb", residentMB)
                }
            }
        }
    }

    /// Runs searches on a vector server: `exact`, or `approximate EFFORT`, after filling the collection.
    struct Server: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "server")

        @Argument(help: "Server URL.") var address: String
        @Argument(help: "File of vectors.") var vectors: String
        @Argument(help: "File of queries.") var queries: String
        @Option(help: "Metric: cosine, l2, or inner-product.") var metric = "l2"
        @Option(help: "Candidates during graph construction.") var efConstruction = 64
        @Flag(help: "Use vectors pushed by an earlier run.") var isFilled = false

        func run() throws {
            try answering {
                guard let metric = Metric(rawValue: metric) else {
                    throw Failure("unknown metric \"\(metric)\". Use cosine, l2, or inner-product.")
                }
                let server = try VectorServers.server(at: address)
                let rows = try VectorFile(contentsOf: vectors).rows(metric: metric)
                let queries = try QueryRows(queries)
                let collection = try VectorCollection(
                    "orrery_bench", dimension: rows.dimension, metric: metric, efConstruction: efConstruction)
                let cost = Cost()
                if !isFilled {
                    try server.prepare(collection)
                    for first in stride(from: 0, to: rows.count, by: 1_000) {
                        let some = (first..<min(rows.count, first + 1_000)).map { slot in
                            ExternalRow(
                                label: rows.labels[slot],
                                vector: Array(UnsafeBufferPointer(start: rows.row(slot), count: rows.dimension)))
                        }
                        try server.put(some, into: collection) { false }
                    }
                    try server.buildIndex(collection) { false }
                }
                let count = try server.count(collection)
                let filled = cost.now
                say { json in
                    json.member("seconds", filled.seconds)
                    json.member("count", count)
                }
                try answerLines { words in
                    let effort = words.count > 1 ? Int(words[1]) : nil
                    var found: [[Int64]] = []
                    let cost = Cost()
                    for row in 0..<queries.count {
                        let vector = try queries.withRow(row) {
                            Array(UnsafeBufferPointer(start: $0, count: queries.dimension))
                        }
                        let near = try server.search(
                            collection, vector, k: 10, effort: effort, isExact: words[0] == "exact"
                        ) { false }
                        found.append(near.map(\.label))
                    }
                    let spent = cost.now
                    say { json in
                        json.member("seconds", spent.seconds)
                        json.member("ids", found)
                    }
                }
            }
        }
    }

    /// Segments for a single thread within one transaction.
    struct Kept: SegmentStore, @unchecked Sendable {
        private var store: WorkspaceSegments

        init(_ store: WorkspaceSegments) { self.store = store }

        func keys(of part: String) throws(SegmentError) -> [SegmentKey] { try store.keys(of: part) }

        func withSegment<Result>(
            _ key: SegmentKey, _ body: (UnsafeRawBufferPointer) throws(SegmentError) -> Result
        ) throws(SegmentError) -> Result { try store.withSegment(key, body) }

        mutating func put(_ key: SegmentKey, _ bytes: UnsafeRawBufferPointer) throws(SegmentError) {
            try store.put(key, bytes)
        }

        mutating func remove(_ key: SegmentKey) throws(SegmentError) { try store.remove(key) }
    }
}

import ArgumentParser
import CommandSupport
import Glibc
import JSON
import Presentation
import Retrieval
import SearchIndexes
import System
import Workbench
import Workspace

extension Bench {
    /// The Orrery side of comparisons with other search engines: `Benchmarks/` sends lines and reads lines of JSON.
    struct Corpus: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "corpus", abstract: "Measure indexes and searches, alternating with other programs.",
            subcommands: [
                Build.self, Vectors.self, Words.self, Encoder.self, Dense.self, Similar.self, Measures.self,
                Import.self, Typing.self, Server.self,
            ])
    }
}

extension Bench.Corpus {
    /// Index number that these commands use in a workspace.
    static let place: Int64 = 1

    /// Cost of a task.
    struct Cost {
        private let begun: (wall: Double, cpu: Double)

        init() { begun = (Clock.now(.monotonic), Clock.now(.process)) }

        func write(to json: inout JSONWriter) {
            json.member("seconds", Clock.now(.monotonic) - begun.wall)
            json.member("cpu_seconds", Clock.now(.process) - begun.cpu)
        }

        /// Clock readings before a task.
        var now: (seconds: Double, cpuSeconds: Double) {
            (Clock.now(.monotonic) - begun.wall, Clock.now(.process) - begun.cpu)
        }
    }

    /// Resident memory of this process in megabytes.
    static var residentMB: Double {
        let words = String(decoding: SmallFile.head("/proc/self/statm", 128) ?? [], as: UTF8.self).split(separator: " ")
        return (words.dropFirst().first.flatMap { Double($0) } ?? 0) * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_048_576
    }

    /// Prints a line of JSON.
    static func say(_ body: (inout JSONWriter) throws -> Void) rethrows {
        var json = JSONWriter()
        try json.object { json in try body(&json) }
        Output.result(json.text)
    }

    /// Answers each line of standard input.
    static func answerLines(_ answer: ([String]) throws -> Void) throws {
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            guard !words.isEmpty else { throw Failure("empty request line. Write a command on each line.") }
            try answer(words)
        }
    }

    /// An index of a file of vectors, or a saved index.
    struct IndexOptions: ParsableArguments {
        @Option(help: "Index: \(VectorIndexTable.standard.names.joined(separator: ", ")).") var kind = "hnsw"
        @Option(help: "Metric: cosine, l2, or inner-product.") var metric = "l2"
        @Option(help: "Index settings, such as m=16,lists=1024.") var parameters = ""

        func knownMetric() throws -> Metric {
            guard let metric = Metric(rawValue: metric) else {
                throw Failure("unknown metric \"\(metric)\". Use cosine, l2, or inner-product.")
            }
            return metric
        }

        func make(_ rows: VectorRows) throws -> any VectorIndexKind {
            try IndexRecipe(kind, parameters).make(VectorIndexTable.standard.kind(kind), rows)
        }

        func open(_ store: some SegmentStore) throws -> any VectorIndexKind {
            try VectorIndexTable.standard.kind(kind).open(from: store)
        }
    }

    /// Builds an index of a file's vectors and saves it in a workspace.
    struct Build: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "build")

        @Argument(help: "File of vectors.") var vectors: String
        @Option(help: "Workspace to create (default: save no index).") var into: String?
        @Option(help: "Number of build threads.") var threads = 1
        @OptionGroup var index: IndexOptions

        func run() throws {
            try answering {
                let rows = try VectorFile(contentsOf: vectors).rows(metric: index.knownMetric())
                let before = residentMB
                let made = try index.make(rows)
                let cost = Cost()
                try made.add(slots: 0..<rows.count, threads: threads) { _ in true }
                let built = cost.now
                let grown = residentMB - before
                var bytes = 0
                let saving = Cost()
                if let into {
                    let workspace = try Workspace.open(into, migrations: .workbench, create: true)
                    try workspace.bulkWrite { db in
                        var store = try WorkspaceSegments(db, index: place)
                        if !type(of: made).savesRows { try rows.save(to: &store) }
                        try made.save(to: &store)
                    }
                    bytes = try workspace.read { db in try IndexIntegrity(checking: place, in: db) { _ in true }.bytes }
                    workspace.close()
                }
                say { json in
                    json.member("vectors", rows.count)
                    json.member("seconds", built.seconds)
                    json.member("cpu_seconds", built.cpuSeconds)
                    json.member("grown_mb", grown)
                    json.member("seconds_to_save", saving.now.seconds)
                    json.member("bytes", bytes)
                }
            }
        }
    }

    /// Searches an index of a workspace with every query of a file, once per request line.
    struct Vectors: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "vectors")

        @Argument(help: "Workspace created by `build`.") var workspace: String
        @Argument(help: "File of queries.") var queries: String
        @Option(help: "Number of results.") var k = 10
        @Flag(help: "Read a Vamana index from the file, node by node.") var fromFile = false
        @OptionGroup var index: IndexOptions

        func run() throws {
            try answering {
                let queries = try QueryRows(queries)
                let workspace = try Workspace.open(workspace, migrations: .workbench, create: false)
                let before = residentMB
                let cost = Cost()
                var searcher = try Searcher(workspace, index, queries, k: k, fromFile: fromFile)
                say { json in
                    cost.write(to: &json)
                    json.member("resident_mb_before", before)
                    json.member("resident_mb", residentMB)
                }
                try answerLines { words in try searcher.answer(words) }
            }
        }
    }

    /// Queries of a file, contiguous in memory.
    struct QueryRows {
        let count: Int
        let dimension: Int
        let values: [Float]

        init(_ path: String) throws {
            let file = try VectorFile(contentsOf: path)
            (count, dimension) = (file.count, file.dimension)
            var values = [Float](repeating: 0, count: count * dimension)
            for row in 0..<count {
                try values.withUnsafeMutableBufferPointer { values in
                    guard let start = values.baseAddress else { return }
                    try file.read(row, into: start + row * file.dimension)
                }
            }
            self.values = values
        }

        func withRow<Result>(_ row: Int, _ body: (UnsafePointer<Float>) throws -> Result) throws -> Result {
            try values.withUnsafeBufferPointer { values in
                guard let start = values.baseAddress else { throw Failure("no queries in the file.") }
                return try body(start + row * dimension)
            }
        }
    }
}

import ArgumentParser
import CommandSupport
import JSON
import Retrieval
import SearchIndexes
import Workspace

extension Bench.Corpus {
    /// An open index and its request lines.
    ///
    ///     single EFFORT RERANKED     each query separately; 0 uses the default, -1 skips re-ranking
    ///     batch EFFORT RERANKED      all queries at once, on one thread
    ///     exact                      by comparing all vectors
    ///     filter KEPT SEED           restricts later searches to KEPT random vectors; 0 removes the filter
    ///     planned EFFORT, graph EFFORT, compare   with the filter: as planned, by the graph, or by comparing
    struct Searcher {
        private let workspace: Workspace
        private let queries: QueryRows
        private let k: Int
        private let file: VamanaFile?
        private let index: (any VectorIndex)?
        private var allowed: SlotSet?

        init(_ workspace: Workspace, _ options: IndexOptions, _ queries: QueryRows, k: Int, fromFile: Bool) throws {
            self.workspace = workspace
            self.queries = queries
            self.k = k
            (file, index) = try workspace.read { db in
                let store = try WorkspaceSegments(db, index: place)
                if fromFile { return (try VamanaFile(from: store), nil) }
                return (nil, try options.open(store))
            }
        }

        mutating func answer(_ words: [String]) throws {
            let numbers = words.dropFirst().compactMap { Int($0) }
            func number(_ place: Int) -> Int? { numbers.count > place && numbers[place] != 0 ? numbers[place] : nil }
            var request = VectorRequest(k: k, effort: number(0), allowed: allowed)
            request.reranked = number(1).map { max($0, 0) }
            switch words[0] {
            case "single" where file != nil: try inFile(request)
            case "single", "graph": try each { try opened().search($0, request) }
            case "batch": try batch(request)
            case "exact", "compare":
                let flat = FlatIndex(try opened().rows)
                try each { try flat.search($0, VectorRequest(k: k, allowed: allowed)) }
            case "planned": try planned(request)
            case "filter": try filter(number(0) ?? 0, seed: UInt64(number(1) ?? 1))
            default:
                throw Failure(
                    "unknown request \"\(words[0])\". Use single, batch, exact, filter, planned, graph, or compare.")
            }
        }

        private func opened() throws -> any VectorIndex {
            guard let index else {
                throw Failure("the index was opened from its file and is not in memory. Use single.")
            }
            return index
        }

        private func each(_ search: (UnsafePointer<Float>) throws -> [Neighbor]) throws {
            var found: [[Neighbor]] = []
            found.reserveCapacity(queries.count)
            let cost = Cost()
            for row in 0..<queries.count { try queries.withRow(row) { found.append(try search($0)) } }
            tell(found, cost.now)
        }

        private func batch(_ request: VectorRequest) throws {
            let index = try opened()
            let cost = Cost()
            let found = try queries.withRow(0) { start in
                if let flat = index as? FlatIndex { return try flat.search(start, count: queries.count, request) }
                return try index.search(batch: start, count: queries.count, request, threads: 1)
            }
            tell(found, cost.now)
        }

        private func inFile(_ request: VectorRequest) throws {
            guard let file else { return }
            var found: [[Neighbor]] = []
            let cost = Cost()
            for row in 0..<queries.count {
                try queries.withRow(row) { query in
                    let neighbors = try workspace.read { db in
                        try file.search(query, request, in: WorkspaceSegments(db, index: place))
                    }
                    found.append(neighbors)
                }
            }
            tell(found, cost.now)
        }

        private func planned(_ request: VectorRequest) throws {
            let planner = FilterPlanner()
            let index = try opened()
            var strategies: [String: Int] = [:]
            var found: [[Neighbor]] = []
            let cost = Cost()
            for row in 0..<queries.count {
                let result = try queries.withRow(row) { try planner.search(index, $0, request) }
                strategies[result.plan.strategy.rawValue, default: 0] += 1
                found.append(result.neighbors)
            }
            tell(found, cost.now, strategies)
        }

        /// Selects random slots with Knuth's MMIX generator, so that a seed always selects the same slots.
        private mutating func filter(_ kept: Int, seed: UInt64) throws {
            let count = try opened().rows.count
            guard (0...count).contains(kept) else {
                throw Failure("filter must keep 0 to \(count) vectors, not \(kept).")
            }
            var slots = SlotSet(capacity: count)
            var state = seed
            while slots.count < kept {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                slots.insert(Int((state >> 33) % UInt64(count)))
            }
            allowed = kept > 0 ? slots : nil
            Bench.Corpus.say { $0.member("kept", kept) }
        }

        private func tell(
            _ found: [[Neighbor]], _ cost: (seconds: Double, cpuSeconds: Double), _ strategies: [String: Int] = [:]
        ) {
            Bench.Corpus.say { json in
                json.member("seconds", cost.seconds)
                json.member("cpu_seconds", cost.cpuSeconds)
                json.member("resident_mb", Bench.Corpus.residentMB)
                json.member("ids", found.map { $0.map(\.label) })
                if !strategies.isEmpty {
                    json.member("strategies") { json in
                        json.object { json in
                            for (name, count) in strategies.sorted(by: { $0.key < $1.key }) { json.member(name, count) }
                        }
                    }
                }
            }
        }
    }
}

import SearchIndexes
import Testing

/// What all indexes of lists, codes and hashes have in common.
@Suite("Indexes of lists, codes and hashes")
struct ListIndexTests {
    enum Kind: String, CaseIterable {
        case ivf, ivfPQ, pq, int8, binary, lsh

        func make(_ rows: VectorRows) throws -> any VectorIndex {
            switch self {
            case .ivf: IVFFlatIndex(rows, lists: 32)
            case .ivfPQ: try IVFPQIndex(rows, lists: 32, parts: 8)
            case .pq: try PQIndex(rows, parts: 8)
            case .int8: try Int8Index(rows)
            case .binary: try BinaryIndex(rows)
            case .lsh: try LSHIndex(rows)
            }
        }

        func read(_ rows: VectorRows, _ store: MemorySegments) throws -> any VectorIndex {
            switch self {
            case .ivf: try IVFFlatIndex(rows, from: store)
            case .ivfPQ: try IVFPQIndex(rows, from: store)
            case .pq: try PQIndex(rows, from: store)
            case .int8: try Int8Index(rows, from: store)
            case .binary: try BinaryIndex(rows, from: store)
            case .lsh: try LSHIndex(rows, from: store)
            }
        }

        /// Looks everywhere.
        func thorough(_ k: Int, allowed: SlotSet? = nil) -> VectorRequest {
            VectorRequest(k: k, effort: self == .lsh ? 2_000 : 32, reranked: 2_000, allowed: allowed)
        }
    }

    private static func added(_ kind: Kind, _ rows: VectorRows) throws -> any VectorIndex {
        let index = try kind.make(rows)
        try index.add(slots: 0..<rows.count, threads: 2) { _ in true }
        return index
    }

    @Test("a search with full effort finds the true neighbors and distances", arguments: Kind.allCases, Metric.allCases)
    func exact(kind: Kind, metric: Metric) throws {
        let data = SeededVectors(900, dimension: 21, metric: metric)
        let index = try Self.added(kind, data.rows())
        #expect(try data.recall(index, kind.thorough(10)) >= (kind == .lsh ? 0.9 : 1))
        let query = data.queries[0]
        let found = try index.search(query, kind.thorough(5))
        #expect(found == found.sorted())
        let row = try #require(index.rows.slot(of: found[0].label)).magnitude
        let own = [Float](unsafeUninitializedCapacity: 21) { numbers, count in
            for column in 0..<21 { numbers[column] = index.rows.row(Int(row))[column] }
            count = 21
        }
        let again = try index.search(own, kind.thorough(1))
        if metric != .innerProduct { #expect(abs(again[0].distance) < 1e-4) }
    }

    @Test("a search with ordinary effort finds most neighbors", arguments: Kind.allCases)
    func ordinary(kind: Kind) throws {
        let data = SeededVectors(2_000, dimension: 32, metric: .l2)
        let request = VectorRequest(k: 10, effort: kind == .lsh ? 32 : 8, reranked: 200)
        #expect(try data.recall(Self.added(kind, data.rows()), request) >= 0.9)
    }

    @Test("removed vectors are never found, before and after repair", arguments: Kind.allCases)
    func removed(kind: Kind) throws {
        let data = SeededVectors(600, dimension: 16, metric: .l2)
        let index = try Self.added(kind, data.rows())
        let query = data.queries[1]
        let gone = try index.search(query, kind.thorough(20)).map(\.label)
        let slots = gone.compactMap { index.rows.remove($0) }
        #expect(slots.count == 20)
        for isRepaired in [false, true] {
            if isRepaired { try index.repair(removed: slots) }
            let found = try index.search(query, kind.thorough(20)).map(\.label)
            #expect(Set(found).isDisjoint(with: gone))
            if kind != .lsh { #expect(found == data.nearest(query, 20, in: index.rows)) }
        }
    }

    @Test("a changed vector is found only at its new position", arguments: Kind.allCases)
    func updated(kind: Kind) throws {
        let data = SeededVectors(500, dimension: 16, metric: .l2)
        let index = try Self.added(kind, data.rows())
        let slot = try index.rows.append(data.queries[0], label: 107)
        try index.add(slots: slot..<slot + 1, threads: 1) { _ in true }
        try index.repair(removed: [7])
        #expect(try index.search(data.queries[0], kind.thorough(1)).first?.label == 107)
        #expect(try index.search(data.base[7], kind.thorough(3)).first?.label != 107)
    }

    @Test("only allowed slots are found", arguments: Kind.allCases)
    func filtered(kind: Kind) throws {
        let data = SeededVectors(600, dimension: 16, metric: .cosine)
        let index = try Self.added(kind, data.rows())
        var allowed = SlotSet()
        for slot in stride(from: 3, to: 600, by: 17) { allowed.insert(slot) }
        for query in data.queries {
            let found = try index.search(query, kind.thorough(8, allowed: allowed)).map(\.label)
            #expect(found.allSatisfy { allowed.contains(Int($0) - 100) })
            guard kind != .lsh else { continue }
            #expect(found == data.nearest(query, 8, in: index.rows) { allowed.contains($0) })
        }
    }

    @Test("vectors added one by one are found like vectors added at once", arguments: Kind.allCases)
    func growing(kind: Kind) throws {
        let data = SeededVectors(700, dimension: 12, metric: .l2, queries: 5)
        let rows = try VectorRows(dimension: 12, metric: .l2)
        let index = try kind.make(rows)
        #expect(try index.search(data.queries[0], kind.thorough(3)).isEmpty)
        for (label, vector) in data.base.enumerated() {
            let slot = try rows.append(vector, label: Int64(label) + 100)
            guard label < 8 || label % 50 == 49 else { continue }
            try index.add(slots: 0..<slot + 1, threads: 1) { _ in true }
            #expect(try index.search(vector, kind.thorough(1)).first?.label == Int64(label) + 100)
        }
        #expect(try data.recall(index, kind.thorough(10)) >= (kind == .lsh ? 0.9 : 1))
    }

    @Test("equal vectors are found in the order of their labels", arguments: Kind.allCases)
    func ties(kind: Kind) throws {
        let rows = try VectorRows(dimension: 8, metric: .l2)
        for label in [9, 3, 7, 1, 5, 2] { try rows.append([1, 2, 3, 4, 5, 6, 7, 8], label: Int64(label)) }
        let index = try Self.added(kind, rows)
        #expect(try index.search([1, 2, 3, 4, 5, 6, 7, 9], kind.thorough(4)).map(\.label) == [1, 2, 3, 5])
    }

    @Test("a batch of queries has the same results as single queries", arguments: Kind.allCases)
    func batch(kind: Kind) throws {
        let data = SeededVectors(500, dimension: 16, metric: .l2, queries: 33)
        let index = try Self.added(kind, data.rows())
        let request = VectorRequest(k: 6, effort: 4, reranked: 30)
        let together = try index.search(batch: data.queries.flatMap { $0 }, count: 33, request, threads: 2)
        for (query, found) in zip(data.queries, together) { #expect(try index.search(query, request) == found) }
    }

    @Test("a query that is not finite is refused", arguments: Kind.allCases)
    func notFinite(kind: Kind) throws {
        let data = SeededVectors(50, dimension: 8, metric: .l2)
        let index = try Self.added(kind, data.rows())
        #expect(throws: SegmentError.self) { try index.search([1, .nan, 0, 0, 0, 0, 0, 0], kind.thorough(1)) }
    }

    @Test("a stopped build keeps its progress and can be resumed", arguments: [Kind.ivf, .ivfPQ, .int8, .lsh])
    func ended(kind: Kind) throws {
        let data = SeededVectors(9_000, dimension: 8, metric: .l2, queries: 3)
        let index = try kind.make(data.rows())
        var calls = 0
        try index.add(slots: 0..<9_000, threads: 1) { _ in
            calls += 1
            return false
        }
        #expect(calls >= 1)
        #expect(try index.search(data.base[8_500], kind.thorough(1)).first?.label != 8_600)
        try index.add(slots: 0..<9_000, threads: 1) { _ in true }
        #expect(try index.search(data.base[8_500], kind.thorough(1)).first?.label == 8_600)
    }
}

import SearchIndexes
import Testing

@Suite("The path of a search through a graph")
struct GraphPathTests {
    private func built(codes: Bool) throws -> (HNSWIndex, [[Float]]) {
        var vectors = GraphVectors(dimension: 16)
        let rows = try GraphVectors.rows(vectors.next(3000))
        let index = try HNSWIndex(rows, parameters: HNSWParameters(m: 4, efConstruction: 20, codes: codes))
        try index.add(slots: 0..<3000)
        return (index, vectors.next(40))
    }

    @Test("a path descends the levels, contains the results, and visits nothing twice", arguments: [true, false])
    func path(codes: Bool) throws {
        let (index, queries) = try built(codes: codes)
        for query in queries.prefix(10) {
            let request = VectorRequest(k: 5, effort: 10)
            let path = try index.path(query, request)
            #expect(path.levels.map(\.level) == (0...index.maximumLevel).reversed())
            #expect(try path.found == index.search(query, request))
            let seen = path.levels.last?.seen ?? []
            #expect(Set(seen.map(\.label)).count == seen.count)
            for neighbor in path.found {
                #expect(seen.contains { $0.label == neighbor.label && $0.distance == neighbor.distance })
            }
        }
    }

    @Test("a path reports whether a vector was visited and at which rank it was kept")
    func verdicts() throws {
        let (index, queries) = try built(codes: false)
        for query in queries.prefix(10) {
            let path = try index.path(query, VectorRequest(k: 5, effort: 10))
            let seen = Set(path.levels.last?.seen.map(\.label) ?? [])
            for (at, neighbor) in path.found.enumerated() {
                let verdict = try index.verdict(on: Int(neighbor.label), query: query, effort: 10)
                #expect(verdict == .kept(rank: at + 1))
            }
            for label in 0..<300 as Range<Int64> where !path.found.contains(where: { $0.label == label }) {
                let verdict = try index.verdict(on: Int(label), query: query, effort: 10)
                #expect((verdict == .notSeen) == !seen.contains(label))
            }
        }
        #expect(try index.verdict(on: 9999, query: queries[0], effort: 10) == .notSeen)
    }

    @Test("the smallest effort that finds a missed vector is reported", arguments: [true, false])
    func smallestEffort(codes: Bool) throws {
        let (index, queries) = try built(codes: codes)
        var missed = 0
        for query in queries {
            let truth = try FlatIndex(index.rows).search(query, VectorRequest(k: 10))
            let found = try index.search(query, VectorRequest(k: 10, effort: 10)).map(\.label)
            for neighbor in truth {
                let effort = try index.smallestEffort(finding: Int(neighbor.label), query: query, k: 10)
                guard !found.contains(neighbor.label) else {
                    #expect(effort == 10)
                    continue
                }
                missed += 1
                guard let effort else { continue }
                #expect(effort > 10)
                let wide = try index.search(query, VectorRequest(k: 10, effort: effort)).map(\.label)
                let narrow = try index.search(query, VectorRequest(k: 10, effort: effort - 1)).map(\.label)
                #expect(wide.contains(neighbor.label) && !narrow.contains(neighbor.label))
            }
            // A walk that ended in a wrong region answers anything.
            guard Set(found).isSuperset(of: truth.map(\.label)) else { continue }
            let far = try FlatIndex(index.rows).search(query, VectorRequest(k: 400))[399]
            #expect(try index.smallestEffort(finding: Int(far.label), query: query, k: 10) == nil)
        }
        #expect(missed > 5, "the graph is bad enough to miss something")
    }
}

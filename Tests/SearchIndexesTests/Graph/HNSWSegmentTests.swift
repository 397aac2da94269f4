import SearchIndexes
import Testing

@Suite("A graph in segments")
struct HNSWSegmentTests {
    private func built(_ count: Int, dimension: Int = 12, codes: Bool? = nil) throws -> HNSWIndex {
        var vectors = GraphVectors(dimension: dimension)
        let parameters = HNSWParameters(m: 6, efConstruction: 40, codes: codes)
        let index = try HNSWIndex(GraphVectors.rows(vectors.next(count)), parameters: parameters)
        try index.add(slots: 0..<count)
        return index
    }

    private func save(_ index: HNSWIndex, to store: inout MemorySegments) throws {
        try index.rows.save(to: &store)
        try index.save(to: &store)
    }

    private func answers(_ index: HNSWIndex) throws -> [[Neighbor]] {
        var queries = GraphVectors(dimension: index.rows.dimension, seed: 99)
        return try queries.next(40).map { try index.search($0, VectorRequest(k: 5, effort: 8)) }
    }

    @Test("a loaded graph returns the same results, bit for bit", arguments: [true, false])
    func roundTrip(codes: Bool) throws {
        let index = try built(5000, codes: codes)
        var store = MemorySegments()
        try save(index, to: &store)
        #expect(try store.keys(of: "links").count == 2)
        let again = try HNSWIndex(from: store)
        #expect(try answers(again) == answers(index))
        #expect(again.parameters == index.parameters && again.count == 5000)
        var vectors = GraphVectors(dimension: 12, seed: 5)
        for vector in vectors.next(60) {
            for one in [index, again] {
                try one.rows.append(vector, label: Int64(one.rows.count))
                try one.add(slots: one.count..<one.rows.count)
            }
        }
        #expect(try answers(again) == answers(index), "grows like an index that was never saved")
    }

    @Test("adding one vector writes little; the journal is merged into the blocks")
    func journal() throws {
        let index = try built(5000)
        var store = MemorySegments()
        try save(index, to: &store)
        let blocks = try store.bytes(of: SegmentKey("links", 0))
        var vectors = GraphVectors(dimension: 12, seed: 5)
        var journaled = 0
        for at in 0..<90 {
            try index.rows.append(vectors.next(1)[0], label: Int64(5000 + at))
            try index.add(slots: 5000 + at..<5001 + at)
            if at == 50 {
                try index.repair(removed: [try #require(index.rows.remove(17))])
            }
            try save(index, to: &store)
            if at == 0 {
                #expect(try store.bytes(of: SegmentKey("journal", 0)).count < 2500)
                #expect(try store.bytes(of: SegmentKey("links", 0)) == blocks)
            }
            journaled = max(journaled, try store.keys(of: "journal").count)
            if at % 30 == 29 { #expect(try answers(HNSWIndex(from: store)) == answers(index)) }
        }
        #expect(journaled > 60 && journaled < 70, "many small segments become one")
        try save(index, to: &store)
        let keys = store.keys
        try save(index, to: &store)
        #expect(store.keys == keys)
        for vector in vectors.next(1500) { try index.rows.append(vector, label: Int64(index.rows.count)) }
        try index.add(slots: 0..<index.rows.count)
        try save(index, to: &store)
        #expect(try store.keys(of: "journal").isEmpty)
        #expect(try answers(HNSWIndex(from: store)) == answers(index))
    }

    @Test("the size is at most vectors, labels, links, and a twentieth of the links")
    func size() throws {
        var vectors = GraphVectors(dimension: 128)
        let index = try HNSWIndex(GraphVectors.rows(vectors.next(3000)), parameters: HNSWParameters(efConstruction: 40))
        try index.add(slots: 0..<3000)
        var store = MemorySegments()
        try save(index, to: &store)
        #expect(Double(store.byteCount) / 3000 < 512 + 8 + 128 * 1.05)
    }

    @Test("changed bytes and truncations are refused or harmless")
    func damage() throws {
        let index = try built(300, dimension: 4)
        var store = MemorySegments()
        try save(index, to: &store)
        try index.rows.append([1, 2, 3, 4], label: 1 << 20)
        try index.add(slots: 300..<301)
        try save(index, to: &store)
        var refused = 0
        for key in store.keys {
            let good = try store.bytes(of: key)
            var variants: [[UInt8]] = [0, 1, 3, good.count / 2, good.count - 1].map { Array(good.prefix($0)) }
            variants.append(good + [0])
            for at in stride(from: 0, to: good.count, by: max(1, good.count / 120)) {
                for bits: UInt8 in [0xFF, 0x01, 0x80] {
                    variants.append(good)
                    variants[variants.count - 1][at] ^= bits
                }
            }
            for bytes in variants {
                var bad = store
                try bad.put(key, bytes)
                do {
                    _ = try answers(HNSWIndex(from: bad))
                } catch {
                    refused += 1
                    #expect(!(error as! SegmentError).sentence.isEmpty)
                }
            }
        }
        #expect(refused > 400)
        for part in ["graph", "links", "vectors", "removed"] {
            var bad = store
            try bad.remove(SegmentKey(part))
            #expect(throws: SegmentError.self, "\(part)") { try HNSWIndex(from: bad) }
        }
    }

    @Test("links to missing nodes are refused")
    func links() throws {
        let index = try built(300, dimension: 4)
        var store = MemorySegments()
        try save(index, to: &store)
        var bytes = try store.bytes(of: SegmentKey("links", 0))
        bytes[4 + 300] = 0x2D  // the first link of node 0: 301 and more
        bytes[4 + 301] = 0x01
        try store.put(SegmentKey("links", 0), bytes)
        let error = #expect(throws: SegmentError.self) { try HNSWIndex(from: store) }
        #expect(error?.sentence == "the graph's links: node 0 links to a missing node. Build the index again.")
    }
}

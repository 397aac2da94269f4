import SearchIndexes
import Testing

@Suite("A Vamana graph read node by node")
struct VamanaFileTests {
    /// A store that counts what is read and written.
    private final class Counts {
        var read: [SegmentKey] = []
        var written: [SegmentKey] = []
    }

    private struct CountedSegments: SegmentStore {
        var store = MemorySegments()
        let counts = Counts()

        func keys(of part: String) throws(SegmentError) -> [SegmentKey] { try store.keys(of: part) }

        func withSegment<Result>(
            _ key: SegmentKey, _ body: (UnsafeRawBufferPointer) throws(SegmentError) -> Result
        ) throws(SegmentError) -> Result {
            counts.read.append(key)
            return try store.withSegment(key, body)
        }

        mutating func put(_ key: SegmentKey, _ bytes: UnsafeRawBufferPointer) throws(SegmentError) {
            counts.written.append(key)
            try store.put(key, bytes)
        }

        mutating func remove(_ key: SegmentKey) throws(SegmentError) { try store.remove(key) }
    }

    private func recall(
        _ file: VamanaFile, _ index: VamanaIndex, _ queries: [[Float]], _ store: some SegmentStore, effort: Int,
        allowed: SlotSet? = nil
    ) throws -> Double {
        var hits = 0
        var all = 0
        for query in queries {
            let truth = try FlatIndex(index.rows).search(query, VectorRequest(k: 10, allowed: allowed))
            let found = try file.search(query, VectorRequest(k: 10, effort: effort, allowed: allowed), in: store)
            hits += Set(found.map(\.label)).intersection(truth.map(\.label)).count
            all += truth.count
        }
        return Double(hits) / Double(all)
    }

    @Test("codes of 4 and 8 bits lead to the same neighbors", arguments: Metric.allCases, [4, 8])
    func recall(metric: Metric, bits: Int) throws {
        var vectors = GraphVectors(dimension: 24)
        let rows = try GraphVectors.rows(vectors.next(2500), metric: metric)
        let index = VamanaIndex(rows, VamanaSettings(degree: 24, complexity: 50, codeBits: bits))
        try index.add(slots: 0..<2500, threads: 1) { _ in true }
        var store = MemorySegments()
        try index.save(to: &store)
        let file = try VamanaFile(from: store)
        let queries = vectors.next(50)
        #expect(file.codeBytes == 2500 * 64 * bits / 8)
        #expect(try recall(file, index, queries, store, effort: 20) > 0.9)
        #expect(try recall(file, index, queries, store, effort: 80) > 0.985)
        for query in queries {
            let exact = try FlatIndex(rows).search(query, VectorRequest(k: 10))
            let read = try file.exact(query, k: 10, in: store)
            #expect(read.map(\.label) == exact.map(\.label))
            let wide = try file.search(query, VectorRequest(k: 10, effort: 80), in: store, beamWidth: 4)
            #expect(wide == wide.sorted() && wide.count == 10)
        }
    }

    @Test("a search reads few nodes, and cached nodes only once")
    func reads() throws {
        var vectors = GraphVectors(dimension: 24)
        let index = try VamanaIndexTests.index(vectors.next(2500))
        var store = CountedSegments()
        try index.save(to: &store)
        let file = try VamanaFile(from: store)
        #expect(!store.counts.read.contains { $0.part == VamanaIndex.nodePart })
        store.counts.read = []
        let query = vectors.next(1)[0]
        let first = try file.search(query, VectorRequest(k: 10, effort: 20), in: store)
        let nodes = store.counts.read.count
        #expect(nodes > 10 && nodes < 200)
        #expect(try file.search(query, VectorRequest(k: 10, effort: 20), in: store) == first)
        #expect(store.counts.read.count == nodes)
        #expect(file.cacheUse.hits == nodes)
        let small = try VamanaFile(from: store, cacheBytes: 0)
        #expect(try small.search(query, VectorRequest(k: 10, effort: 20), in: store) == first)
    }

    @Test("only changes are written, and both ways of reading see them")
    func changes() throws {
        var vectors = GraphVectors(dimension: 16)
        let first = try VamanaIndexTests.index(vectors.next(3000))
        var store = CountedSegments()
        try first.save(to: &store)
        store.counts.written = []
        try first.save(to: &store)
        #expect(!store.counts.written.contains { $0.part == VamanaIndex.nodePart })

        let index = try VamanaIndex(from: store)
        #expect((0..<3000).allSatisfy { index.neighbors(of: $0) == first.neighbors(of: $0) })
        for (at, vector) in vectors.next(20).enumerated() { try index.rows.append(vector, label: Int64(9000 + at)) }
        try index.add(slots: 3000..<3020, threads: 1) { _ in true }
        let gone = [5, 6, 7, 1200]
        for slot in gone { index.rows.remove(Int64(slot)) }
        try index.repair(removed: gone)
        store.counts.written = []
        try index.save(to: &store)
        let written = store.counts.written.filter { $0.part == VamanaIndex.nodePart }.count
        #expect(written >= 24 && written < 1000)

        let file = try VamanaFile(from: store)
        #expect((file.count, file.liveCount) == (3020, 3016))
        let queries = vectors.next(40)
        #expect(try recall(file, index, queries, store, effort: 60) > 0.97)
        let again = try VamanaIndex(from: store)
        #expect((again.rows.liveCount, again.entry) == (index.rows.liveCount, index.entry))
        for query in queries {
            let request = VectorRequest(k: 10, effort: 60)
            #expect(try again.search(query, request) == index.search(query, request))
            #expect(try !file.search(query, request, in: store).contains { gone.contains(Int($0.label)) })
        }
    }

    @Test("a small set of allowed vectors is found completely", arguments: [1, 3, 40, 600])
    func filtered(kept: Int) throws {
        var vectors = GraphVectors(dimension: 16)
        let index = try VamanaIndexTests.index(vectors.next(2000))
        for slot in [0, 1, 2] { index.rows.remove(Int64(slot)) }
        var store = MemorySegments()
        try index.save(to: &store)
        let file = try VamanaFile(from: store)
        var allowed = SlotSet(capacity: 2000)
        for slot in 0..<kept { allowed.insert(slot * 3 % 2000) }
        allowed.insert(5_000_000)
        for query in vectors.next(20) {
            let found = try file.search(query, VectorRequest(k: 10, allowed: allowed), in: store)
            let truth = try FlatIndex(index.rows).search(query, VectorRequest(k: 10, allowed: allowed))
            #expect(found.count == min(10, kept - 1))
            if kept <= 40 { #expect(found.map(\.label) == truth.map(\.label)) }
        }
        #expect(try recall(file, index, vectors.next(30), store, effort: 40, allowed: allowed) > 0.95 || kept == 1)
    }

    @Test(
        "damaged segments are errors",
        arguments: ["vamana 0", "labels 0", "codes 0", "removed 0", "nodes"], ["gone", "short", "long", "zeros"])
    func damage(name: String, kind: String) throws {
        var vectors = GraphVectors(dimension: 8)
        let index = try VamanaIndexTests.index(vectors.next(300))
        var store = MemorySegments()
        try index.save(to: &store)
        let parts = name.split(separator: " ").map(String.init)
        let numbers = parts.count == 1 ? Array(0..<300) : [0]
        for number in numbers {
            let key = SegmentKey(parts[0], number)
            let bytes = try store.bytes(of: key)
            switch kind {
            case "gone": try store.remove(key)
            case "short": try store.put(key, Array(bytes.dropLast()))
            case "long": try store.put(key, bytes + [1, 2, 3])
            default: try store.put(key, [UInt8](repeating: 0, count: bytes.count))
            }
        }
        // Zeros are labels, codes and sets like others: checksums of the store tell those.
        let isSilent = kind == "zeros" && ["labels 0", "codes 0", "removed 0"].contains(name)
        // What follows the header is room for what later programs may know.
        guard !isSilent, !(kind == "long" && name == "vamana 0") else { return }
        #expect(throws: SegmentError.self) {
            let file = try VamanaFile(from: store)
            _ = try file.search(vectors.next(1)[0], VectorRequest(k: 10), in: store)
        }
    }

    @Test("any changed byte of the header is refused or harmless")
    func hostileHeader() throws {
        var vectors = GraphVectors(dimension: 4)
        let index = try VamanaIndexTests.index(vectors.next(40))
        var store = MemorySegments()
        try index.save(to: &store)
        let key = SegmentKey("vamana")
        let header = try store.bytes(of: key)
        let query = vectors.next(1)[0]
        var refused = 0
        for place in header.indices {
            for value: UInt8 in [0, 1, 127, 255] {
                var bytes = header
                bytes[place] = value
                try store.put(key, bytes)
                do throws(SegmentError) {
                    let file = try VamanaFile(from: store)
                    if file.dimension == 4 { _ = try file.search(query, VectorRequest(k: 5), in: store) }
                    _ = try VamanaIndex(from: store)
                } catch {
                    #expect(!error.sentence.isEmpty)
                    refused += 1
                }
            }
        }
        #expect(refused > 40)
    }
}

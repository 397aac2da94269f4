import SearchIndexes
import Testing

@Suite("Segments of lists, codes and hashes")
struct ListSegmentsTests {
    typealias Kind = ListIndexTests.Kind

    /// A store that counts what is put.
    private struct CountingSegments: SegmentStore {
        var memory = MemorySegments()
        var put: [SegmentKey] = []

        func keys(of part: String) throws(SegmentError) -> [SegmentKey] { try memory.keys(of: part) }
        func withSegment<Result>(
            _ key: SegmentKey, _ body: (UnsafeRawBufferPointer) throws(SegmentError) -> Result
        ) throws(SegmentError) -> Result { try memory.withSegment(key, body) }
        mutating func put(_ key: SegmentKey, _ bytes: UnsafeRawBufferPointer) throws(SegmentError) {
            put.append(key)
            try memory.put(key, bytes)
        }
        mutating func remove(_ key: SegmentKey) throws(SegmentError) { try memory.remove(key) }
    }

    @Test("a loaded index returns the same results as the saved one", arguments: Kind.allCases, Metric.allCases)
    func roundTrip(kind: Kind, metric: Metric) throws {
        let data = SeededVectors(800, dimension: 20, metric: metric)
        let rows = try data.rows()
        rows.remove(150)
        let index = try kind.make(rows)
        try index.add(slots: 0..<800, threads: 1) { _ in true }
        var store = MemorySegments()
        try index.save(to: &store)
        let copy = try kind.read(rows, store)
        let request = VectorRequest(k: 10, effort: 4, reranked: 20)
        for query in data.queries { #expect(try copy.search(query, request) == index.search(query, request)) }
        try copy.save(to: &store)
        #expect(type(of: copy).kind == type(of: index).kind)
    }

    @Test("only changed lists are written again", arguments: [Kind.ivf, .ivfPQ])
    func incremental(kind: Kind) throws {
        let data = SeededVectors(2_000, dimension: 16, metric: .l2)
        let rows = try data.rows(0..<1_999)
        let index = kind == .ivf ? IVFFlatIndex(rows, lists: 160) as any VectorIndex : try IVFPQIndex(rows, lists: 160)
        try index.add(slots: 0..<1_999, threads: 1) { _ in true }
        var store = CountingSegments()
        try index.save(to: &store)
        #expect(store.put.count > 10)
        store.put = []
        try index.save(to: &store)
        #expect(store.put.isEmpty)
        let slot = try rows.append(data.base[1_999], label: 5_000)
        try index.add(slots: slot..<slot + 1, threads: 1) { _ in true }
        rows.remove(100)
        try index.repair(removed: [0])
        try index.save(to: &store)
        #expect((1...2).contains(store.put.count))
        let copy = try kind.read(rows, store.memory)
        #expect(try copy.search(data.base[1_999], VectorRequest(k: 1)).first?.label == 5_000)
    }

    @Test("an index of other vectors is refused", arguments: Kind.allCases)
    func otherVectors(kind: Kind) throws {
        let data = SeededVectors(300, dimension: 10, metric: .l2)
        let index = try kind.make(data.rows())
        try index.add(slots: 0..<300, threads: 1) { _ in true }
        var store = MemorySegments()
        try index.save(to: &store)
        let others = [
            try VectorRows(dimension: 11, metric: .l2), try VectorRows(dimension: 10, metric: .cosine),
            try data.rows(0..<100),
        ]
        for rows in others { #expect(throws: SegmentError.self) { try kind.read(rows, store) } }
        #expect(throws: SegmentError.self) { try kind.read(index.rows, MemorySegments()) }
    }

    @Test("segments with changed bytes are refused or harmless", arguments: Kind.allCases)
    func damaged(kind: Kind) throws {
        let data = SeededVectors(200, dimension: 8, metric: .l2, queries: 1)
        let rows = try data.rows()
        let index = try kind.make(rows)
        try index.add(slots: 0..<200, threads: 1) { _ in true }
        var whole = MemorySegments()
        try index.save(to: &whole)
        var random = SeededVectors.Generator(seed: 3)
        for _ in 0..<500 {
            var store = whole
            let key = try #require(store.keys.randomElement(using: &random))
            var bytes = try store.bytes(of: key)
            let place = Int.random(in: 0..<min(bytes.count, 64), using: &random)
            if Bool.random(using: &random) {
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            } else {
                bytes.removeLast(bytes.count - place)
            }
            try store.put(key, bytes)
            do {
                let found = try kind.read(rows, store).search(data.queries[0], kind.thorough(5))
                #expect(found.allSatisfy { rows.slot(of: $0.label) != nil })
            } catch let error as SegmentError { #expect(!error.problem.isEmpty) }
        }
    }
}

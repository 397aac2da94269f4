import SearchIndexes
import Testing

@Suite("Damaged foreign files")
struct ForeignFuzzTests {
    /// Changes of bytes and lengths, drawn from a seed.
    private static func mutated(_ bytes: [UInt8], _ random: inout SeededVectors.Generator) -> [UInt8] {
        var bytes = bytes
        for _ in 0...Int.random(in: 0..<4, using: &random) {
            guard !bytes.isEmpty else { break }
            // Heads are small, and hold most of what can go wrong.
            let isHead = Bool.random(using: &random)
            let place = Int.random(in: 0..<min(bytes.count, isHead ? 160 : bytes.count), using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
            case 2:
                for next in place..<min(place + 8, bytes.count) { bytes[next] = 0xFF }
            case 3: bytes.removeLast(bytes.count - place)
            default: bytes.insert(contentsOf: bytes[place...].prefix(8), at: place)
            }
        }
        return bytes
    }

    @Test(
        "an index file with changed bytes is read or refused, and walks stay inside it",
        arguments: [
            "flat-l2.faiss", "hnsw.faiss", "ivf.faiss", "ivf-sparse.faiss", "ivf-pq.faiss", "named.faiss",
            "l2.hnswlib",
        ])
    func indexes(name: String) throws {
        let original = try ForeignGoldens.bytes(name)
        var random = SeededVectors.Generator(seed: 11)
        var refused = 0
        for _ in 0..<2_000 {
            let bytes = Self.mutated(original, &random)
            do {
                let index = try bytes.withUnsafeBytes { try ForeignIndex.read($0, named: name) }
                #expect(index.rows.count * index.rows.dimension * 4 <= 64 * bytes.count)
                if let graph = index.graph, index.rows.liveCount > 0, graph.m > 1 {
                    let query = [Float](repeating: 0.5, count: index.rows.dimension)
                    let found = try HNSWIndex(index.rows, graph: graph).search(query, VectorRequest(k: 3, effort: 8))
                    #expect(found.count <= 3)
                }
            } catch let error as SegmentError {
                refused += 1
                #expect(!error.problem.isEmpty)
            }
        }
        #expect(refused > 500)
    }

    @Test(
        "a vector file with changed bytes is read or refused",
        arguments: ["base.fvecs", "nearest.ivecs", "base.fbin", "float16.npy", "int8.npy", "uint8.npy"])
    func vectors(name: String) throws {
        let original = try ForeignGoldens.bytes(name)
        var random = SeededVectors.Generator(seed: 12)
        var refused = 0
        for _ in 0..<2_000 {
            let bytes = Self.mutated(original, &random)
            do {
                let rows = try ForeignGoldens.vectors(bytes, name)
                #expect(rows.reduce(0) { $0 + $1.count } <= bytes.count)
            } catch is SegmentError { refused += 1 }
        }
        #expect(refused > 300)
    }
}

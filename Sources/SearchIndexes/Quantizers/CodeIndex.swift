package import Bytes

/// A code of fixed length for every vector, which is faster to compare than the vector.
package protocol VectorCode: Sendable {
    /// Part of a code.
    associatedtype Word: BitwiseCopyable

    /// Name of the index.
    static var kind: String { get }
    /// Candidates per result that are ranked by their vectors, unless a search says how many, and their minimum number.
    static var candidates: (perResult: Int, minimum: Int) { get }

    init(dimension: Int)
    /// Words per vector.
    var length: Int { get }
    /// Fits the code to vectors; `center` is their mean, which the code can change.
    mutating func fit(to rows: VectorRows, _ center: inout [Float])
    /// Writes the code of a vector.
    func encode(
        _ row: UnsafePointer<Float>, center: UnsafePointer<Float>, into words: UnsafeMutablePointer<Word>)
    /// Adds the nearest vectors by their codes to `scratch.nearest`.
    ///
    /// - Parameters:
    ///   - codes: Codes of the first `count` rows.
    ///   - wanted: Number of vectors to add.
    func choose(
        _ wanted: Int, near query: UnsafePointer<Word>, among codes: UnsafePointer<Word>, count: Int,
        of rows: VectorRows, _ allowed: SlotSet?, _ scratch: SearchScratch, _ labels: UnsafePointer<Int64>)
    mutating func read(_ reader: inout SegmentReader) throws(SegmentError)
    func write(to writer: inout ByteWriter)
}

/// A code for every vector: all codes are scanned, and the best vectors are ranked again by themselves.
///
/// The codes are computed from the vectors when the index is read: only the mean and the parameters of the code are
/// stored.
///
/// ```swift
/// let index = try Int8Index(rows)
/// try index.add(slots: 0..<rows.count, threads: 1) { _ in true }
/// let nearest = try index.search(query, VectorRequest(k: 10, reranked: 40))
/// ```
package final class CodeIndex<Code: VectorCode>: VectorIndex, @unchecked Sendable {
    // Codes never change during searches.
    package static var kind: String { Code.kind }
    package let rows: VectorRows

    private var code: Code
    private let codes: MappedMemory<Code.Word>
    private var count = 0
    private var center: RowCenter
    private var isSaved = false
    private let scratch = ScratchPool()

    /// - Throws: `SegmentError` if there is not enough memory.
    package init(_ rows: VectorRows) throws(SegmentError) {
        self.rows = rows
        code = Code(dimension: rows.dimension)
        codes = try MappedMemory(capacity: VectorRows.maximumCount * code.length, of: "codes")
        center = RowCenter(of: rows)
        center.count = 0
    }

    /// Reads the output of ``save(to:)``.
    ///
    /// - Throws: `SegmentError` if the segment is missing, damaged, or does not match the vectors.
    package convenience init(_ rows: VectorRows, from store: some SegmentStore) throws(SegmentError) {
        try self.init(rows)
        let key = SegmentKey(Self.kind)
        let end = try store.withSegment(key) { bytes throws(SegmentError) -> Int in
            var reader = SegmentReader(bytes, key)
            self.center = try RowCenter(&reader, rows: rows, version: 1)
            try self.code.read(&reader)
            let end = try reader.read(UInt64.self)
            guard end <= UInt64(rows.count), reader.remaining == 0 else {
                throw reader.failure("\(end) vectors are out of range")
            }
            return Int(end)
        }
        try encode(upTo: end) { _ in true }
        isSaved = true
    }

    package func add(slots: Range<Int>, threads: Int, progress: (Int) -> Bool) throws(SegmentError) {
        let end = min(slots.upperBound, rows.count)
        guard end > count else { return }
        if center.isOutgrown(by: rows.count) {
            center = RowCenter(of: rows)
            code.fit(to: rows, &center.center)
            count = 0
        }
        isSaved = false
        try encode(upTo: end, progress)
    }

    private func encode(upTo end: Int, _ progress: (Int) -> Bool) throws(SegmentError) {
        try requireMemory((end - count) * code.length * MemoryLayout<Code.Word>.stride, for: "codes")
        let first = count
        while count < end {
            encode(rows.row(count), into: codes.start + count * code.length)
            count += 1
            if count % 8192 == 0, !progress(count - first) { return }
        }
        _ = progress(count - first)
    }

    private func encode(_ row: UnsafePointer<Float>, into words: UnsafeMutablePointer<Code.Word>) {
        center.center.withUnsafeBufferPointer { center in
            if let center = center.baseAddress { code.encode(row, center: center, into: words) }
        }
    }

    /// Searches skip removed vectors, so there is nothing to repair.
    package func repair(removed slots: [Int]) {}

    package func search(_ query: UnsafePointer<Float>, _ request: VectorRequest) throws(SegmentError) -> [Neighbor] {
        let k = min(request.k, rows.count)
        guard k > 0, count > 0 else { return [] }
        let wanted = min(
            max(request.reranked ?? max(k * Code.candidates.perResult, Code.candidates.minimum), k), count)
        return try scratch.with { scratch throws(SegmentError) in
            let size = code.length * MemoryLayout<Code.Word>.stride
            let (x, memory, _) = scratch.floats(rows.dimension, size / 4)
            try rows.prepare(query, into: x)
            let coded = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: Code.Word.self)
            encode(x, into: coded)
            scratch.nearest.reset(capacity: wanted)
            rows.withLabels { labels in
                code.choose(
                    wanted, near: coded, among: codes.start, count: count, of: rows, request.allowed, scratch, labels)
                rows.rank(scratch.nearest, again: x, k: k, scratch, labels)
                scratch.nearest.sort(labels)
            }
            return rows.neighbors(scratch.nearest)
        }
    }

    package func save(to store: inout some SegmentStore) throws(SegmentError) {
        guard !isSaved else { return }
        var writer = ByteWriter()
        center.write(to: &writer, rows: rows, version: 1)
        code.write(to: &writer)
        writer.write(UInt64(count))
        try store.put(SegmentKey(Self.kind), writer.bytes)
        isSaved = true
    }
}

extension CodeIndex: VectorIndexKind {
    package static var effort: SearchEffort { .ignored }
    package static var isCompressed: Bool { true }

    package static func build(_ rows: VectorRows, _ values: IndexValues) throws(SegmentError) -> CodeIndex {
        try CodeIndex(rows)
    }

    package static func open(from store: some SegmentStore) throws(SegmentError) -> CodeIndex {
        try CodeIndex(VectorRows(from: store), from: store)
    }
}

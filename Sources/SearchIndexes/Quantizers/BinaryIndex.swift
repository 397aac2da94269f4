internal import Bytes
internal import Kernels

/// A bit for each number of a vector, all vectors scanned by the bits that differ; the best are ranked by the vectors.
///
/// A bit says whether the number is above the mean. The bits are made from the vectors when the index is read: only the
/// mean is kept.
///
/// ```swift
/// let index = try BinaryIndex(rows)
/// try index.add(slots: 0..<rows.count, threads: 1) { _ in true }
/// let nearest = try index.search(query, VectorRequest(k: 10, reranked: 500))
/// ```
public final class BinaryIndex: VectorIndex, @unchecked Sendable {  // bits never change during searches
    public static let kind = "binary"
    public let rows: VectorRows
    /// Candidates for each that is wanted, where a search does not say how many are ranked again.
    public static let candidatesOfWanted = 50

    private let bits: MappedMemory<UInt64>
    private let words: Int
    private var count = 0
    private var center: RowCenter
    private var isSaved = false
    private let scratch = ScratchPool()

    /// - Throws: `SegmentError` if there is not enough memory.
    public init(_ rows: VectorRows) throws(SegmentError) {
        self.rows = rows
        words = (rows.dimension + 63) / 64
        bits = try MappedMemory(capacity: VectorRows.maximumCount * words, of: "bits")
        center = RowCenter(of: rows)
        center.count = 0
    }

    /// Reads what ``save(to:)`` wrote.
    ///
    /// - Throws: `SegmentError` where the segment is missing, damaged, or does not fit the vectors.
    public convenience init(_ rows: VectorRows, from store: some SegmentStore) throws(SegmentError) {
        try self.init(rows)
        let key = SegmentKey(Self.kind)
        let end = try store.withSegment(key) { bytes throws(SegmentError) -> Int in
            var reader = SegmentReader(bytes, key)
            self.center = try RowCenter(&reader, rows: rows, version: 1)
            let end = try reader.read(UInt64.self)
            guard end <= UInt64(rows.count), reader.remaining == 0 else {
                throw reader.failure("\(end) vectors are out of range")
            }
            return Int(end)
        }
        try encode(upTo: end) { _ in true }
        isSaved = true
    }

    public func add(slots: Range<Int>, threads: Int, progress: (Int) -> Bool) throws(SegmentError) {
        let end = min(slots.upperBound, rows.count)
        guard end > count else { return }
        if center.isOutgrown(by: rows.count) {
            center = RowCenter(of: rows)
            count = 0
        }
        isSaved = false
        try encode(upTo: end, progress)
    }

    private func encode(upTo end: Int, _ progress: (Int) -> Bool) throws(SegmentError) {
        try requireMemory((end - count) * words * 8, for: "bits")
        let first = count
        while count < end {
            encode(rows.row(count), into: bits.start + count * words)
            count += 1
            if count % 8192 == 0, !progress(count - first) { return }
        }
        _ = progress(count - first)
    }

    private func encode(_ row: UnsafePointer<Float>, into bits: UnsafeMutablePointer<UInt64>) {
        center.center.withUnsafeBufferPointer { center in
            for word in 0..<words {
                var value: UInt64 = 0
                for column in word * 64..<min(rows.dimension, word * 64 + 64) where row[column] > center[column] {
                    value |= 1 << UInt64(column & 63)
                }
                bits[word] = value
            }
        }
    }

    /// Removed vectors are passed over; there is nothing else to repair.
    public func repair(removed slots: [Int]) {}

    public func search(_ query: UnsafePointer<Float>, _ request: VectorRequest) throws(SegmentError) -> [Neighbor] {
        let k = min(request.k, rows.count)
        guard k > 0, count > 0 else { return [] }
        let wanted =
            request.reranked ?? max(k * Self.candidatesOfWanted, 200)
        return try scratch.with { scratch throws(SegmentError) in
            let (x, memory, differing) = scratch.floats(rows.dimension, words * 2, (count + 1) / 2)
            try rows.prepare(query, into: x)
            let coded = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: UInt64.self)
            encode(x, into: coded)
            let distances = UnsafeMutableRawPointer(differing).assumingMemoryBound(to: UInt16.self)
            CodeKernels.differingBits(coded, rows: bits.start, words: words, count: count, into: distances)
            scratch.nearest.reset(capacity: min(max(wanted, k), count))
            rows.withLabels { labels in
                choose(min(max(wanted, k), count), distances, request.allowed, scratch.nearest)
                rows.rank(scratch.nearest, again: x, k: k, scratch, labels)
                scratch.nearest.sort(labels)
            }
            return rows.neighbors(scratch.nearest)
        }
    }

    /// Keeps the `wanted` slots of the fewest differing bits, of equal ones the lower: counts first how many have how
    /// many.
    private func choose(
        _ wanted: Int, _ distances: UnsafePointer<UInt16>, _ allowed: SlotSet?, _ nearest: SlotHeap
    ) {
        let (removed, most) = (rows.removed, words * 64)
        let isWhole = removed.count == 0 && allowed == nil
        func isFound(_ slot: Int) -> Bool { !removed.contains(slot) && allowed?.contains(slot) ?? true }
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: most + 1) { counts in
            counts.initialize(repeating: 0)
            for slot in 0..<count where isWhole || isFound(slot) { counts[Int(distances[slot])] += 1 }
            var (limit, below) = (0, 0)
            while limit < most, below + Int(counts[limit]) < wanted {
                below += Int(counts[limit])
                limit += 1
            }
            var rest = wanted - below
            for slot in 0..<count where distances[slot] <= limit && (isWhole || isFound(slot)) {
                if distances[slot] == limit {
                    guard rest > 0 else { continue }
                    rest -= 1
                }
                nearest.offer(Float(distances[slot]), UInt32(slot), nil)
            }
        }
    }

    public func save(to store: inout some SegmentStore) throws(SegmentError) {
        guard !isSaved else { return }
        var writer = ByteWriter()
        center.write(to: &writer, rows: rows, version: 1)
        writer.write(UInt64(count))
        try store.put(SegmentKey(Self.kind), writer.bytes)
        isSaved = true
    }
}

extension BinaryIndex: VectorIndexKind {
    package static var effort: SearchEffort { .ignored }
    package static var isCompressed: Bool { true }

    package static func build(_ rows: VectorRows, _ values: IndexValues) throws(SegmentError) -> BinaryIndex {
        try BinaryIndex(rows)
    }

    package static func open(from store: some SegmentStore) throws(SegmentError) -> BinaryIndex {
        try BinaryIndex(VectorRows(from: store), from: store)
    }
}

internal import Bytes
internal import Kernels

/// A byte for each number of a vector, all vectors scanned; the best are ranked again by the vectors themselves.
///
/// A byte is the difference from the mean in steps of a 63rd of the largest one; distances of bytes are exact integers.
/// The codes are made from the vectors when the index is read: only their mean and step are kept.
///
/// ```swift
/// let index = try Int8Index(rows)
/// try index.add(slots: 0..<rows.count, threads: 1) { _ in true }
/// let nearest = try index.search(query, VectorRequest(k: 10, reranked: 40))
/// ```
public final class Int8Index: VectorIndex, @unchecked Sendable {  // codes never change during searches
    public static let kind = "int8"
    public let rows: VectorRows
    /// Candidates for each that is wanted, where a search does not say how many are ranked again.
    public static let candidatesOfWanted = 4

    private let codes: MappedMemory<Int8>
    private let stride: Int
    private var count = 0
    private var center: RowCenter
    private var scale: Float = 1
    private var isSaved = false
    private let scratch = ScratchPool()

    /// - Throws: `SegmentError` if there is not enough memory.
    public init(_ rows: VectorRows) throws(SegmentError) {
        self.rows = rows
        stride = (rows.dimension + 63) / 64 * 64
        codes = try MappedMemory(capacity: VectorRows.maximumCount * stride, of: "codes")
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
            self.scale = try reader.readFloat()
            let end = try reader.read(UInt64.self)
            guard self.scale.isFinite, self.scale > 0, end <= UInt64(rows.count), reader.remaining == 0 else {
                throw reader.failure("the header is invalid: \(end) vectors, scale \(self.scale)")
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
            if rows.metric != .l2 { center.center = [Float](repeating: 0, count: rows.dimension) }
            scale = 63 / max(largestDifference, .leastNormalMagnitude * 64)
            count = 0
        }
        isSaved = false
        try encode(upTo: end, progress)
    }

    private var largestDifference: Float {
        var largest: Float = 0
        for slot in 0..<rows.count where !rows.removed.contains(slot) {
            let row = rows.row(slot)
            for column in 0..<rows.dimension { largest = max(largest, abs(row[column] - center.center[column])) }
        }
        return largest
    }

    private func encode(upTo end: Int, _ progress: (Int) -> Bool) throws(SegmentError) {
        try requireMemory((end - count) * stride, for: "codes")
        let first = count
        center.center.withUnsafeBufferPointer { center in
            guard let center = center.baseAddress else { return }
            while count < end {
                VectorCodes.encode(
                    rows.row(count), center: center, scale: scale, dimension: rows.dimension, stride: stride,
                    into: codes.start + count * stride)
                count += 1
                if count % 8192 == 0, !progress(count - first) { return }
            }
            _ = progress(count - first)
        }
    }

    /// Removed vectors are passed over; there is nothing else to repair.
    public func repair(removed slots: [Int]) {}

    public func search(_ query: UnsafePointer<Float>, _ request: VectorRequest) throws(SegmentError) -> [Neighbor] {
        let k = min(request.k, rows.count)
        guard k > 0, count > 0 else { return [] }
        let wanted =
            request.reranked ?? max(k * Self.candidatesOfWanted, 32)
        return try scratch.with { scratch throws(SegmentError) in
            let (x, memory, _) = scratch.floats(rows.dimension, stride / 4)
            try rows.prepare(query, into: x)
            let coded = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: Int8.self)
            center.center.withUnsafeBufferPointer { center in
                guard let center = center.baseAddress else { return }
                VectorCodes.encode(
                    x, center: center, scale: scale, dimension: rows.dimension, stride: stride, into: coded)
            }
            scratch.nearest.reset(capacity: min(max(wanted, k), rows.count))
            rows.withLabels { labels in
                scan(coded, request.allowed, scratch, labels)
                rows.rank(scratch.nearest, again: x, k: k, scratch, labels)
                scratch.nearest.sort(labels)
            }
            return rows.neighbors(scratch.nearest)
        }
    }

    private func scan(
        _ query: UnsafePointer<Int8>, _ allowed: SlotSet?, _ scratch: SearchScratch, _ labels: UnsafePointer<Int64>
    ) {
        for first in Swift.stride(from: 0, to: count, by: SearchScratch.block) {
            let here = min(SearchScratch.block, count - first)
            rows.kernels.codes(query, codes.start + first * stride, stride, nil, here, scratch.positions)
            for index in 0..<here { scratch.distances[index] = Float(scratch.positions[index]) }
            scratch.keep(from: first, here, rows, allowed, labels)
        }
    }

    public func save(to store: inout some SegmentStore) throws(SegmentError) {
        guard !isSaved else { return }
        var writer = ByteWriter()
        center.write(to: &writer, rows: rows, version: 1)
        writer.write(scale)
        writer.write(UInt64(count))
        try store.put(SegmentKey(Self.kind), writer.bytes)
        isSaved = true
    }
}

extension Int8Index: VectorIndexKind {
    package static var effort: SearchEffort { .ignored }
    package static var isCompressed: Bool { true }

    package static func build(_ rows: VectorRows, _ values: IndexValues) throws(SegmentError) -> Int8Index {
        try Int8Index(rows)
    }

    package static func open(from store: some SegmentStore) throws(SegmentError) -> Int8Index {
        try Int8Index(VectorRows(from: store), from: store)
    }
}

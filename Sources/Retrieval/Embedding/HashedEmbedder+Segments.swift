internal import Bytes
public import SearchIndexes

/// Part `hashed`: number 0 holds the format, the dimension, how many features there are and a check of all; the others
/// hold features and their rows, in the order of the features.
extension HashedEmbedder {
    private static var part: String { "hashed" }
    private static var format: UInt32 { 1 }
    /// Number of rows per segment, which has at most 8 MiB.
    private var rowsOfASegment: Int { max(1, (8 << 20) / (2 * dimension + 4)) }

    /// Writes all of it, in place of what was there.
    public func save(to store: inout some SegmentStore) throws(SegmentError) {
        for key in try store.keys(of: Self.part) { try store.remove(key) }
        var head = ByteWriter()
        head.write(Self.format)
        head.write(UInt32(dimension))
        head.write(UInt32(features.count))
        head.write(digest)
        try store.put(SegmentKey(Self.part, 0), head.bytes)
        var number = 1
        for first in stride(from: 0, to: features.count, by: rowsOfASegment) {
            let range = first..<min(features.count, first + rowsOfASegment)
            var writer = ByteWriter(reserving: range.count * (2 * dimension + 4))
            for feature in features[range] { writer.write(feature) }
            for value in rows[range.lowerBound * dimension..<range.upperBound * dimension] {
                writer.write(value.bitPattern)
            }
            try store.put(SegmentKey(Self.part, number), writer.bytes)
            number += 1
        }
    }

    /// Reads what ``save(to:)`` wrote.
    public convenience init(from store: some SegmentStore) throws(SegmentError) {
        let key = SegmentKey(Self.part, 0)
        let head = try store.withSegment(key) { bytes throws(SegmentError) in
            var reader = SegmentReader(bytes, key)
            guard try reader.read(UInt32.self) == Self.format else {
                throw reader.failure("the format is not supported by this version")
            }
            let dimension = try reader.read(UInt32.self)
            let count = try reader.read(UInt32.self)
            guard (16...1_024).contains(dimension), dimension % 16 == 0, count <= 1 << 20 else {
                throw reader.failure("\(count) features in \(dimension) dimensions are out of range")
            }
            return (dimension: Int(dimension), count: Int(count), digest: try reader.readText())
        }
        var features: [UInt32] = []
        var rows: [Float16] = []
        rows.reserveCapacity(min(head.count * head.dimension, SegmentLimits.maximumBytes))
        for key in try store.keys(of: Self.part) where key.number > 0 {
            try store.withSegment(key) { bytes throws(SegmentError) in
                var reader = SegmentReader(bytes, key)
                let size = 2 * head.dimension + 4
                let count = bytes.count / size
                guard bytes.count % size == 0, features.count + count <= head.count else {
                    throw reader.failure("\(bytes.count) bytes are not a whole number of rows")
                }
                for _ in 0..<count {
                    let feature = try reader.read(UInt32.self)
                    guard feature < 1 << HashedFeatures.bits, features.last.map({ $0 < feature }) ?? true else {
                        throw reader.failure("feature \(feature) is out of order")
                    }
                    features.append(feature)
                }
                let raw = try reader.readRaw(2 * count * head.dimension)
                for index in 0..<count * head.dimension {
                    let bits = raw.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
                    rows.append(Float16(bitPattern: UInt16(littleEndian: bits)))
                }
            }
        }
        guard features.count == head.count else {
            throw SegmentError(key, problem: "\(head.count - features.count) features are missing")
        }
        guard rows.allSatisfy(\.isFinite) else {
            throw SegmentError(key, problem: "a number is not finite")
        }
        self.init(dimension: head.dimension, features: features, rows: rows)
        guard digest == head.digest else {
            throw SegmentError(key, problem: "the vectors do not match their digest")
        }
    }
}

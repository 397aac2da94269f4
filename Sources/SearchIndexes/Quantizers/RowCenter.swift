internal import Bytes

/// The mean of vectors, about which codes are taken.
struct RowCenter: Sendable, Equatable {
    var center: [Float]
    /// Vectors that there were when it was taken.
    var count: Int

    /// The mean of up to 16,384 of the rows that there are.
    init(of rows: VectorRows) {
        var sums = [Double](repeating: 0, count: rows.dimension)
        var taken = 0
        for slot in Swift.stride(from: 0, to: rows.count, by: max(1, rows.count / 16_384))
        where !rows.removed.contains(slot) {
            let row = rows.row(slot)
            for column in 0..<rows.dimension { sums[column] += Double(row[column]) }
            taken += 1
        }
        center = sums.map { taken == 0 ? 0 : Float($0 / Double(taken)) }
        count = rows.count
    }

    /// Whether enough vectors were added since then that the center must be computed again.
    func isOutgrown(by count: Int) -> Bool { count >= 2 * max(self.count, 1) && count > self.count }

    /// Reads what ``write(to:_:)`` wrote.
    init(_ reader: inout SegmentReader, rows: VectorRows, version: UInt32) throws(SegmentError) {
        guard try reader.read(UInt32.self) == version else { throw reader.failure("unsupported version") }
        let dimension = try reader.read(UInt32.self)
        let metric = Int(try reader.read(UInt32.self))
        guard dimension == rows.dimension, Metric.allCases.indices.contains(metric),
            Metric.allCases[metric] == rows.metric
        else { throw reader.failure("the segment does not match the vectors") }
        let count = try reader.read(UInt64.self)
        guard count <= UInt64(VectorRows.maximumCount) else { throw reader.failure("too many vectors: \(count)") }
        self.count = Int(count)
        center = []
        for _ in 0..<rows.dimension { center.append(try reader.readFloat()) }
        guard center.allSatisfy(\.isFinite) else { throw reader.failure("a number is not finite") }
    }

    /// Version, dimension, metric, vectors, and the mean.
    func write(to writer: inout ByteWriter, rows: VectorRows, version: UInt32) {
        writer.write(version)
        writer.write(UInt32(rows.dimension))
        writer.write(UInt32(Metric.allCases.firstIndex(of: rows.metric) ?? 0))
        writer.write(UInt64(count))
        for number in center { writer.write(number) }
    }
}

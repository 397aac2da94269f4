package import Bytes
internal import Kernels

/// An index that compares bytes, whose distances are exact integers.
package typealias Int8Index = CodeIndex<Int8Code>

/// One byte per number of a vector: the difference from the mean in steps of a 63rd of the largest difference.
package struct Int8Code: VectorCode {
    package static let kind = "int8"
    package static let candidates = (perResult: 4, minimum: 32)

    private let dimension: Int
    package let length: Int
    private var scale: Float = 1

    package init(dimension: Int) {
        self.dimension = dimension
        length = (dimension + 63) / 64 * 64
    }

    package mutating func fit(to rows: VectorRows, _ center: inout [Float]) {
        if rows.metric != .l2 { center = [Float](repeating: 0, count: dimension) }
        var largest: Float = 0
        for slot in 0..<rows.count where !rows.removed.contains(slot) {
            largest = max(largest, VectorCodes.largestDifference(rows.row(slot), center, count: dimension))
        }
        scale = 63 / max(largest, .leastNormalMagnitude * 64)
    }

    package func encode(
        _ row: UnsafePointer<Float>, center: UnsafePointer<Float>, into words: UnsafeMutablePointer<Int8>
    ) {
        VectorCodes.encode(row, center: center, scale: scale, dimension: dimension, stride: length, into: words)
    }

    package func choose(
        _ wanted: Int, near query: UnsafePointer<Int8>, among codes: UnsafePointer<Int8>, count: Int,
        of rows: VectorRows, _ allowed: SlotSet?, _ scratch: SearchScratch, _ labels: UnsafePointer<Int64>
    ) {
        for first in stride(from: 0, to: count, by: SearchScratch.block) {
            let here = min(SearchScratch.block, count - first)
            rows.kernels.codes(query, codes + first * length, length, nil, here, scratch.positions)
            for index in 0..<here { scratch.distances[index] = Float(scratch.positions[index]) }
            scratch.keep(from: first, here, rows, allowed, labels)
        }
    }

    package mutating func read(_ reader: inout SegmentReader) throws(SegmentError) {
        scale = try reader.readFloat()
        guard scale.isFinite, scale > 0 else { throw reader.failure("the scale \(scale) is invalid") }
    }

    package func write(to writer: inout ByteWriter) { writer.write(scale) }
}

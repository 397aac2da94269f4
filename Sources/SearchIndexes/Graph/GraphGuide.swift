internal import Glibc
internal import Kernels

/// Vectors for comparison during a walk: one byte per dimension if that is precise enough, otherwise the full vectors.
///
/// A byte is a coordinate less the mean of its dimension, in steps of a 63rd of the largest such difference. A quarter
/// of the memory is read on the way; what the walk found is ranked by the vectors in the end.
final class GraphGuide: @unchecked Sendable {  // changes only while vectors are added
    let rows: VectorRows
    let kernels: DistanceKernels
    /// Bytes from one row of codes to the next.
    let stride: Int
    let codes: MappedMemory<Int8>
    /// Slots that have codes.
    private(set) var encoded = 0
    private(set) var calibration: Calibration

    /// How codes are made; it is kept with the index, so that the same vectors get the same codes.
    struct Calibration: Hashable, Sendable {
        var center: [Float]
        var scale: Float
        /// Vectors there were when the center was taken.
        var count: Int
        /// Whether codes tell vectors apart.
        var isUsed: Bool

        static func none(dimension: Int) -> Self {
            Self(center: [Float](repeating: 0, count: dimension), scale: 1, count: 0, isUsed: false)
        }
    }

    /// Whether codes stay after vectors were added, for searches.
    let keepsCodes: Bool

    init(_ rows: VectorRows, keepsCodes: Bool, calibration: Calibration?) throws(SegmentError) {
        self.keepsCodes = keepsCodes
        self.rows = rows
        kernels = rows.kernels
        stride = (rows.dimension + 63) / 64 * 64
        codes = try MappedMemory(capacity: VectorRows.maximumCount * stride, of: "codes")
        self.calibration = calibration ?? .none(dimension: rows.dimension)
    }

    /// Makes codes for all slots below `count`; takes a new center where there are twice as many as at the last.
    ///
    /// - Parameter forNow: Whether to make codes that are not kept; without them vectors themselves are compared.
    func encode(upTo count: Int, forNow: Bool) throws(SegmentError) {
        guard keepsCodes || forNow else { return }
        if count >= max(2 * calibration.count, 1) || (calibration.isUsed && saturates(encoded..<count)) {
            calibrate(count)
            encoded = 0
        }
        guard calibration.isUsed else { return }
        try fill(upTo: count)
    }

    private func fill(upTo count: Int) throws(SegmentError) {
        try requireMemory((count - encoded) * stride, for: "codes")
        calibration.center.withUnsafeBufferPointer { center in
            guard let center = center.baseAddress else { return }
            while encoded < count {
                VectorCodes.encode(
                    rows.row(encoded), center: center, scale: calibration.scale, dimension: rows.dimension,
                    stride: stride, into: codes.start + encoded * stride)
                encoded += 1
            }
        }
    }

    /// Makes the codes again that an index had when it was saved.
    func restore(upTo count: Int) throws(SegmentError) {
        guard calibration.isUsed else { return }
        try fill(upTo: count)
    }

    /// Gives codes back that are not kept.
    func settle() {
        guard !keepsCodes, encoded > 0 else { return }
        codes.clear(used: encoded * stride)
        encoded = 0
        calibration = .none(dimension: rows.dimension)
    }

    func trim() { codes.trim(used: encoded * stride) }

    private func largest(_ slots: Range<Int>) -> Float {
        calibration.center.withUnsafeBufferPointer { center in
            guard let center = center.baseAddress else { return 0 }
            return slots.reduce(0) {
                max($0, VectorCodes.largestDifference(rows.row($1), center, count: rows.dimension))
            }
        }
    }

    /// Whether vectors came that lie a quarter farther out than codes reach.
    private func saturates(_ slots: Range<Int>) -> Bool { largest(slots) * calibration.scale > 63 * 1.25 }

    private func calibrate(_ count: Int) {
        let dimension = rows.dimension
        let step = max(1, count / 16_384)
        let sample = Array(Swift.stride(from: 0, to: count, by: step))
        var sums = [Double](repeating: 0, count: dimension)
        for slot in sample {
            let row = rows.row(slot)
            for column in 0..<dimension { sums[column] += Double(row[column]) }
        }
        // An inner product is not the same about another center.
        let center = sums.map { rows.metric == .l2 ? Float($0 / Double(sample.count)) : 0 }
        var squares = 0.0
        for slot in sample {
            let row = rows.row(slot)
            for column in 0..<dimension {
                let difference = Double(row[column] - center[column])
                squares += difference * difference
            }
        }
        calibration = Calibration(center: center, scale: 1, count: count, isUsed: false)
        let largest = largest(0..<count)
        guard largest > 0, largest.isFinite, (63 / largest).isFinite else { return }
        calibration.scale = 63 / largest
        let step63 = Double(largest) / 63
        let variance = squares / Double(sample.count * dimension)
        // The rounding of a code has a twelfth of a step's square: at most a hundredth of what tells vectors apart.
        calibration.isUsed = step63 * step63 / 12 < 0.01 * variance
    }

    /// The first row that distances are taken from.
    @inline(__always)
    var base: UnsafeRawPointer { calibration.isUsed ? UnsafeRawPointer(codes.start) : UnsafeRawPointer(rows.base) }

    /// A view without references, for loops.
    var view: View {
        View(
            base: base, stride: calibration.isUsed ? stride : rows.stride * 4,
            lines: calibration.isUsed ? min(stride / 64, 8) : min((rows.dimension * 4 + 63) / 64, 8),
            isCoded: calibration.isUsed, dimension: rows.dimension, rowsKernel: kernels.rows,
            codesKernel: kernels.codes)
    }

    struct View {
        let base: UnsafeRawPointer
        /// Bytes from row to row.
        let stride: Int
        /// Cache lines of a row that are asked for ahead.
        let lines: Int
        let isCoded: Bool
        let dimension: Int
        let rowsKernel: DistanceKernels.Rows
        let codesKernel: DistanceKernels.Codes

        @inline(__always)
        func row(_ slot: UInt32) -> UnsafeRawPointer { base + Int(slot) * stride }

        /// Whether no walk can tell two slots apart.
        @inline(__always)
        func isEqual(_ one: UInt32, _ other: UInt32) -> Bool {
            memcmp(row(one), row(other), isCoded ? stride : dimension * 4) == 0
        }

        /// The orders of the distances from a query, as this guide keeps rows, to slots.
        @inline(__always)
        func orders(
            _ query: UnsafeRawPointer, _ slots: UnsafePointer<UInt32>, _ count: Int,
            _ orders: UnsafeMutablePointer<Int32>
        ) {
            if isCoded {
                codesKernel(
                    query.assumingMemoryBound(to: Int8.self), base.assumingMemoryBound(to: Int8.self), stride, slots,
                    count, orders)
            } else {
                let floats = UnsafeMutableRawPointer(orders).assumingMemoryBound(to: Float.self)
                rowsKernel(
                    query.assumingMemoryBound(to: Float.self), base.assumingMemoryBound(to: Float.self), stride / 4,
                    dimension, 0, slots, count, floats)
                GraphWalk.order(floats: floats, count: count)
            }
        }
    }
}

/// The loops of a reduction over some leaves: of results that stand alone, or of a tile of neighbors.
struct ReductionLoops<Scalar: NumericScalar> {
    typealias Accumulator = Scalar.Accumulator

    let source: UnsafePointer<Scalar>
    let axes: ReducedAxes
    let combination: Combination
    let term: Term

    private static var leaf: Int { Reduction<Scalar>.leaf }

    /// `count` results whose elements are apart from each other.
    func rows(
        _ count: Int, apart stride: Int, _ leaves: Range<Int>, into results: UnsafeMutablePointer<Accumulator>,
        apart resultStride: Int, centers: UnsafePointer<Accumulator>?
    ) {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: Self.leaf) { offsets in
            withUnsafeTemporaryAllocation(of: Accumulator.self, capacity: Self.leaf) { buffer in
                for row in 0..<count {
                    results[row * resultStride] = tree(
                        leaves, source + row * stride, offsets.baseAddress!, buffer.baseAddress!,
                        centers.map { $0[row * resultStride] } ?? .zero)
                }
            }
        }
    }

    /// The result of some leaves.
    ///
    /// - Parameters:
    ///   - offsets: memory for the places of one leaf, which only axes that are not one row need.
    ///   - buffer: memory for one leaf.
    func tree(
        _ leaves: Range<Int>, _ source: UnsafePointer<Scalar>, _ offsets: UnsafeMutablePointer<Int>?,
        _ buffer: UnsafeMutablePointer<Accumulator>, _ center: Accumulator
    ) -> Accumulator {
        if leaves.count == 1 {
            let first = leaves.lowerBound * Self.leaf
            let count = min(Self.leaf, axes.count - first)
            if axes.stride == 1, count == Self.leaf, term == .value {
                return LeafLoops.full(source + first, combination, buffer)
            }
            if let stride = axes.stride {
                LeafLoops.load(source + first * stride, stride, count, term, center, into: buffer)
            } else if let offsets {
                axes.offsets(from: first, count, into: offsets)
                for i in 0..<count { LeafLoops.load(source + offsets[i], 1, 1, term, center, into: buffer + i) }
            }
            return LeafLoops.halve(buffer, count, width: 1, combination)
        }
        let middle = leaves.lowerBound + Tree.split(leaves.count)
        var left = tree(leaves.lowerBound..<middle, source, offsets, buffer, center)
        var right = tree(middle..<leaves.upperBound, source, offsets, buffer, center)
        Self.combine(combination, &left, with: &right, 1)
        return left
    }

    /// A tile of results whose elements are neighbors: the same trees, a column each.
    func columns(
        _ first: Int, _ width: Int, _ leaves: Range<Int>, into results: UnsafeMutablePointer<Accumulator>,
        centers: UnsafePointer<Accumulator>?
    ) {
        let levels = Int.bitWidth - (leaves.count - 1).leadingZeroBitCount
        withUnsafeTemporaryAllocation(of: Int.self, capacity: Self.leaf) { offsets in
            withUnsafeTemporaryAllocation(of: Accumulator.self, capacity: (Self.leaf + levels) * width) { buffer in
                columnTree(
                    leaves, source + first, width, offsets.baseAddress!, buffer.baseAddress!,
                    buffer.baseAddress! + Self.leaf * width, results, centers)
            }
        }
    }

    private func columnTree(
        _ leaves: Range<Int>, _ source: UnsafePointer<Scalar>, _ width: Int, _ offsets: UnsafeMutablePointer<Int>,
        _ buffer: UnsafeMutablePointer<Accumulator>, _ spare: UnsafeMutablePointer<Accumulator>,
        _ results: UnsafeMutablePointer<Accumulator>, _ centers: UnsafePointer<Accumulator>?
    ) {
        if leaves.count == 1 {
            let first = leaves.lowerBound * Self.leaf
            let count = min(Self.leaf, axes.count - first)
            axes.offsets(from: first, count, into: offsets)
            if count == Self.leaf, term == .value {
                LeafLoops.full(source, offsets, width, combination, buffer)
            } else {
                for i in 0..<count {
                    LeafLoops.load(source + offsets[i], width, term, centers, into: buffer + i * width)
                }
                _ = LeafLoops.halve(buffer, count, width: width, combination)
            }
            results.update(from: buffer, count: width)
            return
        }
        let middle = leaves.lowerBound + Tree.split(leaves.count)
        columnTree(leaves.lowerBound..<middle, source, width, offsets, buffer, spare + width, results, centers)
        columnTree(middle..<leaves.upperBound, source, width, offsets, buffer, spare + width, spare, centers)
        Self.combine(combination, results, with: spare, width)
    }

    static func combine(
        _ combination: Combination, _ a: UnsafeMutablePointer<Accumulator>,
        with b: UnsafePointer<Accumulator>, _ count: Int
    ) {
        LeafLoops.combine(combination, a, with: b, count)
    }
}

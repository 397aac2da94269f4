internal import Glibc

/// Copies of elements whose type does not matter, only their width.
enum CopyLoops {
    /// Copies all elements of one tensor's memory into another's of the same shape.
    static func copy<Scalar: TensorScalar>(
        _ source: UnsafePointer<Scalar>, _ sourceStrides: [Int],
        to target: UnsafeMutablePointer<Scalar>, _ targetStrides: [Int], shape: [Int]
    ) {
        let walk = Walk(shape, sourceStrides, targetStrides)
        if let plane = Plane(shape, sourceStrides, targetStrides) {
            plane.copy(UnsafeRawPointer(source), to: UnsafeMutableRawPointer(target), MemoryLayout<Scalar>.stride)
            return
        }
        let width = MemoryLayout<Scalar>.stride
        walk.forEachRow { place, count in
            row(source + place.a, walk.row.a, to: target + place.b, walk.row.b, count, width: width)
        }
    }

    /// Copies `count` elements of `width` bytes, strides in elements.
    static func row(
        _ source: UnsafeRawPointer, _ sourceStride: Int, to target: UnsafeMutableRawPointer, _ targetStride: Int,
        _ count: Int, width: Int
    ) {
        if sourceStride == 1, targetStride == 1 {
            memcpy(target, source, count * width)
            return
        }
        switch width {
        case 1: strided(UInt8.self, source, sourceStride, target, targetStride, count)
        case 2: strided(UInt16.self, source, sourceStride, target, targetStride, count)
        case 4: strided(UInt32.self, source, sourceStride, target, targetStride, count)
        default: strided(UInt64.self, source, sourceStride, target, targetStride, count)
        }
    }

    @inline(__always)
    fileprivate static func strided<Bits: BitwiseCopyable>(
        _: Bits.Type, _ source: UnsafeRawPointer, _ sourceStride: Int, _ target: UnsafeMutableRawPointer,
        _ targetStride: Int, _ count: Int
    ) {
        let source = source.assumingMemoryBound(to: Bits.self)
        let target = target.assumingMemoryBound(to: Bits.self)
        if sourceStride == 0, targetStride == 1 {
            let value = source[0]
            for i in 0..<count { target[i] = value }
        } else if targetStride == 1 {
            for i in 0..<count { target[i] = source[i * sourceStride] }
        } else {
            for i in 0..<count { target[i * targetStride] = source[i * sourceStride] }
        }
    }
}

/// Matrices that are copied into their transpose, in tiles that stay in the first cache.
private struct Plane {
    let rows: Int
    let columns: Int
    /// Distance between rows of the source, whose columns are neighbors.
    let sourceStride: Int
    /// Distance between columns in the target, whose rows are neighbors.
    let targetStride: Int
    let outer: Walk

    private static let tile = 32

    /// The last two axes, where the source runs along the one and the target along the other; else nil.
    init?(_ shape: [Int], _ source: [Int], _ target: [Int]) {
        guard let last = shape.indices.last(where: { shape[$0] != 1 && target[$0] == 1 }),
            let first = shape.indices.first(where: { shape[$0] >= 8 && source[$0] == 1 }), first != last,
            shape[last] >= 8
        else { return nil }
        rows = shape[last]
        columns = shape[first]
        sourceStride = source[last]
        targetStride = target[first]
        let rest = shape.indices.filter { $0 != first && $0 != last }
        outer = Walk(rest.map { shape[$0] } + [1], rest.map { source[$0] } + [0], rest.map { target[$0] } + [0])
    }

    func copy(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ width: Int) {
        outer.forEachRow(grain: max(1, (1 << 16) / (rows * columns))) { place, count in
            for matrix in 0..<count {
                let from = source + (place.a + matrix * outer.row.a) * width
                let to = target + (place.b + matrix * outer.row.b) * width
                switch width {
                case 1: transpose(UInt8.self, from, to)
                case 2: transpose(UInt16.self, from, to)
                case 4: transpose(UInt32.self, from, to)
                default: transpose(UInt64.self, from, to)
                }
            }
        }
    }

    @inline(__always)
    private func transpose<Bits: BitwiseCopyable>(
        _: Bits.Type, _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer
    ) {
        let source = source.assumingMemoryBound(to: Bits.self)
        let target = target.assumingMemoryBound(to: Bits.self)
        var top = 0
        while top < rows {
            let bottom = min(rows, top + Self.tile)
            var left = 0
            while left < columns {
                let right = min(columns, left + Self.tile)
                for column in left..<right {
                    let to = target + column * targetStride
                    let from = source + column
                    for row in top..<bottom { to[row] = from[row * sourceStride] }
                }
                left = right
            }
            top = bottom
        }
    }
}

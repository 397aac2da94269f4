/// The innermost loops, compiled for each type.
enum LeafLoops {
    /// What `count` elements of one row contribute.
    @specialized(where S == Float)
    @specialized(where S == Double)
    @specialized(where S == Float16)
    @specialized(where S == BFloat16)
    @specialized(where S == Int8)
    @specialized(where S == Int32)
    static func load<S: NumericScalar>(
        _ source: UnsafePointer<S>, _ stride: Int, _ count: Int, _ term: Term, _ center: S.Accumulator,
        into buffer: UnsafeMutablePointer<S.Accumulator>
    ) {
        switch term {
        case .value where stride == 1: for i in 0..<count { buffer[i] = source[i].accumulator }
        case .value: for i in 0..<count { buffer[i] = source[i * stride].accumulator }
        case .squaredDeviation where stride == 1:
            for i in 0..<count { buffer[i] = squared(source[i].accumulator.subtracting(center)) }
        case .squaredDeviation:
            for i in 0..<count { buffer[i] = squared(source[i * stride].accumulator.subtracting(center)) }
        case .exponential where stride == 1:
            for i in 0..<count { buffer[i] = exponential(source[i].accumulator.subtracting(center)) }
        case .exponential:
            for i in 0..<count { buffer[i] = exponential(source[i * stride].accumulator.subtracting(center)) }
        }
    }

    /// What one element of each of `width` neighboring results contributes.
    @specialized(where S == Float)
    @specialized(where S == Double)
    @specialized(where S == Float16)
    @specialized(where S == BFloat16)
    @specialized(where S == Int8)
    @specialized(where S == Int32)
    static func load<S: NumericScalar>(
        _ source: UnsafePointer<S>, _ width: Int, _ term: Term, _ centers: UnsafePointer<S.Accumulator>?,
        into buffer: UnsafeMutablePointer<S.Accumulator>
    ) {
        guard let centers else {
            for i in 0..<width { buffer[i] = source[i].accumulator }
            return
        }
        if term == .exponential {
            for i in 0..<width { buffer[i] = exponential(source[i].accumulator.subtracting(centers[i])) }
        } else {
            for i in 0..<width { buffer[i] = squared(source[i].accumulator.subtracting(centers[i])) }
        }
    }

    @inline(__always)
    private static func squared<A: TensorAccumulator>(_ x: A) -> A { x.multiplied(by: x) }

    @inline(__always)
    private static func exponential<A: TensorAccumulator>(_ x: A) -> A {
        if A.self == Float.self { return unsafeBitCast(Elementary.exp(unsafeBitCast(x, to: Float.self)), to: A.self) }
        if A.self == Double.self { return unsafeBitCast(Elementary.exp(unsafeBitCast(x, to: Double.self)), to: A.self) }
        return x
    }

    /// Halves `count` rows of `width` partial results until one is left, which is at the front.
    ///
    /// A row without a counterpart stays as it is: as if the count were filled up to a power of two by nothing.
    static func halve<A: TensorAccumulator>(
        _ buffer: UnsafeMutablePointer<A>, _ count: Int, width: Int, _ combination: Combination
    ) -> A {
        if count == 0 {
            for i in 0..<width { buffer[i] = combination == .product ? .one : .zero }
        }
        var rows = count
        while rows > 1 {
            let half = Tree.split(rows)
            combine(combination, buffer, with: buffer + half * width, (rows - half) * width)
            rows = half
        }
        return buffer[0]
    }

    @specialized(where A == Float)
    @specialized(where A == Double)
    @specialized(where A == Int64)
    static func combine<A: TensorAccumulator>(
        _ combination: Combination, _ a: UnsafeMutablePointer<A>, with b: UnsafePointer<A>, _ count: Int
    ) {
        switch combination {
        case .sum: for i in 0..<count { a[i] = a[i].adding(b[i]) }
        case .product: for i in 0..<count { a[i] = a[i].multiplied(by: b[i]) }
        case .maximum: for i in 0..<count { a[i] = larger(a[i], b[i]) }
        case .minimum: for i in 0..<count { a[i] = smaller(a[i], b[i]) }
        }
    }

    /// A whole leaf of neighbors: the same tree, its first three levels in one pass.
    @specialized(where S == Float)
    @specialized(where S == Double)
    @specialized(where S == Float16)
    @specialized(where S == BFloat16)
    @specialized(where S == Int8)
    @specialized(where S == Int32)
    static func full<S: NumericScalar>(
        _ source: UnsafePointer<S>, _ combination: Combination, _ buffer: UnsafeMutablePointer<S.Accumulator>
    ) -> S.Accumulator {
        switch combination {
        case .sum: full(source, buffer) { $0.adding($1) }
        case .product: full(source, buffer) { $0.multiplied(by: $1) }
        case .maximum: full(source, buffer, larger)
        case .minimum: full(source, buffer, smaller)
        }
    }

    @inline(__always)
    private static func full<S: NumericScalar>(
        _ source: UnsafePointer<S>, _ buffer: UnsafeMutablePointer<S.Accumulator>,
        _ join: (S.Accumulator, S.Accumulator) -> S.Accumulator
    ) -> S.Accumulator {
        for i in 0..<16 { buffer[i] = eight(join) { source[i + 16 * $0] } }
        for i in 0..<8 { buffer[i] = join(buffer[i], buffer[i + 8]) }
        for i in 0..<4 { buffer[i] = join(buffer[i], buffer[i + 4]) }
        return join(join(buffer[0], buffer[2]), join(buffer[1], buffer[3]))
    }

    /// A whole leaf of each of `width` neighboring results, which are left at the front of the buffer.
    @specialized(where S == Float)
    @specialized(where S == Double)
    @specialized(where S == Float16)
    @specialized(where S == BFloat16)
    @specialized(where S == Int8)
    @specialized(where S == Int32)
    static func full<S: NumericScalar>(
        _ source: UnsafePointer<S>, _ offsets: UnsafePointer<Int>, _ width: Int, _ combination: Combination,
        _ buffer: UnsafeMutablePointer<S.Accumulator>
    ) {
        switch combination {
        case .sum: full(source, offsets, width, buffer) { $0.adding($1) }
        case .product: full(source, offsets, width, buffer) { $0.multiplied(by: $1) }
        case .maximum: full(source, offsets, width, buffer, larger)
        case .minimum: full(source, offsets, width, buffer, smaller)
        }
    }

    @inline(__always)
    private static func full<S: NumericScalar>(
        _ source: UnsafePointer<S>, _ offsets: UnsafePointer<Int>, _ width: Int,
        _ buffer: UnsafeMutablePointer<S.Accumulator>, _ join: (S.Accumulator, S.Accumulator) -> S.Accumulator
    ) {
        for i in 0..<16 {
            let target = buffer + i * width
            let (a, b, c, d) = (
                source + offsets[i], source + offsets[i + 16], source + offsets[i + 32], source + offsets[i + 48]
            )
            let (e, f, g, h) = (
                source + offsets[i + 64], source + offsets[i + 80], source + offsets[i + 96], source + offsets[i + 112]
            )
            for j in 0..<width {
                let first = join(
                    join(a[j].accumulator, e[j].accumulator), join(c[j].accumulator, g[j].accumulator))
                let second = join(
                    join(b[j].accumulator, f[j].accumulator), join(d[j].accumulator, h[j].accumulator))
                target[j] = join(first, second)
            }
        }
        for half in [8, 4, 2, 1] {
            for j in 0..<half * width { buffer[j] = join(buffer[j], buffer[j + half * width]) }
        }
    }

    /// The first three levels of the tree over elements 0, 16, ... 112.
    @inline(__always)
    private static func eight<S: NumericScalar>(
        _ join: (S.Accumulator, S.Accumulator) -> S.Accumulator, _ element: (Int) -> S
    ) -> S.Accumulator {
        let first = join(
            join(element(0).accumulator, element(4).accumulator), join(element(2).accumulator, element(6).accumulator))
        let second = join(
            join(element(1).accumulator, element(5).accumulator), join(element(3).accumulator, element(7).accumulator))
        return join(first, second)
    }

    /// A NaN wins on either side.
    @inline(__always)
    private static func larger<A: TensorAccumulator>(_ a: A, _ b: A) -> A { a != a || b < a ? a : b }

    @inline(__always)
    private static func smaller<A: TensorAccumulator>(_ a: A, _ b: A) -> A { a != a || a < b ? a : b }
}

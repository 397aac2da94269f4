internal import Synchronization

extension Tensor where Scalar: NumericScalar {
    /// The sums of all elements up to each one along an axis; `Int32` for integers.
    ///
    /// One after the other, as the result needs every step; the 16-bit types carry their sum in float32.
    ///
    /// - Throws: `TensorError` where an integer sum does not fit 32 bits.
    public func cumulativeSum(_ axis: Int) throws(TensorError) -> Tensor<Scalar.Sum> {
        let name = "cumulativeSum"
        let axis = try Shape.axis(axis, shape, name)
        let target = Shape.strides(shape)
        let (step, targetStep, length) = (strides[axis], target[axis], shape[axis])
        let others = shapeKeeping([axis])
        let walk = Walk(others, strides, target)
        let overflows = Atomic(false)
        defer { withExtendedLifetime(self) {} }
        let sums = try Tensor<Scalar.Sum>(filling: shape, count: count, for: name) { target in
            walk.forEachRow(grain: max(1, (1 << 16) / max(1, length))) { place, count in
                let fits = withUnsafeTemporaryAllocation(
                    of: Scalar.Accumulator.self, capacity: CumulativeLoops.width
                ) { sums in
                    CumulativeLoops.sum(
                        base + place.a, step, walk.row.a, into: target + place.b, targetStep, walk.row.b, length,
                        count, sums.baseAddress!)
                }
                if !fits { overflows.store(true, ordering: .relaxed) }
            }
        }
        guard !overflows.load(ordering: .relaxed) else {
            throw TensorError(name, shape, problem: "has a sum that overflows int32. Convert it to float64")
        }
        return sums
    }
}

private enum CumulativeLoops {
    /// Columns that are summed side by side.
    static let width = 64

    @specialized(where S == Float)
    @specialized(where S == Double)
    @specialized(where S == Float16)
    @specialized(where S == BFloat16)
    @specialized(where S == Int8)
    @specialized(where S == Int32)
    static func sum<S: NumericScalar>(
        _ source: UnsafePointer<S>, _ step: Int, _ apart: Int, into target: UnsafeMutablePointer<S.Sum>,
        _ targetStep: Int, _ targetApart: Int, _ length: Int, _ count: Int,
        _ sums: UnsafeMutablePointer<S.Accumulator>
    ) -> Bool {
        var fits = true
        // Columns in blocks that keep their sums at hand.
        var first = 0
        while first < count {
            let width = min(width, count - first)
            for i in 0..<width { sums[i] = .zero }
            for place in 0..<length {
                let row = source + first * apart + place * step
                let result = target + first * targetApart + place * targetStep
                for i in 0..<width {
                    sums[i] = sums[i].adding(row[i * apart].accumulator)
                    if let wide = sums[i] as? Int64, Int32(exactly: wide) == nil { fits = false }
                    result[i * targetApart] = S.wrapped(sums[i])
                }
            }
            first += width
        }
        return fits
    }
}

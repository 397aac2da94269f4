/// What layers do with one contiguous row, given memory for one leaf of `Reduction`, whose pairwise sums they take.
enum RowLoops {
    @specialized(where S == Float)
    @specialized(where S == Double)
    @specialized(where S == Float16)
    @specialized(where S == BFloat16)
    static func softmax<S: FloatingScalar>(
        _ x: UnsafePointer<S>, _ y: UnsafeMutablePointer<S>, _ count: Int,
        _ buffer: UnsafeMutablePointer<S.Accumulator>
    ) {
        let largest = RowSum.reduce(x, count, .maximum, buffer)
        let scale = 1 / RowSum.reduce(x, count, .sum, of: .exponential, center: largest, buffer)
        for i in 0..<count { y[i] = S(rounding: Elementary.exp(x[i].accumulator - largest) * scale) }
    }

    @specialized(where S == Float)
    @specialized(where S == Double)
    @specialized(where S == Float16)
    @specialized(where S == BFloat16)
    static func logSoftmax<S: FloatingScalar>(
        _ x: UnsafePointer<S>, _ y: UnsafeMutablePointer<S>, _ count: Int,
        _ buffer: UnsafeMutablePointer<S.Accumulator>
    ) {
        let largest = RowSum.reduce(x, count, .maximum, buffer)
        let shift = Elementary.log(RowSum.reduce(x, count, .sum, of: .exponential, center: largest, buffer))
        for i in 0..<count { y[i] = S(rounding: x[i].accumulator - largest - shift) }
    }

    /// (x - mean) / √(variance + ε), times a weight, plus a bias where they are given.
    @specialized(where S == Float)
    @specialized(where S == Double)
    @specialized(where S == Float16)
    @specialized(where S == BFloat16)
    static func layerNorm<S: FloatingScalar>(
        _ x: UnsafePointer<S>, _ y: UnsafeMutablePointer<S>, _ count: Int, _ weight: UnsafePointer<S>?,
        _ bias: UnsafePointer<S>?, _ epsilon: S.Accumulator, _ buffer: UnsafeMutablePointer<S.Accumulator>
    ) {
        let size = S.Accumulator(count)
        let mean = RowSum.reduce(x, count, .sum, buffer) / size
        let variance = RowSum.reduce(x, count, .sum, of: .squaredDeviation, center: mean, buffer) / size
        scale(x, y, count, mean, 1 / (variance + epsilon).squareRoot(), weight, bias)
    }

    /// x / √(mean of x² + ε), times a weight where it is given.
    @specialized(where S == Float)
    @specialized(where S == Double)
    @specialized(where S == Float16)
    @specialized(where S == BFloat16)
    static func rmsNorm<S: FloatingScalar>(
        _ x: UnsafePointer<S>, _ y: UnsafeMutablePointer<S>, _ count: Int, _ weight: UnsafePointer<S>?,
        _ epsilon: S.Accumulator, _ buffer: UnsafeMutablePointer<S.Accumulator>
    ) {
        let meanSquare = RowSum.reduce(x, count, .sum, of: .squaredDeviation, center: 0, buffer) / S.Accumulator(count)
        scale(x, y, count, 0, 1 / (meanSquare + epsilon).squareRoot(), weight, nil)
    }

    @inline(__always)
    private static func scale<S: FloatingScalar>(
        _ x: UnsafePointer<S>, _ y: UnsafeMutablePointer<S>, _ count: Int, _ center: S.Accumulator,
        _ scale: S.Accumulator, _ weight: UnsafePointer<S>?, _ bias: UnsafePointer<S>?
    ) {
        switch (weight, bias) {
        case (let weight?, let bias?):
            for i in 0..<count {
                y[i] = S(
                    rounding: (x[i].accumulator - center) * scale * weight[i].accumulator + bias[i].accumulator)
            }
        case (let weight?, nil):
            for i in 0..<count { y[i] = S(rounding: (x[i].accumulator - center) * scale * weight[i].accumulator) }
        case (nil, let bias?):
            for i in 0..<count { y[i] = S(rounding: (x[i].accumulator - center) * scale + bias[i].accumulator) }
        case (nil, nil):
            for i in 0..<count { y[i] = S(rounding: (x[i].accumulator - center) * scale) }
        }
    }
}

/// Reductions of one contiguous row, by the same tree as those of whole tensors.
enum RowSum {
    static func reduce<S: NumericScalar>(
        _ x: UnsafePointer<S>, _ count: Int, _ combination: Combination, of term: Term = .value,
        center: S.Accumulator = .zero, _ buffer: UnsafeMutablePointer<S.Accumulator>
    ) -> S.Accumulator {
        let leaf = Reduction<S>.leaf
        return ReductionLoops(source: x, axes: ReducedAxes(row: count), combination: combination, term: term)
            .tree(0..<max(1, (count + leaf - 1) / leaf), x, nil, buffer, center)
    }
}

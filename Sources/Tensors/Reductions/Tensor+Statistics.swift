extension Tensor where Scalar: FloatingScalar {
    /// The means over these axes, over all where none is named; NaN of no elements.
    public func mean(_ axes: Int..., keepingAxes: Bool = false) throws(TensorError) -> Tensor {
        try mean(axes: axes, keepingAxes: keepingAxes)
    }

    /// The means over a list of axes, over all where it is empty.
    public func mean(axes: [Int], keepingAxes: Bool = false) throws(TensorError) -> Tensor {
        let axes = try reducedAxes(axes, "mean")
        let count = Scalar.Accumulator(axes.reduce(1) { $0 * shape[$1] })
        return try reduced(axes, keepingAxes, .sum, for: "mean") { Scalar(rounding: $0 / count) }
    }

    /// The mean squares of the distances from the mean, over these axes or all, in two passes.
    ///
    /// - Parameter correction: is taken off the number of elements that the squares are divided by: 1 estimates the
    ///   variance of what the elements are a sample of.
    public func variance(
        _ axes: Int..., correction: Int = 0, keepingAxes: Bool = false
    ) throws(TensorError) -> Tensor {
        try variance(axes: axes, correction: correction, keepingAxes: keepingAxes)
    }

    /// The variances over a list of axes, over all where it is empty.
    public func variance(
        axes: [Int], correction: Int = 0, keepingAxes: Bool = false
    ) throws(TensorError) -> Tensor {
        try spread(axes, correction, keepingAxes, for: "variance") { $0 }
    }

    /// The square roots of the variances.
    public func standardDeviation(
        _ axes: Int..., correction: Int = 0, keepingAxes: Bool = false
    ) throws(TensorError) -> Tensor {
        try spread(axes, correction, keepingAxes, for: "standardDeviation") { $0.squareRoot() }
    }

    /// log Σ e^x over these axes or all, without overflow: the largest element is taken out first.
    public func logSumExp(_ axes: Int..., keepingAxes: Bool = false) throws(TensorError) -> Tensor {
        try logSumExp(axes: axes, keepingAxes: keepingAxes)
    }

    /// log Σ e^x over a list of axes, over all where it is empty.
    public func logSumExp(axes: [Int], keepingAxes: Bool = false) throws(TensorError) -> Tensor {
        let axes = try reducedAxes(axes, "logSumExp")
        let largest = Reduction(self, axes: axes, .maximum, for: "logSumExp")
        guard largest.length > 0 || largest.outputs == 0 else {
            return try Tensor(
                repeating: .lowest, shape: keepingAxes ? shapeKeeping(axes) : largest.shape)
        }
        let centers = try largest.run()
        for i in 0..<largest.outputs where !centers.pointer[i].isFinite { centers.pointer[i] = 0 }
        let sums = try Reduction(self, axes: axes, .sum, of: .exponential, for: "logSumExp")
            .run(centers: centers.pointer)
        return try Tensor(
            filling: keepingAxes ? shapeKeeping(axes) : largest.shape, count: largest.outputs, for: "logSumExp"
        ) { target in
            for i in 0..<largest.outputs {
                target[i] = Scalar(rounding: centers.pointer[i] + Elementary.log(sums.pointer[i]))
            }
        }
    }

    private func spread(
        _ axes: [Int], _ correction: Int, _ keepingAxes: Bool, for name: String,
        _ finish: (Scalar.Accumulator) -> Scalar.Accumulator
    ) throws(TensorError) -> Tensor {
        let axes = try reducedAxes(axes, name)
        let sums = Reduction(self, axes: axes, .sum, for: name)
        let means = try sums.run()
        let count = Scalar.Accumulator(sums.length)
        for i in 0..<sums.outputs { means.pointer[i] /= count }
        let squares = try Reduction(self, axes: axes, .sum, of: .squaredDeviation, for: name)
            .run(centers: means.pointer)
        let divisor = Scalar.Accumulator(max(0, sums.length - correction))
        return try Tensor(
            filling: keepingAxes ? shapeKeeping(axes) : sums.shape, count: sums.outputs, for: name
        ) { target in
            for i in 0..<sums.outputs { target[i] = Scalar(rounding: finish(squares.pointer[i] / divisor)) }
        }
    }
}

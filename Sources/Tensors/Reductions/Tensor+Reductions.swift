extension Tensor where Scalar: NumericScalar {
    /// The sums over these axes, over all where none is named; `Int32` for integers.
    ///
    /// Sums are pairwise: of n float32 elements the error is about log2(n) roundings. The bits depend on shapes alone.
    ///
    /// - Parameter keepingAxes: leaves the summed axes in the shape, with size 1.
    /// - Throws: `TensorError` where an integer sum does not fit 32 bits.
    public func sum(_ axes: Int..., keepingAxes: Bool = false) throws(TensorError) -> Tensor<Scalar.Sum> {
        try sum(axes: axes, keepingAxes: keepingAxes)
    }

    /// The products over these axes, over all where none is named; `Int32` for integers, which wrap around.
    public func product(_ axes: Int..., keepingAxes: Bool = false) throws(TensorError) -> Tensor<Scalar.Sum> {
        try reduced(axes, keepingAxes, .product, for: "product") { Scalar.wrapped($0) }
    }

    /// The largest elements over these axes, over all where none is named; NaN where one is among them.
    public func maximum(_ axes: Int..., keepingAxes: Bool = false) throws(TensorError) -> Tensor {
        try maximum(axes: axes, keepingAxes: keepingAxes)
    }

    /// The smallest elements over these axes, over all where none is named; NaN where one is among them.
    public func minimum(_ axes: Int..., keepingAxes: Bool = false) throws(TensorError) -> Tensor {
        try minimum(axes: axes, keepingAxes: keepingAxes)
    }

    /// The sums over a list of axes, over all where it is empty.
    public func sum(axes: [Int], keepingAxes: Bool = false) throws(TensorError) -> Tensor<Scalar.Sum> {
        try reduced(axes, keepingAxes, .sum, for: "sum") { value throws(TensorError) in
            try Scalar.narrowed(value, shape, "sum")
        }
    }

    /// The largest elements over a list of axes, over all where it is empty.
    public func maximum(axes: [Int], keepingAxes: Bool = false) throws(TensorError) -> Tensor {
        try reduced(axes, keepingAxes, .maximum, for: "maximum") { Scalar(rounding: $0) }
    }

    /// The smallest elements over a list of axes, over all where it is empty.
    public func minimum(axes: [Int], keepingAxes: Bool = false) throws(TensorError) -> Tensor {
        try reduced(axes, keepingAxes, .minimum, for: "minimum") { Scalar(rounding: $0) }
    }

    func reduced<Result>(
        _ axes: [Int], _ keepingAxes: Bool, _ combination: Combination, for name: String,
        _ finish: (Scalar.Accumulator) throws(TensorError) -> Result
    ) throws(TensorError) -> Tensor<Result> {
        let axes = try reducedAxes(axes, name)
        let reduction = Reduction(self, axes: axes, combination, for: name)
        if reduction.length == 0, reduction.outputs > 0, combination == .maximum || combination == .minimum {
            throw TensorError(name, shape, problem: "has no elements along the axes \(axes)")
        }
        let results = try reduction.run()
        return try Tensor<Result>(
            filling: keepingAxes ? shapeKeeping(axes) : reduction.shape, count: reduction.outputs, for: name
        ) { target throws(TensorError) in
            for i in 0..<reduction.outputs { target[i] = try finish(results.pointer[i]) }
        }
    }
}

extension Tensor {
    /// The named axes, or all.
    func reducedAxes(_ axes: [Int], _ name: String) throws(TensorError) -> [Int] {
        axes.isEmpty ? Array(0..<rank) : try Shape.axes(axes, shape, name)
    }

    func shapeKeeping(_ axes: [Int]) -> [Int] { shape.indices.map { axes.contains($0) ? 1 : shape[$0] } }
}

extension NumericScalar {
    /// A sum in the type of sums.
    static func narrowed(
        _ value: Accumulator, _ shape: [Int], _ operation: String
    ) throws(TensorError) -> Sum {
        if let value = value as? Int64, Int32(exactly: value) == nil {
            throw TensorError(
                operation, shape, problem: "has the sum \(value), which overflows int32. Convert it to float64")
        }
        return wrapped(value)
    }

    static func wrapped(_ value: Accumulator) -> Sum {
        if let value = value as? Int64, let result = Int32(truncatingIfNeeded: value) as? Sum { return result }
        return Self(rounding: value) as? Sum ?? Sum(rounding: value.float64)
    }
}

extension Tensor where Scalar == Bool {
    /// Whether any element is true along these axes, or along all where none is named; false of no elements.
    public func any(_ axes: Int..., keepingAxes: Bool = false) throws(TensorError) -> Tensor {
        try answered(axes, keepingAxes, for: "any", { $0 > 0 })
    }

    /// Whether all elements are true along these axes, or along all where none is named; true of no elements.
    public func all(_ axes: Int..., keepingAxes: Bool = false) throws(TensorError) -> Tensor {
        let axes = try reducedAxes(axes, "all")
        let count = axes.reduce(1) { $0 * shape[$1] }
        return try answered(axes, keepingAxes, for: "all") { $0 == count }
    }

    /// How many elements are true along these axes, or along all where none is named.
    public func sum(_ axes: Int..., keepingAxes: Bool = false) throws(TensorError) -> Tensor<Int32> {
        let ones: Tensor<Int32> = try converted()
        return try ones.reduced(axes, keepingAxes, .sum, for: "sum") { value throws(TensorError) in
            try Int32.narrowed(value, shape, "sum")
        }
    }

    private func answered(
        _ axes: [Int], _ keepingAxes: Bool, for name: String, _ answer: (Int64) -> Bool
    ) throws(TensorError) -> Tensor {
        let bytes: Tensor<Int8> = try converted()
        return try bytes.reduced(axes, keepingAxes, .sum, for: name, answer)
    }
}

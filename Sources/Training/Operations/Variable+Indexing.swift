public import Tensors

extension Variable {
    /// For each index, the element at it along `axis` and at the index's own place elsewhere.
    ///
    /// - Parameter indices: of this rank; the other axes stretch. Negative ones count from the end.
    public func gathered(_ indices: Tensor<Int32>, along axis: Int) throws(TensorError) -> Variable {
        .made(by: "gathered", try value.gathered(indices, along: axis), from: [self]) {
            [shape] back throws(TensorError) in
            let zeros = Variable(try Tensor(repeating: 0, shape: shape))
            return [try zeros.scatterAdding(back.gradient, at: indices, along: axis)]
        }
    }

    /// The elements with each of `values` added at its index along `axis` and at its own place elsewhere, in the order
    /// of the indices.
    public func scatterAdding(
        _ values: Variable, at indices: Tensor<Int32>, along axis: Int
    ) throws(TensorError) -> Variable {
        var result = value
        try result.scatterAdd(values.value, at: indices, along: axis)
        return .made(by: "scatterAdd", result, from: [self, values]) {
            [valueShape = values.shape] back throws(TensorError) in
            [
                back.needs(0) ? back.gradient : nil,
                back.needs(1) ? try back.gradient.gathered(indices, along: axis).summed(to: valueShape) : nil,
            ]
        }
    }

    /// The slices of these indices along an axis, in their order: rows of an embedding table.
    ///
    /// The indices' shape takes the place of the axis: rows [vocabulary, width] of tokens [batch, token] are
    /// [batch, token, width].
    public func selecting(_ indices: Tensor<Int32>, axis: Int = 0) throws(TensorError) -> Variable {
        let value = try value.selecting(indices, axis: axis)
        let place = axis < 0 ? axis + rank : axis
        return .made(by: "selecting", value, from: [self]) { [shape] back throws(TensorError) in
            var listed = shape
            listed[place] = indices.count
            let slices = try back.gradient.reshaped(listed).movingAxis(place, to: 0)
            var sums = shape
            sums.insert(sums.remove(at: place), at: 0)
            let zeros = Variable(try Tensor(repeating: 0, shape: sums))
            return [try zeros.addingSlices(slices, at: indices.flattened()).movingAxis(0, to: place)]
        }
    }

    /// The elements with each slice of `slices` added to the slice of its index along the first axis.
    ///
    /// - Parameters:
    ///   - slices: [indices, ...] where this is [rows, ...].
    ///   - indices: one a slice; negative ones count from the end.
    public func addingSlices(_ slices: Variable, at indices: Tensor<Int32>) throws(TensorError) -> Variable {
        var result = value
        try result.addSlices(slices.value, at: indices)
        return .made(by: "addSlices", result, from: [self, slices]) { back throws(TensorError) in
            [
                back.needs(0) ? back.gradient : nil,
                back.needs(1) ? try back.gradient.selecting(indices) : nil,
            ]
        }
    }
}

extension Tensor {
    /// Writes each value at its index along `axis` and at its own place elsewhere; of several for one place the last
    /// in the order of their indices stays.
    ///
    /// - Parameters:
    ///   - indices: of this tensor's rank, negative ones counting from the end.
    ///   - values: stretch to the shape of the indices.
    public mutating func scatter(
        _ values: Tensor, at indices: Tensor<Int32>, along axis: Int
    ) throws(TensorError) {
        try scatter(values, indices, axis, "scatter") { $0 = $1 }
    }

    /// The values at the places where the condition is true replaced by one value. The condition stretches to fit.
    public func filled(where condition: Tensor<Bool>, with value: Scalar) throws(TensorError) -> Tensor {
        let common = try Shape.broadcast(shape, condition.shape, "filled")
        guard common == shape else {
            throw TensorError(
                "filled", shape, condition.shape,
                problem: "are incompatible: the condition has more elements")
        }
        return try select(condition, Tensor(value), self)
    }

    fileprivate mutating func scatter(
        _ values: Tensor, _ indices: Tensor<Int32>, _ axis: Int, _ name: String,
        _ write: (inout Scalar, Scalar) -> Void
    ) throws(TensorError) {
        let plan = try IndexPlan(shape, indices, axis, name)
        let values = try values.broadcast(to: plan.shape)
        try makeWritable()
        let step = strides[plan.axis]
        let walk = Walk(
            plan.shape, Shape.stretched(indices.strides, of: indices.shape, to: plan.shape),
            plan.stretched(strides, shape), values.strides)
        // One thread, in the order of the indices: sums come out the same every time.
        walk.forEachRow(in: 0..<walk.rows) { place in
            let places = indices.base + place.a
            for i in 0..<walk.length {
                let index = plan.index(places[i * walk.row.a])
                write(&base[place.b + i * walk.row.b + index * step], values.base[place.c + i * walk.row.c])
            }
        }
        withExtendedLifetime((self, indices, values)) {}
    }
}

extension Tensor where Scalar: NumericScalar {
    /// Adds each value at its index along `axis` and at its own place elsewhere, in the order of the indices.
    ///
    /// The 16-bit types round after each addition; sums of many values belong in float32.
    public mutating func scatterAdd(
        _ values: Tensor, at indices: Tensor<Int32>, along axis: Int
    ) throws(TensorError) {
        try scatter(values, indices, axis, "scatterAdd") {
            $0 = Scalar(rounding: $0.accumulator.adding($1.accumulator))
        }
    }

    /// Adds each slice of `values` to the slice of its index along the first axis: the gradient of an embedding table.
    ///
    /// - Parameters:
    ///   - values: [indices, ...] where this tensor is [rows, ...].
    ///   - indices: one a slice; negative ones count from the end.
    public mutating func addSlices(_ values: Tensor, at indices: Tensor<Int32>) throws(TensorError) {
        let name = "addSlices"
        guard rank > 0, indices.rank == 1, values.shape == indices.shape + shape.dropFirst() else {
            throw TensorError(
                name, shapes: [shape, values.shape, indices.shape],
                problem: "are incompatible: the second needs one slice per index, and the remaining axes of the "
                    + "first")
        }
        try IndexPlan.check(indices, size: shape[0], shape, name)
        try makeWritable()
        let places = indices.elements
        let walk = Walk(Array(shape.dropFirst()), Array(strides.dropFirst()), Array(values.strides.dropFirst()))
        for (i, place) in places.enumerated() {
            let row = base + (place < 0 ? Int(place) + shape[0] : Int(place)) * strides[0]
            let value = values.base + i * values.strides[0]
            walk.forEachRow(in: 0..<walk.rows) {
                ArithmeticLoops.row(
                    .add, row + $0.a, walk.row.a, value + $0.b, walk.row.b, into: row + $0.a, walk.length)
            }
        }
        withExtendedLifetime((self, values)) {}
    }
}

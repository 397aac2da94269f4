extension Tensor where Scalar: NumericScalar {
    /// The index of the first largest element along an axis; a NaN is larger than anything.
    public func argmax(_ axis: Int, keepingAxes: Bool = false) throws(TensorError) -> Tensor<Int32> {
        try place(of: .maximum, along: axis, keepingAxes, for: "argmax")
    }

    /// The index of the first smallest element along an axis; a NaN is smaller than anything.
    public func argmin(_ axis: Int, keepingAxes: Bool = false) throws(TensorError) -> Tensor<Int32> {
        try place(of: .minimum, along: axis, keepingAxes, for: "argmin")
    }

    /// The index of the first largest element of all, in the order of their indices.
    public func argmax() throws(TensorError) -> Tensor<Int32> { try flattened().argmax(0) }

    /// The index of the first smallest element of all, in the order of their indices.
    public func argmin() throws(TensorError) -> Tensor<Int32> { try flattened().argmin(0) }

    private func place(
        of extreme: Combination, along axis: Int, _ keepingAxes: Bool, for name: String
    ) throws(TensorError) -> Tensor<Int32> {
        let axis = try Shape.axis(axis, shape, name)
        let length = shape[axis]
        guard length <= Int(Int32.max) else {
            throw TensorError(name, shape, problem: "has more elements on axis \(axis) than int32 can count")
        }
        let best = try reduced([axis], true, extreme, for: name) { Scalar(rounding: $0) }
        let step = strides[axis]
        let others = shapeKeeping([axis])
        let walk = Walk(others, strides, best.strides)
        let result = keepingAxes ? others : shape.indices.filter { $0 != axis }.map { shape[$0] }
        defer { withExtendedLifetime((self, best)) {} }
        return try Tensor<Int32>(filling: result, count: best.count, for: name) { target in
            walk.forEachRow(grain: max(1, (1 << 16) / max(1, length))) { place, count in
                ExtremeLoops.find(
                    base + place.a, length, step, count, walk.row.a, best.base + place.b, into: target + place.b)
            }
        }
    }
}

private enum ExtremeLoops {
    /// Finds where the extreme of each of `count` results, `apart` from each other, comes first.
    @specialized(where S == Float)
    @specialized(where S == Double)
    @specialized(where S == Float16)
    @specialized(where S == BFloat16)
    @specialized(where S == Int8)
    @specialized(where S == Int32)
    static func find<S: NumericScalar>(
        _ source: UnsafePointer<S>, _ length: Int, _ step: Int, _ count: Int, _ apart: Int, _ best: UnsafePointer<S>,
        into target: UnsafeMutablePointer<Int32>
    ) {
        if apart == 1, step != 1 {
            // Neighbours in memory: down the axis for all of them at once, so that lines of memory are used whole.
            for i in 0..<count { target[i] = -1 }
            for place in (0..<length).reversed() {
                let row = source + place * step
                for i in 0..<count {
                    let isBest = row[i] == best[i] || row[i].isNaN
                    target[i] = isBest ? Int32(truncatingIfNeeded: place) : target[i]
                }
            }
            return
        }
        for i in 0..<count {
            let row = source + i * apart
            var place = 0
            while place < length, !(row[place * step] == best[i] || row[place * step].isNaN) { place += 1 }
            target[i] = Int32(truncatingIfNeeded: place)
        }
    }
}

extension Tensor {
    /// A view of what the selectors take, one an axis from the first; axes without a selector stay whole.
    ///
    /// ```swift
    /// let last = try hidden[0, -1]                 // the first sequence, its last token: [width]
    /// let heads = try q[.all, .all, 0..<4]         // [batch, token, 4, width]
    /// let even = try row[.every(2)]
    /// ```
    public subscript<each Selector: AxisSelector>(_ selectors: repeat each Selector) -> Tensor {
        get throws(TensorError) {
            var selections: [AxisSelection] = []
            for selector in repeat each selectors { selections.append(selector.selection) }
            return try sliced(selections)
        }
    }

    /// A view of what the selections take, one an axis from the first; axes without one stay whole.
    public func sliced(_ selections: [AxisSelection]) throws(TensorError) -> Tensor {
        var view = Slice(shape: [], strides: [], offset: offset)
        var axis = 0
        for selection in selections {
            if selection == .inserted {
                view.shape.append(1)
                view.strides.append(0)
                continue
            }
            guard axis < rank else {
                let given = selections.count { $0 != .inserted }
                throw TensorError("slice", shape, problem: "has \(rank) axes, but \(given) are selected")
            }
            try view.take(selection, axis, of: self)
            axis += 1
        }
        view.shape += shape[axis...]
        view.strides += strides[axis...]
        let count = view.shape.reduce(1, *)
        return Tensor(
            view: storage, shape: view.shape, strides: view.strides, offset: count == 0 ? 0 : view.offset,
            count: count)
    }

    /// A view of a part of one axis, every `step`-th element of it.
    public func sliced(
        axis: Int, _ range: some AxisSelector, step: Int = 1
    ) throws(TensorError) -> Tensor {
        let axis = try Shape.axis(axis, shape, "slice")
        var selection = range.selection
        if case .range(let from, let to, let every) = selection, step != 1 {
            selection = .range(from: from, to: to, step: every.multipliedReportingOverflow(by: step).partialValue)
        }
        let whole = AxisSelection.range(from: nil, to: nil, step: 1)
        return try sliced([AxisSelection](repeating: whole, count: axis) + [selection])
    }
}

private struct Slice {
    var shape: [Int]
    var strides: [Int]
    var offset: Int

    mutating func take<Scalar>(
        _ selection: AxisSelection, _ axis: Int, of tensor: Tensor<Scalar>
    ) throws(TensorError) {
        let (size, stride) = (tensor.shape[axis], tensor.strides[axis])
        switch selection {
        case .index(let index):
            guard index >= -size, index < size else {
                throw TensorError(
                    "slice", tensor.shape, problem: "has no element \(index) on axis \(axis), whose size is \(size)")
            }
            offset += (index < 0 ? index + size : index) * stride
        case .range(let from, let to, let step):
            guard step != 0, step != .min else {
                throw TensorError(
                    "slice", tensor.shape,
                    problem: "cannot be sliced in steps of \(step) on axis \(axis)")
            }
            let limits = step > 0 ? 0...size : -1...size - 1
            func place(_ index: Int?, _ whole: Int) -> Int {
                guard let index else { return whole }
                return min(max(index < 0 ? index + size : index, limits.lowerBound), limits.upperBound)
            }
            let start = place(from, step > 0 ? 0 : size - 1)
            let end = place(to, step > 0 ? size : -1)
            let distance = step > 0 ? end - start : start - end
            let length = distance <= 0 ? 0 : (distance - 1) / abs(step) + 1
            shape.append(length)
            strides.append(length > 1 ? stride * step : stride)
            if length > 0 { offset += start * stride }
        case .inserted: break
        }
    }
}

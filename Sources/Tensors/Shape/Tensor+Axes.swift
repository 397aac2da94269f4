extension Tensor {
    /// A view with the last two axes exchanged; a vector stays as it is.
    public func transposed() -> Tensor {
        rank < 2 ? self : permutedUnchecked(Array(0..<rank - 2) + [rank - 1, rank - 2])
    }

    /// A view with two axes exchanged.
    public func transposed(_ first: Int, _ second: Int) throws(TensorError) -> Tensor {
        let a = try Shape.axis(first, shape, "transposed")
        let b = try Shape.axis(second, shape, "transposed")
        var order = Array(0..<rank)
        order.swapAt(a, b)
        return permutedUnchecked(order)
    }

    /// A view whose axis `i` is axis `order[i]` of this tensor.
    public func permuted(_ order: [Int]) throws(TensorError) -> Tensor {
        let axes = try Shape.axes(order, shape, "permuted")
        guard axes.count == rank else {
            throw TensorError("permuted", shape, problem: "needs a permutation of its \(rank) axes, not \(order)")
        }
        return permutedUnchecked(axes)
    }

    /// A view with one axis moved elsewhere, the others in their order.
    public func movingAxis(_ source: Int, to target: Int) throws(TensorError) -> Tensor {
        let from = try Shape.axis(source, shape, "movingAxis")
        let to = try Shape.axis(target, shape, "movingAxis")
        var order = Array(0..<rank)
        order.insert(order.remove(at: from), at: to)
        return permutedUnchecked(order)
    }

    /// A view with the order of the elements along these axes reversed.
    public func flipped(_ axes: Int...) throws(TensorError) -> Tensor {
        let axes = try Shape.axes(axes, shape, "flipped")
        var (strides, offset) = (strides, offset)
        for axis in axes where count > 0 {
            offset += (shape[axis] - 1) * strides[axis]
            strides[axis] = -strides[axis]
        }
        return Tensor(view: storage, shape: shape, strides: strides, offset: offset, count: count)
    }

    /// A view without this axis, whose size must be 1.
    public func squeezed(_ axis: Int) throws(TensorError) -> Tensor {
        let axis = try Shape.axis(axis, shape, "squeezed")
        guard shape[axis] == 1 else {
            throw TensorError("squeezed", shape, problem: "has size \(shape[axis]) on axis \(axis), not 1")
        }
        var (shape, strides) = (shape, strides)
        shape.remove(at: axis)
        strides.remove(at: axis)
        return Tensor(view: storage, shape: shape, strides: strides, offset: offset, count: count)
    }

    /// A view without any axis of size 1.
    public func squeezed() -> Tensor {
        let kept = shape.indices.filter { shape[$0] != 1 }
        return Tensor(
            view: storage, shape: kept.map { shape[$0] }, strides: kept.map { strides[$0] }, offset: offset,
            count: count)
    }

    /// A view with a new axis of size 1, which becomes axis `axis` of the result; -1 puts it last.
    public func expanded(at axis: Int) throws(TensorError) -> Tensor {
        guard axis >= -rank - 1, axis <= rank else {
            throw TensorError("expanded", shape, problem: "needs a new axis from \(-rank - 1) to \(rank), not \(axis)")
        }
        let place = axis < 0 ? axis + rank + 1 : axis
        var (shape, strides) = (shape, strides)
        shape.insert(1, at: place)
        strides.insert(0, at: place)
        return Tensor(view: storage, shape: shape, strides: strides, offset: offset, count: count)
    }

    /// A view of the elements whose indices on two axes differ by `shift`; they become the last axis.
    ///
    /// - Parameter shift: how far above the main diagonal; below it where negative.
    public func diagonal(_ shift: Int = 0, axes first: Int = -2, _ second: Int = -1) throws(TensorError) -> Tensor {
        let pair = try Shape.axes([first, second], shape, "diagonal")
        let (rows, columns) = (shape[pair[0]], shape[pair[1]])
        let length = max(0, shift >= 0 ? min(rows, columns &- shift) : min(rows &+ shift, columns))
        let kept = shape.indices.filter { !pair.contains($0) }
        let newShape = kept.map { shape[$0] } + [length]
        let skip = length == 0 ? 0 : shift >= 0 ? shift * strides[pair[1]] : -shift * strides[pair[0]]
        return Tensor(
            view: storage, shape: newShape, strides: kept.map { strides[$0] } + [strides[pair[0]] + strides[pair[1]]],
            offset: offset + skip, count: newShape.reduce(1, *))
    }

    func permutedUnchecked(_ order: [Int]) -> Tensor {
        Tensor(
            view: storage, shape: order.map { shape[$0] }, strides: order.map { strides[$0] }, offset: offset,
            count: count)
    }
}

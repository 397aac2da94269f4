/// Joins tensors one after another along an existing axis.
///
/// - Throws: `TensorError` if the sizes of another axis differ, or if there are no tensors.
public func concatenate<Scalar>(_ tensors: [Tensor<Scalar>], axis: Int = 0) throws(TensorError) -> Tensor<Scalar> {
    let name = "concatenate"
    guard let first = tensors.first else { throw TensorError(name, problem: "needs at least one tensor") }
    let axis = try Shape.axis(axis, first.shape, name)
    var shape = first.shape
    for tensor in tensors.dropFirst() {
        var (expected, found) = (first.shape, tensor.shape)
        if found.count == expected.count { (expected[axis], found[axis]) = (0, 0) }
        guard expected == found else {
            throw TensorError(
                name, first.shape, tensor.shape,
                problem: "are incompatible: only the size of axis \(axis) may differ")
        }
        let (sum, overflow) = shape[axis].addingReportingOverflow(tensor.shape[axis])
        shape[axis] = overflow ? .max : sum
    }
    let count = try Shape.count(shape, name)
    let strides = Shape.strides(shape)
    return try Tensor(filling: shape, count: count, for: name) { target in
        var start = 0
        for tensor in tensors {
            CopyLoops.copy(
                tensor.base, tensor.strides, to: target + start * strides[axis], strides, shape: tensor.shape)
            start += tensor.shape[axis]
            withExtendedLifetime(tensor) {}
        }
    }
}

/// Tensors of one shape along a new axis.
public func stack<Scalar>(_ tensors: [Tensor<Scalar>], axis: Int = 0) throws(TensorError) -> Tensor<Scalar> {
    guard let first = tensors.first else { throw TensorError("stack", problem: "needs at least one tensor") }
    if let other = tensors.first(where: { $0.shape != first.shape }) {
        throw TensorError("stack", first.shape, other.shape, problem: "are incompatible: the shapes must be equal")
    }
    let place = axis < 0 ? axis + first.rank + 1 : axis
    var expanded: [Tensor<Scalar>] = []
    for tensor in tensors { try expanded.append(tensor.expanded(at: axis)) }
    return try concatenate(expanded, axis: place)
}

extension Tensor {
    /// Views of parts of an axis, of these sizes, which must add up to its own.
    public func split(_ sizes: [Int], axis: Int = 0) throws(TensorError) -> [Tensor] {
        let axis = try Shape.axis(axis, shape, "split")
        var total = 0
        for size in sizes {
            let (sum, overflow) = total.addingReportingOverflow(size)
            total = size < 0 || overflow ? .max : sum
            if total == .max { break }
        }
        guard total == shape[axis] else {
            throw TensorError(
                "split", shape, problem: "has size \(shape[axis]) on axis \(axis), which is not the sum of \(sizes)")
        }
        var parts: [Tensor] = []
        var start = 0
        for size in sizes {
            try parts.append(sliced(axis: axis, start..<start + size))
            start += size
        }
        return parts
    }

    /// Views of equal parts of an axis, whose size must be a multiple of `count`.
    public func split(into count: Int, axis: Int = 0) throws(TensorError) -> [Tensor] {
        let place = try Shape.axis(axis, shape, "split")
        guard count > 0, shape[place] % count == 0 else {
            throw TensorError("split", shape, problem: "cannot be split into \(count) equal parts on axis \(place)")
        }
        return try split([Int](repeating: shape[place] / count, count: count), axis: place)
    }

    /// The tensor within a border of `value`.
    ///
    /// - Parameter widths: elements before and after, one pair an axis.
    public func padded(_ widths: [(Int, Int)], with value: Scalar) throws(TensorError) -> Tensor {
        guard widths.count == rank, !widths.contains(where: { $0.0 < 0 || $0.1 < 0 }) else {
            throw TensorError("padded", shape, problem: "needs \(rank) pairs of widths of at least 0, not \(widths)")
        }
        var grown: [Int] = []
        for (size, width) in zip(shape, widths) {
            let (sum, overflow) = size.addingReportingOverflow(width.0)
            let (total, overflow2) = sum.addingReportingOverflow(width.1)
            grown.append(overflow || overflow2 ? .max : total)
        }
        let count = try Shape.count(grown, "padded")
        let strides = Shape.strides(grown)
        let start = zip(widths, strides).reduce(0) { $0 + $1.0.0 * $1.1 }
        defer { withExtendedLifetime(self) {} }
        return try Tensor(filling: grown, count: count, for: "padded") { target in
            target.update(repeating: value, count: count)
            if self.count > 0 { CopyLoops.copy(base, self.strides, to: target + start, strides, shape: shape) }
        }
    }

    /// Each element `count` times in a row along an axis.
    public func repeated(_ count: Int, axis: Int) throws(TensorError) -> Tensor {
        let axis = try Shape.axis(axis, shape, "repeated")
        var wide = shape
        wide.insert(count, at: axis + 1)
        _ = try Shape.count(wide, "repeated")
        var merged = shape
        merged[axis] *= count
        return try expanded(at: axis + 1).broadcast(to: wide).reshaped(merged)
    }

    /// The whole tensor `counts[i]` times one after the other along axis `i`.
    public func tiled(_ counts: [Int]) throws(TensorError) -> Tensor {
        guard counts.count == rank else {
            throw TensorError("tiled", shape, problem: "needs \(rank) counts, one per axis, not \(counts)")
        }
        var wide: [Int] = []
        var single: [Int] = []
        for (size, count) in zip(shape, counts) {
            wide += [count, size]
            single += [1, size]
        }
        _ = try Shape.count(wide, "tiled")
        return try reshaped(single).broadcast(to: wide).reshaped(zip(shape, counts).map { $0 * $1 })
    }

    /// The elements moved along an axis by `shift`; those that leave at one end enter at the other.
    public func rolled(_ shift: Int, axis: Int) throws(TensorError) -> Tensor {
        let axis = try Shape.axis(axis, shape, "rolled")
        let size = shape[axis]
        guard size > 0 else { return self }
        let cut = ((-shift % size) + size) % size
        return try concatenate([sliced(axis: axis, cut...), sliced(axis: axis, ..<cut)], axis: axis)
    }
}

public import Tensors

/// Variables one after the other along an axis that they have.
public func concatenate<S>(_ parts: [Variable<S>], axis: Int = 0) throws(TensorError) -> Variable<S> {
    let value = try concatenate(parts.map { $0.value }, axis: axis)
    let sizes = parts.map { $0.shape[axis < 0 ? axis + $0.rank : axis] }
    return .made(by: "concatenate", value, from: parts) { back throws(TensorError) in
        var gradients: [Variable<S>?] = []
        var start = 0
        for (place, size) in sizes.enumerated() {
            gradients.append(
                back.needs(place) ? try back.gradient.sliced(axis: axis, start..<start + size) : nil)
            start += size
        }
        return gradients
    }
}

/// Variables of one shape along a new axis.
public func stack<S>(_ parts: [Variable<S>], axis: Int = 0) throws(TensorError) -> Variable<S> {
    let value = try stack(parts.map { $0.value }, axis: axis)
    return .made(by: "stack", value, from: parts) {
        [place = axis < 0 ? axis + value.rank : axis, count = parts.count] back throws(TensorError) in
        var gradients: [Variable<S>?] = []
        for index in 0..<count {
            gradients.append(back.needs(index) ? try back.gradient.sliced(axis: place, index) : nil)
        }
        return gradients
    }
}

extension Variable {
    /// Views of parts of an axis, of these sizes, which must add up to its own.
    public func split(_ sizes: [Int], axis: Int = 0) throws(TensorError) -> [Variable] {
        _ = try value.split(sizes, axis: axis)
        var parts: [Variable] = []
        var start = 0
        for size in sizes {
            try parts.append(sliced(axis: axis, start..<start + size))
            start += size
        }
        return parts
    }

    /// Views of equal parts of an axis, whose size must be a multiple of `count`.
    public func split(into count: Int, axis: Int = 0) throws(TensorError) -> [Variable] {
        let sizes = try value.split(into: count, axis: axis).map { $0.shape[axis < 0 ? axis + rank : axis] }
        return try split(sizes, axis: axis)
    }

    /// The elements within a border of a number.
    ///
    /// - Parameter widths: elements before and after, one pair an axis.
    public func padded(_ widths: [(Int, Int)], with number: Scalar) throws(TensorError) -> Variable {
        .made(by: "padded", try value.padded(widths, with: number), from: [self]) {
            [shape] back throws(TensorError) in
            [
                try back.gradient.sliced(
                    zip(widths, shape).map { .range(from: $0.0, to: $0.0 + $1, step: 1) })
            ]
        }
    }

    /// Each element `count` times in a row along an axis.
    public func repeated(_ count: Int, axis: Int) throws(TensorError) -> Variable {
        let value = try value.repeated(count, axis: axis)
        let place = axis < 0 ? axis + rank : axis
        return .made(by: "repeated", value, from: [self]) { [shape] back throws(TensorError) in
            var wide = shape
            wide.insert(count, at: place + 1)
            return [try back.gradient.reshaped(wide).sum(axes: [place + 1])]
        }
    }

    /// The whole of it `counts[i]` times one after the other along axis `i`.
    public func tiled(_ counts: [Int]) throws(TensorError) -> Variable {
        .made(by: "tiled", try value.tiled(counts), from: [self]) { [shape] back throws(TensorError) in
            let wide = zip(counts, shape).flatMap { [$0, $1] }
            if wide.isEmpty { return [back.gradient] }
            let copies = stride(from: 0, to: wide.count, by: 2)
            return [try back.gradient.reshaped(wide).sum(axes: Array(copies))]
        }
    }

    /// The elements moved along an axis by `shift`; those that leave at one end enter at the other.
    public func rolled(_ shift: Int, axis: Int) throws(TensorError) -> Variable {
        .made(by: "rolled", try value.rolled(shift, axis: axis), from: [self]) { back throws(TensorError) in
            [try back.gradient.rolled(-shift, axis: axis)]
        }
    }
}

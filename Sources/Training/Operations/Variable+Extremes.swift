public import Tensors

extension Variable {
    /// The largest elements over these axes, over all where none is named. Equal ones share the gradient evenly, as
    /// in torch's `amax`.
    public func maximum(_ axes: Int..., keepingAxes: Bool = false) throws(TensorError) -> Variable {
        let value = try value.maximum(axes: axes, keepingAxes: keepingAxes)
        return try extreme("maximum", value, axes)
    }

    /// The smallest elements over these axes, over all where none is named. Equal ones share the gradient evenly, as
    /// in torch's `amin`.
    public func minimum(_ axes: Int..., keepingAxes: Bool = false) throws(TensorError) -> Variable {
        let value = try value.minimum(axes: axes, keepingAxes: keepingAxes)
        return try extreme("minimum", value, axes)
    }

    private func extreme(
        _ operation: String, _ extreme: Tensor<Scalar>, _ axes: [Int]
    ) throws(TensorError) -> Variable {
        guard isRecorded else { return Variable(extreme) }
        let kept = keeping(axes)
        let isBest: Tensor<Scalar> = try (value .== extreme.reshaped(kept)).converted()
        let share = try isBest / isBest.sum(axes: axes, keepingAxes: true)
        return .made(by: operation, extreme, from: [self], saving: [Variable(share)]) { back throws(TensorError) in
            [try back.gradient.reshaped(kept) * back.saved[0]]
        }
    }

    /// The `k` largest elements along an axis, or the smallest, best first; of equal ones those of lower index.
    ///
    /// - Returns: elements, which hand their gradients to where they came from, and their places along the axis.
    public func topK(
        _ k: Int, axis: Int = -1, largest: Bool = true
    ) throws(TensorError) -> (values: Variable, indices: Tensor<Int32>) {
        let (_, indices) = try value.topK(k, axis: axis, largest: largest)
        return (try gathered(indices, along: axis), indices)
    }

    /// The products over these axes, over all where none is named. Zeros among the factors do no harm to the gradient.
    public func product(_ axes: Int..., keepingAxes: Bool = false) throws(TensorError) -> Variable {
        let kept = keeping(axes)
        _ = try value.sum(axes: axes, keepingAxes: true)
        let places = axes.isEmpty ? Array(shape.indices) : axes.map { $0 < 0 ? $0 + rank : $0 }
        let others = shape.indices.filter { !places.contains($0) }
        let inner = places.reduce(1) { $0 * shape[$1] }
        var factors = try permuted(others + places).reshaped(others.map { shape[$0] } + [inner])
        if inner == 0 { factors = try factors.padded(others.map { _ in (0, 0) } + [(0, 1)], with: 1) }
        // Halves are multiplied until one is left: sums of logarithms and divisions would fail at zero.
        while let size = factors.shape.last, size > 1 {
            if size % 2 == 1 { factors = try factors.padded(others.map { _ in (0, 0) } + [(0, 1)], with: 1) }
            let half = (size + 1) / 2
            factors = try factors.sliced(axis: -1, 0..<half) * factors.sliced(axis: -1, half..<2 * half)
        }
        return try factors.reshaped(keepingAxes ? kept : others.map { shape[$0] })
    }

    /// The sums of all elements up to each one along an axis.
    public func cumulativeSum(_ axis: Int) throws(TensorError) -> Variable {
        .made(by: "cumulativeSum", try value.cumulativeSum(axis), from: [self]) { back throws(TensorError) in
            [try back.gradient.flipped(axis).cumulativeSum(axis).flipped(axis)]
        }
    }
}

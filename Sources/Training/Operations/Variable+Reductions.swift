public import Tensors

extension Variable {
    /// The sums over these axes, over all where none is named.
    ///
    /// - Parameter keepingAxes: leaves the summed axes in the shape, with size 1.
    public func sum(_ axes: Int..., keepingAxes: Bool = false) throws(TensorError) -> Variable {
        try sum(axes: axes, keepingAxes: keepingAxes)
    }

    /// The sums over a list of axes, over all where it is empty.
    public func sum(axes: [Int], keepingAxes: Bool = false) throws(TensorError) -> Variable {
        let kept = keeping(axes)
        return .made(by: "sum", try value.sum(axes: axes, keepingAxes: keepingAxes), from: [self]) {
            [shape] back throws(TensorError) in
            [try back.gradient.reshaped(kept).broadcast(to: shape)]
        }
    }

    /// The means over these axes, over all where none is named.
    public func mean(_ axes: Int..., keepingAxes: Bool = false) throws(TensorError) -> Variable {
        try mean(axes: axes, keepingAxes: keepingAxes)
    }

    /// The means over a list of axes, over all where it is empty.
    public func mean(axes: [Int], keepingAxes: Bool = false) throws(TensorError) -> Variable {
        let (kept, size) = (keeping(axes), reducedCount(axes))
        return .made(by: "mean", try value.mean(axes: axes, keepingAxes: keepingAxes), from: [self]) {
            [shape] back throws(TensorError) in
            [try (back.gradient.reshaped(kept) / size).broadcast(to: shape)]
        }
    }

    /// The mean squares of the distances from the mean, over these axes or all.
    ///
    /// - Parameter correction: is taken off the number of elements that the squares are divided by.
    public func variance(
        _ axes: Int..., correction: Int = 0, keepingAxes: Bool = false
    ) throws(TensorError) -> Variable {
        try variance(axes: axes, correction: correction, keepingAxes: keepingAxes)
    }

    /// The variances over a list of axes, over all where it is empty.
    public func variance(
        axes: [Int], correction: Int = 0, keepingAxes: Bool = false
    ) throws(TensorError) -> Variable {
        let value = try value.variance(axes: axes, correction: correction, keepingAxes: keepingAxes)
        let (kept, divisor) = (keeping(axes), max(0, reducedCount(axes) - Scalar(correction)))
        return .made(by: "variance", value, from: [self], saving: [self]) { back throws(TensorError) in
            let x = back.saved[0]
            let distance = try x - x.mean(axes: axes, keepingAxes: true)
            return [try back.gradient.reshaped(kept) * distance * (2 / divisor)]
        }
    }

    /// The square roots of the variances; where one is 0, its gradient is taken to be 0, as in torch.
    public func standardDeviation(
        _ axes: Int..., correction: Int = 0, keepingAxes: Bool = false
    ) throws(TensorError) -> Variable {
        let squares = try value.variance(axes: axes, correction: correction, keepingAxes: keepingAxes)
        let (kept, divisor) = (keeping(axes), max(0, reducedCount(axes) - Scalar(correction)))
        return .made(
            by: "standardDeviation", try Tensors.sqrt(squares), from: [self], saving: [self], keepsOutput: true
        ) { back throws(TensorError) in
            let x = back.saved[0]
            let distance = try x - x.mean(axes: axes, keepingAxes: true)
            // Without any spread the distances are 0: any divisor will do.
            let spread = try select(back.output.value .== 0, .one(), back.output)
            return [try (back.gradient / (spread * divisor)).reshaped(kept) * distance]
        }
    }

    /// The same elements stretched to a larger shape, by the rules of broadcasting. Nothing is copied.
    public func broadcast(to shape: [Int]) throws(TensorError) -> Variable {
        if shape == self.shape { return self }
        return .made(by: "broadcast", try value.broadcast(to: shape), from: [self]) {
            [small = self.shape] back throws(TensorError) in
            [try back.gradient.summed(to: small)]
        }
    }

    /// The opposite of broadcasting: sums over the axes along which a smaller shape was stretched.
    ///
    /// - Throws: `TensorError` where the shape does not stretch to this one.
    public func summed(to shape: [Int]) throws(TensorError) -> Variable {
        if shape == self.shape { return self }
        let added = rank - shape.count
        let fits = added >= 0 && zip(shape, self.shape.dropFirst(added)).allSatisfy { $0 == $1 || $0 == 1 }
        guard fits else {
            throw TensorError(
                "summed", self.shape, shape, problem: "are incompatible: the second cannot be broadcast to the first")
        }
        let axes = self.shape.indices.filter { $0 < added || shape[$0 - added] != self.shape[$0] }
        let sums = try value.sum(axes: axes, keepingAxes: true).reshaped(shape)
        let kept = self.shape.indices.map { axes.contains($0) ? 1 : self.shape[$0] }
        return .made(by: "summed", sums, from: [self]) { [large = self.shape] back throws(TensorError) in
            [try back.gradient.reshaped(kept).broadcast(to: large)]
        }
    }

    /// The shape with these axes, or all, at size 1. Axes that are not there are left to the operation to refuse.
    func keeping(_ axes: [Int]) -> [Int] {
        let places = axes.map { $0 < 0 ? $0 + rank : $0 }
        return shape.indices.map { axes.isEmpty || places.contains($0) ? 1 : shape[$0] }
    }

    /// How many elements each result of a reduction over these axes is made of.
    private func reducedCount(_ axes: [Int]) -> Scalar {
        let places = axes.map { $0 < 0 ? $0 + rank : $0 }
        return Scalar(shape.indices.reduce(1) { axes.isEmpty || places.contains($1) ? $0 * shape[$1] : $0 })
    }
}

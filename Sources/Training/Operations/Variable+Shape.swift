public import Tensors

// Views stay views: the numbers are copied only where the strides of a reshaped tensor leave no other way.
extension Variable {
    /// The same elements in the same order under another shape.
    ///
    /// - Parameter shape: one size may be -1: it is what is left for it.
    public func reshaped(_ shape: [Int]) throws(TensorError) -> Variable {
        if shape == self.shape { return self }
        return .made(by: "reshaped", try value.reshaped(shape), from: [self]) {
            [before = self.shape] back throws(TensorError) in
            [try back.gradient.reshaped(before)]
        }
    }

    /// All elements as one vector.
    public func flattened() throws(TensorError) -> Variable { try reshaped([count]) }

    /// The axes from `first` to the last as one axis.
    public func flattened(from first: Int) throws(TensorError) -> Variable {
        guard first >= 0, first < max(1, rank) else {
            throw TensorError("flattened", shape, problem: "has no axis \(first)")
        }
        return try reshaped(Array(shape[..<min(first, rank)]) + [shape.dropFirst(first).reduce(1, *)])
    }

    /// The last two axes exchanged; a vector stays as it is.
    public func transposed() throws(TensorError) -> Variable {
        rank < 2 ? self : try transposed(-2, -1)
    }

    /// Two axes exchanged.
    public func transposed(_ first: Int, _ second: Int) throws(TensorError) -> Variable {
        .made(by: "transposed", try value.transposed(first, second), from: [self]) { back throws(TensorError) in
            [try back.gradient.transposed(first, second)]
        }
    }

    /// A view whose axis `i` is axis `order[i]` of this one.
    public func permuted(_ order: [Int]) throws(TensorError) -> Variable {
        let value = try value.permuted(order)
        return .made(by: "permuted", value, from: [self]) { [rank] back throws(TensorError) in
            var inverse = [Int](repeating: 0, count: rank)
            for (place, axis) in order.enumerated() { inverse[axis < 0 ? axis + rank : axis] = place }
            return [try back.gradient.permuted(inverse)]
        }
    }

    /// One axis moved elsewhere, the others in their order.
    public func movingAxis(_ source: Int, to target: Int) throws(TensorError) -> Variable {
        .made(by: "movingAxis", try value.movingAxis(source, to: target), from: [self]) { back throws(TensorError) in
            [try back.gradient.movingAxis(target, to: source)]
        }
    }

    /// The shape without this axis, whose size must be 1.
    public func squeezed(_ axis: Int) throws(TensorError) -> Variable {
        .made(by: "squeezed", try value.squeezed(axis), from: [self]) { [shape] back throws(TensorError) in
            [try back.gradient.reshaped(shape)]
        }
    }

    /// The shape without any axis of size 1.
    public func squeezed() throws(TensorError) -> Variable { try reshaped(shape.filter { $0 != 1 }) }

    /// A new axis of size 1, which becomes axis `axis` of the result; -1 puts it last.
    public func expanded(at axis: Int) throws(TensorError) -> Variable {
        .made(by: "expanded", try value.expanded(at: axis), from: [self]) { [shape] back throws(TensorError) in
            [try back.gradient.reshaped(shape)]
        }
    }

    /// The order of the elements along these axes reversed.
    public func flipped(_ axes: Int...) throws(TensorError) -> Variable {
        var result = self
        for axis in try value.axes(axes, "flipped") {
            result = .made(by: "flipped", try result.value.flipped(axis), from: [result]) {
                back throws(TensorError) in
                [try back.gradient.flipped(axis)]
            }
        }
        return result
    }

    /// The elements whose indices on two axes differ by `shift`; they become the last axis.
    ///
    /// - Parameter shift: how far above the main diagonal; below it where negative.
    public func diagonal(_ shift: Int = 0, axes first: Int = -2, _ second: Int = -1) throws(TensorError) -> Variable {
        let value = try value.diagonal(shift, axes: first, second)
        return .made(by: "diagonal", value, from: [self]) { [shape] back throws(TensorError) in
            let pair = (first < 0 ? first + shape.count : first, second < 0 ? second + shape.count : second)
            let length = back.gradient.shape[back.gradient.rank - 1]
            let square = try back.gradient.expanded(at: -1) * Variable(Tensor.eye(length))
            // The square within the last two axes, then these back to where they were.
            var widths = [(Int, Int)](repeating: (0, 0), count: shape.count)
            let skipped = length == 0 ? (0, 0) : (max(0, -shift), max(0, shift))
            widths[shape.count - 2] = (skipped.0, shape[pair.0] - length - skipped.0)
            widths[shape.count - 1] = (skipped.1, shape[pair.1] - length - skipped.1)
            var order = shape.indices.filter { $0 != pair.0 && $0 != pair.1 }
            order += [pair.0, pair.1]
            var inverse = order
            for (place, axis) in order.enumerated() { inverse[axis] = place }
            return [try square.padded(widths, with: 0).permuted(inverse)]
        }
    }
}

extension Tensor {
    /// Axes from 0, each at most once.
    func axes(_ axes: [Int], _ operation: String) throws(TensorError) -> [Int] {
        var result: [Int] = []
        for given in axes {
            let axis = given < 0 ? given + rank : given
            guard axis >= 0, axis < rank else {
                throw TensorError(operation, shape, problem: "has no axis \(given): its rank is \(rank)")
            }
            guard !result.contains(axis) else {
                throw TensorError(operation, shape, problem: "gets axis \(axis) twice")
            }
            result.append(axis)
        }
        return result
    }
}
